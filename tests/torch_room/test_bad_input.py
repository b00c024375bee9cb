"""Bad input is refused in one sentence, at the update that brings it."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from errors import raises
from uccurve import exceptions as ex
from uccurve.torch import AUUCC, Bandwidth, IntervalScore, MissRate

GOOD = [torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.0, 0.0, 0.0]), torch.tensor([2.0, 2.0, 4.0])]


def with_(number, values):
    return [torch.tensor(values) if i == number else column for i, column in enumerate(GOOD)]


CASES = {
    "not finite": (with_(0, [1.0, torch.nan, torch.inf]), {}, ex.NonFiniteError, "y_true"),
    "infinite bound": (with_(2, [2.0, torch.inf, 4.0]), {}, ex.NonFiniteError, "upper"),
    "crossed": (with_(2, [2.0, -1.0, 4.0]), {}, ex.CrossedBoundsError, ("lower")),
    "outside": (GOOD, {"y_pred": torch.tensor([1.0, 3.0, 9.0])}, ex.PredictionOutsideError, ("y_pred")),
    "negative weight": (
        GOOD,
        {"sample_weight": torch.tensor([1.0, -1.0, 1.0])},
        ex.NegativeWeightError,
        "sample_weight",
    ),
    "weight not finite": (
        GOOD,
        {"sample_weight": torch.tensor([1.0, torch.nan, 1.0])},
        ex.NonFiniteError,
        "sample_weight",
    ),
    "a column beside rows": ([GOOD[0], GOOD[1][:, None], GOOD[2]], {}, ex.ShapeError, "lower"),
    "several outputs": ([column[:, None].repeat(1, 2) for column in GOOD], {}, ex.ShapeError, ("y_true")),
    "a number": ([torch.tensor(1.0)] * 3, {}, ex.ShapeError, ("y_true")),
    "a list": ([[1.0], GOOD[1], GOOD[2]], {}, ex.ArgumentTypeError, "y_true"),
    "complex": ([GOOD[0] * 1j, GOOD[1], GOOD[2]], {}, ex.NotNumericError, "y_true"),
    "truth values": ([GOOD[0] > 1, GOOD[1], GOOD[2]], {}, ex.NotNumericError, "y_true"),
    "another device": ([column.to("meta") for column in GOOD], {}, ex.ArgumentError, "y_true"),
}


@pytest.mark.parametrize("make", [AUUCC, Bandwidth], ids=["rows", "sum"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_rows_that_break_a_rule_are_named(make, case):
    """And nothing of that update is kept."""
    columns, options, error, argument = case
    metric = make()
    metric.update(*GOOD)
    before = metric.compute()
    with raises(error, argument):
        metric.update(*columns, **options)
    metric._computed = None
    assert metric.compute() == before


def test_a_missing_number_in_a_bound_is_no_infinite_bound():
    """Of the miss rate, which allows infinite ones."""
    with raises(ex.NonFiniteError, "lower", count=1, first=1):
        MissRate().update(*with_(1, [0.0, torch.nan, 0.0]))


@pytest.mark.parametrize("second", ["y_pred", "sample_weight"])
@pytest.mark.parametrize("order", [1, -1])
def test_a_column_is_given_always_or_never(second, order):
    """Rows without it cannot be told from rows with it later."""
    metric = AUUCC()
    updates = [{}, {second: torch.ones(3)}][::order]
    metric.update(*GOOD, **updates[0])
    with pytest.raises(ex.ArgumentError):
        metric.update(*GOOD, **updates[1])
    other = AUUCC()
    other.update(*GOOD, **updates[1])
    metric.merge_state(other)
    with pytest.raises(ex.ArgumentError):
        metric.compute()


def test_a_column_of_two_dimensions_is_one_output():
    """The output of a linear layer has the shape (n, 1)."""
    metric = AUUCC()
    metric.update(*(column[:, None] for column in GOOD))
    twin = AUUCC()
    twin.update(*GOOD)
    assert metric.compute() == twin.compute()


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"x": "width"}, "x"),
        ({"y": "coverage"}, "y"),
        ({"vary": "level"}, "vary"),
        ({"partial": "some"}, "partial"),
        ({"num_outputs": 0}, "num_outputs"),
        ({"multioutput": "best"}, "multioutput"),
        ({"miss_rate": (0, 1), "coverage": (0, 1)}, None),
    ],
)
def test_options_are_checked_when_the_metric_is_made(options, argument):
    """Not after an epoch."""
    with raises(ex.ArgumentError, argument):
        AUUCC(**options)
    with pytest.raises(ex.ArgumentError):
        IntervalScore()


@pytest.mark.parametrize("metric", [MissRate, AUUCC])
@pytest.mark.parametrize("size", [1e-120, 1e120])
def test_values_are_of_a_legal_size(metric, size):
    """As everywhere else."""
    y = torch.tensor([1.0, size, 0.0], dtype=torch.float64)
    with pytest.raises(ex.MagnitudeError) as caught:
        metric().update(y, torch.zeros(3), torch.full((3,), 2.0))
    assert (caught.value.argument, caught.value.first) == ("y_true", 1)


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
