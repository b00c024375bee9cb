"""Numbers, names and tables as text."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_DIGITS = 4
_SMALLEST_POWER, _LARGEST_POWER = -4, 6
LINE = 100
"""Columns of a screen that printed tables and sentences keep to."""
# Characters of a name that stay where a table is too wide: at least so many, and where that does not suffice.
_SHORTEST, _LONGEST = 12, 28
# What no range of numbers has, such as "4.7 to 95.3%".
_WORD = re.compile(r"^[^\W\d_]|[^\W\d_]{3}")
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
        return _signed(f"{_trimmed(mantissa)}e{power:+d}")
    return _signed(_trimmed(f"{value:.{max(0, 3 - power)}f}"))


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _signed(text: str) -> str:
    return text.replace("-", "−")


def cell(value: Any) -> str:
    """Show a value: numbers with four digits, a dash for a missing one."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value) if isinstance(value, float) else printable(str(value))


def align_numbers(values: Sequence[float]) -> list[str]:
    """Show numbers with as many decimals as the largest needs for four digits, so that they line up."""
    sizes = [abs(value) for value in values if math.isfinite(value) and value != 0]
    power = math.floor(math.log10(max(sizes))) if sizes else 0
    is_common = -_DIGITS < power <= _DIGITS and min(sizes, default=1) > 10.0 ** (power - 2)
    if not is_common:
        return [cell(float(value)) for value in values]
    decimals = max(0, _DIGITS - 1 - power)
    return [_signed(f"{value:.{decimals}f}") if math.isfinite(value) else cell(value) for value in values]


def percent(value: float) -> str:
    """Show a share in percent."""
    return "–" if math.isnan(value) else _signed(f"{round(100 * value, 1) + 0:.1f}%")  # no -0.0


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
    return _signed(f"{text}%")


def format_parameters(parameters: Sequence[float], levels: Sequence[Sequence[float]]) -> list[str]:
    """Show the parameters of points, aligned; of quantiles the level to take, or that it lies beyond them.

    ``levels`` are the coverages that the nested quantiles of each curve claim, rising; none for other curves.
    """
    shown = []
    for parameter, aligned, own in zip(parameters, align_numbers(parameters), levels, strict=True):
        if math.isnan(parameter) or not own:
            shown.append(aligned)
        else:
            shown.append(f"> {whole_percent(own[-1])}" if parameter > 1 else percent(parameter * own[-1]))
    return shown


def listed(texts: Sequence[str]) -> str:
    """Join texts with commas and a final "and"."""
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


def format_table(title: str, columns: Mapping[str, Sequence[str]], keys: int = 1, line: int = LINE) -> str:
    """Format a table in lines of limited length, numbers to the right.

    Headings may have two lines. Where a table is wider, names in the first ``keys`` columns lose their
    middle; where that does not suffice, columns continue below, beside those of names.
    """
    height = max((heading.count("\n") + 1 for heading in columns), default=1)
    widths = [max(map(_width, [*heading.split("\n"), *cells])) for heading, cells in columns.items()]
    room = line - sum(width + 2 for width in widths[keys:])
    fitting = (
        size
        for size in range(max(widths, default=0), _SHORTEST, -1)
        if sum(min(width, size) + 2 for width in widths[:keys]) - 2 <= room
    )
    longest = next(fitting, _LONGEST)
    aligned = []
    for place, (heading, cells) in enumerate(columns.items()):
        head, size = heading.split("\n"), longest if place < keys else max(longest, _LONGEST)
        texts = [*[""] * (height - len(head)), *head, *shorten(cells, size)]
        width, is_text = max(map(_width, texts)), any(map(_WORD.search, cells))
        gaps = [" " * (width - _width(text)) for text in texts]
        aligned.append([text + gap if is_text else gap + text for text, gap in zip(texts, gaps, strict=True)])
    parts = [aligned[:keys]]
    for column in aligned[keys:]:
        taken = sum(_width(texts[0]) + 2 for texts in parts[-1])
        if len(parts[-1]) > keys and taken + _width(column[0]) > line:
            parts.append(aligned[:keys])
        parts[-1].append(column)
    lines = ("  ".join(row).rstrip() for part in parts for row in zip(*part, strict=True))
    return "\n".join(filter(None, [title, *lines]))


def _width(text: str) -> int:
    """Return the columns that a text takes: letters of Chinese or Japanese two, accents of their own none."""
    wide, joined = unicodedata.east_asian_width, unicodedata.combining
    return sum(1 + (wide(letter) in "WF") - (joined(letter) > 0) for letter in text)


def shorten(texts: Sequence[str], longest: int) -> Sequence[str]:
    """Leave out the middle of long texts, unless two of them would look alike."""
    end = longest // 2
    short = {t: t if len(t) <= longest else f"{t[: longest - 1 - end]}…{t[-end:]}" for t in texts}
    return texts if len(set(short.values())) < len(short) else [short[text] for text in texts]


def limits(side: str) -> str:
    """Name bounds on one side, such as "upper limits"; nothing for intervals, which have both."""
    return "" if side == "both" else f"{side} limits"
