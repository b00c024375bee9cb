"""Inputs that once gave a wrong number or an unclear error."""

from __future__ import annotations

import datetime as dt
import decimal
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import uccurve as uc
from uccurve import exceptions as ex

I = uc.Intervals
NAN = float("nan")


def test_weights_that_do_not_add_up_exactly_lose_no_step():
    """The start misses everything: exactly, whatever the rounding of the sum."""
    for seed in range(100):
        rng = np.random.default_rng(seed)
        n = 3 + seed
        curve = I.from_bands(rng.normal(size=n), np.zeros(n), 1.0, sample_weight=rng.uniform(size=n)).ucc()
        assert curve.miss_rate[0] == 1
        assert curve.coverage[0] == 0
        assert curve.area(miss_rate=(0, 1)) == pytest.approx(curve.area())
        assert curve.area(coverage=(0, 1)) == pytest.approx(curve.area())
        assert curve.at(miss_rate=1.0).parameter == 0


def test_equal_weights_are_no_weights():
    """0.7 for everybody counts rows like 1 for everybody."""
    rows = (list(range(1, 11)), [0] * 10, 1)
    for rate in np.arange(0, 11) / 10:
        expected = I.from_bands(*rows).ucc().at(miss_rate=rate).parameter
        assert I.from_bands(*rows, sample_weight=[0.7] * 10).ucc().at(miss_rate=rate).parameter == expected


def test_weights_in_another_order_make_no_crossings():
    """A curve that is worse everywhere crosses nothing, though its weights add up differently."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y, z, w = rng.normal(size=200), rng.exponential(size=200), rng.uniform(size=200)
        order = rng.permutation(200)
        a = I.from_bands(y, np.zeros(200), z, sample_weight=w).ucc()
        b = I.from_bands(1.001 * y[order], np.zeros(200), z[order], sample_weight=w[order]).ucc()
        assert a.crossings(b) == ()


def test_curves_that_coincide_do_not_cross():
    """Equal in exact arithmetic above a deficit of 0.1458, where rounding tells them apart."""
    a = I.from_bands([1, 0.75, 1], [0, 0, 0], [1.75, 0.5, 1.25]).ucc()
    b = I.from_bands([1, 0.75, 1], [0, 0, 0], [0.75, 1, 1.75]).ucc()
    assert len(a.crossings(b, "excess", "deficit")) == 1


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_an_observation_on_its_bound_is_a_hit_without_a_prediction_too(vary):
    """The midpoint is rounded; the touch is not lost."""
    rng = np.random.default_rng(0)
    lower = rng.uniform(size=2000).round(2)
    upper = lower + rng.uniform(size=2000).round(2)
    y = np.where(rng.uniform(size=2000) < 0.5, lower, upper)
    assert I.from_bounds(y, None, lower, upper).ucc(vary).original.miss_rate == 0


@pytest.mark.parametrize("wide", [1e9, 1e12, 1e17, 1e20, 1e25])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_band_that_stands_for_no_bound_spoils_nothing(wide, weighted):
    """What one row adds to the slope of the excess and takes back leaves no rounding behind."""
    rng = np.random.default_rng(0)
    e = np.abs(rng.normal(size=50))
    lower, upper = rng.exponential(size=(2, 50))
    weight = rng.uniform(size=50) if weighted else None
    upper[::7] = wide
    curve = I.from_bands(e, np.zeros(50), lower, upper, sample_weight=weight).ucc()
    for i in range(0, 51, 5):
        point = curve.at(parameter=float(curve.parameter[i]))
        assert curve.excess[i] == pytest.approx(point.excess, rel=1e-9)
        assert curve.deficit[i] == pytest.approx(point.deficit, rel=1e-9, abs=1e-12)


def test_a_cost_of_an_operating_point_leads_back_to_it():
    """Also where a division and a product do not undo each other."""
    rng = np.random.default_rng(1)
    curve = I.from_std(rng.normal(size=500), np.zeros(500), np.exp(rng.normal(size=500))).ucc()
    for bandwidth, rate in zip(curve.bandwidth, curve.miss_rate, strict=True):
        assert curve.at(bandwidth=bandwidth).miss_rate == rate
    for seed in range(300):
        rng = np.random.default_rng(seed)
        curve = I.from_std(rng.normal(size=20), np.zeros(20), np.exp(rng.normal(size=20))).ucc()
        assert curve.at(deficit=0).miss_rate == 0


def test_a_range_that_ends_on_a_plateau_keeps_it():
    """A range includes its ends, rounding aside."""
    curve = I.from_bands([0, -1, -0.25], [-0.5, -0.5, 0], [1, 2, 0.625], [0.25, 2, 0.5]).ucc("shift")
    assert curve.area("excess", "deficit", deficit=(0.25, 0.5)) == pytest.approx(0.0729166666)


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_constant_bands_given_as_two_gain_exactly_zero(vary):
    """The asymmetric way through the formulas must not round differently."""
    e = np.random.default_rng(0).normal(size=99)
    curve = I.from_bands(e, np.zeros(99), 0.7, 0.7).ucc(vary)
    for x in ("bandwidth", "excess"):
        for y in ("miss_rate", "deficit"):
            assert curve.gain(x, y) == 0
            assert curve.gain(x, y, miss_rate=(0.1, 0.6)) == 0


@pytest.mark.parametrize("function", [uc.miss_rate, uc.coverage, uc.excess, uc.deficit])
def test_metrics_need_observations(function):
    """None is not a column of lower bounds."""
    with pytest.raises(ex.ArgumentError, match="`y_true` must be given, got None"):
        function(None, [0], [1])


def test_calibrated_groups_of_one_output_keep_their_shape():
    """(n, 1) is one output; more are refused, since none were fitted."""
    scaler = uc.ConformalScaler(0.5).fit(I.from_bands([1.0, 2, 30, 40], [0.0] * 4, 1.0), groups=[1, 1, 2, 2])
    lower, upper = scaler.transform([[0.0], [0.0]], [[-1.0], [-1.0]], [[1.0], [1.0]], groups=[2, 1])
    assert lower.tolist() == [[-40], [-2]]
    assert upper.shape == (2, 1)
    with pytest.raises(ex.ShapeError, match="must have one output"):
        scaler.transform(np.zeros((2, 2)), np.zeros((2, 2)), np.ones((2, 2)), groups=[1, 2])


@pytest.mark.parametrize("value", [0.1, 0.7, 1e-300])
@pytest.mark.parametrize("n", [3, 7, 10])
def test_constant_observations_have_no_unit(value, n):
    """However their mean is rounded."""
    with pytest.raises(ex.ArgumentError, match="must not be constant"):
        I.from_bands([value] * n, [0] * n, 1).standardized()


def test_draws_that_are_all_alike():
    """No spread: a band of exactly zero, and quantiles that do not cross."""
    assert I.from_samples([1, 1], np.full((7, 2), 0.1)).lower_band.tolist() == [0, 0]
    for draws, levels in ((7, (0.05, 0.95)), (3, (0.1, 0.9))):
        assert I.from_samples([1, 1], np.full((draws, 2), 0.1), levels=levels).lower.tolist() == [0.1, 0.1]


def test_levels_that_are_close_are_not_the_same():
    """Columns are told apart by the level itself, not by how it prints."""
    a = I.from_quantiles([1.0], [[0.0, 1.0, 5.0]], [0.4999999, 0.5, 0.5000001])
    assert (a.lower[0], a.y_pred[0], a.upper[0]) == (0, 1, 5)


@pytest.mark.parametrize("weight", [5e-324, 1e-250, 1e250, 1.7e308])
def test_only_the_ratios_of_weights_matter(weight):
    """Also where their products would leave float64."""
    e, z = [1e-100, 2e-100, 4e-100], [1e-100, 2e-100, 1e-100]
    one, other = (
        I.from_bands(e, [0] * 3, z, sample_weight=[1, 2, 2]),
        [weight / 2, weight, weight] if weight > 1e-300 else None,
    )
    if other is None:
        one, other = I.from_bands(e, [0] * 3, z), [weight] * 3
    two = I.from_bands(e, [0] * 3, z, sample_weight=other)
    assert two.ucc().area() == pytest.approx(one.ucc().area())
    assert two.ucc().gain() == pytest.approx(one.ucc().gain())
    assert uc.bandwidth(two.lower, two.upper, sample_weight=other) == pytest.approx(
        one.ucc().original.bandwidth
    )


@pytest.mark.parametrize("unit", [1e-290, 1e-200, 1e160, 1e290])
@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_gains_in_units_whose_squares_leave_float64(unit, vary):
    """Gains have no unit; an area that cannot be written down says so."""
    rng = np.random.default_rng(0)
    e, (lower, upper) = rng.normal(size=50), rng.exponential(size=(2, 50))
    one, other = (I.from_bands(e * u, np.zeros(50), lower * u, upper * u).ucc(vary) for u in (1, unit))
    for x in ("bandwidth", "excess"):
        for y in ("miss_rate", "deficit"):
            assert other.gain(x, y) == pytest.approx(one.gain(x, y), rel=1e-9)
            assert other.gain(x, y, miss_rate=(0.1, 0.5)) == pytest.approx(
                one.gain(x, y, miss_rate=(0.1, 0.5)), rel=1e-9
            )
            spread = one.gain(x, y, bandwidth=(0.2, 0.9))
            assert other.gain(x, y, bandwidth=(0.2 * unit, 0.9 * unit)) == pytest.approx(spread, rel=1e-9)
    if unit > 1:
        with pytest.raises(ex.UnitOverflowError, match="rescale the units"):
            other.area(y="deficit")


LABELS = {
    "integers and text": ([1, "a", 2], None),
    "bytes and text": ([b"a", "a", "b"], None),
    "lists": ([[1], [2], [3]], None),
    "nan in text": (["a", NAN, "b"], 1),
    "NaT": ([pd.Timestamp(0), pd.NaT, pd.Timestamp(1)], 1),
    "masked": (np.ma.array([1, 2, 3], mask=[False, True, False]), 1),
    "NA": ([1, pd.NA, 2], 1),
    "decimal nan": ([decimal.Decimal(1), decimal.Decimal("sNaN"), decimal.Decimal(2)], 1),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_that_cannot_be_grouped(name):
    """Missing ones are named with their row; those of several kinds are not quietly made one."""
    labels, row = LABELS[name]
    rule = (
        "must be of one kind"
        if row is None
        else f"must not be missing, but 1 of 3 rows is; first at row {row}"
    )
    with pytest.raises(ex.ArgumentError, match=rule):
        I.from_bands([1, 2, 3], [0, 0, 0], 1).by(labels)


def test_labels_keep_their_kind():
    """Large integers, tuples, dates of any resolution."""
    three = I.from_bands([1, 2, 3], [0, 0, 0], 1)
    assert list(three.by([2**60 + 1, 2**60 + 3, 2**60 + 1])) == [2**60 + 1, 2**60 + 3]
    assert list(three.by([("b", 1), ("a", 2), ("a", 2)])) == [("a", 2), ("b", 1)]
    day = dt.datetime(2024, 5, 1)  # noqa: DTZ001
    for unit in ("ns", "us", "D"):
        assert list(three.by(np.array([day] * 3, dtype=f"datetime64[{unit}]"))) == [day]
    assert list(three.by(pd.Series([day] * 3, dtype="datetime64[ns]"))) == [day]
    assert list(three.by(pl.Series([True, False, True]))) == [False, True]


def test_metrics_beyond_float64_say_so():
    """No warning, no infinity."""
    for action in (
        lambda: uc.bandwidth([-1.7e308], [1.7e308]),
        lambda: uc.excess([0, 0], [-1.7e308] * 2, [1.7e308] * 2),
        lambda: uc.bandwidth(np.zeros(70_000), np.full(70_000, 1e304)),
        lambda: uc.interval_score([1e308], [0], [1], miss_rate=1e-10),
        lambda: I.from_bands([1], [0], 1e200).scaled(1e200),
        lambda: I.from_bands([1], [0], 1e308).shifted(1.7e308),
    ):
        with pytest.raises((ex.UnitOverflowError, ex.NonFiniteError)):
            action()
    huge = I.from_bands([1], [1e308], 1e308)
    assert huge.upper[0] == np.inf


def test_numbers_beyond_float64_are_refused():
    """Python's integers have no bound."""
    with pytest.raises(ex.NotNumericError):
        I.from_bands([10**400], [0], 1)
    curve = I.from_bands([1], [0], 1).ucc()
    with pytest.raises(ex.ArgumentError):
        curve.at(bandwidth=10**400)
    with pytest.raises(ex.ArgumentError):
        curve.area(bandwidth=(0, 10**400))


def test_frames_with_odd_names():
    """Numbers, no names, doubled names and compound names."""
    frame = pd.DataFrame([[1.0, 0.0, 2.0]], columns=["y", "lo", "hi"])
    with pytest.raises(ex.MissingColumnError, match="names the column 0"):
        I.from_frame(frame, y_true=0, lower="lo", upper="hi")
    with pytest.raises(ex.ArgumentError, match="must name a column"):
        I.from_frame(frame, y_true=[], lower="lo", upper="hi")
    doubled = pd.DataFrame([[1.0, 0.0, 2.0]], columns=["y", "lo", "lo"])
    with pytest.raises(ex.ArgumentError, match="must have distinct column names"):
        I.from_frame(doubled, y_true="y", lower="lo", upper="lo")


def test_wrong_objects_are_named():
    """Lists are not intervals and intervals are not curves."""
    good = I.from_bands([1], [0], 1)
    with pytest.raises(ex.ArgumentError, match="`intervals` must be Intervals, got list"):
        uc.UCC([1, 2])
    with pytest.raises(ex.ArgumentError, match="`intervals` must be Intervals, got list"):
        uc.ConformalScaler().fit([1, 2])
    with pytest.raises(ex.ArgumentError, match="`other` must be UCC, got Intervals"):
        good.ucc().crossings(good)
    with pytest.raises(ex.ArgumentError, match="`vary` must be 'scale' or 'shift'"):
        uc.UCC(good, vary=np.array(["scale", "shift"]))
    with pytest.raises(ex.ArgumentError, match="`partial` must be"):
        good.ucc().gain(partial="nonsense")
    with pytest.raises(ex.ArgumentError, match="`miss_rate` must be a number"):
        good.ucc().at(miss_rate="0.1")
    with pytest.raises(ex.ArgumentError, match="must be a pair"):
        good.ucc().area(miss_rate="01")


@pytest.mark.parametrize(
    "column",
    [
        np.array(["1", "2"], dtype=object),
        pa.array(["1", "2"]),
        ["1.5", None],
        [True, None],
        pd.Series(["1", "2"], dtype=object),
        pd.Series(["1", "2"], dtype="category"),
        pd.Categorical(["1", "2"]),
    ],
)
def test_text_is_never_read_as_numbers(column):
    """Whatever it is wrapped in."""
    with pytest.raises(ex.NotNumericError):
        I.from_bands(column, [0, 0], 1)


@pytest.mark.parametrize(
    "column",
    [
        [decimal.Decimal("1.5"), 2],
        pd.Series([decimal.Decimal("1.5"), 2], dtype=object),
        pl.Series([decimal.Decimal("1.5"), decimal.Decimal(2)]),
        pd.arrays.SparseArray([1.5, 2]),
        pd.Index([1.5, 2]),
        pa.array([1.5, 2]),
        pa.chunked_array([[1.5], [2.0]]),
    ],
)
def test_numbers_are_numbers_in_any_wrapping(column):
    """Decimals, sparse columns, indices, Arrow arrays."""
    assert I.from_bands(column, [0, 0], 1).y_true.tolist() == [1.5, 2]


def test_a_curve_with_a_floor_can_be_drawn():
    """Its legend says how far down it goes."""
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    ax = I.from_bands([1, 2, 3], [0, 0, 0], [1, 0, 1]).ucc().plot()
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert "down to a miss rate of 0.333" in labels
    plt.close("all")


def test_a_missing_extra_travels_between_processes():
    """Errors of workers arrive as they were raised."""
    error = ex.MissingDependencyError("matplotlib", "plot")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301


def test_frames_with_names_that_are_not_text():
    """What pd.DataFrame(array) makes, quantile levels as names, doubled and compound names."""
    y = np.arange(6.0).reshape(3, 2)
    for names in ([0, 1], [0.1, 0.9], ["a", "a"], pd.MultiIndex.from_tuples([("a", 1), ("a", 2)])):
        frame = pd.DataFrame(y, columns=names)
        assert I.from_std(frame, frame, frame + 1).y_true.tolist() == y.tolist()
        assert I.from_quantiles(y[:, 0], frame, [0.1, 0.9]).upper.tolist() == y[:, 1].tolist()
    numbered = pd.DataFrame(np.array([[1.0, 0.0, 2.0]]))
    assert I.from_frame(numbered, y_true=0, lower=1, upper=2).lower.tolist() == [0]
    with pytest.raises(ex.ArgumentError, match="`y_true` must be the name of a column, got Series"):
        I.from_frame(numbered, y_true=numbered[0], lower=1, upper=2)


def test_infinite_bounds_can_be_scored_where_the_score_is_finite():
    """A calibrated group with too few rows gets them."""
    lower, upper = [-np.inf, 0], [np.inf, 1]
    assert uc.coverage([0, 0], lower, upper) == 1
    assert uc.miss_rate([0, 2], lower, upper) == 0.5
    assert uc.deficit([0, 2], lower, upper) == 0.5
    with pytest.raises(ex.NonFiniteError):
        uc.bandwidth(lower, upper)
    with pytest.raises(ex.NonFiniteError, match="`lower` must be a number, but 1 of 2 rows is not"):
        uc.coverage([0, 0], [NAN, 0], upper)


def test_crossings_lie_exactly_on_operating_points():
    """The height of a crossing is a count of rows, and leads back to it."""
    rng = np.random.default_rng(0)
    y, z = rng.normal(size=400), rng.exponential(size=(2, 400))
    a, b = (I.from_bands(y, np.zeros(400), band).ucc() for band in z)
    for crossing in a.crossings(b):
        assert crossing.y * 400 == round(crossing.y * 400)
        assert crossing.x == max(curve.at(miss_rate=crossing.y).bandwidth for curve in (a, b))


def test_labels_of_all_rows_serve_after_dropping_some():
    """Nobody wants to find out by hand which rows were dropped."""
    with pytest.warns(ex.DroppedRowsWarning):
        a = I.from_bands([1, NAN, 3, 4], [0] * 4, 1, invalid="drop")
    assert a.kept.tolist() == [0, 2, 3]
    assert I.from_bands([1, 2], [0, 0], 1).kept is None
    for labels in (["x", "y", "z", "x"], ["x", "z", "x"]):
        groups = a.by(labels)
        assert {label: part.y_true.tolist() for label, part in groups.items()} == {"x": [1, 4], "z": [3]}


def test_transposed_draws_are_named():
    """Rows first is a common mistake: draws come first."""
    with pytest.raises(
        ex.ShapeError, match=r"`samples` must have the shape \(draws, 4\), as `y_true` implies, got \(4, 9\)"
    ):
        I.from_samples(np.zeros(4), np.zeros((4, 9)))


def test_several_curves_on_one_figure_can_be_told_apart():
    """Own colours and dashes, references drawn once, axes not mixed."""
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    rng = np.random.default_rng(0)
    y = rng.normal(size=50)
    models = [I.from_bands(y, shift + 0 * y, rng.exponential(size=50)) for shift in (0, 0, 1)]
    ax = None
    for i, model in enumerate(models):
        ax = model.ucc().plot(ax, label=str(i))
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels.count("constant band") == labels.count("as given") == 1
    assert "constant band, other predictions" in labels
    lines = [line for line in ax.lines if line.get_label()[:2] in ("0:", "1:", "2:")]
    assert len({line.get_color() for line in lines}) == 3
    assert len({str(line._dash_pattern) for line in lines}) == 3
    with pytest.raises(ex.ArgumentError, match="draw excess and deficit on other axes"):
        models[0].ucc().plot(ax, x="excess", y="deficit")
    asymmetric = I.from_bands(y, 0 * y, 1.0, 2.0).ucc().plot()
    assert "limit, one-sided bands" in [text.get_text() for text in asymmetric.get_legend().get_texts()]
    plt.close("all")
