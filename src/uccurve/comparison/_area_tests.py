"""Tests of areas, for those who ask: a family of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from uccurve.comparison._compare_options import MOST_BOOTSTRAPS
from uccurve.comparison._holm import holm
from uccurve.comparison._resolution import enough_resamples
from uccurve.inference import Sample, Statistic, confidence_interval, permutation_tests

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from uccurve.comparison._compare_options import CompareOptions
    from uccurve.comparison._standings import Standings
    from uccurve.curve import Curve

_FEWEST_EXCHANGES = 9999
_FEWEST_SORTED = 1999
"""Exchanges of an area that needs its rows in order take about ten times as long."""


def tested_areas(
    standings: Standings, curves: Mapping[str, Curve], options: CompareOptions, rng: np.random.Generator
) -> Standings:
    """Add differences of areas, with intervals and p-values, to the tests of pairs."""
    by_name = {name: curve.source for name, curve in curves.items() if curve.source is not None}
    rows = {(a, b): (by_name[a], by_name[b]) for a, b in standings.tests if a in by_name and b in by_name}
    if not rows:
        return standings  # sketches
    area: dict[str, Any] = {"x": options.x, "y": options.y, "vary": options.vary}
    asked = Statistic(what="area", **area)
    fewest = _FEWEST_EXCHANGES if asked.is_closed else _FEWEST_SORTED
    n_resamples = options.n_resamples or enough_resamples(len(rows), options.level, fewest)
    sample = Sample.of(by_name, options.blocks, options.vary)
    found = permutation_tests(sample, list(rows), asked, n_resamples, rng)
    adjusted = dict(zip(found, holm([test.pvalue for test in found.values()]), strict=True))
    tests = dict(standings.tests)
    for pair, test in found.items():
        a, b = rows[pair]
        how = options.resampling(rng, MOST_BOOTSTRAPS)
        interval = confidence_interval(a, "area", minus=b, **how, **area)
        tests[pair] = replace(
            tests[pair],
            area_difference=test.statistic,
            area_low=interval.low,
            area_high=interval.high,
            area_pvalue=test.pvalue,
            area_pvalue_holm=adjusted[pair],
        )
    return replace(standings, tests=tests)
