"""Sketches of several outputs: a constant band for each, as on the exact curve."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import uccurve as uc
from oracle import Oracle
from strategies import BANDS
from uccurve.exceptions import ArgumentError, UnreachableError
from uccurve.sketch import SketchFile

AXES = [(x, y) for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]


@st.composite
def columns(draw, *, zero_bands=True):
    """Draw y, p, lower and upper bands of two or three outputs in units that differ, and weights.

    An output may have no bands at all, or no errors.
    """
    n, outputs = draw(st.integers(1, 6)), draw(st.integers(2, 3))
    units = np.array([draw(st.sampled_from([1.0, 16.0, 2.0**-20])) for _ in range(outputs)])

    def column(strategy):
        values = draw(st.lists(strategy, min_size=n * outputs, max_size=n * outputs))
        return np.array(values, dtype=float).reshape(n, outputs)

    y, p = column(st.integers(-6, 6)), column(st.integers(-2, 2))
    lower, upper = column(st.sampled_from(BANDS)), column(st.sampled_from(BANDS))
    if zero_bands and draw(st.booleans()):
        blank = np.arange(outputs) == draw(st.integers(0, outputs - 1))
        lower, upper = (np.where(blank, 0.0, band) for band in (lower, upper))
        if draw(st.booleans()):
            y = np.where(blank, p, y)
    weight = None
    if draw(st.booleans()):
        weight = np.array([draw(st.sampled_from([0.0, 1.0, 2.0, 0.25])) for _ in range(n)])
        assume(weight.any())
    return y * units, p * units, lower * units, upper * units, weight


def intervals(given_):
    return uc.Intervals.from_bands(*given_[:4], sample_weight=given_[4])


def oracle_of(given_):
    y, p, lower, upper, weight = given_
    n, outputs = y.shape
    weight = None if weight is None else np.repeat(weight, outputs)
    flat = [column.ravel().tolist() for column in (y, p, lower, upper)]
    return Oracle.of(*flat, weight, "scale", list(range(outputs)) * n)


def made(seed=0, n=400, outputs=3):
    """Return rows whose outputs have units of their own."""
    rng = np.random.default_rng(seed)
    y = rng.standard_t(4, size=(n, outputs)) * 10.0 ** np.arange(outputs)
    lower, upper = (rng.gamma(4, size=y.shape) * 10.0 ** np.arange(outputs) for _ in range(2))
    return uc.Intervals.from_bands(y, 0 * y, lower, upper, sample_weight=rng.integers(0, 4, size=n) + 0.0)


# -- gains, ceilings and the constant bands ---------------------------------------------------------


@given(columns(), st.sampled_from(AXES))
@settings(max_examples=200)
def test_gains_are_measured_against_a_constant_for_each_output(given_, axes):
    """In exact fractions: weights, ties, asymmetric bands, outputs without bands or without errors."""
    x, y = axes
    oracle, curve = oracle_of(given_), intervals(given_).sketch().curve()
    if any(oracle.critical(row) is None for row in oracle.rows):
        with pytest.raises(UnreachableError):
            curve.gain(x=x, y=y)
        return
    constant = oracle.constant().area(x, y)
    assume(constant > 0)
    exact = float(1 - oracle.area(x, y) / constant)
    bound = curve.error_bound(x=x, y=y) / float(constant) * (1 + abs(exact))
    bound += curve.reference.error_bound(x=x, y=y) / float(constant) * (1 + abs(exact))
    if x == "bandwidth":
        assert bound == 0
    assert abs(curve.gain(x=x, y=y) - exact) <= bound + 1e-9 * (1 + abs(exact))


@given(columns())
@settings(max_examples=150)
def test_the_constant_bands_and_ceilings_are_those_of_the_rows(given_):
    """Few rows share no bin: then the points of the constant bands are exact."""
    rows = intervals(given_)
    curve, exact = rows.sketch().curve(), rows.ucc()
    assert curve.data.summary.widths == pytest.approx(rows.rows.summary.widths, rel=1e-12)
    assert curve.data.summary.constant == rows.rows.summary.constant
    for y in ("miss_rate", "deficit"):
        assert curve.ceiling(y=y) == pytest.approx(exact.ceiling(y=y), rel=1e-9, abs=1e-9, nan_ok=True)
    mine, theirs = curve.reference, exact.reference
    size = rows.rows.summary.error + rows.rows.summary.width
    for place, parameter in enumerate(mine.parameter):
        point = theirs.at(parameter=float(parameter) * (1 + 1e-13))
        assert mine.miss_rate[place] == pytest.approx(point.miss_rate, abs=1e-12)
        assert mine.bandwidth[place] == pytest.approx(point.bandwidth, rel=1e-9)
        assert mine.excess[place] == pytest.approx(point.excess, rel=1e-9, abs=1e-11 * size)
        assert mine.deficit[place] == pytest.approx(point.deficit, rel=1e-9, abs=1e-11 * size)


def test_bands_constant_per_output_gain_nothing_from_units():
    """Errors of sd 1 and 100 with bands 1 and 10 once gained 40%."""
    y = np.random.default_rng(0).normal(size=(500, 2)) * [1, 100]
    curve = uc.Intervals.from_bands(y, 0 * y, np.broadcast_to([1.0, 10.0], y.shape)).sketch().curve()
    assert [curve.gain(x=x, y=vertical) for x, vertical in AXES] == [0.0] * 4
    assert curve.reference is curve
    assert curve.has_same_constant(curve.reference)


def test_the_constant_bands_of_many_rows_are_within_a_bin():
    """Bins of several outputs overlap: a scale is off by at most 1/256, areas by at most their bound."""
    rows = made(n=5000)
    mine, theirs = rows.sketch().curve().reference, rows.ucc().reference
    rates = np.linspace(0.01, 0.95, 40)
    scales = [[c.at(miss_rate=float(rate)).parameter for rate in rates] for c in (mine, theirs)]
    assert np.max(np.abs(np.divide(*scales) - 1)) < 1 / 256
    assert mine.area() == pytest.approx(theirs.area(), rel=1e-9)
    for x, y in AXES:
        for span in ({}, {"miss_rate": (0.1, 0.4)}):
            for partial in ("mean", "strip"):
                found, wanted = (c.area(x=x, y=y, partial=partial, **span) for c in (mine, theirs))
                bound = mine.error_bound(x=x, y=y, partial=partial, **span)
                assert abs(found - wanted) <= bound + 1e-9 * wanted
                assert found == pytest.approx(wanted, rel=3e-3)


def test_sketches_of_several_outputs_are_compared():
    """`compare` gives each model its own constant width."""
    first = made(1, n=2000)
    second = uc.Intervals.from_bands(first.y_true, first.y_pred, first.lower_band, 2 * first.lower_band)
    models = {"first": first, "second": second}
    sketched = uc.compare({name: rows.sketch() for name, rows in models.items()})
    assert list(sketched.constant_bands) == ["constant width of first", "constant width of second"]


# -- adding, bytes ------------------------------------------------------------------------------------


@given(columns(), st.lists(st.integers(0, 2), min_size=6, max_size=6))
@settings(max_examples=150)
def test_merging_any_split_is_the_whole(given_, labels):
    """Output by output."""
    rows = intervals(given_)
    labels = np.array(labels[: rows.n])
    weight = np.ones(rows.n) if rows.sample_weight is None else rows.sample_weight
    assume(all(weight[labels == label].sum() > 0 for label in np.unique(labels)))
    parts, whole = [part.sketch() for part in rows.by(labels).values()], rows.sketch()
    for added in (sum(parts, uc.UCCSketch()), sum(reversed(parts)), uc.UCCSketch() + sum(parts)):
        assert added == whole
        assert added.curve().data.summary.widths == pytest.approx(rows.rows.summary.widths, rel=1e-12)
        assert len(added.outputs) == rows.n_outputs


@given(columns())
@settings(max_examples=50)
def test_bytes_come_back_as_the_same_sketch(given_):
    """To the last bit."""
    sketch = intervals(given_).sketch()
    blob = sketch.to_bytes()
    again = uc.UCCSketch.from_bytes(blob)
    assert again == sketch
    assert again.to_bytes() == blob
    assert copy.deepcopy(sketch).to_bytes() == blob


def test_sketches_of_the_same_errors_in_other_outputs_are_not_equal():
    """Pooled, they are the same."""
    rows = made(1, outputs=2)
    swapped = uc.Intervals.from_bands(
        rows.y_true[:, ::-1],
        rows.y_pred,
        rows.lower_band[:, ::-1],
        rows.upper_band[:, ::-1],
        sample_weight=rows.sample_weight,
    )
    assert swapped.sketch() != rows.sketch()
    assert swapped.sketch().curve().area() == pytest.approx(rows.sketch().curve().area())
    assert swapped.sketch().drift(rows.sketch()).statistic == pytest.approx(0, abs=1e-12)


def test_different_numbers_of_outputs_do_not_add():
    """An empty sketch adds to anything."""
    two, three = made(outputs=2).sketch(), made(outputs=3).sketch()
    with pytest.raises(ArgumentError):
        two + three
    with pytest.raises(ArgumentError):
        SketchFile.merge([SketchFile.of({"m": s}) for s in (three, made(outputs=1).sketch())])
    assert uc.UCCSketch() + three == three == three + uc.UCCSketch()
    assert repr(three).startswith("UCCSketch(rows=400, outputs=3, bandwidth=")


def test_files_keep_outputs(tmp_path):
    """Of several segments."""
    file = SketchFile.of({("m", seed): made(seed, outputs=2).sketch() for seed in (1, 2)}, by="c")
    again = SketchFile.read(file.write(tmp_path / "f.ucc"))
    assert again == file
    assert again.whole()["m"].curve().gain() == file.whole()["m"].curve().gain()


def test_a_column_of_one_output_is_one_output():
    """Shape (n, 1) gives the bytes of shape (n,)."""
    rows = made(outputs=1)
    flat = uc.Intervals.from_bands(
        *(column[:, 0] for column in (rows.y_true, rows.y_pred, rows.lower_band, rows.upper_band)),
        sample_weight=rows.sample_weight,
    )
    assert rows.sketch().to_bytes() == flat.sketch().to_bytes()
