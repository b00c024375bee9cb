"""Leads on ranges of miss rates: against brute force, their size, and their floor."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from uccurve.comparison._range_tests import range_tests

import uccurve as uc
from uccurve.curve.families import SCALE

EDGES = np.linspace(0, 1, 11)


def two_models(n, seed=0, *, weighted=True):
    """Two models with asymmetric bands of different widths, weights and one exact prediction."""
    rng = np.random.default_rng(seed)
    y = rng.standard_t(4, size=n)
    y[0] = 0.0
    weight = rng.integers(1, 4, size=n).astype(float) if weighted else None
    return [
        uc.Intervals.from_bands(
            y,
            np.zeros(n),
            factor * rng.lognormal(size=n),
            factor * rng.lognormal(size=n),
            sample_weight=weight,
        )
        for factor in (1.0, 3.0)
    ]


def by_hand(models, unit, fewest):
    """Exchange the levelled models in all subsets of units, and add up each row's part anew."""
    weight = models[0].sample_weight
    share = weight / weight.sum()
    captured_at, width = [], []
    for model in models:
        half = (model.lower_band + model.upper_band) / 2
        active = np.where(model.y_true >= model.y_pred, model.upper_band, model.lower_band)
        mean = float(share @ half)
        captured_at.append(np.abs(model.y_true - model.y_pred) / active * mean)
        width.append(half / mean)

    def largest_leads(swap):
        kappa = [np.where(swap, captured_at[1 - k], captured_at[k]) for k in (0, 1)]
        half = [np.where(swap, width[1 - k], width[k]) for k in (0, 1)]
        pool, pool_share = np.concatenate(kappa), np.concatenate([share, share]) / 2

        def needed(rate):
            values = np.concatenate([[0.0], np.sort(pool)])
            return next(value for value in values if pool_share[pool > value].sum() <= rate + 1e-9)

        cells = []
        for low, high in itertools.pairwise(EDGES):
            most, least = needed(low), needed(high)
            cut = [np.clip(k, least, most) for k in kappa]
            integral = high * least - low * most + float(pool_share @ np.concatenate(cut)) - least
            cells.append(share * (cut[1] - cut[0] + (half[1] - half[0]) * integral))
        parts = np.stack(cells, axis=1)
        units = np.stack([parts[unit == u].sum(axis=0) for u in range(unit.max() + 1)])
        return {
            (i, j): units[:, i:j].sum() / np.sqrt((units[:, i:j].sum(axis=1) ** 2).sum())
            for i, j in itertools.combinations(range(EDGES.size), 2)
            if j - i >= fewest
        }

    observed = largest_leads(np.zeros(unit.size, dtype=bool))
    drawn = [
        max(map(abs, largest_leads(np.array(bits)[unit]).values()))
        for bits in itertools.product([False, True], repeat=int(unit.max()) + 1)
    ]
    return {
        ends: np.mean(np.array(drawn) >= abs(t) * (1 - 1e-9)) if t > 0 else 1.0
        for ends, t in observed.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_p_values_equal_those_of_all_exchanges_by_hand(seed):
    """Exchanging two models in a unit only turns a sign: nothing else of the statistic changes."""
    models = two_models(90, seed)
    unit = np.arange(90) // 15
    tests = range_tests(models, SCALE, EDGES, unit, 1999, np.random.default_rng(0))
    expected = by_hand(models, unit, tests.fewest)
    assert tests.fewest > 1
    for (i, j), p in expected.items():
        assert tests.pvalues[0, 1][i, j] == pytest.approx(p), (i, j)
    assert tests.smallest_pvalue == 2 / 2**6


def test_a_lead_on_a_range_is_a_smaller_bandwidth_there():
    """The first-order difference around the curve of both has the sign of the true one, cell by cell."""
    a, b = two_models(4000, 5, weighted=False)
    tests = range_tests([a, b], SCALE, EDGES, None, 99, np.random.default_rng(0))
    for place, (low, high) in enumerate(itertools.pairwise(EDGES)):
        mean = [m.ucc().area(partial="mean", miss_rate=(low, high)) for m in (a, b)]
        leads = [tests.pvalues[pair][place, place + 1] < 1 for pair in ((0, 1), (1, 0))]
        if abs(mean[0] / mean[1] - 1) > 0.02:
            assert leads == [mean[0] < mean[1], mean[1] < mean[0]], place


def test_identical_models_lead_nowhere():
    """Nothing differs, so nothing is divided by zero."""
    a, _ = two_models(200)
    tests = range_tests([a, a.scaled(7)], SCALE, EDGES, None, 99, np.random.default_rng(0))
    assert np.all(tests.best(0, [1]) == 1)


def test_many_blocks_are_put_together():
    """Three thousand rows are 1 024 units; the p-value changes little."""
    rng = np.random.default_rng(3)
    y = rng.normal(size=3000)
    models = [uc.Intervals.from_bands(y, 0 * y, rng.lognormal(sigma=s, size=3000)) for s in (0.3, 0.33)]
    found = []
    for most in (1024, 3000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("uccurve.comparison._range_tests._MOST_UNITS", most)
            tests = range_tests(models, SCALE, EDGES, None, 3999, np.random.default_rng(0))
        found.append(tests.best(0, [1])[1, 9])
    assert found[0] == pytest.approx(found[1], abs=0.06)
    assert found[0] < 1


def test_a_model_that_never_gets_there_does_not_hide_the_order_of_others():
    """Where a third of the rows has no band, the other two are compared as if it were not there."""
    rng = np.random.default_rng(4)
    y = rng.normal(size=900)
    good, bad = (uc.Intervals.from_bands(y, 0 * y, band) for band in (np.ones(900), rng.lognormal(size=900)))
    floored = uc.Intervals.from_bands(y, 0 * y, np.where(np.arange(900) % 3, 1.0, 0.0))
    tests = range_tests([good, bad, floored], SCALE, EDGES, None, 199, np.random.default_rng(0))
    assert tests.best(0, [1])[1, 9] == 1 / 200
    assert tests.best(0, [1, 2])[1, 9] == 1 / 200
    assert tests.pvalues[0, 2][0, 1] == 0
    assert tests.pvalues[2, 0][0, 1] == 1
    assert np.isnan(tests.best(0, [2])[0, 1])
