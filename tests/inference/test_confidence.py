"""Confidence intervals and bands: estimates, standard errors, coverage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.datasets import make_heteroscedastic
from uccurve.inference import Resampling, Sample

XY = [(x, y) for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]


def sample(n=500, seed=0, *, weighted=False):
    data = make_heteroscedastic(n, spread=0.4, rng=seed)
    rng = np.random.default_rng(seed + 1)
    weight = rng.uniform(0.5, 2, size=n) if weighted else None
    bands = data.std * rng.lognormal(sigma=0.2, size=(2, n))
    return uc.Intervals.from_bands(data.y_true, data.y_pred, *bands, sample_weight=weight)


PARTS = [
    {},
    {"miss_rate": (0.1, 0.7)},
    {"excess": (0.1, 0.5)},
    {"parameter": (0.2, 0.8)},
    {"deficit": (0.05, 0.3)},
]


@pytest.mark.slow
@pytest.mark.parametrize(("vary", "symmetric"), [("scale", False), ("scale", True), ("shift", False)])
@pytest.mark.parametrize("what", ["area", "gain"])
def test_estimates_of_the_bootstrap_are_those_of_the_curve(what, vary, symmetric):
    """On every axis and range, with whole weights, zeros among them."""
    a = sample(60)
    weight = np.random.default_rng(2).integers(0, 4, size=60).astype(float)
    upper = None if symmetric else a.upper_band
    rows = uc.Intervals.from_bands(a.y_true, a.y_pred, a.lower_band, upper, sample_weight=weight)
    for x, y in XY:
        for part in PARTS:
            options = {"x": x, "y": y, "partial": "strip", **part}
            found = uc.confidence_interval(
                rows, what, vary=vary, method="percentile", n_resamples=2, rng=0, **options
            )
            wanted = getattr(rows.ucc(vary=vary), what)(**options)
            assert found.estimate == pytest.approx(wanted, rel=1e-9), options


ESTIMATES = {
    "miss_rate": lambda i: i.ucc().original.miss_rate,
    "coverage": lambda i: i.ucc().original.coverage,
    "bandwidth": lambda i: i.ucc().original.bandwidth,
    "excess": lambda i: i.ucc().original.excess,
    "deficit": lambda i: i.ucc().original.deficit,
}


@pytest.mark.parametrize("what", ESTIMATES)
@pytest.mark.parametrize("weighted", [False, True])
def test_means_have_the_textbook_interval(what, weighted):
    """Estimate plus or minus standard errors by Student's t."""
    a = sample(weighted=weighted)
    found = uc.confidence_interval(a, what)
    assert found.estimate == pytest.approx(ESTIMATES[what](a))
    assert found.method == "delta"
    assert (found.high - found.low) / 2 == pytest.approx(t.ppf(0.975, a.n - 1) * found.standard_error)
    if what == "bandwidth" and not weighted:
        width = (a.upper - a.lower) / 2
        assert found.standard_error == pytest.approx(np.std(width, ddof=1) / np.sqrt(a.n))


ASKED = [
    {"statistic": "area"},
    {"statistic": "gain"},
    {"statistic": "area", "y": "deficit"},
    {"statistic": "gain", "y": "deficit"},
    {"statistic": "area", "partial": "mean", "miss_rate": (0.05, 0.4)},
    {"statistic": "gain", "partial": "mean", "coverage": (0.5, 0.95)},
    {"statistic": "excess"},
]


@pytest.mark.slow
@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("asked", ASKED)
def test_delta_and_bootstrap_agree(asked, paired):
    """Standard errors within 5% on 10 000 rows."""
    a = sample(10_000)
    minus = uc.Intervals.from_bands(a.y_true, a.y_pred, np.sqrt(a.lower_band)) if paired else None
    delta = uc.confidence_interval(a, **asked, minus=minus, method="delta")
    drawn = uc.confidence_interval(a, **asked, minus=minus, method="percentile", n_resamples=2000, rng=1)
    assert delta.estimate == pytest.approx(drawn.estimate, rel=1e-9)
    assert delta.standard_error == pytest.approx(drawn.standard_error, rel=0.05)
    assert drawn.low < drawn.estimate < drawn.high


def test_dependent_rows_make_intervals_wider():
    """Blocks and labels: repeated rows know no more than one of them."""
    a = sample(300)
    repeated = uc.Intervals.from_bands(
        *(np.repeat(c, 4) for c in (a.y_true, a.y_pred, a.lower_band, a.upper_band))
    )
    honest = uc.confidence_interval(a, "gain")
    naive = uc.confidence_interval(repeated, "gain")
    assert naive.standard_error == pytest.approx(honest.standard_error / 2, rel=0.01)
    for blocks in (4, np.repeat(np.arange(300), 4)):
        found = uc.confidence_interval(repeated, "gain", blocks=blocks)
        assert found.standard_error == pytest.approx(honest.standard_error, rel=1e-9)
        assert found.n_units == 300
        drawn = uc.confidence_interval(
            repeated, "gain", blocks=blocks, method="percentile", n_resamples=500, rng=0
        )
        assert drawn.standard_error == pytest.approx(honest.standard_error, rel=0.12)


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [
        {"statistic": "gain", "x": "excess", "y": "deficit"},
        {"statistic": "area", "x": "excess"},
        {"statistic": "gain", "vary": "shift", "y": "deficit"},
        {"statistic": "gain", "miss_rate": (0, 0.5)},
        {"statistic": "parameter", "miss_rate": 0.1},
        {"statistic": "parameter", "coverage": 0.8, "vary": "shift"},
    ],
)
def test_the_bootstrap_reaches_everything(asked):
    """And says it was a bootstrap, where nothing else exists."""
    a = sample(400)
    found = uc.confidence_interval(a, **asked, method="percentile", n_resamples=300, rng=0)
    assert found.method == "percentile"
    assert found.low < found.estimate < found.high
    assert found.high - found.low == pytest.approx(3.92 * found.standard_error, rel=0.25)
    assert found == uc.confidence_interval(a, **asked, method="percentile", n_resamples=300, rng=0)


@pytest.mark.slow
def test_intervals_cover():
    """The true gains are known for √σ; `make simulate` looks closer."""
    sys_path = str(__import__("pathlib").Path(__file__).parents[2] / "simulations")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(sys_path)
        import simulate
    assert 0.9 <= simulate.coverage("gain", 200, 500, 3, method="delta") <= 0.99
    assert (
        0.88
        <= simulate.coverage("difference of gains", 100, 500, 3, method="percentile", n_resamples=200)
        <= 1
    )
    assert simulate.band_coverage(100, 100, 4) >= 0.94


def test_bands_of_the_curve():
    """The simultaneous band is wider than the pointwise one, and both stay within 0 and 1."""
    curve = sample(200).ucc()
    wide, narrow = (
        curve.confidence_band(confidence_level=0.9, kind=kind) for kind in ("simultaneous", "pointwise")
    )
    assert np.all(wide.high - wide.low >= narrow.high - narrow.low)
    assert np.all((narrow.low <= curve.miss_rate + 1e-15) & (curve.miss_rate <= narrow.high + 1e-15))
    assert wide.low.min() == 0
    assert wide.high.max() == 1
    middle = np.argmin(np.abs(curve.miss_rate - 0.5))
    assert wide.high[middle] - curve.miss_rate[middle] == pytest.approx(np.sqrt(np.log(20) / 400))


def test_unequal_weights_widen_the_band():
    """They are worth fewer rows."""
    a = sample(200)
    weight = np.where(np.arange(200) < 100, 1.0, 1e-9)
    few = uc.Intervals.from_bands(a.y_true, a.y_pred, a.lower_band, a.upper_band, sample_weight=weight)
    half = uc.Intervals.from_bands(a.y_true[:100], a.y_pred[:100], a.lower_band[:100], a.upper_band[:100])
    for kind in ("simultaneous", "pointwise"):
        widths = [
            np.max(m.ucc().confidence_band(confidence_level=0.95, kind=kind).high - m.ucc().miss_rate)
            for m in (few, half)
        ]
        assert widths[0] == pytest.approx(widths[1], rel=1e-3)


@pytest.mark.parametrize(
    ("asked", "argument"),
    [
        ({"statistic": "width"}, "statistic"),
        ({"statistic": "gain", "x": "excess", "method": "delta"}, "method"),
        ({"statistic": "gain", "confidence_level": 95}, "confidence_level"),
        ({"statistic": "miss_rate", "x": "excess"}, None),
        ({"statistic": "parameter"}, "coverage"),
        ({"statistic": "gain", "method": "t"}, "method"),
    ],
)
def test_options_are_checked(asked, argument):
    """With the whole text of the error."""
    with raises(ex.ArgumentError, argument):
        uc.confidence_interval(sample(10), **asked)


def test_other_things_than_rows_are_refused():
    with raises(ex.ArgumentError, "intervals"):
        uc.confidence_interval([1, 2], "gain")


@pytest.mark.parametrize(
    "asked",
    [*ASKED, {"statistic": "gain", "x": "excess", "y": "deficit"}, {"statistic": "gain", "vary": "shift"}],
)
def test_rows_without_weight_are_not_there(asked):
    """Neither for the number nor for its interval, even where scaling could never capture them."""
    a = sample(80, weighted=True)
    lower, weight = a.lower_band.copy(), a.sample_weight.copy()
    weight[::4], lower[::4] = 0, 0
    some = uc.Intervals.from_bands(a.y_true, a.y_pred, lower, a.upper_band, sample_weight=weight)
    keep = weight > 0
    few = uc.Intervals.from_bands(
        *(c[keep] for c in (a.y_true, a.y_pred, lower, a.upper_band)), sample_weight=weight[keep]
    )
    found, expected = (uc.confidence_interval(m, **asked, n_resamples=20, rng=0) for m in (some, few))
    assert found == expected
    tests = [uc.permutation_test(m, m.scaled(2).shifted(0.1), n_resamples=20, rng=0) for m in (some, few)]
    assert tests[0] == tests[1]


@pytest.mark.parametrize("unit", [1e-95, 1e-20, 1e95])
@pytest.mark.parametrize(
    "asked",
    [
        *ASKED,
        {"statistic": "gain", "vary": "shift", "y": "deficit"},
        {"statistic": "gain", "partial": "strip", "bandwidth": (0.2, 0.9)},
    ],
)
def test_units_do_not_matter(unit, asked):
    """Numbers scale with their power of the unit; tests do not change."""
    one = sample(60)
    other = uc.Intervals.from_bands(
        one.y_true * unit, one.y_pred * unit, one.lower_band * unit, one.upper_band * unit
    )
    scaled = dict(asked)
    if "bandwidth" in asked:
        scaled["bandwidth"] = tuple(end * unit for end in asked["bandwidth"])
    a = uc.confidence_interval(one, **asked, n_resamples=30, rng=0)
    if asked["statistic"] == "area" and asked.get("y") == "deficit":
        power = unit**2
    else:
        power = 1.0 if asked["statistic"] == "gain" else unit
    b = uc.confidence_interval(other, **scaled, n_resamples=30, rng=0)
    for field in ("estimate", "low", "high", "standard_error"):
        assert getattr(b, field) == pytest.approx(getattr(a, field) * power, rel=1e-6, abs=0), field


def test_numbers_that_are_not_defined_say_so():
    """All predictions exact, or a range without any of the curve."""
    exact = uc.Intervals.from_bands([1.0, 2, 3], [1.0, 2, 3], 1.0)
    assert uc.confidence_interval(exact, "area").estimate == 0
    with pytest.raises(ex.UnreachableError):
        uc.confidence_interval(exact, "gain")
    with pytest.raises(ex.UnreachableError):
        uc.permutation_test(exact, exact, statistic="gain")


def test_draws_are_as_many_as_units_and_even():
    """Each resample counts every unit; on average once, with the variance of a multinomial."""
    units = Sample.of({"rows": sample(12)}, None).blocks
    (counts,) = Resampling(0.95, 4000, np.random.default_rng(0)).counts(units)
    assert np.array_equal(counts.sum(axis=1), np.full(4000, 12))
    assert np.array_equal(counts, np.round(counts))
    assert counts.min() == 0
    np.testing.assert_allclose(counts.mean(axis=0), 1, atol=0.08)
    np.testing.assert_allclose(counts.var(axis=0), 1 - 1 / 12, rtol=0.15)


def test_many_rows_are_drawn_in_random_groups_of_equal_size():
    """The standard error of a mean by groups is that of single rows."""
    rows = sample(9000)
    found = uc.confidence_interval(rows, "bandwidth", method="percentile", n_resamples=999, rng=0)
    alone = uc.confidence_interval(rows, "bandwidth")
    assert (found.n_units, alone.n_units) == (4096, 9000)
    assert found.standard_error == pytest.approx(alone.standard_error, rel=0.1)
    sizes = np.bincount(Sample.of({"rows": rows}, None).blocks.grouped(np.random.default_rng(0)).of_element)
    assert set(sizes) == {2, 3}
