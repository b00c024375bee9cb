"""Errors hold facts; one sentence of each class, and of each kind of fact, is read here as a whole."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import uccurve as uc
from uccurve import exceptions
from uccurve.exceptions import (
    ArgumentError,
    CrossedBoundsError,
    DroppedRowsWarning,
    MissingColumnError,
    UccurveError,
)

Y, LOWER, UPPER = np.array([1.0, 2.0, 3.0]), np.array([0.0, 3.0, 1.0]), np.array([2.0, 1.0, 4.0])
OF_VALUES = [
    cls for cls in vars(exceptions).values() if isinstance(cls, type) and issubclass(cls, UccurveError)
]


def crossed():
    with pytest.raises(CrossedBoundsError) as caught:
        uc.Intervals.from_bounds(Y, LOWER, UPPER)
    return caught.value


def as_option(name, *value):
    return " ".join(["--" + name, *map(str, value)])


def test_an_error_about_rows_holds_the_rule_the_count_and_the_first_row():
    error = crossed()
    assert (error.argument, error.rule, error.count, error.total) == ("lower", "not exceed `upper`", 1, 3)
    assert (error.first, error.values) == (1, {"lower": 3.0, "upper": 1.0})
    assert str(error) == (
        "`lower` must not exceed `upper`, but 1 of 3 rows breaks this rule; first at row 1: lower=3, upper=1. "
        'Swap the two, or pass quantiles to `Intervals.from_quantiles` with `crossed="sort"`. '
        '`invalid="drop"` leaves such rows out.'
    )


def test_an_error_about_an_option_holds_what_was_passed():
    with pytest.raises(ArgumentError) as caught:
        uc.Intervals.from_bounds(Y, LOWER, UPPER + 3, nominal=90)
    error = caught.value
    assert (error.argument, error.rule, error.got) == ("nominal", "satisfy 0 < nominal < 1", "90")
    assert str(error) == "`nominal` must satisfy 0 < nominal < 1, got 90. Write 0.9 for 90%."


def test_an_error_about_columns_holds_the_arguments_to_pass():
    error = MissingColumnError(
        "several columns could be the observations: 'y', 'a`b'", remedy={"y_true": "y"}
    )
    assert str(error).endswith('. Pass `y_true="y"`.')
    assert error.sentence(naming=as_option).endswith(". Pass --y_true y.")


def test_the_command_line_names_options_columns_and_lines():
    error = crossed().replaced(hint="", place="line 3")
    assert error.sentence(naming=as_option).startswith("--lower must not exceed --upper, but")
    named = error.replaced(columns={"lower": "p5", "upper": "p95"}, where="a.csv")
    assert named.sentence(naming=as_option) == (
        "a.csv: column 'p5' must not exceed column 'p95', but 1 of 3 rows breaks this rule; "
        "first at line 3: p5=3, p95=1."
    )
    assert error.where is None


@pytest.mark.parametrize("cls", OF_VALUES)
def test_errors_travel_between_processes(cls):
    error = cls(
        "it is", argument="lower", got=(1, 2), count=2, total=3, first=1, values={"lower": 1.5}, hint="Stop."
    )
    for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):  # noqa: S301
        assert type(twin) is cls
        assert vars(twin) == vars(error)
        assert (
            str(twin)
            == "it is, got (1, 2), but 2 of 3 rows break this rule; first at row 1: lower=1.5. Stop."
        )


def test_the_warning_of_dropped_rows_holds_the_errors_that_they_would_be():
    with pytest.warns(DroppedRowsWarning) as caught:
        uc.Intervals.from_bounds([np.nan, 2.0, 3.0], LOWER, UPPER, invalid="drop")
    warning = caught[0].message
    assert (warning.count, warning.total) == (2, 3)
    assert [(reason.argument, reason.count) for reason in warning.reasons] == [("y_true", 1), ("lower", 1)]
    assert (
        str(warning)
        == "dropped 2 of 3 rows: `y_true` must be finite (1); `lower` must not exceed `upper` (1)."
    )
    assert str(pickle.loads(pickle.dumps(warning))) == str(warning)  # noqa: S301
