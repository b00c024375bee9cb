"""Numbers, names and tables as text."""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SMALLEST_POWER, _LARGEST_POWER = -4, 6
# Invisible characters that only join or separate letters and emoji.
_JOINERS = frozenset("\u200c\u200d")


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


def percent(value: float) -> str:
    """Show a share in percent."""
    return "–" if math.isnan(value) else f"{round(100 * value, 1) + 0:.1f}%"  # no -0.0


def whole_percent(share: float) -> str:
    """Show a share in whole percent, or with as many digits as keep it from 0 and 100%."""
    percent = 100 * share
    for digits in range(4):
        shown = round(percent, digits)
        if 0 < shown < 100 or shown == percent:  # noqa: PLR2004
            return f"{shown:.{digits}f}%"
    return f"{percent:.3g}%"


def short_percent(share: float) -> str:
    """Show a difference in whole percent; those near 0 have one more digit."""
    percent = 100 * share
    text = f"{percent:.0f}" if abs(percent) >= 0.95 or percent == 0 else f"{percent:.1f}"  # noqa: PLR2004
    return f"{text.replace('-', '−')}%"


def listed(texts: Sequence[str]) -> str:
    """Join texts with commas and a final "and"."""
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


def format_table(title: str, columns: Mapping[str, Sequence[Any]]) -> str:
    """Format a table in columns of fixed width, numbers to the right."""
    aligned = []
    for name, values in columns.items():
        cells = [cell(value) for value in values]
        is_text = all(shown[:1].isalpha() for shown in cells)
        width = max(map(len, [name, *cells]))
        aligned.append([shown.ljust(width) if is_text else shown.rjust(width) for shown in [name, *cells]])
    return "\n".join([title, *("  ".join(row).rstrip() for row in zip(*aligned, strict=True))])


def limits(side: str) -> str:
    """Name bounds on one side, such as "upper limits"; nothing for intervals, which have both."""
    return "" if side == "both" else f"{side} limits"
