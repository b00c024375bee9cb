"""statsforecast: real fits, read by `from_nixtla`."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from library_series import made_long
from statsforecast import StatsForecast
from statsforecast.models import AutoETS, HistoricAverage, SeasonalNaive

import uccurve as uc
from uccurve.adapters import from_nixtla

LONG = made_long()
LEVELS = [50, 80, 90]
MODELS = {"AutoETS": AutoETS(season_length=7, model="ANA"), "SeasonalNaive": SeasonalNaive(7)}


@pytest.fixture(scope="module")
def output():
    engine = StatsForecast(models=[*MODELS.values(), HistoricAverage()], freq="D")
    return engine.cross_validation(df=LONG, h=7, n_windows=3, step_size=7, level=LEVELS)


def test_all_models_and_levels_are_read(output):
    """Coverage and width at each level are those of the columns."""
    forecasts = from_nixtla(output)
    assert list(forecasts.models) == ["AutoETS", "SeasonalNaive", "HistoricAverage"]
    for name, rows in forecasts.models.items():
        curve = rows.ucc(vary="level")
        for level in LEVELS:
            lower, upper = (output[f"{name}-{side}-{level}"] for side in ("lo", "hi"))
            point = curve.at(nominal=level / 100)
            assert point.coverage == pytest.approx(output["y"].between(lower, upper).mean())
            assert point.bandwidth == pytest.approx((upper - lower).mean() / 2)
        np.testing.assert_array_equal(rows.y_pred, output[name])


def test_series_and_cutoffs_are_labels(output):
    """Nine forecasts of seven days each, which a comparison exchanges as a whole."""
    forecasts = from_nixtla(output)
    assert output.groupby(forecasts.blocks)["cutoff"].nunique().tolist() == [1] * 9
    assert output.groupby(forecasts.blocks)["unique_id"].nunique().tolist() == [1] * 9
    compared = uc.compare(
        forecasts.models, by=forecasts.series, blocks=forecasts.blocks, n_resamples=99, rng=0
    )
    assert {"small", "middle", "large"} <= {score.segment for score in compared.segments}


def test_forecasts_are_joined_with_observations():
    """Whatever the order of the observations."""
    past = LONG.groupby("unique_id").head(140)
    later = StatsForecast(models=[SeasonalNaive(7)], freq="D").forecast(df=past, h=10, level=[90])
    forecasts = from_nixtla(later, y_true=LONG.sample(frac=1, random_state=0))
    expected = later.merge(LONG, on=["unique_id", "ds"], how="left")["y"]
    np.testing.assert_array_equal(forecasts.models["SeasonalNaive"].y_true, expected)


def test_frames_of_polars_are_read_alike(output):
    engine = StatsForecast(models=[SeasonalNaive(7)], freq="1d")
    found = engine.cross_validation(df=pl.from_pandas(LONG), h=7, n_windows=3, step_size=7, level=LEVELS)
    assert isinstance(found, pl.DataFrame)
    forecasts = from_nixtla(found)
    np.testing.assert_allclose(
        forecasts.models["SeasonalNaive"].upper, from_nixtla(output).models["SeasonalNaive"].upper
    )
    assert forecasts.blocks.tolist() == from_nixtla(output).blocks.tolist()
