"""Numbers and tables as text and as HTML; every name that a user gave is escaped."""

from __future__ import annotations

import html
import math
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_LEFT_OUT = frozenset({"n", "coverage", "excess", "deficit", "interval_score", "strip_gain"})
_SMALLEST_P = 1e-4
_SMALLEST_POWER, _LARGEST_POWER = -4, 6
_JOINERS = frozenset("\u200c\u200d")
"""Invisible characters that only join or separate letters and emoji."""
_SHARES = frozenset({"miss_rate", "gain", "ceiling", "deficit_gain", "deficit_ceiling", "mean_gain", "saved"})


def printable(text: str) -> str:
    """Replace characters that move the cursor, break lines or reverse text: names are shown, not obeyed."""
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character.isprintable() or character in _JOINERS:
        return character
    return " " if unicodedata.category(character) == "Zs" else "�"


def number(value: float) -> str:
    """Show a number with four digits, without exponent below a million, as the report page does."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.3e}".split("e")
    power = int(exponent)
    if not _SMALLEST_POWER <= power < _LARGEST_POWER:
        return f"{_trimmed(mantissa)}e{power:+d}"
    return _trimmed(f"{value:.{max(0, 3 - power)}f}")


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def cell(value: Any) -> str:
    """Show a value: numbers with four digits, a dash for a missing one."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value) if isinstance(value, float) else printable(str(value))


def readable(columns: Mapping[str, Sequence[Any]]) -> dict[str, list[str]]:
    """Make a table readable: fewer columns, shares in percent, intervals in brackets."""
    shown: dict[str, list[str]] = {}
    for name, values in columns.items():
        if name in _LEFT_OUT or name.endswith(("_low", "_high")):
            continue
        ends = [columns.get(name + end) for end in ("_low", "_high")]
        if name == "difference":
            ends = [columns["low"], columns["high"]]
        show = percent if name in _SHARES else _p_value if name in ("p", "p_holm") else cell
        texts = [show(value) for value in values]
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
        shown[name.replace("_", " ")] = texts
    return shown


def _p_value(value: float) -> str:
    return "< 0.0001" if value < _SMALLEST_P else cell(value)


def percent(value: float) -> str:
    """Show a share in percent."""
    return "–" if math.isnan(value) else f"{round(100 * value, 1) + 0:.1f} %"  # no -0.0


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
