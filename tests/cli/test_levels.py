"""Files with several levels of a model: all of them, or one, with words for what goes wrong."""

from __future__ import annotations

import json
import re

import pytest
from command_runs import batch, forecasts, good, refused

import uccurve as uc

ARIMA = "AutoARIMA"


def by_hand():
    """The same intervals in Python."""
    levels = {0.05: "lo-90", 0.1: "lo-80", 0.9: "hi-80", 0.95: "hi-90"}
    places = {share: f"{ARIMA}-{name}" for share, name in levels.items()}
    return uc.Intervals.from_frame(forecasts(), y_true="y", y_pred=ARIMA, quantiles=places)


def test_all_levels_are_used(folder, tmp_path):
    """The numbers are those of Python, for each segment, and the claims are told."""
    file = str(folder / "f.csv")
    level = ["score", file, "--vary", "level"]
    commands = [
        [*level, "--json", "--by", "unique_id", "--coverage", "0.8"],
        level,
        ["score", file],
        ["compare", file, "--vary", "level", "--n-resamples", "9"],
        ["plot", file, "--vary", "level", "-o", "f.svg"],
    ]
    done = batch(commands, tmp_path)
    assert [code for code, _, _ in done] == [0] * len(done), done
    printed, table, plain, compared, _ = (out for _, out, _ in done)
    found = {one["segment"]: one for one in json.loads(printed)["scores"] if one["model"] == ARIMA}
    for label, part in ((None, by_hand()), *by_hand().by(forecasts()["unique_id"]).items()):
        curve = part.ucc(vary="level")
        assert found[label]["area"] == pytest.approx(curve.area(), rel=1e-12)
        assert found[label]["nominal"] == 0.9
        assert found[label]["nominal_at_target"] == pytest.approx(curve.at(coverage=0.8).nominal, rel=1e-12)
    for text in (table, compared):
        assert re.search("^model +as supplied +claims .* to take$", text, re.MULTILINE)
    assert re.search("^model +as supplied +claims .* by$", plain, re.MULTILINE)
    assert "the widest gives the bounds. --nominal chooses another." in done[2][2]


def test_what_has_no_levels_says_how_to_get_them(tmp_path):
    """Bounds without a level, sketches and scans, and calibration."""
    forecasts().rename({"Naive-lo-90": "low", "Naive-hi-90": "high"}).write_csv(tmp_path / "plain.csv")
    forecasts().write_csv(tmp_path / "f.csv")
    good("sketch", "f.csv", "-o", "f.ucc", cwd=tmp_path)
    level = ("--vary", "level")
    plain = ("plain.csv", *level, "--y-pred", "Naive", "--lower", "low", "--upper", "high")
    for command in (("score", *plain), ("calibrate", *plain, "-o", "new.csv")):
        line = refused(*command, cwd=tmp_path, code=1)
        assert line.startswith("plain.csv: model has no levels, only 'Naive', 'low', 'high'.")
    for command in (("score", "f.ucc", *level), ("score", "f.csv", *level, "--scan")):
        assert "--vary level needs the rows" in refused(*command, cwd=tmp_path, code=2)
