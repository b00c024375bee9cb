"""Comparisons: every table against the functions it is made of, and the sentences against the tables."""

from __future__ import annotations

import math
import re

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

import uccurve as uc
from errors import raises
from two_models import N, models
from uccurve import exceptions as ex
from uccurve.comparison.scoring import adjust_holm


def test_scores_are_the_curve_s(comparison):
    """One row a model and one for the constant band, which gains nothing."""
    scores = comparison.scores.columns()
    assert scores["model"] == ["sharp", "damped", "constant width"]
    assert scores["score_at"] == sorted(scores["score_at"])
    for place, name in enumerate(scores["model"]):
        curve = comparison.curves[name]
        assert scores["n"][place] == N
        assert scores["area"][place] == curve.area()
        assert scores["gain"][place] == curve.gain()
        assert scores["score_at"][place] == curve.score_at(coverage=0.9)
        assert scores["bandwidth_at"][place] == curve.at(coverage=0.9).bandwidth
        assert scores["gain_at"][place] == curve.gain_at(coverage=0.9)
        assert scores["ceiling"][place] == curve.ceiling()
        assert scores["deficit_gain"][place] == curve.gain(y="deficit")
        for cost in ("miss_rate", "coverage", "bandwidth", "excess", "deficit"):
            assert scores[cost][place] == getattr(curve.original, cost)
    assert scores["gain"][2] == 0
    interval = uc.confidence_interval(models()["sharp"], "gain", y="deficit", rng=1)
    assert scores["deficit_gain_low"][0] == pytest.approx(interval.low, abs=0.4 * interval.standard_error)


def test_every_pair_is_tested_and_adjusted(comparison):
    """Ratios are of interval scores, first over second; three p-values are adjusted for being three."""
    tests = comparison.tests.columns()
    assert list(zip(tests["a"], tests["b"], strict=True)) == [
        ("sharp", "damped"),
        ("sharp", "constant width"),
        ("damped", "constant width"),
    ]
    for place, (a, b) in enumerate(zip(tests["a"], tests["b"], strict=True)):
        first, second = (comparison.curves[name] for name in (a, b))
        assert tests["ratio"][place] == pytest.approx(
            first.score_at(coverage=0.9) / second.score_at(coverage=0.9)
        )
        assert tests["ratio_low"][place] < tests["ratio"][place] < tests["ratio_high"][place]
        width = first.at(coverage=0.9).bandwidth / second.at(coverage=0.9).bandwidth
        assert tests["width_ratio"][place] == pytest.approx(width)
        clear = tests["ratio_high"][place] < 1 and tests["pvalue_holm"][place] <= 0.05
        assert tests["clear"][place] == clear
    assert tests["pvalue_holm"] == list(adjust_holm(dict(enumerate(tests["pvalue"]))).values())
    assert not any(name.startswith("area") for name in tests)


def test_segments_are_scored_on_their_own(comparison):
    """As if each were the whole."""
    table = comparison.segments.columns()
    assert table["segment"] == ["even"] * 3 + ["odd"] * 3
    even = models()["damped"].by(np.where(np.arange(N) % 2, "odd", "even"))["even"]
    assert table["gain"][1] == even.ucc().gain()


def test_the_sentences_say_what_the_numbers_say(comparison):
    """Each figure in them can be found again."""
    text = comparison.summary()
    lead = comparison.standings.lead("sharp", "damped")
    assert f"interval score is {100 * lead.value:.0f}% better than damped's" in text
    assert f"95% CI {100 * lead.low:.0f}–{100 * lead.high:.0f}%" in text
    regime = next(regime for regime in comparison.regimes if regime.clear)
    assert f"From {100 * (1 - regime.high):g}% to {100 * (1 - regime.low):g}% coverage, sharp" in text


def test_names_cannot_move_the_cursor():
    """Control characters of a name are shown as a mark, in sentences as in tables; so is what turns text around."""
    found = uc.compare({"a\x1b[2J\nb\u202e": models()["sharp"]}, n_resamples=9, rng=0)
    assert not re.search("[\x1b\u202e]", str(found))
    assert "a�[2J�b�" in str(found)


def test_the_library_of_the_frames_is_the_user_s(comparison):
    """The one the rows came in, else the first that is installed; any other on request."""
    assert isinstance(comparison.scores.to_frame(), pd.DataFrame)
    found = uc.compare(models(pl.Series), n_resamples=9, rng=0)
    for table in (found.scores, found.tests, found.regimes, found.crossings):
        assert isinstance(table.to_frame(), pl.DataFrame)
        assert isinstance(table.to_frame("pandas"), pd.DataFrame)
    assert found.scores.to_frame().height == 3


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize(
    "labels", [[("a", 1), ("b", 2)], list(pd.period_range("2026-01", periods=2, freq="M"))]
)
def test_frames_have_any_labels_as_text_and_their_columns_also_without_rows(backend, labels):
    """One model crosses no other; tuples and periods are no cells of every library."""
    rows = models()["sharp"]
    by = np.fromiter((labels[place % 2] for place in range(rows.n)), dtype=object)
    found = uc.compare(rows, by=by, n_resamples=9, rng=0)
    wanted = [str(label) for label in labels]
    assert list(dict.fromkeys(map(str, found.segments.to_frame(backend)["segment"]))) == wanted
    covered = uc.conditional_coverage(rows, by=by).to_frame(backend)
    assert [str(label) for label in covered["segment"]] == wanted
    assert "better_above" in nw.from_native(found.crossings.to_frame(backend)).columns


@pytest.mark.parametrize(
    ("name", "by", "error"), [("a", [1], "by"), ("a", "segment", "by"), ("", None, "models")]
)
def test_an_error_names_the_argument_that_users_pass(name, by, error):
    """Labels are passed as `by`, and models have names, or sentences would have gaps."""
    with raises((ex.ShapeError, ex.ArgumentError), error):
        uc.compare({name: models()["sharp"]}, by=by, n_resamples=9)


def test_tables_are_sequences_of_records_that_nobody_changes(comparison):
    """By place, as columns, as text; segments are None where none were asked for."""
    score = comparison.scores[0]
    assert (score.model, score.n) == ("sharp", N)
    assert comparison.scores[-1].model == "constant width"
    assert [one.model for one in comparison.scores[:2]] == ["sharp", "damped"]
    comparison.scores.columns()["model"].clear()
    assert len(comparison.scores.columns()["model"]) == 3
    with pytest.raises(AttributeError):
        score.area = 0
    segment = comparison.segments[0]
    assert (segment.segment, segment.score.model) == ("even", "sharp")


def test_estimates_are_laid_out_in_flat_columns(comparison):
    """A frame has the value, its ends and what is said about them beside each other, under the field's name."""
    tables = (comparison.scores, comparison.tests, comparison.segments)
    scores, tests, segments = (table.columns() for table in tables)
    gain, ratio = comparison.scores[0].gain, comparison.tests[0].ratio
    covered = comparison.segments[0].coverage_at
    ends = [scores[f"gain{end}"][0] for end in ("", "_low", "_high", "_reliable")]
    assert ends == [gain.value, gain.low, gain.high, gain.reliable]
    assert [tests[f"ratio{end}"][0] for end in ("", "_low", "_high")] == [ratio.value, ratio.low, ratio.high]
    ends = [segments[f"coverage_at{end}"][0] for end in ("", "_low", "_high", "_significant")]
    assert ends == [covered.value, covered.low, covered.high, covered.significant]
    assert not {"ratio_reliable", "coverage_at_reliable"} & (tests.keys() | segments.keys())


def test_segments_and_deficits_are_left_out_unless_asked_for(comparison):
    """With the deficit on the vertical axis, its gain is the gain."""
    deficit = uc.compare(models(), y="deficit", n_resamples=9, rng=0)
    assert deficit.segments is None
    assert not any(name.startswith("deficit_") for name in deficit.scores.columns())  # it is the gain
    assert repr(comparison) == (
        "Comparison('sharp', 'damped'; 1500 rows, areas on bandwidth and miss rate, vary='scale')"
    )


def test_models_with_different_predictions_have_a_constant_band_each():
    """Gains are relative to the own predictions; areas compare all."""
    a = models()["sharp"]
    other = uc.Intervals.from_bands(a.y_true, a.y_pred + 1, a.lower_band)
    found = uc.compare({"a": a, "b": other}, n_resamples=9, rng=0)
    assert list(found.curves) == ["a", "b", "constant width of a", "constant width of b"]
    assert len(found.tests) == 6
    assert set(found.at(coverage=0.9).order) == set(found.curves)
    assert found.own_constant_band == {"a": "constant width of a", "b": "constant width of b"}


SHARP, DAMPED = models().values()
FEW = uc.Intervals.from_bands(np.arange(10.0), np.zeros(10), 1.0)


@pytest.mark.parametrize(
    ("given", "options", "argument"),
    [
        ({}, {}, "models"),
        ({"a": [1, 2]}, {}, "models['a']"),
        ({"constant width": FEW}, {}, "models"),
        ({"a": SHARP, "b": DAMPED[:10]}, {}, "y_true"),
        ({"a": SHARP.sketch(), "b": SHARP}, {}, "models['b']"),
        ({"a": SHARP.sketch(), "b": FEW.sketch()}, {}, "models"),
        ({"a": SHARP.sketch()}, {"vary": "shift"}, "vary"),
        ({"a": SHARP.sketch()}, {"blocks": 7}, "blocks"),
    ],
)
def test_models_are_checked(given, options, argument):
    """Before anything is computed; sketches have no rows that depend on each other, and are only scaled."""
    with raises(ex.UccurveError, argument):
        uc.compare(given, **options)


def test_sketches_are_compared_without_tests():
    """The same scores where they are exact, and sentences that claim no more than they can."""
    rows = models()
    found = uc.compare({name: intervals.sketch() for name, intervals in rows.items()})
    exact = uc.compare(rows, n_resamples=9, rng=0)
    assert list(found.curves) == list(exact.curves)
    for column in ("n", "bandwidth", "score_at", "area", "gain", "ceiling", "deficit_gain"):
        mine, theirs = found.scores.columns()[column], exact.scores.columns()[column]
        assert mine[:2] == pytest.approx(theirs[:2], rel=1e-9), column
    assert all(math.isnan(test.pvalue) and not test.clear for test in found.tests)
    assert [test.ratio.value for test in found.tests] == pytest.approx(
        [test.ratio.value for test in exact.tests], rel=0.01
    )
    assert all(math.isnan(low) for low in found.scores.columns()["gain_low"][:2])
    assert not any(regime.clear for regime in found.regimes)
    assert not found.at(coverage=0.9).tested
    assert found.recommendation.best is None
    assert "clear" not in found.summary()
    other = uc.Intervals.from_bands(rows["sharp"].y_true, rows["sharp"].y_pred + 1, rows["sharp"].lower_band)
    apart = uc.compare({"a": rows["sharp"].sketch(), "b": other.sketch()})
    assert list(apart.curves) == ["a", "b", "constant width of a", "constant width of b"]
