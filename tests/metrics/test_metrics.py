"""Metrics of intervals as they are: by hand, with weights, and for several outputs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import uccurve as uc
from errors import check_error, raises
from strategies import cases
from uccurve import exceptions as ex

PLAIN = (uc.miss_rate, uc.coverage, uc.excess, uc.deficit)


def score(function, y, lower, upper, **options):
    """Call a metric, whatever its signature."""
    if function is uc.bandwidth:
        return uc.bandwidth(lower, upper, **options)
    if function is uc.interval_score:
        options["miss_rate"] = 0.2
    return function(y, lower, upper, **options)


ALL = (*PLAIN, uc.bandwidth, uc.interval_score)
TWO = np.ones((2, 2))


@given(cases(zero_bands=True, vary=["scale"]))
@settings(max_examples=200)
def test_metrics_follow_their_definitions(case):
    """Against exact arithmetic, on asymmetric and zero bands, with weights and touching bounds."""
    intervals, exact = case.intervals(), case.oracle().costs(1)
    for function in PLAIN:
        value = function(intervals.y_true, intervals.lower, intervals.upper, sample_weight=case.weight)
        assert value == pytest.approx(float(exact[function.__name__]), rel=1e-12, abs=0), function
    width = uc.bandwidth(intervals.lower, intervals.upper, sample_weight=case.weight)
    assert width == pytest.approx(float(exact["bandwidth"]), rel=1e-12, abs=0)


@pytest.mark.parametrize("function", ALL)
def test_several_outputs(function):
    """Raw values are the outputs' own; the average is theirs."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=(70_000, 3))
    lower, upper = y - rng.normal(0.3, 1, size=y.shape), y + rng.exponential(size=y.shape)
    lower = np.minimum(lower, upper)
    weight = rng.exponential(size=70_000)
    raw = score(function, y, lower, upper, sample_weight=weight, multioutput="raw_values")
    alone = [score(function, y[:, j], lower[:, j], upper[:, j], sample_weight=weight) for j in range(3)]
    assert isinstance(raw, np.ndarray)
    assert raw.tolist() == alone
    average = score(function, y, lower, upper, sample_weight=weight)
    assert isinstance(average, float)
    assert average == pytest.approx(raw.mean(), rel=1e-14)
    one = score(function, y[:, 0], lower[:, 0], upper[:, 0], sample_weight=weight, multioutput="raw_values")
    assert one.shape == (1,)


@pytest.mark.parametrize("function", [uc.auucc, uc.auucc_gain])
def test_areas_and_gains_as_metrics(function):
    """The same numbers as the curve's, with all its options; several outputs have a curve each."""
    rng = np.random.default_rng(0)
    p = rng.normal(size=(50, 2))
    y, below, above = p + rng.normal(size=p.shape), *rng.exponential(size=(2, *p.shape))
    lower, upper = p - below, p + above
    weight = rng.exponential(size=50)
    options = {"x": "excess", "y": "deficit", "partial": "mean", "miss_rate": (0.1, 0.7)}
    intervals = uc.Intervals.from_bounds(y, lower, upper, y_pred=p, sample_weight=weight)
    method = "area" if function is uc.auucc else "gain"
    for vary in ("scale", "shift"):
        expected = [getattr(output.ucc(vary=vary), method)(**options) for output in intervals.outputs()]
        given = {"y_pred": p, "sample_weight": weight, "vary": vary, **options}
        assert function(y, lower, upper, multioutput="raw_values", **given).tolist() == expected
        assert function(y, lower, upper, **given) == pytest.approx(np.mean(expected))
    assert isinstance(function(y[:, 0], lower[:, 0], upper[:, 0]), float)


def test_metrics_beyond_float64_say_so():
    """No warning, no infinity."""
    for action in (
        lambda: uc.interval_score([1e90], [0], [1], miss_rate=1e-250),
        lambda: uc.Intervals.from_bands([1], [0], 1e90).scaled(1e250),
        lambda: uc.Intervals.from_bands([1e100, 0], [0, 0], [1e-100, 1e100]).ucc().area(y="deficit"),
    ):
        with pytest.raises(ex.MagnitudeError):
            action()


def test_infinite_bounds_can_be_scored_where_the_score_is_finite():
    """A calibrated group with too few rows gets them."""
    lower, upper = [-np.inf, 0], [np.inf, 1]
    assert uc.coverage([0, 0], lower, upper) == uc.coverage([0, 2], -np.inf, np.inf) == 1
    assert uc.miss_rate([0, 2], lower, upper) == 0.5
    assert uc.deficit([0, 2], lower, upper) == 0.5
    with pytest.raises(ex.NonFiniteError):
        uc.bandwidth(lower, upper)
    with raises(ex.NonFiniteError, "lower", count=1, first=0):
        uc.coverage([0, 0], [np.nan, 0], upper)


def average(multioutput):
    return uc.miss_rate(TWO, TWO, TWO, multioutput=multioutput)


CASES = {
    "no observations": (lambda: uc.miss_rate(None, [0], [1]), ex.ArgumentError, "y_true"),
    "no bounds": (lambda: uc.excess([1]), ex.ArgumentError, "lower"),
    "nan": (lambda: uc.excess([1, np.nan], [0, 0], [1, 1]), ex.NonFiniteError, "y_true"),
    "crossed": (lambda: uc.bandwidth([2, 1], [1, 1]), ex.CrossedBoundsError, "lower"),
    "length": (lambda: uc.miss_rate([1, 2, 3], [0, 0], [1, 1, 1]), ex.ShapeError, "lower"),
    "multioutput": (lambda: uc.miss_rate([1], [0], [1], multioutput="sum"), ex.ArgumentError, "multioutput"),
    "no output": (lambda: average([0, 0]), ex.ArgumentError, "multioutput"),
    "negative output": (lambda: average([-1, 2]), ex.NegativeWeightError, "multioutput"),
    "one number": (lambda: average(5), ex.ShapeError, "multioutput"),
    "percentage": (lambda: uc.interval_score([1], [0], [1], coverage=90), ex.ArgumentError, "coverage"),
    "score level": (lambda: uc.interval_score([1], [0], [1], miss_rate=0), ex.ArgumentError, "miss_rate"),
}


@pytest.mark.parametrize("name", CASES)
def test_each_error_names_its_argument(name):
    """Argument, rule, how many rows break it, and the first one with its values."""
    check_error(*CASES[name])


def test_outputs_are_averaged_weighed_or_pooled():
    """One curve for all outputs is another number than the mean of their areas: the caller says which."""
    rng = np.random.default_rng(1)
    y, p = rng.normal(size=(2, 40, 3))
    std = rng.exponential(size=y.shape) + 0.1
    intervals = uc.Intervals.from_std(y, p, std)
    areas = [output.ucc().area() for output in intervals.outputs()]
    weighed = uc.auucc(y, y_pred=p, std=std, multioutput=[1, 0, 3])
    assert weighed == pytest.approx((areas[0] + 3 * areas[2]) / 4)
    assert uc.auucc(y, y_pred=p, std=std, multioutput="pooled") == intervals.ucc().area()
    assert uc.auucc_gain(y, y_pred=p, std=std, multioutput="pooled") == intervals.ucc().gain()
    with raises(ex.ShapeError, "multioutput"):
        uc.auucc(y, y_pred=p, std=std, multioutput=[1, 2])
    with raises(ex.ArgumentError, "lower"):
        uc.auucc(y, y - 1, y + 1, y_pred=p, std=std)
