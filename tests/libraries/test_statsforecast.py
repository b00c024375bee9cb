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
    models = from_nixtla(output)
    assert list(models) == ["AutoETS", "SeasonalNaive", "HistoricAverage"]
    for name, rows in models.items():
        curve = rows.ucc(vary="level")
        for level in LEVELS:
            lower, upper = (output[f"{name}-{side}-{level}"] for side in ("lo", "hi"))
            point = curve.at(nominal=level / 100)
            assert point.coverage == pytest.approx(output["y"].between(lower, upper).mean())
            assert point.bandwidth == pytest.approx((upper - lower).mean() / 2)
        np.testing.assert_array_equal(rows.y_pred, output[name])


def test_series_and_cutoffs_are_labels(output):
    """Nine forecasts of seven days each, which a comparison exchanges as a whole."""
    models = from_nixtla(output)
    for column in ("cutoff", "unique_id"):
        assert output.groupby(models.blocks)[column].nunique().tolist() == [1] * 9
    compared = uc.compare(models, n_resamples=99, rng=0)
    assert {"small", "middle", "large"} <= {score.segment for score in compared.segments}


def test_frames_of_polars_are_read_alike(output):
    engine = StatsForecast(models=[SeasonalNaive(7)], freq="1d")
    found = engine.cross_validation(df=pl.from_pandas(LONG), h=7, n_windows=3, step_size=7, level=LEVELS)
    own, other = from_nixtla(found), from_nixtla(output)
    np.testing.assert_allclose(own["SeasonalNaive"].upper, other["SeasonalNaive"].upper)
    assert own.blocks.tolist() == other.blocks.tolist()
