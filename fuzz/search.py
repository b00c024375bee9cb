"""What a target is, and how examples of it are searched for."""

from __future__ import annotations

import time
import traceback
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, seed, settings
from hypothesis.database import DirectoryBasedExampleDatabase

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hypothesis.strategies import SearchStrategy


@dataclass(frozen=True, kw_only=True)
class Target:
    """Examples, and a check that raises where one of them breaks the library."""

    examples: SearchStrategy[Any]
    check: Callable[[Any], None]
    per_round: int = 100
    """How many examples are drawn before it is another target's turn."""


def finding(
    name: str, target: Target, *, number: int, examples: int, until: float, database: Path | None
) -> str | None:
    """Check some examples; return the traceback of the smallest that fails, or None.

    Parameters
    ----------
    name : str
        The target's name, under which failures are kept.
    target : Target
        What is checked.
    number : int
        The seed.
    examples : int
        How many examples to draw.
    until : float
        The time of ``time.monotonic`` after which no further example is checked.
    database : Path, optional
        The folder in which failures are kept, to be tried again first.
    """
    failed = False

    def checked(example: Any) -> None:
        nonlocal failed
        if time.monotonic() > until and not failed:
            return
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                target.check(example)
        except BaseException:
            failed = True
            raise

    checked.__name__ = checked.__qualname__ = name
    search = settings(
        max_examples=examples,
        database=None if database is None else DirectoryBasedExampleDatabase(database / name),
        deadline=None,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=True,
    )
    try:
        search(seed(number)(given(target.examples)(checked)))()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
        return "".join(traceback.format_exception(error))
    return None
