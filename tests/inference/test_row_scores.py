"""Scores of rows as statistics: intervals and tests of their means."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import uccurve as uc
from errors import check_error, raises
from uccurve import exceptions as ex
from uccurve.inference._row_scores import weighted_interval_scores


def models(n=200, seed=0, *, weighted=True, outputs=(), coverage=0.8):
    rng = np.random.default_rng(seed)
    scale = rng.lognormal(sigma=0.5, size=(n, *outputs))
    y = scale * rng.standard_t(4, size=scale.shape)
    weight = rng.exponential(size=n) if weighted else None
    bands = ((1.3 * scale, 1.6 * scale), (1.5 + 0 * scale, 1.2 + 0 * scale))
    return [
        uc.Intervals.from_bands(y, 0.1 * y, *band, sample_weight=weight, nominal=coverage) for band in bands
    ]


def score(intervals, **point):
    return uc.interval_score(
        intervals.y_true, intervals.lower, intervals.upper, sample_weight=intervals.sample_weight, **point
    )


def test_the_estimate_is_the_interval_score():
    """For the coverage that is claimed, or another one; as a difference of two models; of a curve's rows."""
    a, b = models()
    found = uc.confidence_interval(a, "interval_score")
    assert found.method == "delta"
    assert found.estimate == pytest.approx(score(a, coverage=0.8), rel=1e-12)
    other = uc.confidence_interval(a.ucc(vary="shift"), "interval_score", miss_rate=0.05)
    assert other.estimate == pytest.approx(score(a, coverage=0.95), rel=1e-12)
    gap = uc.confidence_interval(a, "interval_score", minus=b)
    assert gap.estimate == pytest.approx(score(a, coverage=0.8) - score(b, coverage=0.8), rel=1e-9)
    test = uc.permutation_test(a, b.ucc(), statistic="interval_score", n_resamples=99, rng=0)
    assert test.statistic == pytest.approx(gap.estimate, rel=1e-9)


def test_of_several_outputs_the_mean_is_over_all():
    """A row counts once for each output, and is drawn and exchanged as a whole."""
    a, b = models(outputs=(2,))
    found = uc.confidence_interval(a, "interval_score", minus=b)
    expected = score(a, coverage=0.8) - score(b, coverage=0.8)
    assert found.estimate == pytest.approx(expected, rel=1e-9)
    assert found.n_units == 200
    test = uc.permutation_test(a, b, statistic="interval_score", n_resamples=99, rng=0)
    assert test.statistic == pytest.approx(expected, rel=1e-9)
    assert test.n_units == 200


def test_the_standard_error_is_that_of_a_mean():
    """Without weights, of rows on their own and of blocks, by hand."""
    (a, _) = models(weighted=False)
    width, missing = a.upper - a.lower, np.maximum(a.lower - a.y_true, a.y_true - a.upper).clip(0)
    rows = width + 2 / 0.2 * missing
    found = uc.confidence_interval(a, "interval_score")
    assert found.standard_error == pytest.approx(rows.std(ddof=1) / np.sqrt(200), rel=1e-10)
    blocked = uc.confidence_interval(a, "interval_score", blocks=10)
    means = rows.reshape(20, 10).mean(axis=1)
    assert blocked.standard_error == pytest.approx(means.std(ddof=1) / np.sqrt(20), rel=1e-10)
    drawn = uc.confidence_interval(a, "interval_score", method="percentile", rng=0)
    assert drawn.standard_error == pytest.approx(found.standard_error, rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("blocks", [None, 2])
def test_the_test_looks_at_every_exchange(alternative, blocks):
    """Against exchanging the rows themselves and scoring what comes out, with weights."""
    a, b = models(10)
    found = uc.permutation_test(
        a, b, statistic="interval_score", coverage=0.9, alternative=alternative, blocks=blocks
    )
    assert found.exact
    units = np.arange(10) // (blocks or 1)
    observed, resampled = score(a, coverage=0.9) - score(b, coverage=0.9), []
    for swapped in itertools.product([False, True], repeat=units[-1] + 1):
        mask = np.array(swapped)[units]
        one, other = (
            uc.interval_score(
                a.y_true,
                np.where(mask, second.lower, first.lower),
                np.where(mask, second.upper, first.upper),
                coverage=0.9,
                sample_weight=a.sample_weight,
            )
            for first, second in ((a, b), (b, a))
        )
        resampled.append(one - other)
    resampled = np.array(resampled)
    slack = 1e-9
    as_large = {
        "two-sided": np.abs(resampled) >= abs(observed) - slack,
        "less": resampled <= observed + slack,
        "greater": resampled >= observed - slack,
    }[alternative]
    assert found.statistic == pytest.approx(observed, rel=1e-9)
    assert found.pvalue == np.count_nonzero(as_large) / resampled.size


def test_widths_count():
    """Unlike an area, a score changes with a common factor: the same curve, another score."""
    a, _ = models(weighted=False)
    wide = a.scaled(3)
    found = uc.permutation_test(wide, a, statistic="interval_score", coverage=0.8, n_resamples=999, rng=0)
    assert found.statistic > 0
    assert found.pvalue == 0.001
    assert uc.permutation_test(wide, a, n_resamples=99, rng=0).pvalue == 1


def test_models_that_are_the_same_do_not_differ():
    """Every exchange is as large as the observed one."""
    a, _ = models()
    found = uc.permutation_test(a, a, statistic="interval_score", n_resamples=99, rng=0)
    assert (found.statistic, found.pvalue) == (0, 1)


def test_a_limit_has_one_tail():
    """As `uc.interval_score` has it."""
    a, _ = models()
    limit = uc.Intervals.from_bounds(a.y_true, upper=a.upper, y_pred=a.y_pred, nominal=0.9)
    expected = uc.interval_score(a.y_true, upper=a.upper, y_pred=a.y_pred, coverage=0.9)
    assert uc.confidence_interval(limit, "interval_score").estimate == pytest.approx(expected, rel=1e-12)


def test_the_test_keeps_its_size():
    """Of 200 tests of interchangeable models about 10 are below 5%."""
    below = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        y, bands = rng.standard_t(3, size=40), rng.lognormal(size=(2, 40))
        a, b = (uc.Intervals.from_bands(y, 0 * y, band, nominal=0.8) for band in bands)
        below += (
            uc.permutation_test(a, b, statistic="interval_score", n_resamples=199, rng=seed).pvalue <= 0.05
        )
    assert 3 <= below <= 20


@pytest.mark.parametrize("unit", [2.0**-300, 2.0**300])
def test_units_go_through(unit):
    """Near both ends of the sizes that values may have."""
    a, b = models()
    far = [
        uc.Intervals.from_bounds(
            unit * m.y_true, unit * m.lower, unit * m.upper, sample_weight=m.sample_weight, nominal=0.8
        )
        for m in (a, b)
    ]
    near = uc.confidence_interval(a, "interval_score", minus=b)
    found = uc.confidence_interval(far[0], "interval_score", minus=far[1])
    for name in ("estimate", "low", "high", "standard_error"):
        assert getattr(found, name) / unit == pytest.approx(getattr(near, name), rel=1e-9)
    test = uc.permutation_test(*far, statistic="interval_score", n_resamples=99, rng=0)
    assert test.pvalue == uc.permutation_test(a, b, statistic="interval_score", n_resamples=99, rng=0).pvalue


@pytest.mark.parametrize("with_median", [True, False])
def test_the_weighted_interval_score_of_nested_rows(with_median):
    """From a center and distances, as `uc.weighted_interval_score` has it from quantiles."""
    rng = np.random.default_rng(0)
    y, center = rng.normal(size=(2, 50))
    lower, upper = (np.cumsum(rng.exponential(size=(50, 3)), axis=1) for _ in range(2))
    found = weighted_interval_scores(y, center, (lower, upper), [0.5, 0.8, 0.9], with_median=with_median)
    table = [center[:, None] - lower, center[:, None] + upper] + [center[:, None]] * with_median
    levels = [0.25, 0.1, 0.05, 0.75, 0.9, 0.95] + [0.5] * with_median
    for row in range(50):
        expected = uc.weighted_interval_score(y[[row]], np.concatenate(table, axis=1)[[row]], levels)
        assert found[row] == pytest.approx(expected, rel=1e-12)


A, B = models()
PLAIN = A.scaled(2)
OTHER = models(coverage=0.9)[0]
CASES = {
    "no claim": (lambda: uc.confidence_interval(PLAIN, "interval_score"), ex.ArgumentError, "coverage"),
    "two claims": (
        lambda: uc.permutation_test(A, OTHER, statistic="interval_score"),
        ex.ArgumentError,
        "coverage",
    ),
    "two claims of a difference": (
        lambda: uc.confidence_interval(A, "interval_score", minus=OTHER),
        ex.ArgumentError,
        "coverage",
    ),
    "axes": (lambda: uc.confidence_interval(A, "interval_score", x="excess", c=0.5), ex.ArgumentError),
    "a family": (
        lambda: uc.permutation_test(A, B, statistic="interval_score", vary="scale"),
        ex.ArgumentError,
    ),
    "an array for an axis": (
        lambda: uc.permutation_test(A, B, statistic="interval_score", x=np.ones(2)),
        ex.ArgumentError,
    ),
    "both": (
        lambda: uc.permutation_test(A, B, statistic="interval_score", coverage=0.9, miss_rate=0.1),
        ex.ArgumentError,
        "coverage",
    ),
    "a range": (
        lambda: uc.confidence_interval(A, "interval_score", coverage=(0.5, 0.9)),
        ex.ArgumentTypeError,
        "coverage",
    ),
    "several coverages": (
        lambda: uc.permutation_test(A, B, statistic="interval_score", coverage=[0.5, 0.9]),
        ex.ArgumentTypeError,
        "coverage",
    ),
    "beyond float64": (
        lambda: uc.confidence_interval(A.scaled(1e300), "interval_score", minus=A, miss_rate=1e-310),
        ex.MagnitudeError,
        "products of residuals, bands and weights must stay within float64: rescale some of them.",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_case_has_its_error(name):
    """What is missing or too much, and what to give."""
    check_error(*CASES[name])


def test_a_statistic_that_is_an_array_is_refused():
    """Also of a curve."""
    with raises(ex.ArgumentError, "statistic"):
        uc.confidence_interval(A.ucc(), np.array(["gain", "area"]))
