"""Bins and their sums, against plain dictionaries."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction as F

import numpy as np
import pytest

from uccurve.formulas import bins

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
    values = np.array([value for chunk in CHUNKS[name] for value in chunk])
    weight, other = np.arange(values.size) + 1.0, 2.0 ** (np.arange(values.size) % 5)
    begin, tables = 0, []
    for chunk in CHUNKS[name]:
        part = slice(begin, begin + len(chunk))
        columns = [weight[part], None, other[part]]
        tables.append(bins.tabulate(values[part], OCTAVES, columns))
        assert as_dict(bins.merge(tables)) == plain_table(
            values[: part.stop], [weight[: part.stop], None, other[: part.stop]], OCTAVES
        )
        begin = part.stop


def test_sums_of_no_value_are_kept():
    """Weights may add up to 0 in a bin that has rows."""
    table = bins.add_up(np.array([0, 384]), np.array([1.0, 3.0]), [np.array([0.0, 2.0])])
    assert as_dict(table) == {0: (1.0, [0.0]), 384: (3.0, [2.0])}
