"""Rows as formulas see them, sums over blocks, and arrays laid end to end."""

from __future__ import annotations

import math

import array_api_strict
import numpy as np
import pytest
import torch

from uccurve._base.arrays import namespace
from uccurve._kernels import rows, sorting
from uccurve._kernels.ladders import Ladder

KINDS = {"numpy": np.asarray, "strict": array_api_strict.asarray, "torch": torch.asarray}
Y, P = [5.0, 1.0, 2.0, -7.0, 0.0], [1.0, 4.0, 2.0, -7.5, 0.5]
LOWER, UPPER = [1.0, 2.0, 3.0, 4.0, 5.0], [10.0, 20.0, 30.0, 40.0, 50.0]


@pytest.fixture(params=KINDS)
def kind(request):
    """A function that makes arrays of one kind."""
    return KINDS[request.param]


def test_bands_face_the_observation_or_away(kind):
    """A residual of 0 faces the upper band. Weights are passed on."""
    y, p, lower, upper = map(kind, (Y, P, LOWER, UPPER))
    found = rows.make(namespace(y), y, p, lower, upper, p)
    assert [float(e) for e in found.abs_error] == [4, 3, 0, 0.5, 0.5]
    assert [float(a) for a in found.active] == [10, 2, 30, 40, 5]
    assert [float(a) for a in found.passive] == [1, 20, 3, 4, 50]
    assert found.weight is p
    assert found.ladder is None


def test_symmetric_bands_and_limits_have_one_band(kind):
    """A limit counts the part of the residual that points to it. No column of the caller changes."""
    y, p, lower = map(kind, (Y, P, LOWER))
    for side, errors in (
        ("both", [4, 3, 0, 0.5, 0.5]),
        ("upper", [4, 0, 0, 0.5, 0]),
        ("lower", [0, 3, 0, 0, 0.5]),
    ):
        found = rows.make(namespace(y), y, p, lower, None if side == "both" else kind(UPPER), None, side)
        assert [float(e) for e in found.abs_error] == errors
        assert found.active is lower
        assert found.passive is None
        assert found.weight is None
    assert [float(value) for value in y] == Y


def test_not_a_number_points_to_no_limit_and_stays():
    """Later checks must see it."""
    found = rows.toward_limit(namespace(np.empty(0)), np.array([np.nan, 1.0, -1.0]), "upper")
    assert np.array_equal(found, [np.nan, 1.0, 0.0], equal_nan=True)


def test_a_column_of_any_kind_is_sorted(kind):
    """In its place where that is possible."""
    column = kind([-1.0, 3.0, 0.0, 2.0, 0.0])
    found = sorting.sorted_own(namespace(column), column)
    assert [float(value) for value in found] == [-1, 0, 0, 2, 3]
    if isinstance(column, np.ndarray):
        assert found is column


def test_an_order_sorts_its_column(kind):
    """With the first number in front of it, whatever that is."""
    values = np.arange(300) * 7 % 5 * 1.0
    column = kind(values)
    found, order = sorting.sorted_and_order(namespace(column), column, 2.5)
    order = np.asarray([int(place) for place in order])
    assert np.array_equal(values[order], np.sort(values))
    assert np.array_equal(np.asarray([float(value) for value in found]), [2.5, *np.sort(values)])


def test_selected_rows_keep_all_their_columns():
    """With and without a passive band, weights, and nested pairs."""
    mask = np.array([True, False, True])
    column = np.arange(3.0)
    found = rows.select(rows.Rows(column, column + 3, column + 6, column + 9), mask)
    assert [part.tolist() for part in found[:4]] == [[0, 2], [3, 5], [6, 8], [9, 11]]
    assert found.ladder is None
    xp = namespace(column)
    ladder = Ladder(xp, (1.0,), column, column > 0, (column - 1,), (column + 5,))
    found = rows.select(rows.Rows(column, column, None, None, ladder), mask)
    assert found.passive is None
    assert found.weight is None
    assert found.ladder.center.tolist() == [0, 2]
    assert found.ladder.above.tolist() == [False, True]
    assert [found.ladder.lower[0].tolist(), found.ladder.upper[0].tolist()] == [[-1, 1], [5, 7]]


def test_totals_are_added_without_further_rounding():
    """Sums of several blocks; with rows that are never captured they are infinite or NaN, without a warning."""
    assert rows.total(namespace(np.empty(0)), np.array([1.0, 2.0]), np.array([3.0, 5.0])) == 13
    assert rows.total(namespace(np.empty(0)), np.array([1.0, 2.0]), None) == 3

    def both(block):
        return block, 2 * block

    assert rows.totals(both, [1e16, 1.0, -1e16]) == (1.0, 2.0)
    assert rows.totals(both, [math.inf, 1.0]) == (math.inf, math.inf)
    assert math.isnan(rows.totals(lambda block: (float(np.float64(block) - block),), [math.inf])[0])


@pytest.mark.parametrize("places", [[], [2], [0, 2, 2, 1]])
def test_numbers_are_taken_from_their_places(kind, places):
    """In the order of the places; behind another number, if one is given, be it 0."""
    column = kind([5.0, 7.0, 9.0])
    where = kind(np.array(places, dtype=np.int64))
    taken = [float(column[place]) for place in places]
    found = rows.taken(namespace(column), column, where)
    assert [float(value) for value in found] == taken
    for front in (0.0, -3.0):
        found = rows.taken(namespace(column), column, where, front=front)
        assert [float(value) for value in found] == [front, *taken]
        assert found.dtype == column.dtype


LENGTHS = pytest.mark.parametrize("lengths", [[3], [2, 1], [1, 2, 3], [4, 1, 0, 2], [1, 1, 1, 1, 1]])


@LENGTHS
@pytest.mark.parametrize("spare", [0, 2])
def test_parts_are_laid_end_to_end(kind, lengths, spare):
    """Few or many, with room to spare; a single part is not copied."""
    numbers = iter(range(100))
    parts = [kind([float(next(numbers)) for _ in range(n)]) for n in lengths]
    for given in (parts, iter(parts)):
        found = rows.collect(namespace(parts[0]), given, sum(lengths) + spare)
        assert [float(value) for value in found] == list(range(sum(lengths)))
        assert found.dtype == parts[0].dtype
    if len(parts) == 1:
        assert found is parts[0]


@LENGTHS
@pytest.mark.parametrize("spare", [0, 2])
@pytest.mark.parametrize("backward", [None, False, True])
def test_columns_of_parts_are_laid_end_to_end_together(kind, lengths, spare, backward):
    """From the first part to the last, or with the last in front; each column keeps its type."""
    numbers = iter(range(100))
    plain = [[float(next(numbers)) for _ in range(n)] for n in lengths]
    parts = [(kind(part), kind(np.array(part, dtype=np.int64))) for part in plain]
    expected = [value for part in (plain[::-1] if backward else plain) for value in part]
    names = namespace(parts[0][0])
    for given in (parts, iter(parts)):
        order = {} if backward is None else {"backward": backward}
        found = rows.collect_columns(names, given, sum(lengths) + spare, **order)
        assert [[float(value) for value in column] for column in found] == [expected, expected]
        assert [column.dtype for column in found] == [column.dtype for column in parts[0]]
        if backward is not None:
            whole = rows.collect(names, (part for part, _ in parts), sum(lengths) + spare, backward=backward)
            assert [float(value) for value in whole] == expected
