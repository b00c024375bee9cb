"""The one table of row rules: arrays and frames judge every row alike."""

from __future__ import annotations

import itertools
import math
import warnings

import narwhals as nw
import numpy as np
import polars as pl
import pytest

import uccurve as uc
from errors import raises
from uccurve.intervals import rules

SHAPES = {
    "bounds": ("y_true", "y_pred", "lower", "upper", "sample_weight"),
    "midpoints": ("y_true", "lower", "upper"),
    "upper limit": ("y_true", "y_pred", "upper", "sample_weight"),
    "lower limit": ("y_true", "y_pred", "lower", "sample_weight"),
    "std": ("y_true", "y_pred", "std", "sample_weight"),
    "bands": ("y_true", "y_pred", "lower_band", "upper_band"),
}
VALUES = (0.0, 1.0, -2.0, 1.7e308, -1.7e308, math.inf, -math.inf, math.nan)


def every_row(roles):
    """All combinations of ordinary, huge, infinite and missing values."""
    return np.array(list(itertools.product(VALUES, repeat=len(roles))))


def broken_by_arrays(roles, table):
    """The first rule that each row breaks, one rule at a time, by the evaluator for arrays."""
    first = np.full(len(table), rules.NO_RULE)
    columns = dict(zip(roles, table.T, strict=True))
    for number, rule in enumerate(rules.ROW_RULES):
        if not rule.applies(roles):
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                kept = rules.enforce(columns, rules=[rule], invalid="drop")
        except uc.exceptions.EmptyInputError:
            kept = np.zeros(len(table), dtype=bool)
        if kept is not None:
            first[~kept & (first == rules.NO_RULE)] = number
    return first


@pytest.mark.parametrize("shape", SHAPES)
def test_arrays_and_frames_judge_every_row_alike(shape):
    """Each row counts for the same rule; a null is like NaN."""
    roles = SHAPES[shape]
    table = every_row(roles)
    first = broken_by_arrays(roles, table)
    assert {rules.NO_RULE} < set(first.tolist())
    for missing in (math.nan, None):
        data = {
            role: [missing if value != value else value for value in column.tolist()]  # noqa: PLR0124
            for role, column in zip(roles, table.T, strict=True)
        }
        frame = nw.from_native(pl.DataFrame(data, schema=dict.fromkeys(roles, pl.Float64)))
        judged = frame.select(rule=rules.first_broken_expression(nw, roles))
        assert np.array_equal(judged["rule"].to_numpy(), first)


@pytest.mark.parametrize("shape", SHAPES)
def test_intervals_refuse_a_row_for_the_rule_that_it_breaks(shape):
    """They look at all values at once, and consult the rules only then: that look overlooks none."""
    roles = SHAPES[shape]
    table = every_row(roles)
    first = broken_by_arrays(roles, table)
    makers = {"std": uc.Intervals.from_std, "bands": uc.Intervals.from_bands}
    make = makers.get(shape, uc.Intervals.from_bounds)
    absent = {"upper limit": {"lower": None}, "lower limit": {"upper": None}}.get(shape, {})
    for number in set(first.tolist()) - {rules.NO_RULE}:
        rule, broken = rules.ROW_RULES[number], table[first.tolist().index(number)]
        rows = np.stack([np.ones(len(roles)), broken], axis=1)  # beside a row that breaks none
        with raises(rule.error, rule.argument, count=1, first=1):
            make(**dict(zip(roles, rows, strict=True)), **absent)


def test_every_rule_can_be_broken():
    """By some row of some shape: no rule is idle."""
    broken = set()
    for roles in SHAPES.values():
        broken |= set(broken_by_arrays(roles, every_row(roles)).tolist())
    assert broken - {rules.NO_RULE} == set(range(len(rules.ROW_RULES)))
