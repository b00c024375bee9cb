"""The tables of a comparison as people read them: as text and as HTML; names that users gave are escaped."""

from __future__ import annotations

import html
import itertools
from typing import TYPE_CHECKING, Any

from uccurve._base.text import cell, percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LEFT_OUT = frozenset(
    {"n", "coverage", "excess", "deficit", "interval_score", "bandwidth_at", "strip_gain", "mean_gain"}
)
"""Columns that are in frames and documents, but not in printed tables."""
_SHARES = frozenset(
    {"miss_rate", "gain", "gain_at", "ceiling", "deficit_gain", "deficit_ceiling", "mean_gain", "saved"}
)
"""Columns that are shown in percent."""
_SMALLEST_P = 1e-4


def heading(name: str, point: str = "the point") -> str:
    """Return the heading of a column in words; ``point`` is the coverage of the comparison."""
    if name == "needs":
        return "needs more"
    words = name.replace("pvalue", "p").replace("_at", f" at {point}").replace("_holm", ", Holm")
    return words.replace("_", " ")


def readable(columns: Mapping[str, Sequence[Any]], point: str = "the point") -> dict[str, list[str]]:
    """Make a table readable: fewer columns, shares in percent, intervals in brackets.

    A p-value that cannot decide is marked as a bound, beside what the test needs more of.
    """
    shown: dict[str, list[str]] = {}
    needs = columns.get("needs", ())
    for name, values in columns.items():
        if name in _LEFT_OUT or name.endswith(("_low", "_high")) or (name == "needs" and not any(needs)):
            continue
        ends = [columns.get(name + end) for end in ("_low", "_high")]
        if name == "difference":
            ends = [columns["low"], columns["high"]]
        show = percent if name in _SHARES else _p_value if name in ("pvalue", "pvalue_holm") else cell
        texts = [show(value) for value in values]
        if name == ("pvalue_holm" if "pvalue_holm" in columns else "pvalue"):
            texts = [
                f"≤ {text}" if need and text != cell(None) else text
                for text, need in itertools.zip_longest(texts, needs)
            ]
        lows, highs = ends
        if lows is not None and highs is not None:
            texts = [
                f"{text} [{show(low).removesuffix(' %')}, {show(high).removesuffix(' %')}]"
                if low == low and high == high  # noqa: PLR0124 - not NaN: there is an interval
                else text
                for text, low, high in zip(texts, lows, highs, strict=True)
            ]
        if name in ("low", "high") and "difference" in columns:
            continue
        shown[heading(name, point)] = texts
    return shown


def _p_value(value: float) -> str:
    return "< 0.0001" if value < _SMALLEST_P else cell(value)


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


def as_html(title: str, columns: Mapping[str, Sequence[Any]]) -> str:
    """Format a table as HTML."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    rows = (
        "<tr>" + "".join(f"<td>{html.escape(cell(value))}</td>" for value in row) + "</tr>"
        for row in zip(*columns.values(), strict=True)
    )
    return f"<table><caption>{html.escape(title)}</caption><tr>{head}</tr>{''.join(rows)}</table>"
