"""Frames whose columns are detected: what is found, how it is said, and what is refused."""

from __future__ import annotations

import copy

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex

Y = [1.0, 2.0, 4.0, 3.0]
LOW, MID, HIGH = [0.0, 1.5, 1.0, 2.0], [0.5, 2.0, 2.0, 3.0], [2.0, 3.0, 5.0, 3.5]
QUANTILES = {
    "y": Y,
    "q95": HIGH,
    "q05": LOW,
    "q50": MID,
    "q25": [0.2, 1.8, 1.5, 2.5],
    "q75": [1.0, 2.5, 3.0, 3.2],
}
NIXTLA = {
    "unique_id": [1, 1, 2, 2], "y": Y, "A": MID, "A-lo-90": LOW, "A-hi-90": HIGH,
    "A-lo-50": QUANTILES["q25"], "A-hi-50": QUANTILES["q75"], "B-lo-80.0": LOW, "B-hi-80.0": HIGH, "B-median": MID,
}  # fmt: skip
I = uc.Intervals


def same(one, other):
    """Whether two intervals hold the same rows, claims and pairs."""
    for name in ("y_true", "y_pred", "lower", "upper"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()
    assert one.nominal == other.nominal
    assert one.critical(vary="level").tolist() == other.critical(vary="level").tolist()


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_quantiles_are_found_by_their_names(kind):
    """All of them, the median as the prediction; the result says so, and naming them gives the same."""
    frame = kind(QUANTILES)
    rows = I.from_frame(frame)
    names = {0.05: "q05", 0.25: "q25", 0.5: "q50", 0.75: "q75", 0.95: "q95"}
    assert rows.detected == {"y_true": "y", "quantiles": names}
    same(rows, I.from_frame(frame, y_true="y", quantiles=names))
    same(rows, I.from_frame(frame, **rows.detected))
    assert I.from_frame(frame, **rows.detected).detected == {}
    assert f"detected={rows.detected}" in repr(rows)
    assert rows[:2].detected == copy.deepcopy(rows).detected == rows.detected


def test_plain_names_are_found():
    frame = pl.DataFrame(
        {"Y_true": Y, "yhat": MID, "yhat_lower": LOW, "yhat_upper": HIGH, "w": [1.0, 2.0, 1.0, 1.0]}
    )
    rows = I.from_frame(frame, sample_weight="w", nominal=0.8)
    assert rows.detected == {
        "y_true": "Y_true", "y_pred": "yhat", "lower": "yhat_lower", "upper": "yhat_upper", "sample_weight": "w",
    }  # fmt: skip
    assert (rows.nominal, rows.sample_weight.tolist()) == (0.8, [1, 2, 1, 1])
    spread = I.from_frame(pl.DataFrame({"target": Y, "mean": MID, "sigma": [1.0] * 4}))
    assert spread.detected == {"y_true": "target", "y_pred": "mean", "std": "sigma"}


def test_one_of_several_models_is_chosen_by_its_name():
    """Never guessed; a nominal coverage leaves out wider pairs, and must be there."""
    frame = pl.DataFrame(NIXTLA)
    for model in (None, "C"):
        with raises(ex.MissingColumnError, "model"):
            I.from_frame(frame, model=model)
    a = I.from_frame(frame, model="A")
    assert (a.nominal, a.y_pred.tolist(), a.detected["y_pred"]) == (0.9, MID, "A")
    b = I.from_frame(frame, model="B")
    assert b.detected == {"y_true": "y", "quantiles": {0.1: "B-lo-80.0", 0.5: "B-median", 0.9: "B-hi-80.0"}}
    only = pl.DataFrame({name: column for name, column in NIXTLA.items() if not name.startswith("B")})
    assert I.from_frame(only, nominal=0.5).lower.tolist() == QUANTILES["q25"]
    with raises(ex.MissingColumnError, "nominal"):
        I.from_frame(only, nominal=0.7)


def test_labels_of_pandas_may_be_numbers_or_tuples():
    """Quantile levels as floats, and sktime's columns with several parts."""
    numbered = pd.DataFrame({"y": Y, 0.05: LOW, 0.5: MID, np.float64(0.95): HIGH})
    rows = I.from_frame(numbered)
    assert rows.detected == {"y_true": "y", "quantiles": {0.05: 0.05, 0.5: 0.5, 0.95: 0.95}}
    assert rows.y_pred.tolist() == MID
    parts = pd.MultiIndex.from_tuples([("y", "", ""), ("load", 0.9, "lower"), ("load", 0.9, "upper")])
    tuples = I.from_frame(pd.DataFrame(np.stack([Y, LOW, HIGH], axis=1), columns=parts))
    assert tuples.detected["quantiles"] == {0.05: ("load", 0.9, "lower"), 0.95: ("load", 0.9, "upper")}
    assert (tuples.nominal, tuples.upper.tolist()) == (0.9, HIGH)


def test_what_is_missing_is_detected_and_what_is_named_is_kept():
    frame = pl.DataFrame({"load": Y, "p5": LOW, "p95": HIGH, "mid": MID, "y": Y})
    rows = I.from_frame(frame, y_true="load", y_pred="mid")
    assert rows.detected == {"y_true": "load", "y_pred": "mid", "quantiles": {0.05: "p5", 0.95: "p95"}}
    assert I.from_frame(frame, quantiles={0.05: "p5", 0.95: "p95"}).detected["y_true"] == "y"
    assert I.from_frame(frame, lower="p5", upper="p95").detected["y_true"] == "y"


@pytest.mark.parametrize(
    ("frame", "options", "argument"),
    [
        ({"a": Y}, {}, None),
        ({"a": Y, "lo": LOW, "hi": HIGH}, {}, "y_true"),
        ({"y": Y, "A": [9.0] * 4, "A-lo-90": LOW, "A-hi-90": HIGH}, {}, "y_pred"),
        ({"y": Y, "lo": LOW, "low": LOW, "hi": HIGH}, {}, "lower"),
        ({"y": Y, "lo": LOW, "hi": HIGH}, {"y_pred": ["lo", "hi"]}, "y_pred"),
        ({"y": Y, "lo": LOW, "hi": HIGH}, {"y_true": "y", "lower": "lo", "upper": "hi", "model": "m"}, "model"),
    ],
)  # fmt: skip
def test_nothing_ambiguous_is_guessed(frame, options, argument):
    """The error lists what there is."""
    with raises(ex.UccurveError, argument):
        I.from_frame(pd.DataFrame(frame), **options)
