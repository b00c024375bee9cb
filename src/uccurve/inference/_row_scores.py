"""Numbers that are weighted means of what single rows cost, among them proper scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError
from uccurve.formulas import costs, scores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uccurve.intervals import Intervals

ScoreWhat = Literal["interval_score", "weighted_interval_score"]
SCORES: tuple[ScoreWhat, ...] = ("interval_score", "weighted_interval_score")
OF_QUANTILES: tuple[ScoreWhat, ...] = ("weighted_interval_score",)
"""Scores of all quantiles that intervals hold, rather than of one pair."""
_DEFAULTS = {"x": "bandwidth", "y": "miss_rate", "partial": "mean", "vary": None}


@dataclass(frozen=True, kw_only=True)
class ScoreSpec:
    """A proper score, and the miss rate that it is for; None if it is for all quantiles."""

    what: ScoreWhat
    miss_rate: float | None
    power = 1
    """The power of the unit of y that the number has."""

    @classmethod
    def of(cls, what: str, options: Mapping[str, Any], models: Sequence[Intervals]) -> ScoreSpec:
        """Read the miss rate from the options, or from what all of the intervals claim."""
        points = () if what in OF_QUANTILES else ("miss_rate", "coverage")
        others = [name for name in options if name not in (*points, *_DEFAULTS)]
        others += [
            name for name, usual in _DEFAULTS.items() if not _is_usual(options.get(name, usual), usual)
        ]
        if others:
            takes = " or ".join(reversed(points)) or "no options"
            raise ArgumentError(f"{what!r} takes {takes}, got {', '.join(others)}")
        if what in OF_QUANTILES:
            return cls(what="weighted_interval_score", miss_rate=None)
        given = {name: options.get(name) for name in ("coverage", "miss_rate")}
        claim = _claim(what, models) if all(value is None for value in given.values()) else None
        rate = arguments.miss_rate_of(**given, default=claim)
        return cls(what=cast("ScoreWhat", what), miss_rate=rate)

    @property
    def options(self) -> dict[str, float]:
        """The options that give the same again."""
        return {} if self.miss_rate is None else {"miss_rate": self.miss_rate}

    def of_rows(self, rows: Intervals) -> np.ndarray:
        """Return the score of each row."""
        if self.miss_rate is None:
            return _of_quantiles(rows)
        width, deficit = cost_of_rows(rows, "bandwidth"), cost_of_rows(rows, "deficit")
        found = np.asarray(costs.interval_score(width, deficit, self.miss_rate, rows.side))
        if not np.all(np.isfinite(found)):
            raise arguments.overflow()
        return found


def _of_quantiles(rows: Intervals) -> np.ndarray:
    """Return the weighted interval score of each row, from all pairs that it holds."""
    nested = rows.rows.columns.nested
    assert nested is not None  # noqa: S101 - otherwise the rows are refused
    lower, upper = (np.stack(side, axis=1) for side in nested.bands())
    return weighted_interval_scores(
        rows.y_true, nested.center, (lower, upper), nested.levels, with_median=nested.with_median
    )


def _is_usual(value: Any, usual: str | None) -> bool:
    """Whether an option of curves is not made use of, whatever it holds."""
    return value is usual or (isinstance(value, str) and value == usual)


def _claim(what: str, models: Sequence[Intervals]) -> float:
    """Return the miss rate that intervals claim, if it is the same for all models."""
    first, *others = dict.fromkeys(model.nominal for model in models)
    if first is None or others:
        claimed = " and ".join("none" if claim is None else repr(claim) for claim in (first, *others))
        raise ArgumentError(
            argument="coverage",
            rule=f"be passed for an {what!r}, or `miss_rate`: the intervals claim {claimed}",
        )
    return arguments.complement(first)


def cost_of_rows(rows: Intervals, what: str) -> np.ndarray:
    """Return one of the costs of each row of plain intervals, as given."""
    y, lower, upper = rows.y_true, rows.lower, rows.upper
    if rows.side != "both" and what in ("bandwidth", "excess"):
        (whole,) = rows.rows.blocks(whole=True)
        if what == "bandwidth":
            return np.asarray(whole.active)
        return np.asarray(costs.excess(np, costs.room(np, whole.abs_error, -whole.active, whole.active)))
    if what == "bandwidth":
        return np.asarray(costs.half_width(lower, upper))
    if what in ("miss_rate", "coverage"):
        missed = costs.missed(y, lower, upper)
        return np.asarray(missed if what == "miss_rate" else ~missed, dtype=np.float64)
    cost = costs.excess if what == "excess" else costs.deficit
    return np.asarray(cost(np, costs.room(np, y, lower, upper)))


def weighted_interval_scores(
    y_true: np.ndarray,
    center: np.ndarray,
    bands: tuple[np.ndarray, np.ndarray],
    coverages: Sequence[float],
    *,
    with_median: bool,
) -> np.ndarray:
    """Return the weighted interval score of each row of nested intervals.

    ``bands`` are the distances from the center to the lower and to the upper bounds, of shape (n, intervals),
    in the order of ``coverages``. ``with_median`` says that the center is a quantile of its own.
    """
    lower, upper = bands
    middle, count = center[:, None], len(coverages)
    table = np.concatenate([middle - lower, middle + upper, middle], axis=1)
    tails = np.array([arguments.complement(coverage) / 2 for coverage in coverages])
    columns = np.arange(2 * count)
    pairs = scores.Pairs(columns[:count], columns[count:], tails, 2 * count if with_median else None)
    return np.asarray(sum(scores.wis_terms(np, y_true, table, pairs)))
