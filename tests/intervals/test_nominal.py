"""The coverage that intervals claim: where it comes from, and what keeps it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import uccurve as uc
from errors import raises
from uccurve.exceptions import ArgumentError
from uccurve.sklearn import interval_scorer

I = uc.Intervals
Y = np.array([1.0, 2.0, 4.0, 3.0])
TABLE = np.stack([Y - 3, Y - 1, Y, Y + 2], axis=1)
DRAWS = np.stack([Y - 1, Y, Y + 1])
FRAME = pd.DataFrame({"y": Y, "p": Y, "s": Y, "lo": Y - 1, "hi": Y + 1})

CLAIMS = {
    "std": (lambda: I.from_std(Y, Y, 1), 0.6827),
    "draws": (lambda: I.from_samples(Y, DRAWS), 0.6827),
    "draws with levels": (lambda: I.from_samples(Y, DRAWS, levels=(0.75, 0.25)), 0.5),
    "quantiles": (lambda: I.from_quantiles(Y, TABLE, [0.05, 0.1, 0.5, 0.95]), 0.9),
    "quantiles of a side": (lambda: I.from_quantiles(Y, TABLE[:, :2], [0.1, 0.4], y_pred=Y), 0.9),
    "draws of a side": (lambda: I.from_samples(Y, DRAWS, levels=(0.25, 0.4)), 0.75),
    "bounds": (lambda: I.from_bounds(Y, Y - 1, Y + 1), None),
    "bounds with a claim": (lambda: I.from_bounds(Y, Y - 1, Y + 1, nominal=np.float64(0.8)), 0.8),
    "columns with a claim": (lambda: I.from_frame(FRAME, lower="lo", upper="hi", nominal=0.8), 0.8),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_what_intervals_claim(name):
    """Known from the constructor or from the user, and never guessed."""
    make, claim = CLAIMS[name]
    nominal = make().nominal
    assert nominal == claim
    assert type(nominal) is type(claim)


STATED = {
    "bounds": lambda claim: I.from_bounds(Y, Y - 1, Y + 1, nominal=claim),
    "detected columns": lambda claim: I.from_frame(LEVELS, nominal=claim),
    "reliability": lambda claim: I.from_bands(Y, Y, 1).ucc().reliability(claim),
    "several, of which one is large": lambda claim: interval_scorer("auucc", nominal=[0.05, claim]),
}
LEVELS = pd.DataFrame({"y": Y, "A-lo-90": Y - 2, "A-lo-10": Y - 1, "A-hi-10": Y + 1, "A-hi-90": Y + 2})


@pytest.mark.parametrize("door", STATED)
def test_a_miss_rate_in_the_place_of_a_claim_is_refused_at_every_door(door):
    """0.1 is mostly a miss rate; the error says what was meant."""
    for claim in (0.1, 90):
        with raises(ArgumentError, "nominal"):
            STATED[door](claim)
    STATED[door](0.9)


def test_parts_and_other_units_keep_the_claim():
    """The rows are fewer or in another unit; what each promises is the same."""
    pairs = np.column_stack([Y, Y + 1])
    whole = I.from_bounds(pairs, pairs - 1, pairs + 2, nominal=0.8)
    parts = [whole[:2], whole[[3]], *whole.by([1, 1, 2, 2]).values(), *whole.outputs(), whole.standardized()]
    assert [part.nominal for part in parts] == [0.8] * 7
    with pytest.warns(uc.exceptions.DroppedRowsWarning):
        assert I.from_bounds([1, np.nan], [0, 0], [2, 2], nominal=0.8, invalid="drop").nominal == 0.8


def test_other_bands_claim_something_else():
    """Which nobody knows."""
    rows = I.from_std(Y, Y, 1)
    for other in (rows.scaled(2.0), rows.shifted(2.0), rows.floored(2.0), rows.constant()):
        assert other.nominal is None
