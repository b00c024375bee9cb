"""Sketches of several outputs: a constant band for each, as on the exact curve."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import uccurve as uc
from strategies import output_cases
from uccurve.exceptions import ArgumentError, UnreachableError
from uccurve.sketch import SketchFile

AXES = [(x, y) for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]


def made(seed=0, n=400, outputs=3):
    """Return rows whose outputs have units of their own."""
    rng = np.random.default_rng(seed)
    y = rng.standard_t(4, size=(n, outputs)) * 10.0 ** np.arange(outputs)
    lower, upper = (rng.gamma(4, size=y.shape) * 10.0 ** np.arange(outputs) for _ in range(2))
    return uc.Intervals.from_bands(y, 0 * y, lower, upper, sample_weight=rng.integers(0, 4, size=n) + 0.0)


# -- gains, ceilings and the constant bands ---------------------------------------------------------


@given(output_cases(zero_bands=True, vary=["scale"]), st.sampled_from(AXES))
@settings(max_examples=200)
def test_gains_are_measured_against_a_constant_for_each_output(case, axes):
    """In exact fractions: weights, ties, asymmetric bands, outputs without bands or without errors."""
    x, y = axes
    oracle, curve = case.oracle(), case.intervals().sketch().curve()
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


@given(output_cases(zero_bands=True, vary=["scale"]))
@settings(max_examples=150)
def test_the_constant_bands_and_ceilings_are_those_of_the_rows(case):
    """Few rows share no bin: then the points of the constant bands are exact."""
    rows = case.intervals()
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


# -- adding, bytes ------------------------------------------------------------------------------------


@given(output_cases(zero_bands=True, vary=["scale"]), st.lists(st.integers(0, 2), min_size=6, max_size=6))
@settings(max_examples=150)
def test_merging_any_split_is_the_whole(case, labels):
    """Output by output."""
    rows = case.intervals()
    labels = np.array(labels[: rows.n])
    weight = np.ones(rows.n) if rows.sample_weight is None else rows.sample_weight
    assume(all(weight[labels == label].sum() > 0 for label in np.unique(labels)))
    parts, whole = [part.sketch() for part in rows.by(labels).values()], rows.sketch()
    for added in (sum(parts, uc.UCCSketch()), sum(reversed(parts)), uc.UCCSketch() + sum(parts)):
        assert added == whole
        assert added.curve().data.summary.widths == pytest.approx(rows.rows.summary.widths, rel=1e-12)
        assert len(added.outputs) == rows.n_outputs


def test_different_numbers_of_outputs_do_not_add():
    """An empty sketch adds to anything."""
    two, three = made(outputs=2).sketch(), made(outputs=3).sketch()
    with pytest.raises(ArgumentError):
        two + three
    with pytest.raises(ArgumentError):
        SketchFile.merge([SketchFile.of({"m": s}) for s in (three, made(outputs=1).sketch())])
    assert uc.UCCSketch() + three == three == three + uc.UCCSketch()
    assert repr(three).startswith("UCCSketch(rows=400, outputs=3, bandwidth=")


def test_a_column_of_one_output_is_one_output():
    """Shape (n, 1) gives the bytes of shape (n,)."""
    rows = made(outputs=1)
    flat = uc.Intervals.from_bands(
        *(column[:, 0] for column in (rows.y_true, rows.y_pred, rows.lower_band, rows.upper_band)),
        sample_weight=rows.sample_weight,
    )
    assert rows.sketch().to_bytes() == flat.sketch().to_bytes()
