"""The tables of a comparison as people read them: as text and as HTML; names that users gave are escaped."""

from __future__ import annotations

import html
import itertools
import math
from typing import TYPE_CHECKING, Any

from uccurve._base.text import cell, percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LEFT_OUT = frozenset(
    {
        "n",
        "coverage",
        "excess",
        "deficit",
        "interval_score",
        "interval_score_moved",
        "narrow_coverage",
        "wide_coverage",
        "strip_gain",
        "mean_gain",
        "width_ratio",
        "n_units",
        "smallest_pvalue_holm",
    }
)
"""Columns that are in frames and documents, but not in printed tables."""
_SHARES = frozenset(
    {
        "miss_rate",
        "gain",
        "gain_at",
        "coverage_at",
        "ceiling",
        "deficit_gain",
        "deficit_ceiling",
        "mean_gain",
        "saved",
    }
)
"""Columns that are shown in percent."""
_SMALLEST_P = 1e-4
_RELIABLE = "_reliable"
_DOUBT = "?"
_SIGNIFICANT = "_significant"
STAR = "✱"
"""Marks numbers that differ significantly from what they are held against."""
DOUBTFUL = f"{_DOUBT} marks intervals that may be too narrow."
_RESAMPLES = "resamples"
_NEEDS = {"pvalue": "needs", "pvalue_holm": "needs"}
"""Where tests say what they need more of before they can decide."""


def heading(name: str, point: str = "the point") -> str:
    """Return the heading of a column in words; ``point`` is the coverage of the comparison."""
    words = name.replace("needs", "needs more")
    words = words.replace("pvalue", "p").replace("_at", f" at {point}").replace("_holm", ", Holm")
    return words.replace("_", " ")


def readable(columns: Mapping[str, Sequence[Any]], point: str = "the point") -> dict[str, list[str]]:
    """Make a table readable: fewer columns, shares in percent, intervals in brackets.

    A p-value that more resamples could make smaller is marked as a bound, beside what the test needs more of.
    """
    shown: dict[str, list[str]] = {}
    for name, values in columns.items():
        if name in _LEFT_OUT or name.endswith((_RELIABLE, _SIGNIFICANT)) or _is_an_end(name, columns):
            continue
        if name in _NEEDS.values():
            if any(values):
                shown[heading(name, point)] = [cell(value) for value in values]
            continue
        show = percent if name in _SHARES else _p_value if "pvalue" in name else cell
        texts = [show(value) for value in values]
        needs = columns.get(_NEEDS.get(name, ""), ())
        if name == "pvalue" and "pvalue_holm" in columns:
            needs = ()
        texts = [
            f"≤ {text}" if need == _RESAMPLES and text != cell(None) else text
            for text, need in itertools.zip_longest(texts, needs)
        ]
        lows, highs = (columns.get(end) for end in _ends(name))
        if lows is not None and highs is not None:
            marks = ["" if sure else _DOUBT for sure in columns.get(name + _RELIABLE, [True] * len(texts))]
            texts = [
                f"{text} [{show(low).removesuffix('%')}, {show(high).removesuffix('%')}]{mark}"
                if not (
                    math.isnan(low) or math.isnan(high) or (name in _SHARES and value == low == high == 0)
                )
                else text  # there is none, or the gain of a constant band, which is 0 by definition
                for text, value, low, high, mark in zip(texts, values, lows, highs, marks, strict=True)
            ]
        stars = columns.get(name + _SIGNIFICANT, [False] * len(texts))
        texts = [f"{text} {STAR}" if star else text for text, star in zip(texts, stars, strict=True)]
        shown[heading(name, point)] = texts
    return shown


def doubtful(columns: Mapping[str, Sequence[Any]]) -> bool:
    """Whether a table has intervals that few rows decide."""
    marked = [name.removesuffix(_RELIABLE) for name in columns if name.endswith(_RELIABLE)]
    return any(
        not sure and low == low  # noqa: PLR0124 - not NaN: there is an interval
        for name in marked
        for sure, low in zip(columns[name + _RELIABLE], columns[_ends(name)[0]], strict=True)
    )


def _ends(name: str) -> tuple[str, str]:
    """Return the columns with the ends of a number's interval."""
    base = name.removesuffix("_difference")
    return f"{base}_low", f"{base}_high"


def _is_an_end(name: str, columns: Mapping[str, Sequence[Any]]) -> bool:
    """Whether a column holds an end of another one's interval."""
    return any(name in _ends(other) for other in columns)


def _p_value(value: float) -> str:
    return "< 0.0001" if value < _SMALLEST_P else cell(value)


def as_html(title: str, columns: Mapping[str, Sequence[Any]]) -> str:
    """Format a table as HTML."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    rows = (
        "<tr>" + "".join(f"<td>{html.escape(cell(value))}</td>" for value in row) + "</tr>"
        for row in zip(*columns.values(), strict=True)
    )
    return f"<table><caption>{html.escape(title)}</caption><tr>{head}</tr>{''.join(rows)}</table>"
