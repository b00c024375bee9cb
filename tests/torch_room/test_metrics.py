"""Metrics of batches are the library's functions of all rows, behave as torchmetrics do, and refuse bad rows."""

from __future__ import annotations

import copy
import itertools
import pickle
import warnings

import numpy as np
import pytest
import torch
from made_rows import fill, made_rows, made_weights
from torchmetrics import MetricCollection

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.intervals import rules
from uccurve.torch import AUUCC, AUUCCGain, Bandwidth, IntervalScore, MissRate
from uccurve.torch.interval_metric import Batch

# -- values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "weighted"),
    [
        ({}, True),
        ({"x": "excess", "y": "deficit"}, False),
        ({"coverage": (0.5, 0.9), "partial": "strip"}, True),
        ({"vary": "shift"}, True),
    ],
)
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
    rest = {"y_pred": y_pred, "sample_weight": weight, "multioutput": multioutput}
    expected = uc.auucc_gain(y_true, lower, upper, **rest)
    metric = AUUCCGain(num_outputs=3, multioutput=multioutput)
    found = fill(metric, (y_true, lower, upper, y_pred), weight).compute()
    assert found.numpy() == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("outputs", "weighted"), [(None, False), (2, True)])
def test_costs_of_points_are_those_of_the_functions(outputs, weighted):
    """As sums, which add."""
    y_true, lower, upper, y_pred = columns = made_rows(outputs=outputs)
    weight = made_weights() if weighted else None
    options = {"num_outputs": outputs or 1}
    bounds = {"lower": lower, "upper": upper, "sample_weight": weight}
    score = uc.interval_score(y_true, y_pred=y_pred, coverage=0.9, **bounds)
    for metric, expected in (
        (MissRate(**options), uc.miss_rate(y_true, **bounds)),
        (Bandwidth(**options), uc.bandwidth(**bounds)),
        (IntervalScore(coverage=0.9, **options), score),
    ):
        assert fill(metric, columns, weight).compute().item() == pytest.approx(expected, rel=1e-12)


def test_infinite_bounds_have_a_miss_rate():
    """As in the function."""
    y_true, lower, upper = torch.tensor([0.0, 9.0]), torch.tensor([-torch.inf] * 2), torch.ones(2)
    metric = MissRate()
    metric.update(y_true, lower, upper)
    assert metric.compute() == 0.5


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.int64])
def test_every_number_type_is_added_up_in_float64(dtype):
    """The rows are on a grid that half precision holds: the values must be those of float64."""
    columns = made_rows() if dtype != torch.int64 else tuple(8 * column for column in made_rows())
    expected = fill(AUUCC(), columns).compute()
    assert fill(AUUCC(), [c.to(dtype) for c in columns]).compute() == expected
    many = MissRate().set_dtype(torch.half)
    for _ in range(3000):  # float16 stops counting at 2048
        many.update(*(torch.ones(1, dtype=dtype) for _ in range(3)))
    assert many.weight_of_missed.item() == 3000


def test_the_curve_is_that_of_all_rows():
    """Without predictions, the midpoints serve."""
    y_true, lower, upper, _ = made_rows()
    curve = uc.Intervals.from_bounds(y_true, lower, upper).ucc()
    metric = fill(AUUCC(), (y_true, lower, upper))
    assert metric.curve().at(coverage=0.9) == curve.at(coverage=0.9)


# -- manners --------------------------------------------------------------------------------------

NUMBERS = {
    "area": AUUCC,
    "gain": AUUCCGain,
    "miss rate": MissRate,
    "bandwidth": Bandwidth,
    "score": lambda: IntervalScore(coverage=0.9),
}
every_metric = pytest.mark.parametrize("make", NUMBERS.values(), ids=NUMBERS)


def same(one, other):
    """Whether two results are equal up to the order of sums."""
    return torch.allclose(one, other, rtol=1e-12, atol=0, equal_nan=True)


def halves():
    columns = made_rows()
    return [tuple(c[:170] for c in columns), tuple(c[170:] for c in columns)]


@every_metric
def test_batches_add_up_in_forward_and_merging_until_a_reset(make):
    """As a training loop that logs each step wants it, and several processes; a new epoch begins."""
    metric, other = make(), make()
    first, second = halves()
    assert same(metric(*first), fill(make(), first, sizes=(170,)).compute())
    other.update(*second)
    metric.merge_state(other)
    assert same(metric.compute(), fill(make(), made_rows()).compute())
    metric.reset()
    metric.update(*second)
    assert same(metric.compute(), other.compute())


@every_metric
def test_metrics_are_pickled_copied_and_kept_in_checkpoints_with_their_rows(make):
    """For workers and trackers; by default a metric keeps nothing in checkpoints, as in torchmetrics."""
    metric, again = fill(make(), made_rows()), make()
    assert metric.state_dict() == {}
    for each in (metric, again):
        each.persistent(mode=True)
    again.load_state_dict(metric.state_dict())
    twins = [pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric), metric.clone(), again]  # noqa: S301
    for each in (metric, *twins):
        each.update(*halves()[0])
    assert all(same(twin.compute(), metric.compute()) for twin in twins)


@every_metric
@pytest.mark.parametrize("by_model", [False, True])
def test_the_precision_of_sums_does_not_change(make, by_model):
    """Half precision stops counting at 2,048 rows: sums stay float64, before and after updates."""
    metric = make()
    for part in halves():
        if by_model:
            (metric,) = torch.nn.ModuleList([metric]).to(torch.float16)
        else:
            metric.set_dtype(torch.float16)
        metric.update(*part)
    assert same(metric.compute(), fill(make(), made_rows()).compute())


@every_metric
def test_an_empty_update_changes_nothing(make):
    """The last batch of a filtered loader may be empty. Without any rows the value is NaN, and no warning."""
    metric, nothing = make(), torch.empty(0)
    metric.update(nothing, nothing, nothing, nothing)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        empty = metric.compute()
    assert empty.isnan()
    metric.update(*made_rows())
    assert same(metric.compute(), fill(make(), made_rows()).compute())


def test_rows_without_weight_are_no_rows():
    """The value is NaN, and the curve says why it is none."""
    metric = fill(AUUCC(num_outputs=2, multioutput="raw_values"), made_rows(outputs=2), torch.zeros(400))
    assert metric.compute().isnan().tolist() == [True, True]
    with pytest.raises(ex.EmptyInputError):
        metric.curve()


def test_metrics_of_a_collection_share_updates_only_where_they_may():
    """The first batch is all hits of width 0: every sum is 0. Later batches tell the metrics apart."""
    several = NUMBERS | {"wide": lambda: IntervalScore(miss_rate=0.5)}
    shared, alone = (MetricCollection({name: make() for name, make in several.items()}) for _ in range(2))
    zeros = torch.zeros(3)
    for part in [(zeros, zeros, zeros, zeros), *halves()]:
        shared.update(*part)
        for metric in alone.values():
            metric.update(*part)
    assert all(same(value, alone[name].compute()) for name, value in shared.compute().items())
    groups = {frozenset(group) for group in shared.compute_groups.values()}
    assert {frozenset(("area", "gain")), frozenset(("score", "wide"))} <= groups


def test_numbers_are_drawn():
    """As torchmetrics does: now, or several earlier ones."""
    area = fill(AUUCC(), made_rows())
    for values in (None, [area.compute()] * 3):
        assert area.plot(values)[1].lines


def test_the_rows_are_copies_without_a_graph():
    """A loader may reuse its buffers, and predictions come from a model."""
    columns = tuple(column.clone() for column in made_rows())
    metric = AUUCC()
    columns[1].requires_grad_()
    metric.update(*columns, sample_weight=made_weights())
    expected = fill(AUUCC(), made_rows(), made_weights()).compute()
    for buffer in columns:
        buffer.detach().zero_()
    assert same(metric.compute(), expected)
    assert not any(part.requires_grad for parts in metric.metric_state.values() for part in parts)


# -- bad input ------------------------------------------------------------------------------------

GOOD = [torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.0, 0.0, 0.0]), torch.tensor([2.0, 2.0, 4.0])]

CASES = {
    "crossed": ([GOOD[0], GOOD[1], -GOOD[2]], {}, ex.CrossedBoundsError, "lower"),
    "negative weight": (GOOD, {"sample_weight": -torch.ones(3)}, ex.NegativeWeightError, "sample_weight"),
    "a column beside rows": ([GOOD[0], GOOD[1][:, None], GOOD[2]], {}, ex.ShapeError, "lower"),
    "several outputs": ([column[:, None].repeat(1, 2) for column in GOOD], {}, ex.ShapeError, "y_true"),
    "no dimension": ([column[0] for column in GOOD], {}, ex.ShapeError, "y_true"),
    "no bound": ([GOOD[0], GOOD[1], None], {}, ex.ArgumentTypeError, "upper"),
    "no observations": ([None, *GOOD[1:]], {}, ex.ArgumentTypeError, "y_true"),
    "a list": ([[1.0], GOOD[1], GOOD[2]], {}, ex.ArgumentTypeError, "y_true"),
    "truth values": ([GOOD[0] > 1, GOOD[1], GOOD[2]], {}, ex.NotNumericError, "y_true"),
    "another device": ([column.to("meta") for column in GOOD], {}, ex.ArgumentError, "y_true"),
}


@pytest.mark.parametrize("make", [AUUCC, Bandwidth], ids=["rows", "sum"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_rows_that_break_a_rule_are_named(make, case):
    """And nothing of that update is kept. A column of two dimensions is one output."""
    columns, options, error, argument = case
    metric, twin = make(), make()
    metric.update(*(column[:, None] for column in GOOD))
    twin.update(*GOOD)
    with raises(error, argument) as caught:
        metric.update(*columns, **options)
    assert ("num_outputs" in getattr(caught.value, "hint", "")) == (case is CASES["several outputs"])
    assert metric.compute() == twin.compute()


@pytest.mark.parametrize(
    ("make", "table"),
    [(AUUCC, rules.ROW_RULES), (Bandwidth, rules.ROW_RULES), (MissRate, rules.RULES_FOR_ANY_BOUNDS)],
)
def test_each_rule_about_rows_is_applied(make, table):
    """The metrics judge rows by code of their own, on the device; the table then says which rule is broken."""
    values = np.array(list(itertools.product((0.0, 1, -2, 1e120, 1e-120, np.inf, np.nan), repeat=5))).T
    rows = dict(zip(Batch._fields, values, strict=True))
    left = np.ones(values.shape[1], dtype=bool)
    for rule in (rule for rule in table if rule.applies(rows)):
        broken = left & rule.broken(np.isfinite, *(rows[role] for role in rule.roles))
        assert broken.any() != (rule in rules.ONE_SIDED)  # where both bounds are there, others come first
        if broken.any():
            fine_and_broken = np.stack([[0.0, 0, 0, 0, 1], values[:, np.argmax(broken)]], axis=1)
            with raises(rule.error, rule.argument, count=1, first=1):
                make().update(*map(torch.tensor, fine_and_broken))
        left &= ~broken


@pytest.mark.parametrize(("second", "order"), [("y_pred", 1), ("sample_weight", -1)])
def test_a_column_is_given_always_or_never(second, order):
    """Rows without it cannot be told from rows with it later, or after metrics merged."""
    metric, other = AUUCC(), AUUCC()
    first, later = [{}, {second: torch.ones(3)}][::order]
    metric.update(*GOOD, **first)
    with raises(ex.ArgumentError, second):
        metric.update(*GOOD, **later)
    other.update(*GOOD, **later)
    metric.merge_state(other)
    with raises(ex.ShapeError, second):
        metric.compute()


def test_options_are_checked_when_the_metric_is_made():
    """Not after an epoch."""
    for options in ({"vary": "level"}, {"num_outputs": 0}):
        with raises(ex.ArgumentError, *options):
            AUUCC(**options)
    with raises(ex.ArgumentError):
        AUUCC(miss_rate=(0, 1), coverage=(0, 1))
