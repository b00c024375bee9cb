"""Quantiles among the columns of a frame, named by their levels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import uccurve as uc
from errors import raises
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    MissingColumnError,
)

RNG = np.random.default_rng(0)
Y = RNG.normal(size=30)
TABLE = np.sort(RNG.normal(size=(30, 5)), axis=1)
LEVELS = (0.025, 0.1, 0.5, 0.9, 0.975)
COLUMNS = {"y": Y, "w": np.arange(30.0), "A": TABLE[:, 2]} | {
    name: TABLE[:, number]
    for number, name in zip((0, 1, 3, 4), ("A-lo-95", "A-lo-80", "A-hi-80", "A-hi-95"), strict=True)
}
NAMES = {0.975: "A-hi-95", 0.025: "A-lo-95", 0.5: "A", 0.1: "A-lo-80", 0.9: "A-hi-80"}


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_quantiles_by_level_are_those_of_from_quantiles(kind):
    """In any order of levels, and from any library."""
    rows = uc.Intervals.from_frame(kind(COLUMNS), y_true="y", quantiles=NAMES, sample_weight="w")
    wanted = uc.Intervals.from_quantiles(Y, TABLE, LEVELS, sample_weight=COLUMNS["w"])
    assert (rows.nominal, rows.n) == (0.95, 30)
    for vary in ("scale", "shift", "level"):
        assert rows.ucc(vary=vary).area() == wanted.ucc(vary=vary).area()
    assert (
        rows.ucc(vary="level").at(nominal=0.8).coverage == wanted.ucc(vary="level").at(nominal=0.8).coverage
    )


def test_several_outputs_have_several_columns_at_each_level():
    """As everywhere in a frame, several names make outputs."""
    frame = pd.DataFrame({**COLUMNS, "z": 10 * Y} | {f"z{n}": 10 * TABLE[:, n] for n in range(5)})
    names = {level: [NAMES[level], f"z{number}"] for number, level in enumerate(LEVELS)}
    rows = uc.Intervals.from_frame(frame, y_true=["y", "z"], quantiles=names)
    alone = uc.Intervals.from_frame(frame, y_true="y", quantiles=NAMES)
    assert rows.n_outputs == 2
    assert rows.ucc(vary="level").gain() == pytest.approx(alone.ucc(vary="level").gain(), rel=1e-12)


def test_one_level_with_a_prediction_is_a_limit():
    rows = uc.Intervals.from_frame(
        pd.DataFrame(COLUMNS), y_true="y", y_pred="A", quantiles={0.975: "A-hi-95"}
    )
    assert (rows.side, rows.nominal) == ("upper", 0.975)


@pytest.mark.parametrize(
    ("options", "kind", "argument"),
    [
        ({"quantiles": NAMES, "lower": "A-lo-95"}, ArgumentError, "quantiles"),
        ({"quantiles": {80: "A-lo-80"}}, ArgumentError, "quantiles"),
        ({"quantiles": {"0.1": "A"}}, ArgumentTypeError, "quantiles"),
        ({"quantiles": ["A-lo-80", "A-hi-80"]}, ArgumentTypeError, "quantiles"),
        ({"quantiles": {0.1: ["A-lo-80", "A-lo-95"], 0.9: "A-hi-80"}}, ArgumentError, "quantiles[0.1]"),
        ({"quantiles": {0.1: "B", 0.9: "A-hi-80"}}, MissingColumnError, "quantiles[0.1]"),
    ],
)
def test_ambiguity_is_refused(options, kind, argument):
    """What several names mean is never guessed."""
    with raises(kind, argument):
        uc.Intervals.from_frame(pd.DataFrame(COLUMNS), y_true="y", **options)
