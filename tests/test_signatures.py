"""What help, completion and the reference show of classes whose fields are private."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import pydoc

import pytest

import uccurve as uc

KINDS = {"Intervals": "()", "UCCSketch": "(*, nominal: 'float | None' = None)"}


def thing_of(name):
    """Return intervals that claim 90%, or their sketch."""
    rows = uc.Intervals.from_bounds([1, 2], [0, 0], [2, 3], nominal=0.9)
    return rows if name == "Intervals" else rows.sketch()


@pytest.mark.parametrize("name", KINDS)
def test_a_signature_shows_public_parameters_only(name):
    """The fields of the dataclass are no arguments of users."""
    kind = getattr(uc, name)
    assert str(inspect.signature(kind)) == KINDS[name]
    assert f"{name}(_" not in pydoc.plain(pydoc.render_doc(kind))


@pytest.mark.parametrize("name", KINDS)
def test_copies_pickles_and_fields_do_not_depend_on_the_signature(name):
    """It only is a text about the class."""
    thing = thing_of(name)
    again = pickle.loads(pickle.dumps(thing))  # noqa: S301
    for other in (copy.copy(thing), copy.deepcopy(thing), dataclasses.replace(thing), again):
        assert type(other) is type(thing)
        assert other.nominal == 0.9
    assert "__signature__" not in {item.name for item in dataclasses.fields(thing)}


def test_a_sketch_is_made_as_its_signature_says():
    """Of no rows, to add others to."""
    assert (uc.UCCSketch().rows, uc.UCCSketch(nominal=0.9).nominal) == (0, 0.9)
