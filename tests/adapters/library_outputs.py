"""Small outputs of other libraries, of the shapes that they document: the libraries need not be there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import norm

from uccurve import adapters

ROWS = ["a", "b", "c", "d"]
Y = pd.Series([1.0, 2.0, 4.0, 8.0], index=ROWS)
MIDDLE = Y.to_numpy()
LEVELS = [0.05, 0.25, 0.5, 0.75, 0.95]
STEPS = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
TABLE = MIDDLE[:, None] + STEPS
DRAWS = MIDDLE + np.linspace(-1, 1, 99)[:, None]
MAPIE = MIDDLE[:, None, None] + np.array([[-1.0, -2.0], [1.0, 2.0]])  # (rows, 2, levels)
DAYS = pd.date_range("2024-01-01", periods=30)


@dataclass(frozen=True)
class TimeSeries:
    """What is used of a TimeSeries of Darts: values of shape (time, components, samples)."""

    time_index: pd.Index
    array: np.ndarray
    components: tuple[str, ...] = ("sales",)

    def all_values(self):
        return self.array


class Forecast:
    """What all forecasts of GluonTS have, and what one kind of them has."""

    def __init__(self, start=24, steps=6, item_id=None, **facts):
        self.start_date, self.item_id = DAYS.to_period("D")[start], item_id
        self.index = pd.period_range(self.start_date, periods=steps, freq="D")
        vars(self).update(facts)


class Array:
    """A variable with named dimensions, as ArviZ holds it."""

    def __init__(self, values, dims):
        self.values, self.dims = values, dims

    def transpose(self, *dims):
        order = [d for d in dims if d is not ...]
        order += [d for d in self.dims if d not in order]
        return Array(np.transpose(self.values, [self.dims.index(d) for d in order]), tuple(order))


class Group(dict):
    """Variables by name."""

    @property
    def data_vars(self):
        return list(self)


class Prediction:
    """A result of statsmodels, with the names that it gives its columns."""

    def __init__(self, *kinds):
        self.kinds = kinds

    def summary_frame(self, alpha):
        half = 2 - 2 * alpha
        columns = {"mean": MIDDLE}
        for kind in self.kinds:
            columns |= {f"{kind}_lower": MIDDLE - half, f"{kind}_upper": MIDDLE + half}
        return frame(**columns)


class Normal:
    """A distribution of skpro, as far as it is used: ``ppf`` returns a frame."""

    def ppf(self, level):
        return frame(sales=self.quantile(level))

    def quantile(self, level):
        return MIDDLE + norm.ppf(level)


class Constant:
    """A fitted regressor that is always as far off."""

    def __init__(self, distance):
        self.distance = distance

    def predict(self, inputs):
        return inputs + self.distance


def arviz(draws=DRAWS, dims=("chain", "draw", "row")):
    """Draws of the posterior predictive distribution in three chains."""
    array = Array(draws.reshape(3, 33, -1), ("chain", "draw", "row")).transpose(*dims)
    return {"posterior": Group(), "posterior_predictive": Group(y=array)}


def frame(index=ROWS, **columns):
    return pd.DataFrame(columns, index=index)


def by_level(name):
    """The columns of the table under names with their levels."""
    return {name.format(level): column for level, column in zip(LEVELS, TABLE.T, strict=True)}


def multi(*levels, values=TABLE, variables=("sales",)):
    """A frame of sktime and skpro: variable, level, and the side where the level is a coverage."""
    return pd.DataFrame(values, index=ROWS, columns=pd.MultiIndex.from_product([variables, *levels]))


SIDES = ["lower", "upper"]
YHAT = {"yhat": MIDDLE, "yhat_lower": MIDDLE - 1, "yhat_upper": MIDDLE + 1}
BOOTSTRAPPED = frame(**{f"pred_boot_{n}": draw for n, draw in enumerate(DRAWS)})
PRED = {"pred": MIDDLE, "lower_bound": MIDDLE - 1, "upper_bound": MIDDLE + 1}
QUANTILES_OF_GLUONTS = {"steps": 4, "forecast_array": TABLE.T, "forecast_keys": [*by_level("{}")]}
NIXTLA = {"unique_id": "one", "ds": DAYS[:4], "A-lo-90": MIDDLE - 1, "A-hi-90": MIDDLE + 1}


def read_sklearn(y, output, **options):
    return adapters.from_sklearn(y, output, MIDDLE, **options)


def read_toolbox(y, output, **options):
    return adapters.from_uncertainty_toolbox(MIDDLE, output, y, **options)


def read_nixtla(y, output, **options):
    if isinstance(output, pd.DataFrame):
        output = output.assign(y=np.asarray(y))
        if "sample_weight" in options:
            output["weight"], options["sample_weight"] = options["sample_weight"], "weight"
    return adapters.from_nixtla(output, **options)["A"]


def read_darts(y, output, **options):
    truth = TimeSeries(DAYS[: len(y)], np.asarray(y, dtype=float)[:, None, None])
    return adapters.from_darts(truth, output, **options).intervals


def read_gluonts(y, output, **options):
    return adapters.from_gluonts([np.asarray(y, dtype=float)], output, **options).intervals


# Every adapter by its name: how it is called, an output for four rows, and what goes with it.
OUTPUTS = {
    "mapie": (adapters.from_mapie, MAPIE, {"confidence_level": [0.5, 0.9]}),
    "crepes": (adapters.from_crepes, TABLE[:, [1, 3]], {"nominal": 0.9}),
    "crepes percentiles": (adapters.from_crepes, TABLE, {"percentiles": [5, 25, 50, 75, 95]}),
    "xgboost": (adapters.from_xgboost, TABLE, {"levels": LEVELS}),
    "catboost": (adapters.from_catboost, pd.DataFrame(TABLE, index=ROWS), {"levels": LEVELS}),
    "lightgbm": (adapters.from_lightgbm, dict(zip(LEVELS, TABLE.T, strict=True)), {}),
    "ngboost": (adapters.from_ngboost, norm(MIDDLE), {}),
    "sklearn": (read_sklearn, {0.05: Constant(-1), 0.95: Constant(1)}, {}),
    "statsmodels": (adapters.from_statsmodels, Prediction("obs_ci"), {"nominal": 0.9}),
    "numpyro": (adapters.from_numpyro, DRAWS, {}),
    "numpyro chains": (adapters.from_numpyro, {"obs": DRAWS.reshape(3, 33, 4)}, {}),
    "arviz": (adapters.from_arviz, arviz(), {}),
    "uncertainty-toolbox": (read_toolbox, np.ones(4), {}),
    "uq360": (adapters.from_uq360, np.stack([MIDDLE, *np.ones((2, 4))], axis=1), {}),
    "prophet": (adapters.from_prophet, frame(**YHAT), {"nominal": 0.9}),
    "skforecast": (adapters.from_skforecast, frame(**PRED), {"nominal": 0.9}),
    "skforecast quantiles": (adapters.from_skforecast, frame(**by_level("q_{}")), {}),
    "skforecast draws": (adapters.from_skforecast, BOOTSTRAPPED, {}),
    "sktime": (adapters.from_sktime, multi([0.5, 0.9], SIDES, values=TABLE[:, [1, 3, 0, 4]]), {}),
    "skpro": (adapters.from_skpro, multi(LEVELS), {}),
    "skpro distribution": (adapters.from_skpro, Normal(), {}),
    "nixtla": (read_nixtla, pd.DataFrame(NIXTLA), {}),
    "darts": (read_darts, TimeSeries(DAYS[:4], DRAWS.T[:, None, :]), {}),
    "darts quantiles": (read_darts, TimeSeries(DAYS[:4], TABLE[:, :, None], (*by_level("x_q{:.3f}"),)), {}),
    "gluonts": (read_gluonts, [Forecast(steps=4, samples=DRAWS)], {}),
    "gluonts quantiles": (read_gluonts, [Forecast(**QUANTILES_OF_GLUONTS)], {}),
    "gluonts distribution": (read_gluonts, [Forecast(steps=4, quantile=Normal().quantile)], {}),
}


def read(name, y=Y, **changed):
    """Read the output of a library, or another one in its place."""
    function, output, options = OUTPUTS[name]
    return function(y, changed.pop("output", output), **{**options, **changed})
