"""Bins and their sums, against plain dictionaries."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction as F

import numpy as np
import pytest

from uccurve._kernels import bins

OCTAVES = 4
EDGES = [2.0**-4, 2.0**4, np.nextafter(2.0**-4, 0), np.nextafter(2.0**4, 0), np.nextafter(1.0, 0), 1.0]


def plain_bin(value, octaves):
    """The formula: octave and share of it, one bin for all beyond either end, two for 0 and infinity."""
    if value in (0, math.inf):
        return -(2**40) if value == 0 else 2**40
    fraction, exponent = math.frexp(value)
    bin_ = 256 * (exponent - 1) + math.floor(256 * (2 * F(fraction) - 1))
    return min(max(bin_, -256 * octaves - 1), 256 * octaves)


VALUES = np.array(
    [*EDGES, 0.0, math.inf, 1e-300, 5e-324, 1e300, 3.0, 2.0**-4 * 0.75, 2.0**5, 1.5, 1.501, 1.502]
)


def test_bins_follow_their_formula():
    """Both sides of every edge, denormal numbers, and numbers beyond the ends; 256 bins to the octave."""
    found = bins.bin_of(VALUES, OCTAVES).tolist()
    assert found == [plain_bin(value, OCTAVES) for value in VALUES.tolist()]
    many = 2.0 ** np.linspace(-5, 5, 3001)
    assert bins.bin_of(many, OCTAVES).tolist() == [plain_bin(value, OCTAVES) for value in many.tolist()]
    assert (bins.FRACTION_BITS, bins.PER_OCTAVE) == (8, 256)


def plain_table(values, columns, octaves):
    """Add columns up by bin; a column that is None counts."""
    table = defaultdict(lambda: [0.0] * len(columns))
    largest = {}
    for row, value in enumerate(values.tolist()):
        bin_ = plain_bin(value, octaves)
        largest[bin_] = max(largest.get(bin_, 0.0), value)
        for number, column in enumerate(columns):
            table[bin_][number] += 1 if column is None else float(column[row])
    return {bin_: (largest[bin_], table[bin_]) for bin_ in sorted(table)}


def as_dict(table):
    """Return a table of bins in the same form."""
    assert table.bins.dtype == np.int64
    return {
        int(bin_): (float(largest), table.sums[:, place].tolist())
        for place, (bin_, largest) in enumerate(zip(table.bins, table.largest, strict=True))
    }


CHUNKS = {
    "one": [[1.5]],
    "rising": [[1.0, 1.001, 1.002], [2.0, 3.0], [7.0]],
    "falling": [[7.0], [2.0, 3.0], [0.5, 0.25]],
    "inside and touching": [[1.0, 4.0], [2.0], [1.0], [4.0], [1.0, 4.0], [4.01]],
    "around": [[1.0], [0.5, 2.0], [0.3, 5.0, 1.0]],
    "ends alone": [[0.0], [math.inf], [1e-300], [1e300]],
    "lowest and highest bins": [[2.0**-4], [np.nextafter(2.0**4, 0)], [np.nextafter(2.0**-4, 0)], [2.0**4]],
    "all": [VALUES.tolist(), [], VALUES[::-1].tolist(), [1.0]],
}


@pytest.mark.parametrize("name", CHUNKS)
def test_sums_by_bin_are_those_of_plain_addition(name):
    """Chunk by chunk, whatever range of bins each has; also a chunk without rows."""
    tally = bins.Tally(OCTAVES, 3)
    values = np.array([value for chunk in CHUNKS[name] for value in chunk])
    weight, other = np.arange(values.size) + 1.0, 2.0 ** (np.arange(values.size) % 5)
    begin = 0
    for chunk in CHUNKS[name]:
        part = slice(begin, begin + len(chunk))
        tally.add(values[part], [weight[part], None, other[part]])
        assert as_dict(tally.table()) == plain_table(
            values[: part.stop], [weight[: part.stop], None, other[: part.stop]], OCTAVES
        )
        begin = part.stop


def test_ordinary_rows_take_the_quick_way(monkeypatch):
    """Up to both edges; it reads each value once."""
    monkeypatch.setattr(bins.Tally, "_add_outer", None)
    tally = bins.Tally(OCTAVES, 1)
    values = np.array([2.0**-4, 0.3, 1.0, np.nextafter(2.0**4, 0)])
    tally.add(values, [None])
    assert as_dict(tally.table()) == plain_table(values, [None], OCTAVES)
    for value in values:
        tally.add(np.array([value]), [None])
    assert tally.table().sums.tolist() == [[2.0, 2.0, 2.0, 2.0]]


def test_sums_of_no_value_are_kept():
    """Weights may add up to 0 in a bin that has rows, and sums of other tables are added."""
    tally = bins.Tally(OCTAVES, 1)
    tally.add(np.array([1.0, 3.0]), [np.array([0.0, 2.0])])
    assert as_dict(tally.table()) == {0: (1.0, [0.0]), 384: (3.0, [2.0])}
    tally.include(
        bins.BinTable(np.array([0, 384, 999]), np.array([1.001, 2.9, 17.0]), np.array([[5.0, 1.0, 4.0]]))
    )
    assert as_dict(tally.table()) == {0: (1.001, [5.0]), 384: (3.0, [3.0]), 999: (17.0, [4.0])}


def test_tables_without_bins_add_nothing():
    """They have their columns all the same."""
    empty = bins.empty(2)
    assert [part.shape for part in empty] == [(0,), (0,), (2, 0)]
    assert as_dict(bins.merged([empty, empty])) == {}
    assert bins.merged([empty]).sums.shape == (2, 0)
    assert bins.Tally(OCTAVES, 2).table().sums.shape == (2, 0)
    one = bins.BinTable(np.array([7]), np.array([1.0]), np.array([[2.0], [3.0]]))
    assert as_dict(bins.merged(iter([empty, one, empty]))) == {7: (1.0, [2.0, 3.0])}


def test_a_tally_keeps_few_tables_however_many_chunks_have_zeros():
    tally = bins.Tally(OCTAVES, 1)
    for _ in range(1000):
        tally.add(np.array([0.0, math.inf]), [None])
    assert len(tally._special) <= 100
    assert tally.table().sums.tolist() == [[1000, 1000]]


def test_a_settled_tally_takes_no_room_and_goes_on():
    tally, plain = bins.Tally(OCTAVES, 1), bins.Tally(OCTAVES, 1)
    for values in (VALUES, VALUES[::2], VALUES[1:3]):
        tally.add(values, [values])
        plain.add(values, [values])
        tally.settle()
        assert tally.room == 0
        assert tally._counts.base is tally._largest.base is tally._sums.base is None
        assert all(map(np.array_equal, tally.table(), plain.table()))
