"""Tables of several models: frames of Nixtla's libraries as their documentation has them, and a hub's example."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.adapters import from_hub, from_nixtla

# -- Nixtla ------------------------------------------------------------------------------------------


def cross_validated(models=("AutoETS", "Naive"), levels=(80, 90), cutoffs=4):
    """What ``cross_validation`` returns: three series, and 12 days after each cutoff."""
    start, days = pd.Timestamp("2024-01-01"), pd.to_timedelta(np.arange(12 * cutoffs), unit="D")
    frame = pd.DataFrame({"unique_id": np.repeat(list("ABC"), 12 * cutoffs), "ds": np.tile(start + days, 3)})
    frame["cutoff"] = np.tile(np.repeat((start + days)[::12], 12), 3)
    rng = np.random.default_rng(0)
    frame["y"] = rng.normal(10, 2, size=len(frame))
    for model in models:
        frame[model] = rng.normal(10, 1, size=len(frame))
        for level in levels:
            frame[f"{model}-lo-{level}"] = frame[model] - level / 50
            frame[f"{model}-hi-{level}"] = frame[model] + level / 25  # the point is off the middle
    return frame


def forecast():
    """What ``forecast`` returns, without observations, and the observations."""
    frame = cross_validated(cutoffs=1)
    return frame.drop(columns=["cutoff", "y"]), frame[["unique_id", "ds", "y"]]


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.from_pandas], ids=["pandas", "polars"])
def test_all_models_and_levels_are_read_at_once(kind):
    """With the widest bounds, their claim and the model's own point; rows of a series and cutoff are a block."""
    frame = cross_validated().assign(Point=1.0)
    found = from_nixtla(kind(frame))
    assert list(found) == ["AutoETS", "Naive"]
    assert found.by.tolist() == [name for name in "ABC" for _ in range(48)]
    assert found.blocks.tolist() == [block for block in range(12) for _ in range(12)]
    for name, rows in found.items():
        assert rows.nominal == 0.9
        for column, values in {"y": rows.y_true, name: rows.y_pred, f"{name}-lo-90": rows.lower}.items():
            assert np.array_equal(values, frame[column])
        assert rows.ucc(vary="level").reliability().levels == (0.8, 0.9)
        assert type(rows.ucc().to_frame()) is type(kind(frame))
    narrow = from_nixtla(frame, coverage=0.8)["Naive"]
    assert np.array_equal(narrow.upper, frame["Naive-hi-80"])
    assert narrow.nominal == 0.8


@pytest.mark.parametrize("alias", ["NHITS", "quantiles"])
def test_names_of_neuralforecast(alias):
    """Levels with a decimal point and a median in place of the model; quantiles by their share."""
    frame = cross_validated(models=("A",), levels=(90,))
    by_level = {"A": f"{alias}-median", "A-lo-90": f"{alias}-lo-90.0", "A-hi-90": f"{alias}-hi-90.0"}
    by_share = {"A": f"{alias}_ql0.5", "A-lo-90": f"{alias}_ql0.05", "A-hi-90": f"{alias}_ql0.95"}
    for names in (by_level, by_share):
        rows = from_nixtla(frame.rename(columns=names))[alias]
        assert np.array_equal([rows.lower, rows.y_pred, rows.upper], frame[["A-lo-90", "A", "A-hi-90"]].T)
        assert rows.ucc(vary="level").reliability().levels == (0.9,)


def test_the_median_or_the_midpoint_can_be_the_prediction():
    """A mean may lie outside of its quantiles: the error says what to do, and that works."""
    frame = cross_validated(models=("A",), levels=(80,))
    frame["A"] += 100
    with raises(ex.PredictionOutsideError, "y_pred", count=144, first=0) as caught:
        from_nixtla(frame)
    assert "y_pred=None" in caught.value.hint
    middle = (frame["A-lo-80"] + frame["A-hi-80"]) / 2
    assert np.allclose(from_nixtla(frame, y_pred=None)["A"].y_pred, middle)
    frame["A-median"] = frame["A-lo-80"] + 0.1
    assert np.array_equal(from_nixtla(frame, y_pred=None)["A"].y_pred, frame["A-median"])


def test_observations_of_another_frame_are_joined_by_series_and_time():
    """Whatever their order, and with all of the history. Without cutoffs each series is a block."""
    frame, truth = forecast()
    history = truth.assign(ds=truth["ds"] - pd.Timedelta(days=400), y=-1.0)
    known = pl.from_pandas(pd.concat([truth, history]).sample(frac=1, random_state=0))
    found = from_nixtla(frame[::-1], y_true=known)
    assert np.array_equal(found["Naive"].y_true, truth["y"][::-1])
    assert found.blocks.tolist() == [block for block in (2, 1, 0) for _ in range(12)]


def test_observations_that_do_not_fit_the_forecasts_are_refused():
    """The first of them is named; labels of another kind are a frequent reason."""
    frame, truth = forecast()
    as_text = truth.assign(ds=truth["ds"].astype(str))
    for wrong, count, first, kind in ((truth[:-1], 1, 35, ""), (as_text, 36, 0, "str")):
        with raises(ex.IndexMismatchError, "y_true", count=count, first=first) as caught:
            from_nixtla(frame, y_true=wrong)
        assert kind in caught.value.hint
        assert list(caught.value.values) == ["unique_id", "ds"]
    for forecasts, wrong in ((frame, pd.concat([truth, truth])), (frame, [1.0]), (cross_validated(), truth)):
        with raises(ex.ArgumentError, "y_true"):
            from_nixtla(forecasts, y_true=wrong)


def test_models_are_chosen_by_name():
    """A single bound is refused, which would be left out silently; not so where its model is not asked for."""
    frame = cross_validated().assign(Point=1.0)
    assert list(from_nixtla(frame, models=["Naive"])) == ["Naive"]
    for wrong, error in (
        (["Point"], ex.MissingColumnError),
        ([], ex.MissingColumnError),
        ("Naive", ex.ArgumentError),
    ):
        with raises(error, "models"):
            from_nixtla(frame, models=wrong)
    frame = frame.drop(columns="Naive-hi-80")
    with raises(ex.MissingColumnError, "frame"):
        from_nixtla(frame)
    assert list(from_nixtla(frame, models=["AutoETS"])) == ["AutoETS"]


def test_frames_that_lack_columns_are_refused():
    """The message says what is there, and what to do."""
    frame = cross_validated(models=("A",))
    for lacking in (frame.set_index("ds"), frame.drop(columns="y"), frame[["unique_id", "ds", "y", "A"]]):
        with raises(ex.MissingColumnError, "frame") as caught:
            from_nixtla(lacking)
        assert caught.value.hint


def test_whole_numbers_and_dates_are_labels_too():
    """Series may be numbers, times dates, and the columns called otherwise."""
    frame = cross_validated().assign(cutoff=dt.date(2024, 1, 1))
    frame = frame.assign(store=frame["unique_id"].map({"A": 1, "B": 2, "C": 30})).drop(columns="unique_id")
    frame = frame.rename(columns={"ds": "day", "y": "sales"})
    found = from_nixtla(pl.from_pandas(frame), id_col="store", time_col="day", target_col="sales")
    assert set(found.by.tolist()) == {1, 2, 30}
    assert set(found.blocks.tolist()) == {0, 1, 2}


# -- hubs --------------------------------------------------------------------------------------------

TABLE = pl.read_csv(Path(__file__).parents[1] / "others" / "eu_covid_hub_quantiles.csv.gz")
CASES = TABLE.filter(target="Cases")


KEYS = ["location", "target_end_day", "forecast_day", "horizon"]
AS_FRAME = pytest.mark.parametrize("as_frame", [pl.DataFrame, pl.DataFrame.to_pandas])


@AS_FRAME
def test_models_have_the_quantiles_of_their_rows(as_frame):
    """Levels, observations and labels stay together, whatever the order of the rows."""
    models = from_hub(
        as_frame(CASES.sample(fraction=1, shuffle=True, seed=1)), by="location", blocks="location"
    )
    assert set(models) == set(CASES["model"])
    assert len(models.by) == 128
    assert len(set(models.blocks)) == 4
    for name, rows in models.items():
        of_model = CASES.filter(model=name).sort("level")
        index = ["location", "target_end_day", "forecast_day", "observed"]
        wide = of_model.pivot("level", index=index, values="predicted")  # noqa: PD010 - of Polars
        for coverage, low, high in ((0.5, "0.25", "0.75"), (0.9, "0.05", "0.95"), (0.98, "0.01", "0.99")):
            expected = uc.coverage(wide["observed"].to_numpy(), wide[low].to_numpy(), wide[high].to_numpy())
            curve = uc.UCC(rows, vary="level")
            assert curve.at(parameter=coverage / 0.98).coverage == pytest.approx(expected)


@AS_FRAME
def test_the_tables_of_hubverse_are_joined(as_frame):
    """Forecasts with model_id, output_type, output_type_id as text, and value; observations in oracle output."""
    level = pl.col("level").cast(pl.String).alias("output_type_id")
    forecasts = CASES.select(
        "location", "target_end_day", "horizon", level, model_id="model", value="predicted"
    )
    forecasts = forecasts.with_columns(output_type=pl.lit("quantile"))
    means = forecasts.filter(pl.col("output_type_id") == "0.5").with_columns(output_type=pl.lit("mean"))
    oracle = CASES.select("location", "target_end_day", oracle_value="observed").unique()
    kinds = pl.DataFrame(
        {"output_type": ["mean", "quantile", "sample"], "output_type_id": [None, "NA", "NA"]}
    )
    oracle = oracle.join(kinds, how="cross")
    joined = from_hub(as_frame(pl.concat([means, forecasts])), as_frame(oracle))
    for name, rows in from_hub(CASES).items():
        ours, theirs = (table.ucc(vary="level").score_at(coverage=0.8) for table in (rows, joined[name]))
        assert theirs == pytest.approx(ours)


def test_models_are_judged_on_the_forecasts_of_all():
    """UMass forecasts no cases, and EpiNow2 not all deaths; a level of one model alone is left out."""
    with pytest.warns(ex.DroppedRowsWarning, match="137 of 256"):
        models = from_hub(TABLE)
    assert {len(rows) for rows in models.values()} == {119}
    alone = TABLE.filter(model="UMass-MechBayes").filter((pl.col("level") != 0.5) | (pl.col("horizon") > 9))
    with pytest.warns(ex.DroppedRowsWarning), pytest.warns(UserWarning, match="left out: 0.5."):
        models = from_hub(pl.concat([TABLE.filter(pl.col("model") != "UMass-MechBayes"), alone]))
    assert all(rows.y_pred is not None and len(rows) == 119 for rows in models.values())


@AS_FRAME
def test_levels_are_the_same_up_to_rounding_and_nan_is_no_value(as_frame):
    """0.1 * 3 is a level of 0.3; a forecast without a value or an observation is left out, and counted."""
    levels = pl.col("level") * 3 / 3
    table = CASES.with_columns(pl.when(model="EpiNow2").then("level").otherwise(levels).alias("quantile"))
    table = table.drop("level").with_columns(pl.col("predicted", "observed").cast(pl.Float64))
    assert from_hub(as_frame(table)).columns == from_hub(CASES).columns
    first, place = pl.int_range(pl.len()) == 0, pl.col("location") == "DE"
    for column, missing in {"predicted": first, "observed": place}.items():
        holed = table.with_columns(pl.when(missing).then(np.nan).otherwise(column).alias(column))
        with pytest.warns(ex.DroppedRowsWarning, match="have an observation") as caught:
            models = from_hub(as_frame(holed))
        lost = 1 if column == "predicted" else len(CASES.filter(place).group_by(KEYS).len())
        assert (caught[0].message.count, len(models.table)) == (lost, 128 - lost)


def test_a_table_that_is_none_is_refused():
    """Values twice, no observations, no frame, no forecast in common."""
    alone = CASES.with_columns(pl.col("model") + pl.col("location"))
    for wrong, error in (
        (pl.concat([CASES, CASES[:1]]), ex.ArgumentError),
        (CASES.drop("observed"), ex.MissingColumnError),
        ([CASES], ex.ArgumentError),
        (alone, ex.EmptyInputError),
        (CASES.with_columns(model_id="model"), ex.MissingColumnError),
        (CASES.filter(pl.col("level") >= 0.5), ex.ArgumentError),
        (CASES.with_columns(output_type=pl.lit("sample")), ex.EmptyInputError),
    ):
        with pytest.raises(error):
            from_hub(wrong)
    forecasts, known = CASES.drop("observed"), CASES.select(*KEYS, "observed").unique()
    revised = pl.concat([known, known[:5].with_columns(pl.col("observed") + 1)])
    for observations in (revised, known.select("observed"), known.to_pandas()):
        with raises(ex.ArgumentError, "observations"):
            from_hub(forecasts, observations)
