"""What a comparison says in Python: the verdict of the command line and the page, and findings that cannot be misread."""

from __future__ import annotations

import copy
import pickle
import re

import numpy as np
import pytest

import uccurve as uc
from uccurve import exceptions as ex
from uccurve.comparison import verdict
from uccurve.datasets import make_heteroscedastic


@pytest.fixture(scope="module")
def compared(crossing):
    return uc.compare(crossing, n_resamples=99, rng=0)


@pytest.fixture(scope="module")
def sketched(crossing):
    return uc.compare({name: rows.sketch() for name, rows in crossing.items()})


def test_the_verdict_is_that_of_the_command_line_and_the_page(compared):
    """All its sentences, in one string."""
    assert compared.verdict == " ".join(verdict(compared).sentences)
    assert compared.verdict.startswith(
        "For 90% coverage use damped: 7% narrower than sharp (95% interval 4–10%)"
    )
    assert "As delivered damped covers 67% and sharp covers 69%: for 90% multiply by 2.12" in compared.verdict


def test_the_summary_begins_with_the_verdict(compared):
    """Then come the findings, which stay as they are."""
    assert compared.summary().splitlines() == [compared.verdict, *compared.findings]


def test_print_begins_with_the_verdict_on_short_lines(compared):
    """A number keeps its per cent sign; the tables follow after a blank line."""
    first, scores, *_ = str(compared).split("\n\n")
    assert first.replace("\n", " ") == compared.verdict
    lines = first.splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= 100
    assert not any(line.startswith("%") for line in lines)
    assert scores.startswith("Scores, areas on")


def test_a_notebook_shows_the_verdict_first_and_the_repr_stays_short(crossing, compared):
    """Names that users gave are escaped there, too."""
    html = compared._repr_html_()
    assert html.startswith("<p><strong>For 90% coverage use damped: ")
    assert "\n" not in repr(compared)
    evil = uc.compare({"<img src=x>": crossing["sharp"]}, n_resamples=9, rng=0)
    assert "<img" not in evil._repr_html_()
    assert "&lt;img" in evil._repr_html_().split("</p>")[0]


def test_copies_have_the_same_verdict(compared):
    """Whether it was asked for before, or not."""
    before = compared.verdict
    assert copy.copy(compared).verdict == before
    assert pickle.loads(pickle.dumps(compared)).verdict == before  # noqa: S301


def over_all(comparison, name):
    """Return the finding about a model's area."""
    return next(text for text in comparison.findings if f"the area of {name} on" in text)


@pytest.mark.parametrize("coverage", [0.5, 0.9, 0.99])
def test_an_area_is_said_to_be_over_all_coverages(crossing, coverage):
    """Where it contradicts the bandwidth at the chosen coverage, the sentence says that it does."""
    comparison = uc.compare(crossing, coverage=coverage, n_resamples=9, rng=0)
    for name, model in comparison.models.items():
        line = over_all(comparison, name)
        assert line.startswith(
            f"Over all coverages, from 0 to 100%, the area of {name} on bandwidth and miss rate is"
        )
        at, area = model.gain_at(coverage=coverage), model.gain()
        words = {
            (True, False): f": it needs less bandwidth at {100 * coverage:g}%, but more on average.",
            (False, True): f": it needs more bandwidth at {100 * coverage:g}%, but less on average.",
        }.get((at > 0, area > 0), ").")
        assert line.endswith(words), line
    assert {np.sign(m.gain_at(coverage=coverage)) for m in comparison.models.values()} <= {-1, 1}


def test_both_contradictions_occur(crossing):
    """Sharp bands are narrow at 99% only; the test above would be empty without one."""
    sharp, damped = (crossing[name].ucc() for name in ("sharp", "damped"))
    assert sharp.gain() < 0 < sharp.gain_at(coverage=0.99)
    assert damped.gain_at(coverage=0.5) < 0 < damped.gain()


@pytest.mark.parametrize("axes", [{"y": "deficit"}, {"x": "excess"}, {"vary": "shift"}])
def test_only_the_area_that_is_a_mean_bandwidth_is_held_against_the_bandwidth(crossing, axes):
    """On other axes signs may differ for other reasons."""
    comparison = uc.compare(crossing, coverage=0.99, n_resamples=9, rng=0, **axes)
    assert not any("on average" in text for text in comparison.findings)
    assert over_all(comparison, "sharp")


def test_what_was_never_tested_is_not_called_insignificant(sketched):
    """Sketches keep no rows to test."""
    table = repr(sketched.regimes).splitlines()
    assert "significant" in table[1]
    assert all(line.rstrip().endswith("not tested") for line in table[2:])
    assert not any(sketched.regimes.columns()["significant"])


def test_ranges_without_a_known_order_have_no_significance():
    """There is nobody whose lead could be tested; the others say yes or no."""
    data = make_heteroscedastic(500, rng=0)
    models = {
        name: uc.Intervals.from_bands(data.y_true, data.y_pred, data.std**power)
        for name, power in (("damped", 0.5), ("truth", 1))
    }
    shown = uc.compare(models, n_resamples=99, rng=0).regimes._readable()
    for best, p, words in zip(shown["best"], shown["p"], shown["significant"], strict=True):
        assert (words == "–") == (best == "–")
        assert words in ("–", "yes", "no")
        assert (p == "–") == (words == "–")
    assert "–" in shown["best"]


def test_constant_bands_show_no_interval_of_their_gain(compared, sketched):
    """It is 0 by definition: "[0.0, 0.0]" looks like a finding."""
    for comparison in (compared, sketched):
        assert "[0.0, 0.0]" not in str(comparison)
        assert "[0.0, 0.0]" not in comparison._repr_html_()
        assert comparison.scores[-1].gain_low == comparison.scores[-1].gain_high == 0
    assert "[" in repr(compared.scores)
    assert "[" not in repr(sketched.scores)


def by_country(*, several=False):
    """Return sketches as `scan` returns them with `by`."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=60)
    labels = np.repeat(["DE", "FR"], [40, 20])
    found = {}
    for model in ("gbm", "naive"):
        rows = uc.Intervals.from_bands(y, 0 * y, rng.lognormal(size=60))
        for label, part in rows.by(labels).items():
            found[(model, label, 2024) if several else (model, label)] = part.sketch()
    return found


@pytest.mark.parametrize("several", [False, True])
def test_segments_in_place_of_models_are_explained(several):
    """The message names both keys, and its way out works as it stands."""
    found = by_country(several=several)
    label = "'DE', 2024" if several else "'DE'"
    other = label.replace("DE", "FR")
    with pytest.raises(ex.ArgumentError) as caught:
        uc.compare(found)
    assert str(caught.value) == (
        f"`models` must be on the same rows, but ('gbm', {label}) has 40 and ('gbm', {other}) has 20. Choose one "
        f"segment, {{model: sketches[model, {label}] for model in ('gbm', 'naive')}}, or add up those of each model, "
        "{model: sum(s for key, s in sketches.items() if key[0] == model) for model in ('gbm', 'naive')}."
    )
    ways = re.findall(r"\{.*?\('gbm', 'naive'\)\}", str(caught.value))
    assert len(ways) == 2
    for way, rows in zip(ways, (40, 60), strict=True):
        comparison = uc.compare(eval(way, {"sketches": found}))  # noqa: S307 - code of a message of our own
        assert list(comparison.models) == ["gbm", "naive"]
        assert comparison.scores[0].n == rows


def test_models_on_other_rows_are_named(crossing):
    """Sketches by their number of rows, intervals by what differs."""
    sharp, damped = crossing["sharp"], crossing["damped"]
    with pytest.raises(ex.ArgumentError, match=re.escape(f"but 'a' has {sharp.n} and 'b' has 10.")):
        uc.compare({"a": sharp.sketch(), "b": damped[:10].sketch()})
    with pytest.raises(
        ex.PairError, match=re.escape("`models['a']` and `models['b']`: a pair must be on the same rows")
    ):
        uc.compare({"a": sharp, "b": damped[:10]})
