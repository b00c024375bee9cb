"""Every naming of columns that is known: what is detected, and the coverage that it claims."""

from __future__ import annotations

import pandas as pd
import pytest

import uccurve as uc
from errors import raises
from uccurve.exceptions import MissingColumnError

DEVIATION = 0.6827

NAMINGS = [  # the columns, observations first; the prediction; bounds, quantiles by level, or a deviation; the claim
    ("y yhat lower upper", "yhat", "lower upper", None),
    ("actual pred lo hi", "pred", "lo hi", None),
    ("target prediction low high", "prediction", "low high", None),
    ("y_true forecast Lower Upper", "forecast", "Lower Upper", None),
    ("y_test y_pred y_std", "y_pred", "y_std", DEVIATION),
    ("y mean sd", "mean", "sd", DEVIATION),
    ("y fit se_pred", "fit", "se_pred", DEVIATION),
    ("y gbm gbm_std", "gbm", "gbm_std", DEVIATION),
    ("y gbm_pred gbm_std", "gbm_pred", "gbm_std", DEVIATION),
    ("y|Net|Net Lower|Net Upper", "Net", "Net Lower|Net Upper", None),
    ("y net-forecast net-lo net-hi", "net-forecast", "net-lo net-hi", None),
    ("y net.Pred net.sd", "net.Pred", "net.sd", DEVIATION),
    ("Actual|Forecast|Lower 95%|Upper 95%", "Forecast", "Lower 95%|Upper 95%", 0.95),
    ("y pred lower_95 upper_95", "pred", "lower_95 upper_95", 0.95),
    ("y pred lo95 hi95", "pred", "lo95 hi95", 0.95),
    ("y q05 q95 sigma", None, "q05 q95", 0.9),
    ("y pred q_05 q_95", "pred", "q_05 q_95", 0.9),
    ("y pred quantile_5 quantile_95", "pred", "quantile_5 quantile_95", 0.9),
    ("y pred pi90_lower pi90_upper", "pred", "pi90_lower pi90_upper", 0.9),
    ("y pred lb ub", "pred", "lb ub", None),
    ("y|Point Forecast|Lo 80|Hi 80|Lo 95|Hi 95", "Point Forecast", "Lo 95|Lo 80|Hi 80|Hi 95", 0.95),
    ("y Point.Forecast Lo.95 Hi.95", "Point.Forecast", "Lo.95 Hi.95", 0.95),
    ("y pred gbm_lower_90 gbm_upper_90", "pred", "gbm_lower_90 gbm_upper_90", 0.9),
    ("y A A-lo-90 A-hi-90", "A", "A-lo-90 A-hi-90", 0.9),
    ("y A A-lo-50 A-lo-90 A-hi-90 A-hi-50", "A", "A-lo-90 A-lo-50 A-hi-50 A-hi-90", 0.9),
    ("y A_ql0.05 A_ql0.95", None, "A_ql0.05 A_ql0.95", 0.9),
    ("y pred 5% 95%", "pred", "5% 95%", 0.9),
    ("y 0.05 0.5 0.95", None, "0.05 0.5 0.95", 0.9),
    ("y mean mean_ci_lower mean_ci_upper obs_ci_lower obs_ci_upper", "mean", "obs_ci_lower obs_ci_upper", None),
]  # fmt: skip


def names(text):
    """Split names at bars, or else at spaces."""
    return text.split("|") if "|" in text else text.split()


def table(text):
    return pd.DataFrame({name: [1.0, 2.0] for name in names(text)})


@pytest.mark.parametrize(("columns", "prediction", "bands", "claim"), NAMINGS)
def test_common_names_are_detected_with_their_claim(columns, prediction, bands, claim):
    """A level in a name is a claim, and a median is the prediction without being named."""
    rows = uc.Intervals.from_frame(table(columns))
    found = dict(rows.detected)
    assert (found.pop("y_true"), found.pop("y_pred", None)) == (names(columns)[0], prediction)
    assert list(found.pop("quantiles", found).values()) == names(bands)
    assert rows.nominal == (pytest.approx(claim, abs=1e-4) if claim else None)


@pytest.mark.parametrize(
    ("columns", "models"),
    [
        ("y gbm gbm_lo90 gbm_hi90 rf rf_lower rf_upper", ["gbm", "rf"]),
        ("y a_lower_90 a_upper_90 b_lower_90 b_upper_90", ["a", "b"]),
        ("y a_pred a_sd b b_lo b_hi b_std", ["a", "b"]),
        ("y pred pred_std rf rf_lower rf_upper", ["pred", "rf"]),
        ("y gbm gbm_q05 gbm_q95 rf rf_lower rf_upper", ["gbm", "rf"]),
        ("y a a_std b b_lo_90 b_hi_90", ["a", "b"]),
        ("y A A-lo-90 A-hi-90 temp temp_lo temp_hi", ["A", "temp"]),
        ("y open high low close yhat yhat_lower yhat_upper std", ["yhat"]),
        ("y y_pred y_std lower upper", ["model"]),
        ("y pred q_0.05 q_0.95", ["model"]),
        ("y yhat lower upper temp temp_std", ["model"]),
        ("y yhat sigma price price_low_5 price_high_5", ["model"]),
    ],
)
def test_several_models_are_detected_where_names_tell_several(columns, models):
    """Beside names that are sure, those of features are none, and a note lists them."""
    found = uc.Models.from_frame(table(columns))
    assert sorted(found) == models
    unused = {*names(columns)} - {*found.columns.used, "open", "close", "temp", "price"}
    assert all(repr(name) in found.notes[0] for name in unused)


@pytest.mark.parametrize(
    ("columns", "argument"),
    [
        ("y lower upper Lower_95 Upper_95", "lower"),
        ("y p5 p95 Lower_95 Upper_95", None),
        ("y 0.05 q50 0.95", None),
        ("y yhat pred lower upper", "y_pred"),
        ("y gbm gbm_std gbm_sd", "std"),
        ("y gbm gbm_std rf rf_std", "model"),
        ("y pred pred_std std", "std"),
        ("y high low p5 p50 p95", None),
        ("y mean std high low", None),
        ("y prediction prediction_std high low", None),
        ("y pred sigma price price_low_52 price_high_52", None),
        ("y yhat lower upper rf rf_lower rf_upper", None),
        ("y pred std temp temp_lower temp_upper", None),
    ],
)
def test_names_that_could_mean_several_things_are_refused(columns, argument):
    """The error names the candidates, and says what to do."""
    with raises(MissingColumnError, argument) as caught:
        uc.Intervals.from_frame(table(columns))
    assert caught.value.remedy or caught.value.hint


def test_the_likeliest_columns_are_suggested_first():
    """Then at most eight others."""
    others = " ".join(f"x{number}" for number in range(30))
    with raises(MissingColumnError) as caught:
        uc.Intervals.from_frame(table(f"y {others} model_low_bound model_prediction"))
    assert caught.value.problem == (
        "no columns have common names for intervals; likeliest: 'model_low_bound', 'model_prediction'; "
        "others: 'y', 'x0', 'x1', 'x2', 'x3', 'x4', 'x5', 'x6' and 23 more"
    )
    with raises(MissingColumnError, "y_true") as caught:
        uc.Intervals.from_frame(table(f"{others} lower upper load_actual"))
    assert "likeliest: 'load_actual'; others: 'x0'" in caught.value.problem
    with raises(MissingColumnError) as caught:
        uc.Models.from_frame(pd.DataFrame())
    assert caught.value.problem.endswith("among none")
