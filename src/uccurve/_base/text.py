"""Numbers, names and tables as text."""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SMALLEST_POWER, _LARGEST_POWER = -4, 6
LINE = 100
"""Columns of a screen that printed tables and sentences keep to."""
# Characters of a cell beyond which it loses its middle.
_LONGEST = 28
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


def format_table(title: str, columns: Mapping[str, Sequence[str]], keys: int = 1) -> str:
    """Format a table in lines of at most 100 characters, numbers to the right; long names lose their middle.

    Headings may have two lines. Where columns do not fit, they continue below, beside the first ``keys``.
    """
    height = max((heading.count("\n") + 1 for heading in columns), default=1)
    aligned = []
    for heading, cells in columns.items():
        head = heading.split("\n")
        texts = [*[""] * (height - len(head)), *head, *shorten(cells)]
        width, is_text = max(map(len, texts)), all(text[:1].isalpha() for text in cells)
        aligned.append([text.ljust(width) if is_text else text.rjust(width) for text in texts])
    parts = [aligned[:keys]]
    for column in aligned[keys:]:
        taken = sum(len(texts[0]) + 2 for texts in parts[-1])
        if len(parts[-1]) > keys and taken + len(column[0]) > LINE:
            parts.append(aligned[:keys])
        parts[-1].append(column)
    lines = ("  ".join(row).rstrip() for part in parts for row in zip(*part, strict=True))
    return "\n".join(filter(None, [title, *lines]))


def shorten(texts: Sequence[str], longest: int = _LONGEST) -> Sequence[str]:
    """Leave out the middle of long texts, unless two of them would look alike."""
    end = longest // 2
    short = {t: t if len(t) <= longest else f"{t[: longest - 1 - end]}…{t[-end:]}" for t in texts}
    return texts if len(set(short.values())) < len(short) else [short[text] for text in texts]


def limits(side: str) -> str:
    """Name bounds on one side, such as "upper limits"; nothing for intervals, which have both."""
    return "" if side == "both" else f"{side} limits"
