"""States read from bytes: those of rows are accepted, those that no rows can have are refused."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import uccurve as uc
from errors import raises
from scanned_rows import MODELS, data
from uccurve.exceptions import SketchFormatError
from uccurve.sketch import _bytes, _state


def rows(unit=1.0, weight_unit=1.0, n=60, seed=0):
    """Asymmetric bands, some of them 0; weights, one of them 0; residuals of 0 and right on a bound."""
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n) * unit
    lower, upper = rng.exponential(size=(2, n)) * unit
    lower[:3] = upper[:3] = 0.0
    y[3:6] = 0.0
    upper[6], y[6] = unit, unit
    weight = rng.uniform(0.5, 2, n) * weight_unit
    weight[9] = 0.0
    return uc.Intervals.from_bands(y, np.zeros(n), lower, upper, sample_weight=weight)


STATE = rows().sketch()._state


def read(state):
    """Write a state with a checksum that matches, and read it."""
    return uc.UCCSketch.from_bytes(_bytes.write(state))


UNITS = [1e-200, 1e-150, 1e-100, 1e-9, 1.0, 1e9, 1e100, 1e150]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("weight_unit", [1e-80, 1e-25, 1.0, 1e25, 1e80])
def test_states_of_rows_in_any_unit_are_accepted(unit, weight_unit):
    """Sums may lose digits near 0 and squares may overflow: that is no damage."""
    sketch = rows(unit, weight_unit).sketch()
    assert uc.UCCSketch.from_bytes(sketch.to_bytes()) == sketch
    both = sketch + rows(unit, weight_unit, seed=1).sketch()
    assert uc.UCCSketch.from_bytes(both.to_bytes()) == both


numbers = st.floats(-1e300, 1e300, allow_subnormal=True)
bands = st.floats(0, 1e300, allow_subnormal=True)


@example([(5.9e298, 0.0, 1e-9, 3.0)])  # a weight times a scale beyond float64
@example([(1.0, 0.0, 1.1e-220, 1e-200), (0.0, 0.0, 0.0, 1.0)])  # a weight times a band below float64
@given(st.lists(st.tuples(numbers, bands, bands, st.sampled_from([0.0, 1e-200, 1.0, 3.0])), min_size=1))
def test_states_of_any_rows_are_accepted(table):
    """Of any size, with and without weights; those that are refused as rows have no state."""
    y, lower, upper, weight = map(np.array, zip(*table, strict=True))
    for sample_weight in (None, weight):
        try:
            with np.errstate(over="ignore"):
                found = uc.Intervals.from_bands(y, 0 * y, lower, upper, sample_weight=sample_weight).sketch()
        except uc.exceptions.UccurveError:
            continue
        assert uc.UCCSketch.from_bytes(found.to_bytes()).rows == len(table)


def test_states_of_outputs_scans_and_sums_are_accepted():
    """As of many rows that were added in another order."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=(50, 3))
    outputs = uc.Intervals.from_std(y, 0 * y, np.abs(y) + 0.1, sample_weight=rng.uniform(size=50)).sketch()
    frame = data()
    scanned = uc.scan(frame, MODELS, by="place")
    for sketch in (outputs, outputs + outputs, *scanned.values(), uc.UCCSketch()):
        assert uc.UCCSketch.from_bytes(sketch.to_bytes()) == sketch
    weightless = uc.scan(frame.assign(w=0.0), {"m": MODELS["bounds"]})["m"]
    assert uc.UCCSketch.from_bytes(weightless.to_bytes()).rows == len(frame)


def with_table(name, **changes):
    """Return the state with another table."""
    return STATE._replace(**{name: getattr(STATE, name)._replace(**changes)})


def changed_at(array, place, value):
    """Return an array with another number at a place."""
    array = array.copy()
    array[place] = value
    return array


def nonsense():
    """States that no rows have, by name."""
    for name, value in itertools.product(_state.NAMES, (np.nan, -1.0, np.inf, "tripled")):
        total = getattr(STATE.totals, name)
        other = 3 * total + 1 if value == "tripled" else value
        yield f"{name} {value}", STATE._replace(totals=replace(STATE.totals, **{name: other}))
    for name, sums in _state.TABLES.items():
        table = getattr(STATE, name)
        middle = table.bins.size // 2
        yield f"{name} falls", with_table(name, bins=table.bins[::-1])
        yield f"{name} repeats", with_table(name, bins=np.sort(changed_at(table.bins, 1, table.bins[2])))
        yield f"{name} moved", with_table(name, bins=table.bins + 1)
        yield f"{name} afar", with_table(name, bins=changed_at(table.bins, -1, 2**62))
        yield f"{name} infinite", with_table(name, bins=changed_at(table.bins, -2, 2**40))
        for value in (np.nan, -1.0, np.inf, 1e9, 5e-324):
            yield f"{name} {value}", with_table(name, largest=changed_at(table.largest, middle, value))
        for column, value in itertools.product(range(len(sums)), (np.nan, -1.0, np.inf, 1e9, 1e-9)):
            other = changed_at(table.sums, (column, middle), value)
            yield f"{name} {sums[column]} {value}", with_table(name, sums=other)
        empty = type(table)(table.bins[:0], table.largest[:0], table.sums[:, :0])
        if name != "switch":
            yield f"{name} empty", STATE._replace(**{name: empty})
    yield "swapped", STATE._replace(scale=rows(seed=1).sketch()._state.scale)
    yield "other totals", STATE._replace(totals=rows(unit=4.0).sketch()._state.totals)
    yield "no rows", _state.nothing()._replace(totals=STATE.totals)
    yield "no totals", STATE._replace(totals=_state.Totals())


NONSENSE = dict(nonsense())
POSSIBLE = {
    "elements tripled": "rows may have several outputs",
    "width tripled": "the band that does not face the observation is in no bin",
    "widest tripled": "a row with little weight may have it",
    "heaviest tripled": "a row may have it that is alone in its bin",
}


def test_there_are_many_ways_to_be_wrong():
    """Each is tried below."""
    assert len(NONSENSE) > 120


@pytest.mark.parametrize("name", [name for name in NONSENSE if name not in POSSIBLE])
def test_states_that_no_rows_have_are_refused(name):
    """Their checksum is right: they were written like this."""
    with pytest.raises(SketchFormatError):
        read(NONSENSE[name])


@pytest.mark.parametrize("blob", [None, 5, "UCCSKTCH", [1, 2], 1.5])
def test_a_sketch_is_read_from_bytes_only(blob):
    """bytes(5) would be five zeros."""
    with raises(uc.exceptions.ArgumentTypeError, "blob"):
        uc.UCCSketch.from_bytes(blob)
