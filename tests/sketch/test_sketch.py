"""The mergeable curve: exact where it says so, bounded elsewhere, and the same however it was put together."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.sketch import SketchFile

AXES = [{"x": x, "y": y} for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]


def made(seed, n, *, kind="asymmetric", weights="none", unit=1.0):
    """Rows with ties, exact predictions and scales far apart; zero bands where asked for."""
    rng = np.random.default_rng(seed)
    y = rng.integers(-6, 7, size=n) / 2.0 if seed % 2 else rng.standard_t(2, size=n)
    lower, upper = np.exp(rng.normal(scale=2, size=(2, n)))
    if kind == "floor":
        lower[: n // 4 + 1] = upper[: n // 4 + 1] = 0.0
    weight = {"none": None, "equal": np.full(n, 0.3), "some": rng.integers(0, 4, size=n) + 0.0}[weights]
    if weight is not None and weight.sum() == 0:
        weight[0] = 1.0
    given = {"constant": (2.0,), "symmetric": (lower,)}.get(kind, (lower, upper))
    bands = [band * unit for band in given]
    return uc.Intervals.from_bands(y * unit, np.full(n, 0.25 * unit), *bands, sample_weight=weight)


ROWS = st.builds(
    made,
    st.integers(0, 10**6),
    st.sampled_from([1, 2, 3, 20, 300]),
    kind=st.sampled_from(["asymmetric", "symmetric", "constant", "floor"]),
    weights=st.sampled_from(["none", "equal", "some"]),
    unit=st.sampled_from([1.0, 1e-90, 1e90]),
)


def close(value, scale=1.0):
    return pytest.approx(value, rel=1e-9, abs=1e-11 * scale)


# -- the points ----------------------------------------------------------------------------------


@given(ROWS)
def test_every_stored_point_is_a_point_of_the_exact_curve(rows):
    """All four costs, not only the miss rate."""
    curve, exact = uc.UCCSketch.of(rows).curve(), rows.ucc()
    mean = rows.rows.summary.error or 1.0
    for place in np.unique(np.linspace(0, curve.parameter.size - 1, 12).astype(int)):
        point = exact.at(parameter=float(curve.parameter[place]))
        assert curve.miss_rate[place] == close(point.miss_rate)
        for cost in ("bandwidth", "excess", "deficit"):
            assert getattr(curve, cost)[place] == close(getattr(point, cost), mean + point.bandwidth)


@given(ROWS)
def test_the_point_as_given_is_exact(rows):
    """It was counted row by row: no bin ends at a scale of 1."""
    given_, wanted = uc.UCCSketch.of(rows).curve().original, rows.ucc().original
    size = wanted.bandwidth + rows.rows.summary.error
    for name in ("parameter", "miss_rate", "coverage", "bandwidth", "excess", "deficit"):
        assert getattr(given_, name) == close(getattr(wanted, name), size)


@given(ROWS, st.sampled_from([0.0, 0.05, 0.3, 0.9]))
def test_a_miss_rate_is_kept_at_a_scale_that_is_hardly_too_large(rows, rate):
    """At most one bin."""
    curve, exact = uc.UCCSketch.of(rows).curve(), rows.ucc()
    try:
        wanted = exact.at(miss_rate=rate)
    except ex.UnreachableError:
        with pytest.raises(ex.UnreachableError):
            curve.at(miss_rate=rate)
        return
    found = curve.at(miss_rate=rate)
    assert found.miss_rate <= rate + 1e-12
    assert wanted.parameter <= found.parameter
    assume(2.0**-40 < wanted.parameter < 2.0**40)
    assert found.parameter <= wanted.parameter * (1 + 2.0**-8)


def test_numbers_beyond_the_bins_are_counted():
    """They stay points of the curve, but share a bin."""
    rows = uc.Intervals.from_bands([1e-15, 1e15, 2e15, 1.0, 3.0, 0.0], np.zeros(6), [1.0, 1, 1, 1, 0, 0])
    sketch = uc.UCCSketch.of(rows)
    assert sketch.overflow == {"below": 1.0, "above": 2.0, "never": 1.0}
    assert sketch.curve().parameter.tolist() == [0.0, 1e-15, 1.0, 2e15]
    assert sketch.curve().miss_rate[-1] == 1 / 6


# -- areas ---------------------------------------------------------------------------------------


@given(ROWS, st.sampled_from(["miss_rate", "deficit"]))
def test_full_areas_gains_and_ceilings_are_exact(rows, y):
    """On the bandwidth axis."""
    curve, exact = uc.UCCSketch.of(rows).curve(), rows.ucc()
    for asymmetric in (False, True):
        found, wanted = (each.ceiling(y=y, asymmetric=asymmetric) for each in (curve, exact))
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9, nan_ok=True)
    try:
        wanted, gain = exact.area(y=y), exact.gain(y=y)
    except ex.UnreachableError:
        with pytest.raises(ex.UnreachableError):
            curve.area(y=y)
        return
    assert curve.area(y=y) == pytest.approx(wanted, rel=1e-9)
    assert curve.gain(y=y) == pytest.approx(gain, rel=1e-7, abs=1e-9, nan_ok=True)
    assert curve.error_bound(y=y) == 0.0


def test_a_constant_band_gains_exactly_nothing():
    """As on the exact curve."""
    curve = uc.UCCSketch.of(made(2, 300, kind="constant")).curve()
    assert [curve.gain(**axes) for axes in AXES] == [0.0] * 4


@pytest.mark.slow
@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("partial", ["strip", "mean"])
@given(rows=ROWS, ends=st.sampled_from([None, (0.0, 0.5), (0.1, 0.3), (0.5, 1.0), (0.31, 0.32)]))
@settings(max_examples=40)
def test_other_areas_are_within_their_bound(axes, partial, rows, ends):
    """Partial ranges, both definitions, and the excess axis."""
    assume(rows.n > 3 and rows.rows.summary.error > 0)
    asked = axes | {"partial": partial} | ({} if ends is None else {"miss_rate": ends})
    curve, exact = uc.UCCSketch.of(rows).curve(), rows.ucc()
    try:
        wanted = exact.area(**asked)
    except ex.UnreachableError:
        with pytest.raises(ex.UnreachableError):
            curve.area(**asked)
        return
    found = curve.area(**asked)
    assume(not math.isnan(wanted) and not math.isnan(found))  # nothing of the curve in the range
    bound = curve.error_bound(**asked)
    assert abs(found - wanted) <= bound + 1e-9 * (abs(wanted) + bound)


@given(st.integers(0, 10**5), st.sampled_from(["asymmetric", "symmetric"]), st.sampled_from(["none", "some"]))
def test_the_limit_line_and_the_constant_band_are_exact_where_bins_end(seed, kind, weights):
    """Both come from the bins of the residuals."""
    rows = made(2 * seed, 300, kind=kind, weights=weights)
    curve, exact = uc.UCCSketch.of(rows).curve(), rows.ucc()
    wanted, found = exact.frontier, curve.frontier
    size = rows.rows.summary.error or 1.0
    for place in np.unique(np.linspace(0, found.miss_rate.size - 1, 8).astype(int)):
        nearest = int(np.argmin(np.abs(np.asarray(wanted.miss_rate) - found.miss_rate[place])))
        assert found.miss_rate[place] == close(wanted.miss_rate[nearest])
    assert found.bandwidth[-1] == close(wanted.bandwidth[-1], size)
    constant = exact.reference
    for place in np.unique(np.linspace(0, curve.reference.parameter.size - 1, 8).astype(int)):
        width = float(curve.reference.bandwidth[place])
        missed = np.abs(np.asarray(rows.residual)) > width * (1 + 1e-14)
        weight = np.ones(rows.n) if rows.sample_weight is None else rows.sample_weight
        assert curve.reference.miss_rate[place] == close(float(weight[missed].sum() / weight.sum()))
    assert curve.reference.area() == pytest.approx(constant.area(), rel=1e-9)


def test_a_large_sketch_answers_like_its_rows():
    """Costs, crossings, reliability, bands and frames, close to those of the exact curve."""
    one = made(4, 20_000)
    two = uc.Intervals.from_bands(one.y_true, one.y_pred, 0.1 + one.lower_band, 2.0)
    curves = [uc.UCCSketch.of(rows).curve() for rows in (one, two)]
    exact = [rows.ucc() for rows in (one, two)]
    for axes in AXES:
        best, wanted = (curve.minimize_cost(0.3, **axes) for curve in (curves[0], exact[0]))
        assert wanted.cost <= best.cost * (1 + 1e-12)
        assert best.cost == pytest.approx(wanted.cost, rel=2e-3)
        assert curves[0].gain(**axes) == pytest.approx(exact[0].gain(**axes), abs=1e-4)
    crossed = {c.y for c in exact[0].crossings(exact[1])}
    assert all(min(abs(c.y - y) for y in crossed) < 0.01 for c in curves[0].crossings(curves[1]))
    assert curves[0].reliability(0.8).coverage == pytest.approx(exact[0].reliability(0.8).coverage, abs=0.01)
    band, wanted = curves[0].confidence_band(), exact[0].confidence_band()
    assert float(np.max(band.high - band.miss_rate)) == close(float(np.max(wanted.high - wanted.miss_rate)))
    columns = list(curves[0].to_frame("pandas").columns)
    assert columns == ["parameter", "miss_rate", "bandwidth", "excess", "deficit"]


# -- adding --------------------------------------------------------------------------------------


@given(ROWS, st.lists(st.integers(0, 3), min_size=1, max_size=300))
def test_merging_any_split_is_the_whole(rows, labels):
    """Whatever goes where, and in whatever order it is added."""
    labels = np.resize(labels, rows.n)
    weight = np.ones(rows.n) if rows.sample_weight is None else rows.sample_weight
    assume(all(weight[labels == label].sum() > 0 for label in np.unique(labels)))
    parts = [uc.UCCSketch.of(part) for part in rows.by(labels).values()]
    whole = uc.UCCSketch.of(rows)
    assert sum(parts, uc.UCCSketch()) == whole
    assert sum(reversed(parts)) == whole
    for place in (0, -1):
        assert sum(parts).curve().excess[place] == close(whole.curve().excess[place], rows.rows.summary.error)


def _points(sketch):
    curve = sketch.curve()
    return curve.parameter, np.round(curve.miss_rate, 12)


@given(ROWS, st.sampled_from([1, 16, 256]))
def test_a_coarse_sketch_has_fewer_points_of_the_same_curve(rows, bins):
    """What is exact stays exact, and coarse sketches add as fine ones do."""
    fine = rows.sketch()
    coarse = fine.coarsened(bins)
    points = [set(zip(*_points(sketch), strict=True)) for sketch in (fine, coarse)]
    assert points[1] <= points[0]
    assert coarse.curve().original.miss_rate == close(fine.curve().original.miss_rate)
    if not fine.overflow["never"]:
        assert coarse.curve().area() == close(fine.curve().area(), rows.rows.summary.error)
    if rows.sample_weight is None:
        parts = rows.by(np.arange(rows.n) % 2 == 0).values()
        assert sum(part.sketch().coarsened(bins) for part in parts) == coarse
    assert bins < 256 or coarse == fine


@pytest.mark.parametrize("bins", [0, 3, 512, 2.5])
def test_an_octave_has_a_power_of_two_of_bins(bins):
    """Others would not be made of whole fine bins."""
    with raises(ex.ArgumentError, argument="bins"):
        made(0, 3).sketch().coarsened(bins)


def test_several_outputs_stay_fine():
    """Their constant widths are as exact as fine bins."""
    with raises(ex.ArgumentError):
        uc.Intervals.from_bands(np.zeros((3, 2)), np.ones((3, 2)), np.ones((3, 2))).sketch().coarsened(16)


# -- bytes ---------------------------------------------------------------------------------------


@given(ROWS)
def test_bytes_come_back_as_the_same_sketch(rows):
    """To the last bit."""
    sketch = uc.UCCSketch.of(rows)
    blob = sketch.to_bytes()
    assert uc.UCCSketch.from_bytes(blob) == sketch
    assert uc.UCCSketch.from_bytes(blob).to_bytes() == blob
    assert uc.UCCSketch.from_bytes(bytearray(blob)).rows == rows.n


def test_the_empty_sketch_has_bytes_too():
    """And adds nothing."""
    empty = uc.UCCSketch.from_bytes(uc.UCCSketch().to_bytes())
    assert empty == uc.UCCSketch()
    assert repr(empty) == "UCCSketch()"
    sketch = uc.UCCSketch.of(made(1, 20))
    assert empty + sketch == sketch


BLOB = uc.UCCSketch.of(made(1, 20)).to_bytes()


def test_the_bytes_of_a_sketch_are_a_file_of_one_model():
    """Without a name; a file of several sketches is not one."""
    sketch = uc.UCCSketch.of(made(1, 20))
    assert SketchFile.from_bytes(BLOB) == SketchFile.of({"": sketch})
    assert uc.UCCSketch.from_bytes(SketchFile.of({"m": sketch}).to_bytes()) == sketch
    with pytest.raises(ex.SketchFormatError):
        uc.UCCSketch.from_bytes(SketchFile.of({"m": sketch, "n": sketch}).to_bytes())


@pytest.mark.parametrize("blob", [None, 5, "UCCSKTCH"])
def test_a_sketch_is_read_from_bytes_only(blob):
    """bytes(5) would be five zeros."""
    with raises(ex.ArgumentTypeError, "blob"):
        uc.UCCSketch.from_bytes(blob)


# -- drift, errors -------------------------------------------------------------------------------


def test_drift_is_the_largest_gap_between_the_curves():
    """Against the exact curves, at all scales where bins end."""
    a, b = made(2, 4000), made(4, 3000, kind="symmetric").scaled(1.25)
    drift = uc.UCCSketch.of(a).drift(uc.UCCSketch.of(b))
    curves = a.ucc(), b.ucc()
    at = [curve.at(parameter=drift.parameter).coverage for curve in curves]
    assert drift.statistic == close(at[0] - at[1])
    scales = np.union1d(curves[0].parameter, curves[1].parameter)
    one, two = (c.coverage[np.searchsorted(c.parameter, scales, side="right") - 1] for c in curves)
    largest = float(np.max(np.abs(one - two)))
    assert largest - 0.02 <= abs(drift.statistic) <= largest + 1e-12
    n, m = 4000, 3000
    assert drift.pvalue == close(math.exp(1 - 2 * drift.statistic**2 * n * m / (n + m)))
    assert 0.001 < drift.pvalue < a.sketch().drift(a.sketch()).pvalue == 1


def test_an_empty_sketch_has_no_curve():
    """Nor a drift."""
    with pytest.raises(ex.EmptyInputError):
        uc.UCCSketch().curve()
    with pytest.raises(ex.EmptyInputError):
        uc.UCCSketch.of(made(1, 3)).drift(uc.UCCSketch())
    with raises(ex.ArgumentError, "intervals"):
        uc.UCCSketch.of([1.0])


def test_sums_of_products_keep_their_digits():
    """Products are added in pairs, however many rows there are."""
    rng = np.random.default_rng(0)
    error, band, weight = rng.lognormal(size=(3, 200_000))
    curve = uc.Intervals.from_bands(error, 0 * error, band, sample_weight=weight).sketch().curve()
    moment = math.fsum(weight * error * (error / band)) / math.fsum(weight)
    assert curve.area(y="deficit") * 2 == pytest.approx(moment * curve.original.bandwidth, rel=1e-14)


def test_a_difference_that_is_rounding_is_none():
    """Where no band is wider than needed, there is no excess."""
    y = [-0.8019314252534474, -1.324358995628145, -0.24836162209524854]
    std = [1.5226393417143438, 3.114431191418876, 1.1159503785679685]
    rows = uc.Intervals.from_std(y, [0.0] * 3, std)
    found, wanted = (curve.at(excess=0).parameter for curve in (rows.sketch().curve(), rows.ucc()))
    assert found == pytest.approx(wanted)
