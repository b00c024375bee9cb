"""Families: the order of questions changes no answer."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import uccurve as uc
from uccurve.formulas.bands import FAMILIES

COSTS = ("miss_rate", "coverage", "bandwidth", "excess", "deficit", "parameter")


@pytest.mark.parametrize("vary", FAMILIES)
@pytest.mark.parametrize(("symmetric", "weighted"), [(True, True), (False, False), (False, True)])
def test_no_answer_depends_on_which_was_asked_first(vary, symmetric, weighted):
    """Costs are computed when first needed; in whichever order, to the last bit."""
    rng = np.random.default_rng(3)
    n = 50
    bands = rng.exponential(size=(1 if symmetric else 2, n)) + 0.1
    weight = rng.uniform(0.1, 1, size=n) if weighted else None
    y = rng.normal(size=n)
    given = uc.Intervals.from_bands(y, np.zeros(n), *bands, sample_weight=weight)
    if vary == "level":
        lower, upper = bands[0], bands[-1]
        table = np.stack([-lower, -lower / 3, 0 * y, upper / 3, upper], axis=1)
        given = uc.Intervals.from_quantiles(y, table, (0.1, 0.3, 0.5, 0.7, 0.9), sample_weight=weight)
    answers = []
    for order in itertools.permutations(COSTS, 3):
        curve = given.ucc(vary=vary)
        for cost in order:
            getattr(curve, cost)
        answers.append([getattr(curve, cost) for cost in COSTS])
    for other in answers[1:]:
        for mine, theirs in zip(answers[0], other, strict=True):
            assert np.array_equal(mine, theirs)
