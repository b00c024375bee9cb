"""Figures as files that publishers take: words in TrueType fonts, pictures of 300 dots per inch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from uccurve._base import files
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    import os

FIGURE_KINDS = (".pdf", ".png", ".svg")
"""The kinds of files, by the ends of their names."""
DPI = 300
_TRUETYPE: Any = {"pdf.fonttype": 42}


def save_figure(figure: Any, path: str | os.PathLike[str], dpi: float = DPI) -> None:
    """Write a figure, all of it or none of it, in the format that the name says.

    Words in a PDF file are in TrueType fonts (type 42), which publishers take, unlike matplotlib's type 3.
    In an SVG file they are outlines, which look the same everywhere.
    """
    kind = Path(path).suffix.lower()
    if kind not in FIGURE_KINDS:
        known = ", ".join(FIGURE_KINDS)
        raise ArgumentError(
            argument="path", rule=f"be a name that ends with one of {known}", got=repr(str(path))
        )
    with files.replacing(path) as unfinished:
        write_figure(figure, unfinished, kind, dpi)


def write_figure(figure: Any, path: Path, kind: str, dpi: float = DPI) -> None:
    """Write a figure of a known kind, such as ".pdf", to a path of any name."""
    import matplotlib as mpl  # noqa: PLC0415

    with mpl.rc_context(_TRUETYPE):
        figure.savefig(path, format=kind[1:], dpi=dpi)
