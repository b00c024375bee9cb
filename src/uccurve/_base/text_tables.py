"""Tables as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve._base.text import cell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def as_text(title: str, columns: Mapping[str, Sequence[Any]]) -> str:
    """Format a table in columns of fixed width, numbers to the right."""
    head = list(columns)
    rows = [[cell(value) for value in row] for row in zip(*columns.values(), strict=True)]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    text = [all(c[:1].isalpha() for c in column) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            f"{c:<{w}}" if t else f"{c:>{w}}" for c, w, t in zip(row, widths, text, strict=True)
        ).rstrip()
        for row in [head, *rows]
    ]
    return "\n".join([title, *lines])
