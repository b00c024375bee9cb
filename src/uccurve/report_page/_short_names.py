"""Long names on the page: they lose their middle, and keep it in a title that the pointer shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 32
"""Letters of a name inside a sentence; as in js/short_names.js."""


def without_middle(text: str, letters: int = LONGEST) -> str:
    """Leave out the middle of a text that is longer than so many letters: names often differ at the end."""
    if len(text) <= letters:
        return text
    kept = letters - 1
    return f"{text[: kept - kept // 2]}…{text[len(text) - kept // 2 :]}"


def in_parts(text: str, names: Iterable[str]) -> list[dict[str, str]]:
    """Cut a text at long names: each part is shown as ``text``, with the whole name as its ``title``."""
    long = sorted((name for name in names if len(name) > LONGEST), key=len, reverse=True)
    if not long:
        return [{"text": text, "title": ""}]
    pieces = re.split(f"({'|'.join(map(re.escape, long))})", text)
    return [
        {"text": without_middle(piece), "title": piece} if piece in long else {"text": piece, "title": ""}
        for piece in pieces
        if piece
    ]
