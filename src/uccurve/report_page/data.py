"""The numbers of the page: what its scripts read, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve._base.text import printable, shorten
from uccurve.curve import UCC
from uccurve.formulas.steps import first_at_most
from uccurve.formulas.tolerances import ROUNDING
from uccurve.inference import CRITERIA
from uccurve.report_page import rows, segments

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uccurve.comparison import Comparison, Standing
    from uccurve.curve import Curve

_LONGEST_NAME = 28
"""Characters beyond which a name loses its middle in sentences; tables have it whole."""
BETTER = {"interval_score": ("better", "worse", "the same"), "bandwidth": ("narrower", "wider", "as wide")}
"""Words for less, more and as much of what models are ranked by."""


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """What the page shows beside the comparison."""

    title: str
    unit: str
    rows: rows.Rows | None
    """Which rows are drawn; None where there are none left."""
    columns: Mapping[str, tuple[np.ndarray, bool]]
    """What rows can be drawn against, and whether it is a time."""
    notes: tuple[str, ...] = ()
    """Warnings that the page repeats."""
    about: Mapping[str, str] = field(default_factory=dict)
    """Facts about data and method."""


def collect(comparison: Comparison, view: View, step: Callable[[], None]) -> dict[str, Any]:
    """Collect everything that the page's scripts read; ``step`` is called once for each curve."""
    standings, options = comparison.standings, comparison.options
    judged = {name: comparison.judged_by(name) for name in CRITERIA}
    leads = {
        rule: [one.standings.at_place(place) for place in range(standings.rates.size)]
        for rule, one in judged.items()
    }
    best = {one.best for every in leads.values() for one in every}
    named = {name for one in leads[options.rank_by] for name in one.order[: 2 if one.best else 1]}
    now = standings.at_place(standings.chosen).order[:1]
    shown = {*best, *now, reference_of(comparison), *comparison.models}
    curves = []
    for place, name in enumerate(standings.names):
        step()
        numbers = {rule: one.standings.numbers[place] for rule, one in judged.items()}
        use = {"shown": name in shown, "listed": name in {*shown, *named}}
        behind = _behind(comparison, name, leads[options.rank_by])
        curves.append({**_curve(comparison, name), **use, "numbers": numbers, "behind": behind})
    with_rows = {name: one for name, one in standings.curves.items() if isinstance(one, UCC) and view.rows}
    return {
        "title": view.title,
        "unit": view.unit,
        "outputs": 1 if view.rows is None else view.rows.outputs,
        "side": comparison.side,
        "width": comparison.width,
        "vary": options.vary,
        "level": options.confidence,
        "rates": standings.rates,
        "chosen": standings.chosen,
        "rankBy": options.rank_by,
        "reference": standings.names.index(reference_of(comparison)),
        "curves": curves,
        "criteria": {rule: _criterion(one, leads[rule]) for rule, one in judged.items()},
        "rows": None if view.rows is None else rows.carry(with_rows, view.rows, view.columns),
        "segments": segments.collect(comparison),
    }


def reference_of(comparison: Comparison) -> str:
    """Return the constant width that all lines are held against: that of the best predictions."""
    standings = comparison.standings
    order = standings.at_place(standings.chosen).order
    leader = next((name for name in order if name in comparison.models), next(iter(comparison.models)))
    return own_constant(comparison, leader)


def own_constant(comparison: Comparison, name: str) -> str:
    """Return the constant width around the same predictions, or the model that has it."""
    own = comparison.own_constant_band[name]
    if own in comparison.standings.names:
        return own
    constant = comparison.constant_bands[own]
    models = comparison.models.items()
    return next(name for name, one in models if one.reference is one and one.has_same_constant(constant))


def shorter(comparison: Comparison) -> Callable[[str], str]:
    """Return what cuts the long names of models in a sentence, unless two of them would look alike."""
    names = [printable(name) for name in comparison.models]
    pairs = zip(names, shorten(names, _LONGEST_NAME), strict=True)
    cut = sorted(((name, brief) for name, brief in pairs if name != brief), key=lambda pair: -len(pair[0]))

    def brief(text: str) -> str:
        for name, short in cut:
            text = text.replace(name, short)
        return text

    return brief


def parameters(curve: Curve, rates: np.ndarray) -> np.ndarray:
    """Return what moves a curve to each miss rate; NaN where it does not get there."""
    place = first_at_most(np, to_numpy(curve.miss_rate), rates + ROUNDING)
    return np.asarray(np.append(to_numpy(curve.parameter), np.nan)[place])


def _curve(comparison: Comparison, name: str) -> dict[str, Any]:
    """Return one curve, with the reliability of what it claims."""
    curve, names = comparison.standings.curves[name], comparison.standings.names
    is_constant, models = name in comparison.constant_bands, list(comparison.models)
    owners = [models.index(one) for one, own in comparison.own_constant_band.items() if own == name]
    several = len(comparison.constant_bands) > 1
    band = curve.confidence_band(confidence_level=comparison.options.confidence_level)
    rate, low, high = (to_numpy(column) for column in (band.miss_rate, band.low, band.high))
    is_judged = not is_constant and curve.nominal is not None and not curve.data.family.in_units_of_y
    found = curve.reliability() if is_judged else None
    return {
        "name": printable(name),
        "brief": shorter(comparison)(printable(name)),
        "constant": is_constant,
        "color": models.index(name) if not is_constant else owners[0] if several else None,
        "own": None if is_constant else names.index(own_constant(comparison, name)),
        "parameter": parameters(curve, comparison.standings.rates),
        "margin": float(max(np.max(high - rate), np.max(rate - low))),  # either is cut, at 1 or at 0
        "covered": curve.original.coverage,
        "claimed": None if is_constant else curve.nominal,
        "reliability": None
        if found is None
        else {"claimed": to_numpy(found.nominal), "observed": to_numpy(found.coverage)},
    }


def _behind(comparison: Comparison, name: str, every: list[Standing]) -> dict[str, np.ndarray]:
    """Return the ends of how far a curve is behind the best at each coverage; NaN of the best itself."""
    standings = comparison.standings
    found = [standings.lead((*one.order, name)[0], name, place) for place, one in enumerate(every)]
    return {end: np.array([getattr(one, end) for one in found], dtype=np.float32) for end in ("low", "high")}


def _criterion(comparison: Comparison, every: list[Standing]) -> dict[str, Any]:
    """Return who is best at which coverage by a criterion, and the bands of all pairs."""
    standings, names = comparison.standings, comparison.standings.names
    pairs = standings.ratios.items()
    return {
        "measure": comparison.measure,
        "better": BETTER[comparison.options.rank_by],
        "order": [[names.index(name) for name in one.order] for one in every],
        "best": [None if one.best is None else names.index(one.best) for one in every],
        "bands": {
            f"{names.index(a)} {names.index(b)}": ratio.margin.astype(np.float32) for (a, b), ratio in pairs
        },
        "ranges": _ranges(comparison),
    }


def _ranges(comparison: Comparison) -> list[dict[str, Any]]:
    """Return the ranges of coverage, up to the middle between two steps, so that they leave no gaps."""
    names, regimes = comparison.standings.names, list(comparison.regimes)
    inner = [(one.high + other.low) / 2 for one, other in pairwise(regimes)]
    ends = [regimes[0].low, *inner, regimes[-1].high] if regimes else []
    return [
        {
            "from": arguments.complement(ends[place + 1]),
            "to": arguments.complement(ends[place]),
            "best": None if one.best is None else names.index(one.best),
            "clear": one.clear,
        }
        for place, one in enumerate(regimes)
    ]
