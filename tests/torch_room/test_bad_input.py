"""Bad input is refused in one sentence, at the update that brings it."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from messages import check_message
from uccurve import exceptions as ex
from uccurve.torch import AUUCC, Bandwidth, IntervalScore, MissRate

GOOD = [torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.0, 0.0, 0.0]), torch.tensor([2.0, 2.0, 4.0])]


def with_(number, values):
    return [torch.tensor(values) if i == number else column for i, column in enumerate(GOOD)]


CASES = {
    "not finite": (
        with_(0, [1.0, torch.nan, torch.inf]),
        {},
        ex.NonFiniteError,
        "`y_true` must be finite, but 2 of 3 rows are not; first at row 1: y_true=nan.",
    ),
    "crossed": (
        with_(2, [2.0, -1.0, 4.0]),
        {},
        ex.CrossedBoundsError,
        (
            "`lower` must not exceed `upper`, but 1 of 3 rows does; first at row 1: lower=0, upper=-1. "
            'Swap the two, or give quantiles to `Intervals.from_quantiles` with `crossed="sort"`.'
        ),
    ),
    "outside": (
        GOOD,
        {"y_pred": torch.tensor([1.0, 3.0, 9.0])},
        ex.PredictionOutsideError,
        (
            "`y_pred` must lie inside [`lower`, `upper`], but 2 of 3 rows do not; first at row 1: "
            "lower=0, y_pred=3, upper=2. Give `y_pred=None` to use the midpoints."
        ),
    ),
    "negative weight": (
        GOOD,
        {"sample_weight": torch.tensor([1.0, -1.0, 1.0])},
        ex.NegativeWeightError,
        "`sample_weight` must be >= 0, but 1 of 3 rows is not; first at row 1: sample_weight=-1.",
    ),
    "a column beside rows": (
        [GOOD[0], GOOD[1][:, None], GOOD[2]],
        {},
        ex.ShapeError,
        "`lower` must have the shape (3,), as `y_true` implies, got (3, 1).",
    ),
    "several outputs": (
        [column[:, None].repeat(1, 2) for column in GOOD],
        {},
        ex.ShapeError,
        (
            "`y_true` must have the shape (n,) or (n, 1), got (3, 2): give num_outputs to the metric for several "
            "outputs."
        ),
    ),
    "a list": (
        [[1.0], GOOD[1], GOOD[2]],
        {},
        ex.ArgumentTypeError,
        "`y_true` must be a torch tensor, got list: convert it by torch.as_tensor.",
    ),
    "complex": (
        [GOOD[0] * 1j, GOOD[1], GOOD[2]],
        {},
        ex.NotNumericError,
        "`y_true` must be numeric, got torch.complex64.",
    ),
    "another device": (
        [column.to("meta") for column in GOOD],
        {},
        ex.ArgumentError,
        '`y_true` must be on the device of the metric, cpu, got meta: move the metric by metric.to("meta").',
    ),
}


@pytest.mark.parametrize("make", [AUUCC, Bandwidth], ids=["rows", "sum"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_rows_that_break_a_rule_are_named(make, case):
    """And nothing of that update is kept."""
    columns, options, error, message = case
    metric = make()
    metric.update(*GOOD)
    before = metric.compute()
    check_message(lambda: metric.update(*columns, **options), error, message)
    metric._computed = None
    assert metric.compute() == before


def test_a_missing_number_in_a_bound_is_no_infinite_bound():
    """Of the miss rate, which allows infinite ones."""
    with pytest.raises(ex.NonFiniteError, match="`lower` must be a number, but 1 of 3 rows is not"):
        MissRate().update(*with_(1, [0.0, torch.nan, 0.0]))


@pytest.mark.parametrize("second", ["y_pred", "sample_weight"])
@pytest.mark.parametrize("order", [1, -1])
def test_a_column_is_given_always_or_never(second, order):
    """Rows without it cannot be told from rows with it later."""
    metric = AUUCC()
    updates = [{}, {second: torch.ones(3)}][::order]
    metric.update(*GOOD, **updates[0])
    check_message(
        lambda: metric.update(*GOOD, **updates[1]),
        ex.ArgumentError,
        f"`{second}` must be given in all updates or in none, got it in some: "
        "reset the metric, or give it always.",
    )
    other = AUUCC()
    other.update(*GOOD, **updates[1])
    metric.merge_state(other)
    with pytest.raises(ex.ArgumentError, match=f"`{second}` must be given in all updates or in none"):
        metric.compute()


def test_a_column_of_two_dimensions_is_one_output():
    """The output of a linear layer has the shape (n, 1)."""
    metric = AUUCC()
    metric.update(*(column[:, None] for column in GOOD))
    twin = AUUCC()
    twin.update(*GOOD)
    assert metric.compute() == twin.compute()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"x": "width"}, "`x` must be"),
        ({"num_outputs": 0}, "`num_outputs` must satisfy"),
        ({"miss_rate": (0, 1), "coverage": (0, 1)}, "give a range by one of"),
    ],
)
def test_options_are_checked_when_the_metric_is_made(options, message):
    """Not after an epoch."""
    with pytest.raises(ex.ArgumentError) as caught:
        AUUCC(**options)
    assert str(caught.value).startswith(message)
    with pytest.raises(ex.ArgumentError):
        IntervalScore()


@pytest.mark.parametrize("library", ["torch", "torchmetrics"])
def test_a_missing_extra_is_one_error_with_the_command(library):
    """`import uccurve` itself needs neither."""
    code = (
        f"import sys; sys.modules['{library}'] = None\n"
        "import uccurve\n"
        "try: import uccurve.torch\n"
        "except ImportError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == f"{library} is needed here and not installed: pip install 'uccurve[torch]'"
