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
from uccurve.intervals._array_rules import enforce
from uccurve.intervals._frame_rules import NO_RULE, first_broken, valid
from uccurve.intervals._row_rules import FINITE_BUT_BOUNDS, ORDER, ROLES, ROW_RULES

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
    first = np.full(len(table), NO_RULE)
    columns = dict(zip(roles, table.T, strict=True))
    for number, rule in enumerate(ROW_RULES):
        if not rule.applies(roles):
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                kept = enforce(columns, rules=[rule], invalid="drop")
        except uc.exceptions.EmptyInputError:
            kept = np.zeros(len(table), dtype=bool)
        if kept is not None:
            first[~kept & (first == NO_RULE)] = number
    return first


@pytest.mark.parametrize("shape", SHAPES)
def test_arrays_and_frames_judge_every_row_alike(shape):
    """Each row counts for the same rule, and is valid exactly if it breaks none; a null is like NaN."""
    roles = SHAPES[shape]
    table = every_row(roles)
    first = broken_by_arrays(roles, table)
    assert {NO_RULE} < set(first.tolist())
    for missing in (math.nan, None):
        data = {
            role: [missing if value != value else value for value in column.tolist()]  # noqa: PLR0124
            for role, column in zip(roles, table.T, strict=True)
        }
        frame = nw.from_native(pl.DataFrame(data, schema=dict.fromkeys(roles, pl.Float64)))
        judged = frame.select(valid(nw, roles).alias("valid"), first_broken(nw, roles).alias("rule"))
        assert np.array_equal(judged["rule"].to_numpy(), first)
        assert np.array_equal(judged["valid"].to_numpy(), first == NO_RULE)


def test_every_rule_can_be_broken():
    """By some row of some shape: no rule is idle."""
    broken = set()
    for roles in SHAPES.values():
        broken |= set(broken_by_arrays(roles, every_row(roles)).tolist())
    assert broken - {NO_RULE} == set(range(len(ROW_RULES)))


def test_the_rules_name_all_their_roles():
    """The text of a rule has a placeholder for each other role of its condition and no more."""
    names = {role: f"<{role}>" for role in ROLES}
    for rule in (*ROW_RULES, *FINITE_BUT_BOUNDS):
        text = rule.named(names)
        assert {role for role in ROLES if f"<{role}>" in text} | {rule.argument} == set(rule.roles)
        assert rule.argument in rule.roles


def test_a_row_counts_for_the_first_rule_it_breaks():
    """The counts of a warning add up to the number of dropped rows."""
    with pytest.warns(uc.exceptions.DroppedRowsWarning) as caught:
        intervals = uc.Intervals.from_bounds(
            [np.nan, 1, 1], [0, 5, 0], [2, 3, 2], y_pred=[9, 9, 1], sample_weight=[-1, 1, 1], invalid="drop"
        )
    assert str(caught[0].message) == (
        "dropped 2 of 3 rows: `y_true` must be finite (1); `lower` must not exceed `upper` (1)."
    )
    assert intervals.kept.tolist() == [2]


def test_bounds_may_be_infinite_where_the_rules_say_so():
    """But not NaN."""
    columns = {"lower": np.array([-math.inf, 0]), "upper": np.array([math.inf, 1])}
    assert enforce(columns, rules=(*FINITE_BUT_BOUNDS, *ORDER)) is None
    columns["upper"][1] = math.nan
    with raises(uc.exceptions.NonFiniteError, "upper", count=1, first=1):
        enforce(columns, rules=(*FINITE_BUT_BOUNDS, *ORDER))


CONSTRUCTORS = {
    "from_bounds": lambda y, **o: uc.Intervals.from_bounds(y, [0, 0], [1, 1], **o),
    "from_bands": lambda y, **o: uc.Intervals.from_bands(y, [0, 0], 1, **o),
    "from_std": lambda y, **o: uc.Intervals.from_std(y, [0, 0], 1, **o),
    "from_quantiles": lambda y, **o: uc.Intervals.from_quantiles(y, [[0, 1], [0, 1]], [0.1, 0.9], **o),
    "from_samples": lambda y, **o: uc.Intervals.from_samples(y, [[0, 1], [1, 2]], axis=0, **o),
    "from_frame": lambda y, **o: uc.Intervals.from_frame(
        pl.DataFrame({"y": y, "p": [0, 0], "s": [1, 1]}), y_true="y", y_pred="p", std="s", **o
    ),
}


@pytest.mark.parametrize("name", CONSTRUCTORS)
def test_a_warning_points_at_the_line_of_the_caller(name):
    """Whichever constructor drops rows, and however deep."""
    with pytest.warns(uc.exceptions.DroppedRowsWarning) as caught:
        intervals = CONSTRUCTORS[name]([1.0, math.nan], invalid="drop")
    assert caught[0].filename == __file__
    assert intervals.kept.tolist() == [0]
