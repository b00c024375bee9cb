"""Metrics of batches are the library's functions of all rows."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from made_rows import fill, made_rows, made_weights

import uccurve as uc
from strategies import cases
from uccurve._cuda import bin_tables
from uccurve._kernels.bins import NEVER, PER_OCTAVE, ZERO, bin_of
from uccurve.torch import (
    AUUCC,
    AUUCCGain,
    Bandwidth,
    IntervalScore,
    MissRate,
    UncertaintyCharacteristicsCurve,
)

AREAS = [
    {},
    {"y": "deficit"},
    {"x": "excess"},
    {"x": "excess", "y": "deficit"},
    {"miss_rate": (0.1, 0.4)},
    {"coverage": (0.5, 0.9), "partial": "strip"},
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("options", [*AREAS, {"vary": "shift"}, {"vary": "shift", "y": "deficit"}])
def test_exact_areas_and_gains_are_those_of_the_functions(options, weighted):
    """Batches of any size, one of them empty, are the same rows."""
    columns, weight = made_rows(), made_weights() if weighted else None
    y_true, lower, upper, y_pred = columns
    for metric, function in ((AUUCC, uc.auucc), (AUUCCGain, uc.auucc_gain)):
        expected = function(y_true, lower, upper, y_pred=y_pred, sample_weight=weight, **options)
        found = fill(metric(**options), columns, weight).compute()
        assert found.dtype == torch.float64
        assert found.item() == expected


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("options", AREAS)
def test_sketched_areas_and_gains_are_those_of_sketches(options, weighted):
    """And full areas against bandwidth are exact."""
    columns, weight = made_rows(), made_weights() if weighted else None
    y_true, lower, upper, y_pred = columns
    rows = uc.Intervals.from_bounds(y_true, lower, upper, y_pred=y_pred, sample_weight=weight)
    curve = uc.UCCSketch.of(rows).curve()
    area = fill(AUUCC(sketch=True, **options), columns, weight)
    assert area.compute().item() == pytest.approx(curve.area(**options), rel=1e-12)
    gain = fill(AUUCCGain(sketch=True, **options), columns, weight)
    assert gain.compute().item() == pytest.approx(curve.gain(**options), rel=1e-9)
    if options in ({}, {"y": "deficit"}):
        assert area.compute().item() == pytest.approx(rows.ucc().area(**options), rel=1e-12)


@given(cases(max_rows=9, zero_bands=True, vary=["scale"], units=[1.0, 2.0**-40, 2.0**40]))
def test_the_states_are_the_sketch(case):
    """Bins, their largest numbers and all totals: the same sketch, to keep or to add to others."""
    rows = case.intervals(lambda column: torch.tensor(column, dtype=torch.float64))
    metric = UncertaintyCharacteristicsCurve(sketch=True)
    half = rows.n // 2
    y_pred = None if case.symmetric else rows.y_pred
    for part in (slice(0, half), slice(half, None)):
        metric.update(
            rows.y_true[part],
            rows.lower[part],
            rows.upper[part],
            None if y_pred is None else y_pred[part],
            None if rows.sample_weight is None else rows.sample_weight[part],
        )
    again = uc.Intervals.from_bounds(
        rows.y_true, rows.lower, rows.upper, y_pred=y_pred, sample_weight=rows.sample_weight
    )
    assert metric.to_sketch() == uc.UCCSketch.of(again)


@given(st.lists(st.floats(min_value=0, allow_nan=False), min_size=1), st.sampled_from([40, 128]))
def test_bins_of_tensors_are_those_of_arrays(values, octaves):
    """One definition of a bin, in two libraries."""
    places = bin_tables.places(torch.tensor(values, dtype=torch.float64), octaves).numpy()
    edge = octaves * PER_OCTAVE
    bins = places - edge - 2
    bins = np.where(bins == -edge - 2, ZERO, np.where(bins == edge + 1, NEVER, bins))
    assert bins.tolist() == bin_of(np.array(values), octaves).tolist()
    assert places.max() < bin_tables.length(octaves)


@pytest.mark.parametrize("sketch", [False, True])
@pytest.mark.parametrize("multioutput", ["uniform_average", "raw_values", "pooled", [0.2, 0.3, 0.5]])
def test_several_outputs_are_averaged_or_pooled_as_the_functions_do(sketch, multioutput):
    """Each output has its own constant band."""
    columns, weight = made_rows(outputs=3), made_weights()
    y_true, lower, upper, y_pred = (column * torch.tensor([1.0, 8.0, 0.5]) for column in columns)
    options = {"num_outputs": 3, "multioutput": multioutput}
    for metric, function in ((AUUCC, uc.auucc), (AUUCCGain, uc.auucc_gain)):
        expected = function(
            y_true, lower, upper, y_pred=y_pred, sample_weight=weight, multioutput=multioutput
        )
        found = fill(metric(sketch=sketch, **options), (y_true, lower, upper, y_pred), weight).compute()
        assert found.numpy() == pytest.approx(expected, rel=1e-9)
    sketched = fill(AUUCC(sketch=True, num_outputs=3), (y_true, lower, upper, y_pred), weight).to_sketch()
    rows = uc.Intervals.from_bounds(y_true, lower, upper, y_pred=y_pred, sample_weight=weight)
    assert sketched == uc.UCCSketch.of(rows)


@pytest.mark.parametrize("outputs", [None, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_costs_of_points_are_those_of_the_functions(outputs, weighted):
    """As sums, which add."""
    y_true, lower, upper, y_pred = columns = made_rows(outputs=outputs)
    weight = made_weights() if weighted else None
    options = {"num_outputs": outputs or 1}
    bounds = {"lower": lower, "upper": upper, "sample_weight": weight}
    pairs = [
        (MissRate(**options), uc.miss_rate(y_true, **bounds)),
        (Bandwidth(**options), uc.bandwidth(**bounds)),
        (
            IntervalScore(coverage=0.9, **options),
            uc.interval_score(y_true, y_pred=y_pred, coverage=0.9, **bounds),
        ),
    ]
    for metric, expected in pairs:
        assert fill(metric, columns, weight).compute().item() == pytest.approx(expected, rel=1e-12)
    each = fill(MissRate(multioutput="raw_values", **options), columns, weight).compute()
    raw = uc.miss_rate(y_true, multioutput="raw_values", **bounds)
    assert each.reshape(-1).tolist() == pytest.approx(raw.tolist())


def test_infinite_bounds_have_a_miss_rate():
    """As in the function."""
    metric = MissRate()
    metric.update(torch.tensor([0.0, 9.0]), torch.tensor([-torch.inf] * 2), torch.tensor([1.0, 1.0]))
    assert metric.compute() == 0.5


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.int64])
@pytest.mark.parametrize("sketch", [False, True])
def test_every_number_type_is_added_up_in_float64(dtype, sketch):
    """The rows are on a grid that half precision holds: the values must be those of float64."""
    columns = made_rows() if dtype != torch.int64 else tuple(8 * column for column in made_rows())
    expected = fill(AUUCC(sketch=sketch), columns).compute()
    assert fill(AUUCC(sketch=sketch), [c.to(dtype) for c in columns]).compute() == expected
    many = MissRate().set_dtype(torch.half)
    for _ in range(3000):  # float16 stops counting at 2048
        many.update(*(torch.ones(1, dtype=dtype) for _ in range(3)))
    assert many.weight_of_missed.item() == 3000


@pytest.mark.parametrize("sketch", [False, True])
def test_the_points_are_those_of_the_curve(sketch):
    """On all four pairs of axes."""
    y_true, lower, upper, y_pred = columns = made_rows()
    rows = uc.Intervals.from_bounds(y_true, lower, upper, y_pred=y_pred)
    curve = uc.UCCSketch.of(rows).curve() if sketch else rows.ucc()
    for x in ("bandwidth", "excess"):
        for y in ("miss_rate", "deficit"):
            points = fill(UncertaintyCharacteristicsCurve(x=x, y=y, sketch=sketch), columns).compute()
            for name, tensor in zip((x, y, "parameter"), points, strict=True):
                assert tensor.numpy() == pytest.approx(np.asarray(getattr(curve, name)), abs=1e-12)


def test_without_predictions_the_midpoints_serve():
    """As everywhere in the library."""
    y_true, lower, upper, _ = made_rows()
    for sketch in (False, True):
        metric = fill(AUUCC(sketch=sketch), (y_true, lower, upper))
        assert metric.compute().item() == pytest.approx(uc.auucc(y_true, lower, upper), rel=1e-12)
