"""Files with several levels of a model: all of them, or one, with words for what goes wrong."""

from __future__ import annotations

import json
import re

import numpy as np
import polars as pl
import pytest
from command_runs import batch
from scipy import stats

import uccurve as uc

LEVELS = (50, 80, 90, 95)
N = 120


def skewed_forecasts():
    """Two models of skewed observations, with four and with two levels, as Nixtla's libraries write them."""
    rng = np.random.default_rng(0)
    mean, scale = 10 + 3 * rng.normal(size=N), np.exp(rng.normal(size=N) / 2)
    truth = stats.gamma(3.0, mean - 3 * scale, scale)
    columns = {"unique_id": np.where(np.arange(N) % 2, "a", "b"), "y": truth.rvs(random_state=rng)}
    for name, levels, model in (
        ("Net", LEVELS, stats.gamma(3.0, mean - 2.4 * scale, 0.8 * scale)),
        ("Flat", (80, 95), stats.norm(mean, 1.5)),
    ):
        columns[name] = model.mean()
        columns[f"{name}-median"] = model.median()
        for level in levels:
            columns[f"{name}-lo-{level}"] = model.ppf(0.5 - level / 200)
            columns[f"{name}-hi-{level}"] = model.ppf(0.5 + level / 200)
    return pl.DataFrame(columns)


FRAME = skewed_forecasts()


def by_hand(name, levels=LEVELS, frame=FRAME):
    """The same intervals in Python."""
    places = {0.5: f"{name}-median"}
    for level in levels:
        places |= {
            (100 - level) / 200: f"{name}-lo-{level}",
            1 - (100 - level) / 200: f"{name}-hi-{level}",
        }
    return uc.Intervals.from_frame(frame, y_true="y", y_pred=name, quantiles=places)


def ran(tmp_path, *commands, frame=FRAME):
    """Run commands on a file of the rows; return the exit code, the output and the messages of each."""
    frame.write_csv(tmp_path / "f.csv")
    return batch([list(command) for command in commands], tmp_path)


def test_all_levels_are_used(tmp_path):
    """The numbers are those of Python, for each model and segment, and the claims are told."""
    ((code, printed, _), (_, table, notes), (_, narrow, _)) = ran(
        tmp_path,
        ("score", "f.csv", "--vary", "level", "--json", "--by", "unique_id", "--coverage", "0.8"),
        ("score", "f.csv", "--vary", "level"),
        ("score", "f.csv", "--vary", "level", "--json", "--level", "80"),
    )
    assert code == 0
    scores = json.loads(printed)["scores"]
    for name, levels in (("Net", LEVELS), ("Flat", (80, 95))):
        rows = by_hand(name, levels)
        for label, part in ((None, rows), *rows.by(FRAME["unique_id"]).items()):
            (score,) = [s for s in scores if (s["model"], s["segment"]) == (name, label)]
            curve = part.ucc(vary="level")
            assert score["area"] == pytest.approx(curve.area(), rel=1e-12)
            assert score["nominal"] == 0.95
            assert score["nominal_at_target"] == pytest.approx(curve.at(coverage=0.8).nominal, rel=1e-12)
    assert re.search("^model +as supplied +claims .* to take$", table, re.MULTILINE)
    assert (
        "Net has the levels 50, 80, 90, 95; the widest gives the bounds. --nominal chooses another." in notes
    )
    (net, _) = json.loads(narrow)["scores"]
    wanted = by_hand("Net", (50, 80)).ucc(vary="level")
    assert (net["area"], net["nominal"]) == (pytest.approx(wanted.area(), rel=1e-12), 0.8)


def test_the_default_is_the_widest_level_with_its_claim(tmp_path):
    """As before, but what is claimed stands beside what is covered."""
    ((_, printed, notes), (_, plain, _), (_, document, _)) = ran(
        tmp_path,
        ("score", "f.csv"),
        ("score", "f.csv", "--json", "--model", "m=Net,Net-lo-80,Net-hi-95"),
        ("score", "f.csv", "--json"),
    )
    assert any("--nominal chooses another." in note for note in json.loads(document)["notes"])
    assert (
        "Net has the levels 50, 80, 90, 95; the widest gives the bounds. --nominal chooses another." in notes
    )
    assert "  95%  " in printed
    assert json.loads(plain)["scores"][0]["nominal"] is None


def test_figures_take_levels_and_comparisons_tell_claims(tmp_path):
    compare = ("compare", "f.csv", "--n-resamples", "9", "--level", "80")
    ((plotted, _, _), (compared, printed, _), (_, document, _), (_, _, reported)) = ran(
        tmp_path,
        ("plot", "f.csv", "--vary", "level", "-o", "f.svg"),
        compare,
        (*compare, "--json"),
        ("report", *compare[1:]),
    )
    assert (plotted, compared) == (0, 0)
    assert (tmp_path / "f.svg").stat().st_size > 0
    coverage = 100 * by_hand("Net", (50, 80)).ucc().original.coverage
    note = f"Net claims 80% coverage and covers {coverage:.1f}%."
    assert note in json.loads(document)["notes"]
    assert note in reported
    assert re.search(rf"^Net +{coverage:.1f}% +80% ", printed, re.MULTILINE)


def test_what_has_no_levels_is_told_how_to_get_them(tmp_path):
    """Bounds without a level, sketches and scans, and calibration."""
    FRAME.rename({"Net-lo-95": "low", "Net-hi-95": "high"}).write_csv(tmp_path / "plain.csv")
    results = ran(
        tmp_path,
        ("sketch", "f.csv", "-o", "f.ucc"),
        ("score", "plain.csv", "--vary", "level", "--y-pred", "Net", "--lower", "low", "--upper", "high"),
        ("score", "f.ucc", "--vary", "level"),
        ("score", "f.csv", "--vary", "level", "--engine", "auto"),
        ("calibrate", "plain.csv", "--vary", "level", "-o", "new.csv", "--lower", "low", "--upper", "high"),
    )
    assert [code for code, _, _ in results] == [0, 1, 2, 2, 1]
    _, plain, sketch, scan, calibrated = (told for _, _, told in results)
    assert "model has no levels, but 'low', 'high'. --vary level needs bounds" in calibrated
    assert plain == (
        "error: plain.csv: model has no levels, but 'Net', 'low', 'high'. --vary level needs bounds whose names "
        "tell their levels, such as Model-lo-50, Model-hi-50, Model-lo-90 and Model-hi-90, or q05, q25, q75 and "
        "q95.\n"
    )
    assert "--vary level needs the rows, but a sketch keeps none" in sketch
    assert "--vary level needs the rows, but a scan keeps none" in scan
