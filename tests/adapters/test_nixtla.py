"""Frames of statsforecast, mlforecast and neuralforecast, as their documentation has them."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pytest

import uccurve as uc
from errors import raises
from uccurve.adapters import from_nixtla
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    DroppedRowsWarning,
    EmptyInputError,
    IndexMismatchError,
    MissingColumnError,
    NonFiniteError,
    PredictionOutsideError,
)

HORIZON = 12


def cross_validated(models=("AutoETS", "Naive"), levels=(80, 90), series=3, cutoffs=4):
    """What ``cross_validation`` returns, with a model whose point forecast is off the middle."""
    rng = np.random.default_rng(0)
    parts = []
    for name in "ABCDEFGH"[:series]:
        for cutoff in range(cutoffs):
            end = pd.Timestamp("2024-01-01") + pd.Timedelta(days=HORIZON * cutoff)
            ds = pd.date_range(end + pd.Timedelta(days=1), periods=HORIZON)
            parts.append(pd.DataFrame({"unique_id": name, "ds": ds, "cutoff": end}))
    frame = pd.concat(parts, ignore_index=True)
    frame["y"] = rng.normal(10, 2, size=len(frame))
    for number, model in enumerate(models):
        point = rng.normal(10, 1, size=len(frame))
        frame[model] = point
        for level in levels:
            frame[f"{model}-lo-{level}"] = point - level / 50 - number
            frame[f"{model}-hi-{level}"] = point + level / 25
    return frame


def forecast():
    """What ``forecast`` returns, without observations, and the observations."""
    frame = cross_validated(cutoffs=1)
    return frame.drop(columns=["cutoff", "y"]), frame[["unique_id", "ds", "y"]]


@pytest.mark.parametrize("kind", [lambda frame: frame, pl.from_pandas], ids=["pandas", "polars"])
def test_all_models_and_levels_are_read_at_once(kind):
    """With the bounds of the widest level, its claim, and the model's own point forecast."""
    frame = cross_validated()
    found = from_nixtla(kind(frame))
    assert list(found.models) == ["AutoETS", "Naive"]
    for name, rows in found.models.items():
        assert rows.nominal == 0.9
        np.testing.assert_array_equal(rows.y_true, frame["y"])
        np.testing.assert_array_equal(rows.y_pred, frame[name])
        np.testing.assert_array_equal(rows.lower, frame[f"{name}-lo-90"])
        np.testing.assert_array_equal(rows.upper, frame[f"{name}-hi-90"])
        assert rows.ucc(vary="level").reliability().levels == (0.8, 0.9)
    assert repr(found) == "NixtlaForecasts(AutoETS, Naive; n=144, series=3, blocks=12)"
    table = found.models["Naive"].ucc().to_frame()
    assert type(table) is type(kind(frame))


def test_series_and_blocks_fit_a_comparison():
    """Rows of one series and cutoff are exchanged together; each series is a segment."""
    found = from_nixtla(cross_validated())
    assert found.series.tolist() == [name for name in "ABC" for _ in range(4 * HORIZON)]
    assert found.blocks.tolist() == [block for block in range(12) for _ in range(HORIZON)]
    assert found.cutoffs[HORIZON] == np.datetime64("2024-01-13")
    compared = uc.compare(found.models, by=found.series, blocks=found.blocks, n_resamples=99, rng=0)
    assert {score.segment for score in compared.segments} >= {"A", "B", "C"}


def test_without_cutoffs_each_series_is_a_block():
    frame, truth = forecast()
    found = from_nixtla(frame, y_true=truth)
    assert found.cutoffs is None
    assert found.blocks.tolist() == [block for block in range(3) for _ in range(HORIZON)]


def test_one_level_is_chosen_by_its_coverage():
    """As a share; the percentage in the name is not what users write."""
    frame = cross_validated()
    rows = from_nixtla(frame, coverage=0.8).models["Naive"]
    assert rows.nominal == 0.8
    np.testing.assert_array_equal(rows.lower, frame["Naive-lo-80"])
    with raises(ArgumentError, "coverage"):
        from_nixtla(frame, coverage=0.95)


def test_names_of_neuralforecast():
    """Levels with a decimal point and a median in place of the model; quantiles by their share."""
    frame = cross_validated(models=("NHITS",), levels=(90, 80))
    renamed = {
        f"NHITS-{side}-{level}": f"NHITS-{side}-{level}.0" for side in ("lo", "hi") for level in (80, 90)
    }
    frame = frame.rename(columns={"NHITS": "NHITS-median", **renamed})
    rows = from_nixtla(frame).models["NHITS"]
    assert rows.nominal == 0.9
    np.testing.assert_array_equal(rows.y_pred, frame["NHITS-median"])
    shares = {"NHITS-median": "NHITS_ql0.5", "NHITS-lo-90.0": "NHITS_ql0.05", "NHITS-hi-90.0": "NHITS_ql0.95"}
    shares |= {"NHITS-lo-80.0": "NHITS_ql0.1", "NHITS-hi-80.0": "NHITS_ql0.9"}
    again = from_nixtla(frame.rename(columns=shares)).models["NHITS"]
    np.testing.assert_array_equal(again.lower, rows.lower)
    assert again.ucc(vary="level").area() == rows.ucc(vary="level").area()


def test_the_median_or_the_midpoint_can_be_the_prediction():
    """A mean may lie outside of its quantiles: the error says what to do, and that works."""
    frame = cross_validated(models=("A",), levels=(80,))
    frame["A"] += 100
    with raises(PredictionOutsideError, "y_pred", count=144, first=0):
        from_nixtla(frame)
    rows = from_nixtla(frame, y_pred=None).models["A"]
    np.testing.assert_allclose(rows.y_pred, (frame["A-lo-80"] + frame["A-hi-80"]) / 2)
    frame["A-median"] = frame["A-lo-80"] + 0.1
    for coverage in (None, 0.8):
        rows = from_nixtla(frame, y_pred=None, coverage=coverage).models["A"]
        np.testing.assert_array_equal(rows.y_pred, frame["A-median"])
    with raises(ArgumentError, "y_pred"):
        from_nixtla(frame, y_pred="A-median")


@pytest.mark.parametrize("shuffled", [pd.DataFrame, pl.from_pandas], ids=["pandas", "polars"])
def test_observations_of_another_frame_are_joined_by_series_and_time(shuffled):
    """Whatever their order, and with further rows, such as the whole history."""
    frame, truth = forecast()
    history = truth.assign(ds=truth["ds"] - pd.Timedelta(days=400), y=-1.0)
    other = pd.concat([truth, history]).sample(frac=1, random_state=0)
    found = from_nixtla(frame, y_true=shuffled(other))
    np.testing.assert_array_equal(found.models["Naive"].y_true, truth["y"])


def test_forecasts_without_an_observation_are_refused():
    """The first of them is named; labels of another kind are a frequent reason."""
    frame, truth = forecast()
    with raises(IndexMismatchError, "y_true", count=1, first=35):
        from_nixtla(frame, y_true=truth[:-1])
    text = truth.assign(ds=truth["ds"].astype(str))
    with raises(IndexMismatchError, "y_true", count=36, first=0):
        from_nixtla(frame, y_true=text)


def test_observations_that_are_not_unique_or_doubled_are_refused():
    frame, truth = forecast()
    with raises(ArgumentError, "y_true", count=36, first=0):
        from_nixtla(frame, y_true=pd.concat([truth, truth]))
    with raises(ArgumentError, "y_true"):
        from_nixtla(frame, y_true=truth["y"].tolist())
    with raises(ArgumentError, "y_true"):
        from_nixtla(cross_validated(), y_true=truth)
    with raises(MissingColumnError, "frame"):
        from_nixtla(frame)


@pytest.mark.parametrize("column", ["Naive-lo-90", "Naive-lo-80"])
def test_rows_are_dropped_from_all_models_together(column):
    """Otherwise the models could not be compared; labels are those of the rows that are left."""
    frame = cross_validated()
    frame.loc[5, column] = np.nan
    with raises(NonFiniteError, column, count=1, first=5):
        from_nixtla(frame)
    with pytest.warns(DroppedRowsWarning) as caught:
        found = from_nixtla(frame, invalid="drop")
    assert [(told.message.count, told.message.reasons[0].where) for told in caught][-1] == (1, "AutoETS")
    assert {rows.n for rows in found.models.values()} == {143} == {len(found.series), len(found.blocks)}
    assert found.blocks[:HORIZON].tolist() == [0] * (HORIZON - 1) + [1]
    frame[column] = np.nan
    with pytest.raises(EmptyInputError):
        from_nixtla(frame, invalid="drop")


def test_models_are_chosen_by_name():
    frame = cross_validated().assign(Point=1.0)
    assert list(from_nixtla(frame, models=["Naive"]).models) == ["Naive"]
    with raises(MissingColumnError, "models"):
        from_nixtla(frame, models=["Point"])
    with raises(ArgumentTypeError, "models"):
        from_nixtla(frame, models="Naive")


def test_a_single_bound_is_refused():
    """It would be left out silently; not so where its model is not asked for."""
    frame = cross_validated().drop(columns="Naive-hi-80")
    with raises(MissingColumnError, "frame"):
        from_nixtla(frame)
    assert list(from_nixtla(frame, models=["AutoETS"]).models) == ["AutoETS"]
    frame = cross_validated(models=("A",), levels=(100,))
    with raises(ArgumentError, "frame"):
        from_nixtla(frame)


def test_frames_that_lack_columns_are_refused():
    """The message says what is there, and what to do."""
    frame = cross_validated(models=("A",))
    with raises(MissingColumnError, "frame"):
        from_nixtla(frame.set_index("unique_id"))
    with raises(MissingColumnError, "frame"):
        from_nixtla(frame[["unique_id", "ds", "y", "A"]])
    with raises(EmptyInputError, "y_true"):
        from_nixtla(frame[:0])
    frame.loc[3, "unique_id"] = None
    with raises(ArgumentError, "unique_id", count=1, first=3):
        from_nixtla(frame)


def test_whole_numbers_and_dates_are_labels_too():
    """Series may be numbers, times dates, and the columns called otherwise."""
    frame = cross_validated()
    frame["unique_id"] = frame["unique_id"].map({"A": 1, "B": 2, "C": 30})
    frame["ds"] = frame["ds"].dt.date
    frame["cutoff"] = [dt.date(2024, 1, 1)] * len(frame)
    frame = frame.rename(columns={"unique_id": "store", "ds": "day", "y": "sales"})
    found = from_nixtla(pl.from_pandas(frame), id_col="store", time_col="day", target_col="sales")
    assert sorted(set(found.series.tolist())) == [1, 2, 30]
    assert set(found.blocks.tolist()) == {0, 1, 2}
