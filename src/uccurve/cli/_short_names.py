"""Long names shortened in the middle, so that a table fits its terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

if TYPE_CHECKING:
    from collections.abc import Sequence

SHORTEST = 10
"""Columns that a name has at least; where that leaves too little room, a table continues below."""


def fitted_names(names: Sequence[Sequence[str]], room: int, mark: str) -> list[list[str]]:
    """Shorten columns of names to the room that they have together.

    Parameters
    ----------
    names : sequence of sequences of str
        One column of names, or several.
    room : int
        Columns of the terminal that are left for all of them.
    mark : str
        What stands for letters that are left out.
    """
    widths = [max(map(cell_len, column)) for column in names]
    for place in sorted(range(len(names)), key=widths.__getitem__):  # short ones leave room to the others
        others = sum(1 for width in widths if width > widths[place]) + 1
        widths[place] = min(widths[place], max(room // others, SHORTEST))
        room -= widths[place]
    return [_short(column, width, mark) for column, width in zip(names, widths, strict=True)]


def shortened(name: str, width: int, mark: str) -> str:
    """Leave out the middle of a name that is wider than so many columns."""
    if cell_len(name) <= width:
        return name
    room = width - cell_len(mark)
    tail = _front(name[::-1], room // 2)[::-1]
    return f"{_front(name, room - cell_len(tail))}{mark}{tail}"


def _short(names: Sequence[str], width: int, mark: str) -> list[str]:
    """Shorten names, unless two of them would look alike."""
    short = {name: shortened(name, width, mark) for name in names}
    return list(names) if len(set(short.values())) < len(short) else [short[name] for name in names]


def _front(text: str, room: int) -> str:
    """Return as many letters from the front as fit."""
    while cell_len(text) > room:
        text = text[: -max(1, (cell_len(text) - room) // 2)]
    return text
