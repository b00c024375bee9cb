"""Metrics behave as those of torchmetrics do: forward, reset, merging, collections, checkpoints, plots."""

from __future__ import annotations

import copy
import pickle
import warnings

import matplotlib.pyplot as plt
import pytest
import torch
from made_rows import fill, made_rows, made_weights
from torchmetrics import MetricCollection, MetricTracker

import uccurve as uc
from uccurve.exceptions import EmptyInputError
from uccurve.torch import (
    AUUCC,
    AUUCCGain,
    Bandwidth,
    IntervalScore,
    MissRate,
    UncertaintyCharacteristicsCurve,
)

NUMBERS = {
    "area": AUUCC,
    "gain": AUUCCGain,
    "miss rate": MissRate,
    "bandwidth": Bandwidth,
    "score": lambda: IntervalScore(coverage=0.9),
}
ALL = NUMBERS | {"curve": UncertaintyCharacteristicsCurve}
every_number = pytest.mark.parametrize("make", NUMBERS.values(), ids=NUMBERS)
every_metric = pytest.mark.parametrize("make", ALL.values(), ids=ALL)


def same(one, other):
    """Whether two results are equal up to the order of sums."""
    pairs = zip(one, other, strict=True) if isinstance(one, tuple) else [(one, other)]
    return all(torch.allclose(a, b, rtol=1e-12, atol=0, equal_nan=True) for a, b in pairs)


def halves():
    columns = made_rows()
    return [tuple(c[:170] for c in columns), tuple(c[170:] for c in columns)]


@every_metric
def test_forward_returns_the_value_of_the_batch_and_adds_it_until_a_reset(make):
    """As a training loop that logs each step wants it; a new epoch begins."""
    metric = make()
    for part in halves():
        assert same(metric(*part), fill(make(), part, sizes=(len(part[0]),)).compute())
    assert same(metric.compute(), fill(make(), made_rows()).compute())
    metric.reset()
    metric.update(*part)
    assert same(metric.compute(), fill(make(), part, sizes=(len(part[0]),)).compute())


@every_metric
def test_states_of_two_metrics_merge(make):
    """As those of two processes."""
    one, other = (make() for _ in range(2))
    for metric, part in zip((one, other), halves(), strict=True):
        metric.update(*part)
    one.merge_state(other)
    assert same(one.compute(), fill(make(), made_rows()).compute())


@every_metric
def test_metrics_are_pickled_and_copied_with_their_rows(make):
    """For workers, and for trackers."""
    metric = fill(make(), made_rows())
    for twin in (pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric), metric.clone()):  # noqa: S301
        assert same(twin.compute(), metric.compute())
        twin.update(*halves()[0])
    assert metric.update_count == 4


@every_metric
def test_a_persistent_metric_goes_through_a_checkpoint(make):
    """It continues where it was; by default a metric keeps nothing in checkpoints, as in torchmetrics."""
    first, second = halves()
    metric = make()
    assert metric.state_dict() == {}
    metric.persistent(mode=True)
    metric.update(*first)
    again = make()
    again.persistent(mode=True)
    again.load_state_dict(metric.state_dict())
    for each in (metric, again):
        each.update(*second)
    assert same(again.compute(), metric.compute())


HALF = torch.float16
CONVERSIONS = {
    "of a model": lambda metric: torch.nn.ModuleList([metric]).type(HALF)[0],
    "a model to": lambda metric: torch.nn.ModuleList([metric]).to(HALF)[0],
    "set_dtype": lambda metric: metric.set_dtype(HALF),
    "to a device": lambda metric: metric.to("cpu", HALF),
}


@every_metric
@pytest.mark.parametrize("convert", CONVERSIONS.values(), ids=CONVERSIONS)
def test_the_precision_of_sums_does_not_change(make, convert):
    """Half precision stops counting at 2,048 rows: sums stay float64, before and after updates and resets."""
    first, second = halves()
    metric = convert(make())
    metric.update(*first)
    metric = convert(metric)
    metric.update(*second)
    assert same(metric.compute(), fill(make(), made_rows()).compute())
    metric.reset()
    metric.update(*second)
    assert same(metric.compute(), fill(make(), second, sizes=(230,)).compute())


@every_metric
def test_moving_to_a_device_moves_all_states(make):
    """The device without values stands for any other one."""
    metric = fill(make(), made_rows()).to("meta")
    states = [
        s for state in metric.metric_state.values() for s in (state if isinstance(state, list) else [state])
    ]
    assert states
    assert {state.device.type for state in states} == {"meta"}
    assert metric.device.type == "meta"


@every_metric
def test_computing_before_an_update_warns_and_gives_nan(make):
    """The warning is that of torchmetrics."""
    with pytest.warns(UserWarning, match=r"was called before the ``update`` method"):
        found = make().compute()
    assert found.isnan() if isinstance(found, torch.Tensor) else [len(part) for part in found] == [0, 0, 0]


@every_metric
def test_an_empty_update_changes_nothing(make):
    """The last batch of a filtered loader may be empty. Without any rows the value is NaN, and no warning."""
    metric, nothing = make(), torch.empty(0)
    metric.update(nothing, nothing, nothing, nothing)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        empty = metric.compute()
    assert empty.isnan() if isinstance(empty, torch.Tensor) else len(empty.x) == 0
    metric.update(*made_rows())
    assert same(metric.compute(), fill(make(), made_rows()).compute())


def test_rows_without_weight_are_no_rows():
    """The value is NaN, and the curve says why it is none."""
    metric = fill(AUUCC(), made_rows(), torch.zeros(400))
    assert metric.compute().isnan()
    with pytest.raises(EmptyInputError):
        metric.curve()
    raw = AUUCC(num_outputs=2, multioutput="raw_values")
    raw.update(*(torch.empty(0, 2) for _ in range(3)))
    assert raw.compute().shape == (2,)


def test_the_curve_is_that_of_all_rows():
    """It answers what one asks a `UCC`."""
    y_true, lower, upper, y_pred = columns = made_rows()
    wanted = uc.Intervals.from_bounds(y_true, lower, upper, y_pred=y_pred).ucc()
    assert fill(AUUCC(), columns).curve().at(coverage=0.9) == wanted.at(coverage=0.9)


# -- collections and trackers -----------------------------------------------------------------------


def collection():
    """Metrics whose first states may be equal by chance, though they mean different things."""
    return {
        "narrow": IntervalScore(miss_rate=0.1),
        "wide": IntervalScore(miss_rate=0.5),
        "missed": MissRate(),
        "bandwidth": Bandwidth(),
        "area": AUUCC(),
        "deficit": AUUCC(y="deficit"),
        "gain": AUUCCGain(),
    }


def test_metrics_of_a_collection_share_updates_only_where_they_may():
    """The first batch is all hits of width 0: every sum is 0. Later batches tell the metrics apart."""
    shared, alone = MetricCollection(collection()), collection()
    zeros = torch.zeros(3)
    for part in [(zeros, zeros, zeros, zeros), *halves()]:
        shared.update(*part)
        for metric in alone.values():
            metric.update(*part)
    expected = {name: metric.compute() for name, metric in alone.items()}
    assert all(same(value, expected[name]) for name, value in shared.compute().items())
    groups = {frozenset(group) for group in shared.compute_groups.values()}
    assert {"area", "deficit", "gain"} in groups
    assert {"narrow", "wide"} in groups
    shared.reset()
    shared.update(*halves()[1])
    assert shared.compute()["wide"].item() == pytest.approx(
        uc.interval_score(*halves()[1][:3], miss_rate=0.5), rel=1e-12
    )


def test_a_tracker_finds_the_best_epoch():
    """Lower areas and higher gains are better."""
    columns = made_rows()
    y_true, lower, upper, y_pred = columns
    told = y_true - y_pred
    better = (
        y_true,
        torch.minimum(lower, y_pred - told.abs()),
        torch.maximum(upper, y_pred + told.abs()),
        y_pred,
    )
    tracker = MetricTracker(MetricCollection({"area": AUUCC(y="deficit"), "gain": AUUCCGain(y="deficit")}))
    for epoch in (columns, better, columns):
        tracker.increment()
        tracker.update(*epoch)
    _, steps = tracker.best_metric(return_step=True)
    assert steps == {"area": 1, "gain": 1}
    assert [make().higher_is_better for make in (AUUCC, AUUCCGain, MissRate, Bandwidth)] == [
        False,
        True,
        False,
        False,
    ]


# -- figures ----------------------------------------------------------------------------------------


@every_number
def test_numbers_are_drawn_as_torchmetrics_does(make):
    """One value, or one per step."""
    metric = fill(make(), made_rows())
    for values in (None, [metric.compute()] * 3):
        figure, axes = metric.plot(values)
        assert axes.lines
        plt.close(figure)


def test_the_curve_is_drawn_as_the_library_does():
    """With the constant band beside it; an earlier result is drawn as a bare line, as collections ask for."""
    metric = fill(UncertaintyCharacteristicsCurve(y="deficit"), made_rows())
    figure, axes = metric.plot()
    assert "deficit" in axes.get_ylabel()
    plt.close(figure)
    drawn, given = plt.subplots()
    figure, axes = metric.plot(metric.compute(), ax=given)
    assert (figure, axes) in ((drawn, given), (None, given))
    assert len(given.lines) == 1
    plt.close(drawn)


def test_the_rows_are_copies():
    """A loader that reuses its buffers does not change what was added."""
    columns = made_rows()
    metric = AUUCC()
    metric.update(*columns, sample_weight=made_weights())
    expected = metric.compute()
    twin = AUUCC()
    buffers = tuple(column.clone() for column in columns)
    twin.update(*buffers, sample_weight=made_weights())
    for buffer in buffers:
        buffer.zero_()
    assert same(twin.compute(), expected)


def test_tensors_with_gradients_are_assessed():
    """Predictions come from a model; what a metric keeps has no graph."""
    y_true, lower, upper, y_pred = made_rows()
    metric = AUUCC()
    metric.update(y_true, lower.requires_grad_(), upper.requires_grad_(), y_pred)
    assert not any(part.requires_grad for parts in metric.metric_state.values() for part in parts)
