"""The command line that is running, for pages that say how they were made."""

from __future__ import annotations

import shlex
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORDS: ContextVar[tuple[str, ...]] = ContextVar("_WORDS", default=())


def remember(words: Sequence[str]) -> None:
    """Keep what follows the name of the program."""
    _WORDS.set(tuple(words))


def given_command() -> str:
    """Return the command as one would type it."""
    return shlex.join(["uccurve", *_WORDS.get()])
