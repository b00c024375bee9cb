"""Metrics of batches are the library's functions of all rows."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from made_rows import fill, made_rows, made_weights

import uccurve as uc
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
    {"x": "excess", "y": "deficit"},
    {"coverage": (0.5, 0.9), "partial": "strip"},
    {"vary": "shift"},
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("options", AREAS)
def test_areas_and_gains_are_those_of_the_functions(options, weighted):
    """Batches of any size, one of them empty, are the same rows."""
    columns, weight = made_rows(), made_weights() if weighted else None
    y_true, lower, upper, y_pred = columns
    for metric, function in ((AUUCC, uc.auucc), (AUUCCGain, uc.auucc_gain)):
        expected = function(y_true, lower, upper, y_pred=y_pred, sample_weight=weight, **options)
        found = fill(metric(**options), columns, weight).compute()
        assert found.dtype == torch.float64
        assert found.item() == expected


@pytest.mark.parametrize("multioutput", ["uniform_average", "raw_values", "pooled", [0.2, 0.3, 0.5]])
def test_several_outputs_are_averaged_or_pooled_as_the_functions_do(multioutput):
    """Each output has its own constant band."""
    columns, weight = made_rows(outputs=3), made_weights()
    y_true, lower, upper, y_pred = (column * torch.tensor([1.0, 8.0, 0.5]) for column in columns)
    options = {"num_outputs": 3, "multioutput": multioutput}
    for metric, function in ((AUUCC, uc.auucc), (AUUCCGain, uc.auucc_gain)):
        expected = function(
            y_true, lower, upper, y_pred=y_pred, sample_weight=weight, multioutput=multioutput
        )
        found = fill(metric(**options), (y_true, lower, upper, y_pred), weight).compute()
        assert found.numpy() == pytest.approx(expected, rel=1e-9)


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
def test_every_number_type_is_added_up_in_float64(dtype):
    """The rows are on a grid that half precision holds: the values must be those of float64."""
    columns = made_rows() if dtype != torch.int64 else tuple(8 * column for column in made_rows())
    expected = fill(AUUCC(), columns).compute()
    assert fill(AUUCC(), [c.to(dtype) for c in columns]).compute() == expected
    many = MissRate().set_dtype(torch.half)
    for _ in range(3000):  # float16 stops counting at 2048
        many.update(*(torch.ones(1, dtype=dtype) for _ in range(3)))
    assert many.weight_of_missed.item() == 3000


def test_the_points_are_those_of_the_curve():
    """On all four pairs of axes."""
    y_true, lower, upper, y_pred = columns = made_rows()
    rows = uc.Intervals.from_bounds(y_true, lower, upper, y_pred=y_pred)
    curve = rows.ucc()
    for x in ("bandwidth", "excess"):
        for y in ("miss_rate", "deficit"):
            points = fill(UncertaintyCharacteristicsCurve(x=x, y=y), columns).compute()
            for name, tensor in zip((x, y, "parameter"), points, strict=True):
                assert tensor.numpy() == pytest.approx(np.asarray(getattr(curve, name)), abs=1e-12)


def test_without_predictions_the_midpoints_serve():
    """As everywhere in the library."""
    y_true, lower, upper, _ = made_rows()
    found = fill(AUUCC(), (y_true, lower, upper)).compute()
    assert found.item() == pytest.approx(uc.auucc(y_true, lower, upper), rel=1e-12)
