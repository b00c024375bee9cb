"""Calibration from sketches: never less coverage than from rows, and scales at most 0.4% larger."""

from __future__ import annotations

import math
import warnings

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uccurve as uc
from errors import raises
from uccurve.exceptions import ArgumentError, ArgumentTypeError, EmptyInputError, InfiniteParameterWarning
from uccurve.sketch import SketchFile

WIDER = 1 + 1 / 256


def drawn(n, seed, spread=2.0):
    rng = np.random.default_rng(seed)
    y, bands = rng.normal(size=n), np.exp(rng.normal(size=(2, n), scale=spread))
    return uc.Intervals.from_bands(y, np.zeros(n), *bands)


@given(st.integers(1, 400), st.integers(0, 10**6), st.integers(1, 99), st.sampled_from([0.0, 0.01, 2.0, 5.0]))
@settings(max_examples=200)
def test_a_sketch_is_never_narrower_than_its_rows_and_hardly_wider(n, seed, hundredths, spread):
    """Its parameter is a critical value of a row, of at least the needed rank."""
    rows, scaler = drawn(n, seed, spread), uc.ConformalScaler(hundredths / 100)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InfiniteParameterWarning)
        exact, sketched = scaler.fit(rows).parameter_, scaler.fit(rows.sketch()).parameter_
    if math.isinf(exact):
        assert math.isinf(sketched)
        return
    assert exact <= sketched <= exact * WIDER
    assert sketched in rows.critical(vary="scale")


def test_far_scales_share_a_bin_and_stay_safe():
    """Beyond 2^±40 the promise of 0.4% ends, that of the coverage does not."""
    y = np.array([0.0, 2.0**-60, 2.0**-50, 1.0, 2.0**45, 2.0**50])
    rows = uc.Intervals.from_bands(y, np.zeros(6), 1.0)
    found = [uc.ConformalScaler(c).fit(rows.sketch()).parameter_ for c in (0.1, 0.2, 0.4, 0.5, 0.7, 0.8)]
    assert found == [0, 2.0**-50, 2.0**-50, 1, 2.0**50, 2.0**50]
    zero = uc.Intervals.from_bands([1.0, 1.0, 1.0], np.zeros(3), [1.0, 0.0, 0.0]).sketch()
    assert uc.ConformalScaler(0.25).fit(zero).parameter_ == 1
    with pytest.warns(InfiniteParameterWarning):
        assert uc.ConformalScaler(0.5).fit(zero).parameter_ == math.inf


def test_sketches_by_label_are_groups():
    """In any number of parts; the sum of all serves unseen labels; bounds come out as with rows."""
    rows = drawn(300, 1)
    labels = np.repeat(["north", "south", "west"], [150, 100, 50])
    parts = {label: group.sketch() for label, group in rows.by(labels).items()}
    scaler = uc.ConformalScaler(unseen="pooled").fit(parts)
    exact = uc.ConformalScaler(unseen="pooled").fit(rows, by=labels)
    assert list(scaler.parameters_) == list(exact.parameters_)
    for label, parameter in exact.parameters_.items():
        assert parameter <= scaler.parameters_[label] <= parameter * WIDER
    assert scaler.parameter_ == uc.ConformalScaler().fit(rows.sketch()).parameter_
    new = {"lower": [-1.0] * 2, "upper": [1.0] * 2, "y_pred": [0.0] * 2, "by": ["west", "north"]}
    assert scaler.transform(**new)[1].tolist() == [scaler.parameters_[label] for label in new["by"]]
    with pytest.warns(InfiniteParameterWarning):
        uc.ConformalScaler(0.95).fit({"a": rows.sketch(), "b": rows[:7].sketch()})


def test_sketch_files_and_scans_are_taken(tmp_path):
    """A file of one model, with segments or without."""
    rows = drawn(200, 2)
    frame = pl.DataFrame({"y": rows.y_true, "p": rows.y_pred, "lo": rows.lower, "hi": rows.upper})
    frame = frame.with_columns(region=pl.Series(["a", "b"] * 100))
    columns = uc.Columns(y_true="y", y_pred="p", lower="lo", upper="hi")
    exact = uc.ConformalScaler(0.8).fit(rows).parameter_
    whole = uc.scan(frame, {"m": columns})
    file = SketchFile.read(SketchFile.of(whole).write(tmp_path / "m.ucc"))
    assert exact <= uc.ConformalScaler(0.8).fit(file).parameter_ <= exact * WIDER
    by = SketchFile.of(uc.scan(frame, {"m": columns}, by="region"), by="region")
    own = uc.ConformalScaler(0.8).fit(rows, by=frame["region"]).parameters_
    for label, parameter in uc.ConformalScaler(0.8).fit(by).parameters_.items():
        assert own[label] <= parameter <= own[label] * WIDER


ROWS = drawn(20, 3)
SKETCH = ROWS.sketch()
WEIGHTED = uc.Intervals.from_bands([1.0, 2, 3], np.zeros(3), 1.0, sample_weight=[1.0, 2, 3]).sketch()
THREE = uc.Intervals.from_bands(np.ones((2, 3)), np.ones((2, 3)), 1).sketch()
CASES = {
    "weights": (lambda s: s.fit(WEIGHTED), ArgumentError),
    "outputs": (lambda s: s.fit(THREE), ArgumentError),
    "no rows": (lambda s: s.fit(uc.UCCSketch()), EmptyInputError),
    "no sketches": (lambda s: s.fit({}), EmptyInputError),
    "shift": (lambda _: uc.ConformalScaler(0.5, vary="shift").fit(SKETCH), ArgumentError, "vary"),
    "labels of rows": (lambda s: s.fit(SKETCH, by=["a"] * 20), ArgumentError, "by"),
    "rows by label": (lambda s: s.fit({"a": ROWS}), ArgumentTypeError),
    "a label that is missing": (lambda s: s.fit({None: SKETCH}), ArgumentError),
    "several models": (lambda s: s.fit(SketchFile.of({"m": SKETCH, "n": SKETCH})), ArgumentError),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_no_sketch_of_rows_is_refused(name):
    """What a guarantee cannot be based on."""
    action, error, *argument = CASES[name]
    with raises(error, *argument or ["intervals"]):
        action(uc.ConformalScaler(0.5))
