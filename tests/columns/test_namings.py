"""Every naming of columns that is known: what is detected, and the coverage that it claims."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import uccurve as uc
from errors import raises
from uccurve.cli import main
from uccurve.exceptions import MissingColumnError

DEVIATION = 0.6827

NAMINGS = [  # the columns, observations first; the prediction; bounds, quantiles by level, or a deviation; the claim
    ("y yhat lower upper", "yhat", "lower upper", None),
    ("actual pred lo hi", "pred", "lo hi", None),
    ("observed fit lwr upr", "fit", "lwr upr", None),
    ("target prediction low high", "prediction", "low high", None),
    ("actual prediction pi_low pi_high", "prediction", "pi_low pi_high", None),
    ("y_true forecast Lower Upper", "forecast", "Lower Upper", None),
    ("y_test y_pred y_lower y_upper", "y_pred", "y_lower y_upper", None),
    ("y yhat yhat_lower yhat_upper ds", "yhat", "yhat_lower yhat_upper", None),
    ("y_test y_pred y_std", "y_pred", "y_std", DEVIATION),
    ("y mu sigma", "mu", "sigma", DEVIATION),
    ("y mean sd", "mean", "sd", DEVIATION),
    ("y fit se_pred", "fit", "se_pred", DEVIATION),
    ("y gbm gbm_std", "gbm", "gbm_std", DEVIATION),
    ("y gbm_pred gbm_std", "gbm_pred", "gbm_std", DEVIATION),
    ("Actual|Forecast|Lower 95%|Upper 95%", "Forecast", "Lower 95%|Upper 95%", 0.95),
    ("y pred lower_95 upper_95", "pred", "lower_95 upper_95", 0.95),
    ("y pred lo95 hi95", "pred", "lo95 hi95", 0.95),
    ("y q05 q95 sigma", None, "q05 q95", 0.9),
    ("y|Point Forecast|Lo 80|Hi 80|Lo 95|Hi 95", "Point Forecast", "Lo 95|Lo 80|Hi 80|Hi 95", 0.95),
    ("y Point.Forecast Lo.95 Hi.95", "Point.Forecast", "Lo.95 Hi.95", 0.95),
    ("y pred pred_lower_90 pred_upper_90", "pred", "pred_lower_90 pred_upper_90", 0.9),
    ("y pred gbm_lower_90 gbm_upper_90", "pred", "gbm_lower_90 gbm_upper_90", 0.9),
    ("y_true gbm_pred gbm_lo90 gbm_hi90", "gbm_pred", "gbm_lo90 gbm_hi90", 0.9),
    ("y A A-lo-90 A-hi-90", "A", "A-lo-90 A-hi-90", 0.9),
    ("y A A-lo-50 A-lo-90 A-hi-90 A-hi-50", "A", "A-lo-90 A-lo-50 A-hi-50 A-hi-90", 0.9),
    ("y A_ql0.05 A_ql0.95", None, "A_ql0.05 A_ql0.95", 0.9),
    ("target p10 p50 p90", None, "p10 p50 p90", 0.8),
    ("target gbm_q05 gbm_q50 gbm_q95", None, "gbm_q05 gbm_q50 gbm_q95", 0.9),
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
        ("y gbm gbm_std rf rf_std", ["gbm", "rf"]),
        ("y gbm gbm_lo90 gbm_hi90 rf rf_lower rf_upper", ["gbm", "rf"]),
        ("y a_lower_90 a_upper_90 b_lower_90 b_upper_90", ["a", "b"]),
        ("y a_pred a_sd b b_lo b_hi b_std", ["a", "b"]),
        ("y_test y_pred y_lower y_upper", ["y"]),
        ("y yhat lower upper temp temp_std", ["model"]),
        ("y yhat sigma price price_low_5 price_high_5", ["model"]),
        ("observed fit lwr upr", ["model"]),
    ],
)
def test_the_command_line_detects_the_same_models(columns, models, tmp_path, capsys):
    """Several models where names tell several; features beside other intervals are none."""
    table(columns).to_csv(tmp_path / "rows.csv", index=False)
    assert main(["score", str(tmp_path / "rows.csv"), "--json"]) == 0
    assert sorted(row["model"] for row in json.loads(capsys.readouterr().out)["scores"]) == models


@pytest.mark.parametrize(
    ("columns", "argument"),
    [
        ("y lower upper Lower_95 Upper_95", "lower"),
        ("y p5 p95 Lower_95 Upper_95", None),
        ("y 0.05 q50 0.95", None),
        ("y yhat pred lower upper", "y_pred"),
        ("y gbm gbm_std gbm_sd", "std"),
        ("y gbm gbm_std rf rf_std", "model"),
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
