"""The table that answers: one row per model, the best at the chosen coverage first, in 80 columns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from uccurve._base.text import cell, limits, percent, printable, short_percent, whole_percent
from uccurve.cli._target_coverage import coverage_in_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Vary

_MOVED = {"scale": "scale\nby", "shift": "add to\neach side", "level": "level\nto take"}
_ABSENT = "–"
"""What moves a model to the chosen coverage, by what is varied."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelRow:
    """What the table says about one model.

    Attributes
    ----------
    model : str
        Its name.
    coverage : float
        Coverage as supplied.
    claimed : float | None
        Coverage that it claims, if it does.
    width : float
        Half-width that it needs at the chosen coverage, in units of y; NaN if it does not reach it.
    score : float | None
        Interval score at the chosen coverage, in units of y; None where the table does not show it.
    against : str
        How much narrower or wider than constant width that is; empty where the table does not show it.
    moved : str
        What moves it there.
    rows : int
        Number of rows.
    segment : str | None
        The segment that the rows are of.
    side : str
        Where it has bounds: "both", or one side.
    """

    model: str
    coverage: float
    claimed: float | None
    width: float
    moved: str
    score: float | None = None
    against: str = ""
    rows: int = 0
    segment: str | None = None
    side: str = "both"


def ranked(rows: Sequence[ModelRow]) -> list[ModelRow]:
    """Sort rows by interval score, those that do not reach the coverage last; segments stay together."""
    segments = list(dict.fromkeys(row.segment for row in rows))
    numbers = {id(row): row.width if row.score is None else row.score for row in rows}
    return sorted(
        rows,
        key=lambda row: (segments.index(row.segment), math.isnan(numbers[id(row)]), numbers[id(row)]),
    )


def counted(rows: Sequence[ModelRow]) -> bool:
    """Whether the number of rows differs, so that each row of the table tells its own."""
    return len({row.rows for row in rows}) > 1 or rows[0].segment is not None


def columns_of(rows: Sequence[ModelRow], *, vary: Vary, rate: float) -> dict[str, list[str]]:
    """Return the rows as columns of text, with headings of one or two lines.

    Parameters
    ----------
    rows : sequence of ModelRow
        In the order in which they are shown.
    vary : str
        What moves the operating point.
    rate : float
        The chosen coverage, as a miss rate.
    """
    segmented = rows[0].segment is not None
    point = coverage_in_words(rate).removesuffix(" coverage")
    one_sided = [row.side != "both" for row in rows]
    width = "distance" if all(one_sided) else "width" if any(one_sided) else "half-width"
    shown: dict[str, list[str]] = {}
    if segmented:
        shown["segment"] = [printable(row.segment or "") for row in rows]
    shown["model"] = [printable(row.model) for row in rows]
    if any(one_sided):
        shown["bounds"] = [limits(row.side) or "both" for row in rows]
    if counted(rows):
        shown["rows"] = [cell(row.rows) for row in rows]
    shown["coverage\nas supplied"] = [percent(row.coverage) for row in rows]
    if not segmented and any(row.claimed is not None for row in rows):
        shown["claims"] = [_ABSENT if row.claimed is None else whole_percent(row.claimed) for row in rows]
    if any(row.score is not None for row in rows):
        shown["interval\nscore"] = [cell(row.score) for row in rows]
    shown[f"{width}\nat {point}"] = [cell(row.width) for row in rows]
    if any(row.against for row in rows):
        shown["against\nconstant width"] = _aligned([row.against for row in rows])
    shown[_MOVED[vary]] = [_signed(row.moved) for row in rows]
    return shown


def narrower_text(share: float) -> str:
    """Say how much narrower or wider a share saved makes a band."""
    if math.isnan(share):
        return _ABSENT
    return "as wide" if share == 0 else f"{short_percent(abs(share))} {'narrower' if share > 0 else 'wider'}"


def moved_text(parameter: float, vary: Vary, target: float | None, widest: float | None) -> str:
    """Show the factor or the amount; under ``level`` the level to take, or that it is beyond the widest.

    Parameters
    ----------
    parameter : float
        The factor or amount; NaN if the coverage is out of reach.
    vary : str
        What moves the operating point.
    target : float | None
        The nominal coverage to take; None beyond the widest level.
    widest : float | None
        The nominal coverage as supplied.
    """
    if vary != "level" or math.isnan(parameter) or widest is None:
        return cell(parameter)
    return f"> {whole_percent(widest)}" if target is None else percent(target)


def _aligned(texts: Sequence[str]) -> list[str]:
    """Put the numbers in front of "narrower" and "wider" below each other."""
    digits = max((text.index("%") for text in texts if "%" in text), default=0)
    return [" " * (digits - text.index("%")) + text if "%" in text else text for text in texts]


def _signed(text: str) -> str:
    return text.replace("-", "−")
