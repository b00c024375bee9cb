"""The coverage that the intervals of a sketch claim."""

from __future__ import annotations

import numpy as np

import uccurve as uc
from errors import raises
from uccurve.exceptions import ArgumentError


def rows(nominal, n=50, seed=0):
    """Rows with a claim."""
    rng = np.random.default_rng(seed)
    y, band = rng.normal(size=n), 1 + rng.exponential(size=n)
    return uc.Intervals.from_bands(y, np.zeros(n), band, nominal=nominal)


def test_a_sketch_keeps_the_claim_and_its_curve_takes_it():
    """As the exact curve does."""
    sketch = rows(0.9).sketch()
    assert sketch.nominal == 0.9
    assert sketch.curve().reliability().as_given == 0.9
    assert sketch.curve().reliability(0.8).as_given == 0.8
    with raises(ArgumentError, "nominal"):
        rows(None).sketch().curve().reliability()


def test_sums_keep_what_all_rows_claim():
    """Nothing where claims differ; a sketch without rows claims nothing and changes nothing."""
    ninety, more, other, none = (rows(p, seed=i).sketch() for i, p in enumerate([0.9, 0.9, 0.8, None]))
    assert (ninety + more).nominal == 0.9
    assert sum([ninety, more], uc.UCCSketch()).nominal == 0.9
    assert sum([ninety, more]).nominal == 0.9
    assert (ninety + other).nominal is None
    assert (ninety + none).nominal is None
    assert (ninety + other + other).nominal is None


def test_the_constant_band_of_a_sketch_claims_nothing():
    """It is another band."""
    assert rows(0.9).sketch().curve().reference.sketch.nominal is None
