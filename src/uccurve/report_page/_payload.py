"""The numbers of the page: what its scripts read, as plain data."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arrays import to_numpy
from uccurve._base.text import printable
from uccurve.comparison import describe_limits
from uccurve.curve import UCC
from uccurve.exceptions import UccurveError
from uccurve.formulas.tolerances import SAME_SUM
from uccurve.report_page import _carried_rows, _sampled_curve
from uccurve.report_page._packed import packed
from uccurve.report_page._segments import segments

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uccurve.comparison import CompareOptions, Comparison
    from uccurve.curve import Curve, OperatingPoint
    from uccurve.intervals import Intervals
    from uccurve.report_page._ratio_bands import RatioLines

# Miss rates of the partial gains.
_RANGE = (0.0, 0.5)
_PLACES = ("parameter", "miss_rate", "coverage", "bandwidth", "excess", "deficit")


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """What the page shows beside the comparison."""

    title: str
    unit: str
    columns: Mapping[str, tuple[np.ndarray, bool]]
    """What rows can be drawn against, and whether it is a time."""
    rows: _carried_rows.Rows | None
    """Which rows are drawn; None where there are none left."""
    notes: tuple[str, ...] = ()
    """Warnings that the page repeats."""
    about: Mapping[str, str] = field(default_factory=dict)
    """Facts for the top of the page."""


def payload(
    comparison: Comparison, view: View, lines: RatioLines, step: Callable[[], None]
) -> dict[str, Any]:
    """Collect everything that the page's scripts need; ``step`` is called once for each curve."""
    options, curves, rates = comparison.options, comparison.curves, lines.rates
    first = next(iter(comparison.models.values()))
    standard = None if first.source is None else _standard(first.source)
    weights = _weights(first, standard)
    return {
        "title": view.title,
        "unit": view.unit,
        "n": first.n,
        "outputs": 1 if first.source is None else first.source.n_outputs,
        "sketched": first.source is None,
        "side": first.side,
        "limits": describe_limits(first.side),
        "vary": options.vary,
        "x": options.x,
        "y": options.y,
        "missRate": options.miss_rate,
        "range": list(_RANGE),
        "level": options.confidence_level,
        "blocks": options.blocks is not None,
        "standard": standard,
        "rates": packed(rates),
        "weights": {name: packed(c) for name, (c, _) in weights.items()},
        "curves": [
            {
                "name": printable(name),
                "reference": list(curves).index(comparison.own_constant_band.get(name, name)),
                **_curve(
                    curve,
                    rates,
                    weights,
                    constant=name in comparison.constant_bands,
                    options=options,
                    step=step,
                ),
                "number": packed(lines.number[name]) if name in lines.number else None,
                "logMargin": packed(lines.log_margin[name]) if name in lines.log_margin else None,
                "lead": _lead(comparison, name, lines.reference),
            }
            for name, curve in curves.items()
        ],
        "rows": None
        if view.rows is None
        else _carried_rows.carried(with_rows(curves), view.rows, view.columns),
        "segments": segments(comparison, rates),
        "regimes": _regimes(comparison),
        "rankBy": options.rank_by,
        "ranked": [list(curves).index(score.model) for score in comparison.scores],
        "measure": lines.measure,
        "words": list(lines.better),
        "common": list(map(printable, curves)).index(lines.reference),
        "answers": _answers(comparison, rates),
    }


def carried_rates(comparison: Comparison) -> np.ndarray:
    """Return the miss rates that the page carries: all that were looked at, and the ends."""
    return np.union1d(comparison.standings.rates, [0.0, 1.0, *_RANGE])


def _weights(first: Curve, standard: float | None) -> dict[str, tuple[np.ndarray, float]]:
    """Return the weights of costs for each axis and unit, with the factor of that unit."""
    size = float(first.data.summary.error)
    found = {"deficit": (_sampled_curve.weights(), 1.0), "raw": (_sampled_curve.weights(size), 1.0)}
    if standard is not None:
        found["standardized"] = (_sampled_curve.weights(size * standard), standard)
    return found


def _standard(intervals: Intervals) -> float | None:
    """Return what turns units of y into standard deviations of y; None where no one number does."""
    if intervals.n_outputs > 1:
        return None
    try:
        return float(intervals.standardized().rows.summary.width) / float(intervals.rows.summary.width)
    except (UccurveError, ZeroDivisionError):
        return None


def _curve(
    curve: Curve,
    rates: np.ndarray,
    weights: Mapping[str, tuple[np.ndarray, float]],
    *,
    constant: bool,
    options: CompareOptions,
    step: Callable[[], None],
) -> dict[str, Any]:
    step()
    pairs = {}
    for x, y in _sampled_curve.PAIRS:
        sums = _sampled_curve.partials(curve, x, y, rates)
        asked = [weights["deficit"]] if y == "deficit" else [weights[n] for n in weights if n != "deficit"]
        deficits = {  # on miss rates a mean ends where it begins, and the heights are the rates
            "meanEnd": packed(sums.mean_end),
            "heightBegin": packed(sums.height_begin),
            "heightEnd": packed(sums.height_end),
        }
        pairs[f"{x} {y}"] = {
            "stripBegin": packed(sums.strip_begin),
            "stripEnd": packed(sums.strip_end),
            "meanBegin": packed(sums.mean_begin),
            **(deficits if y == "deficit" else {}),
            "cheapest": None if constant else _columns(_sampled_curve.cheapest(curve, x, y, asked)),
        }
    band = curve.confidence_band(confidence_level=options.confidence_level)
    rate, low, high = (to_numpy(column) for column in (band.miss_rate, band.low, band.high))
    margin = max(np.max(high - rate), np.max(rate - low))  # either is cut, at 1 or at 0
    return {
        "constant": constant,
        "flat": not constant and curve.reference is curve,
        "symmetric": curve.symmetric,
        "largest": curve.levels[-1] if len(curve.levels) > 1 else None,
        "margin": float(margin),
        "points": _columns(_sampled_curve.points(curve, rates)),
        "frontier": _columns(_sampled_curve.frontier(curve, rates)) if constant else None,
        "original": _point(curve.original),
        "claimed": None if constant else curve.nominal,
        "reliability": None if constant else _reliability(curve),
        "pairs": pairs,
    }


def _reliability(curve: Curve) -> dict[str, str] | None:
    """Return claimed against observed coverage; None where nothing is claimed, or it says nothing."""
    if curve.nominal is None or curve.data.family.in_units_of_y or curve.side != "both":
        return None
    found = curve.reliability()
    return {"claimed": packed(to_numpy(found.nominal)), "observed": packed(to_numpy(found.coverage))}


def _lead(comparison: Comparison, name: str, reference: str) -> list[float]:
    """Return how much better than the reference a model is at the coverage of the comparison."""
    standings = comparison.standings
    if not {name, reference} <= set(standings.names) or name == reference:
        return [0.0, math.nan, math.nan]
    lead = standings.lead(name, reference)
    return [lead.value, lead.low, lead.high]


def _at(comparison: Comparison, rate: float) -> int | None:
    """Return the place of a miss rate among those that were looked at."""
    rates = comparison.standings.rates
    place = int(np.argmin(np.abs(rates - rate)))
    return place if abs(rates[place] - rate) <= SAME_SUM else None


def _answers(comparison: Comparison, rates: np.ndarray) -> list[str]:
    """Return the answer at each miss rate of the page; nothing at its ends, and between those looked at."""
    places = [_at(comparison, float(rate)) for rate in rates]
    return ["" if place is None else comparison.answers[place] for place in places]


def _columns(columns: Mapping[str, np.ndarray]) -> dict[str, str]:
    return {name: packed(values) for name, values in columns.items()}


def _point(point: OperatingPoint) -> dict[str, float]:
    return {name: getattr(point, name) for name in _PLACES}


def _regimes(comparison: Comparison) -> list[dict[str, Any]]:
    """Return who needs the least bandwidth where, with models by their place."""
    places = list(comparison.curves)
    return [
        {
            **asdict(regime),
            "best": None if regime.best is None else places.index(regime.best),
            "runner_up": None if regime.runner_up is None else printable(regime.runner_up),
        }
        for regime in comparison.regimes
    ]


def with_rows(curves: Mapping[str, Curve]) -> dict[str, UCC]:
    """Return the curves that have their rows: all of them, but for sketches."""
    return {name: curve for name, curve in curves.items() if isinstance(curve, UCC)}
