"""What a comparison says is one thing: in the table, on the ratio lines, in sentences, at every coverage."""

from __future__ import annotations

import dataclasses
import math
import re

import numpy as np
import pytest

import uccurve as uc
from uccurve.datasets import make_crossing
from uccurve.exceptions import UnreachableError

COVERAGES = np.round(np.linspace(0.005, 0.995, 199), 3)  # with the coverage that is chosen: 200
PRINTED = re.compile(r"CI ([−\d.]+)(?:–| to )([−\d.]+)%")


def noises(rng, n):
    return {"Gaussian": rng.normal(size=n), "t5": rng.standard_t(5, n), "Laplace": rng.laplace(size=n)}


def powers(n=600, law="Gaussian", seed=0):
    """The true scale, its root, and a noisy one, around the same predictions."""
    rng = np.random.default_rng(seed)
    scale = rng.lognormal(sigma=0.5, size=n)
    y = scale * noises(rng, n)[law]
    bands = {"truth": scale, "damped": np.sqrt(scale), "noisy": scale * rng.lognormal(sigma=0.4, size=n)}
    return {name: uc.Intervals.from_bands(y, 0 * y, band) for name, band in bands.items()}


def different_predictions():
    """Each model has a constant width of its own; weights and asymmetric bands."""
    rng = np.random.default_rng(1)
    scale, weight = rng.lognormal(sigma=0.6, size=500), rng.integers(1, 4, size=500)
    y = scale * rng.normal(size=500)
    return {
        name: uc.Intervals.from_bands(
            y, shift + 0 * y, scale**power, 1.3 * scale**power, sample_weight=weight
        )
        for name, shift, power in (("a", 0.0, 1.0), ("b", 0.3, 1.0), ("c", 0.0, 0.2))
    }


def crossing():
    return {name: rows[:1500] for name, rows in make_crossing().models.items()}


DATA = {
    "powers, by score": (powers, {}),
    "powers, by width": (lambda: powers(law="Laplace"), {"rank_by": "bandwidth"}),
    "a crossing, by width": (crossing, {"rank_by": "bandwidth", "coverage": 0.95}),
    "different predictions": (different_predictions, {"coverage": 0.8}),
    "shifted": (lambda: powers(n=300), {"vary": "shift"}),
}


def number(curve, coverage, rank_by):
    try:
        return (
            curve.score_at(coverage=coverage)
            if rank_by == "interval_score"
            else curve.at(coverage=coverage).bandwidth
        )
    except UnreachableError:
        return math.nan


@pytest.mark.parametrize("name", DATA)
def test_table_lines_and_sentences_agree_at_200_coverages(name):
    """The winner of the table is the lowest ratio line and the one of the sentence, or it is too close to call."""
    make, options = DATA[name]
    comparison = uc.compare(make(), rng=0, n_resamples=999, **options)
    standings, rank_by = comparison.standings, comparison.options.rank_by
    rivals = {name: comparison.curves[name] for name in standings.names}
    chosen = 1 - comparison.options.miss_rate
    for coverage in [*COVERAGES, chosen]:
        standing = comparison.at(coverage=coverage)
        numbers = {name: number(curve, coverage, rank_by) for name, curve in rivals.items()}
        least = min(numbers.values())
        place = int(np.argmin(np.abs(standings.rates - (1 - coverage))))
        if abs(standings.rates[place] - (1 - coverage)) > 1e-9:
            # between two miss rates: a winner is one of the exact numbers as well, up to what lies between them
            assert standing.best is None or numbers[standing.best] <= least * 1.01
            continue
        first = standing.order[0]
        assert numbers[first] == pytest.approx(least, rel=1e-9)
        below = [(ratio.value[place], a, b) for (a, b), ratio in standings.ratios.items() if first in (a, b)]
        assert all(
            value <= 1e-9 if a == first else value >= -1e-9 for value, a, _ in below if not math.isnan(value)
        )
        sentence = comparison.answers[place]
        assert first in sentence
        assert ("too close to call" in sentence) == (standing.best is None and standing.tested)
        assert (standing.best is not None) == bool(re.search(r", use |clearly best|narrowest", sentence))
        models = [one for one in standing.order if one in comparison.models]
        if standing.best not in comparison.constant_bands and standings.is_clear(*models[:2], place):
            # who is next of the models and of all, whatever constant widths lie between
            assert f"than {models[1]}" in sentence
            assert re.search(f"(than|and|that of) {standing.order[1]}", sentence)
        (regime,) = [one for one in comparison.regimes if one.low <= standings.rates[place] <= one.high]
        assert regime.best == standing.best
        if standing.best is not None and place != standings.chosen:
            for other in standing.order[1:]:
                ratio = standings.ratios.get((first, other)) or standings.ratios[other, first]
                assert abs(ratio.value[place]) > ratio.margin[place]
    assert comparison.recommendation.best == comparison.at(coverage=chosen).best
    assert comparison.answers[standings.chosen] == comparison.recommendation.answer
    clear = [one for one in comparison.regimes if one.clear and one.high > one.low]
    ends = {f"{100 - 100 * one.high:.12g}% to {100 - 100 * one.low:.12g}%" for one in clear}
    titled = re.findall(r"from ([\d.]+% to ([\d.]+)%)", comparison.leaders)
    assert {text for text, _ in titled} <= ends
    assert all(float(end) > 50 for _, end in titled)  # where charts begin
    assert titled or not any(one.low < 0.5 for one in clear)
    assert comparison.scores[0].model in comparison.at(coverage=chosen).order[:1]


def test_nothing_is_called_clear_beside_an_interval_that_holds_zero():
    """In 80 simulated comparisons of models that are alike, and of models that differ."""
    said = 0
    for seed in range(80):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(60, 250))
        scale = rng.lognormal(sigma=0.5, size=n)
        y = scale * noises(rng, n)[("Gaussian", "t5", "Laplace")[seed % 3]]
        spread = (0.1, 0.5)[seed % 2]
        models = {
            name: uc.Intervals.from_bands(y, 0 * y, scale * rng.lognormal(sigma=spread, size=n))
            for name in ("a", "b")
        }
        rank_by = ("interval_score", "bandwidth")[seed % 4 == 3]
        comparison = uc.compare(models, rng=seed, rank_by=rank_by, n_resamples=499)
        for sentence in (comparison.recommendation.answer, *comparison.findings):
            clear = sentence.endswith(": clear.") or ", use " in sentence or " is narrowest: " in sentence
            if not clear:
                continue
            said += 1
            for low, high in PRINTED.findall(sentence):
                assert float(low.replace("−", "-")) > 0, sentence
                assert float(high.replace("−", "-")) > 0, sentence
        for test in comparison.tests:
            if test.clear:
                assert not test.ratio.low <= 1 <= test.ratio.high
                assert test.pvalue_holm <= 0.05
    assert said > 20


def test_a_difference_that_rounds_to_nothing_is_no_finding():
    """However small its p-value: models that differ by 0.01% are the same."""
    models = powers(2000)
    truth = models["truth"]
    bands = np.asarray(truth.lower_band)
    nearly = bands * np.where(bands > np.median(bands), 1.0002, 1.0)
    comparison = uc.compare(
        {"truth": truth, "nearly": uc.Intervals.from_bands(truth.y_true, truth.y_pred, nearly)}, rng=0
    )
    (test,) = [test for test in comparison.tests if {test.a, test.b} == {"truth", "nearly"}]
    assert abs(test.ratio.value - 1) < 0.0005
    assert not test.clear
    assert comparison.recommendation.best is None
    assert "the same to 0.05%" in comparison.recommendation.answer


def test_the_narrowest_is_not_recommended_for_missing_noisy_rows():
    """By width the root of the scale leads, by the interval score the truth; quarters tell why."""
    models = powers(8000)
    del models["noisy"]
    by_score = uc.compare(models, rng=0)
    assert by_score.recommendation.best == "truth"
    assert "damped is" in by_score.recommendation.beside
    by_width = uc.compare(models, rng=0, rank_by="bandwidth")
    assert by_width.at(coverage=0.9).order[0] == "damped"
    assert ", use " not in by_width.recommendation.answer
    damped = next(score for score in by_width.scores if score.model == "damped")
    assert damped.wide_coverage.value < 0.85
    assert damped.narrow_coverage.value > 0.93
    assert damped.wide_coverage.significant
    assert damped.narrow_coverage.significant
    assert "widest intervals" in by_width.recommendation.beside


def test_everything_random_comes_from_the_generator():
    """The same seed gives the same words and numbers; nothing is drawn afterwards."""
    models = powers(200)
    one, other = (uc.compare(models, rng=3, n_resamples=199) for _ in range(2))
    assert one.verdict == other.verdict
    assert one.to_dict() == other.to_dict()
    state = np.random.default_rng(3)
    third = uc.compare(models, rng=state, n_resamples=199)
    before = state.bit_generator.state
    assert third.verdict == third.verdict
    assert third.findings
    assert state.bit_generator.state == before


@pytest.mark.parametrize(
    ("claims", "expected"), [((0.8, 0.8), 0.8), ((0.8, 0.9), 0.9), ((None, 0.95), 0.9), ((None, None), 0.9)]
)
def test_the_target_is_what_all_models_claim(claims, expected):
    """If they claim the same; else 90%. It is printed."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=100)
    models = {
        name: uc.Intervals.from_bounds(
            y, -1 - rng.uniform(size=100), 1 + rng.uniform(size=100), nominal=claim
        )
        for name, claim in zip("ab", claims, strict=True)
    }
    comparison = uc.compare(models, rng=0, n_resamples=99)
    assert 1 - comparison.options.miss_rate == pytest.approx(expected)
    assert comparison.verdict.startswith(f"At {100 * expected:g}% coverage")


def test_a_standard_deviation_sets_no_target():
    """It claims 68.27%, which nobody chose."""
    rows = next(iter(powers(100).values()))
    std = uc.Intervals.from_std(rows.y_true, rows.y_pred, rows.lower_band)
    assert uc.compare({"std": std}, rng=0, n_resamples=99).options.miss_rate == 0.1


def test_tests_table_and_scores_table_give_one_interval_for_one_quantity():
    """The ratio to constant width and the gain at the coverage are the same number, with the same ends."""
    comparison = uc.compare(powers(400), rng=0, rank_by="bandwidth", n_resamples=199)
    scores = {score.model: score for score in comparison.scores}
    for test in comparison.tests:
        if test.b == "constant width":
            score = scores[test.a]
            assert 1 - test.ratio.value == pytest.approx(score.gain_at.value, abs=1e-12)
            assert 1 - test.ratio.high == pytest.approx(score.gain_at.low, rel=1e-6, abs=1e-9)
            assert 1 - test.ratio.low == pytest.approx(score.gain_at.high, rel=1e-6, abs=1e-9)


def test_many_models_that_are_alike_are_not_told_apart():
    """The leader is chosen by its luck: of fifteen exchangeable models no two may be clearly different."""
    told_apart = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        scale = rng.lognormal(sigma=0.5, size=120)
        y = scale * rng.normal(size=120)
        models = {
            f"m{k}": uc.Intervals.from_bands(y, 0 * y, scale * rng.lognormal(sigma=0.4, size=120))
            for k in range(15)
        }
        comparison = uc.compare(models, coverage=0.8, rng=seed)
        told_apart += any(test.clear for test in comparison.tests if "constant width" not in (test.a, test.b))
    assert told_apart <= 1


def test_between_two_steps_models_are_ranked_by_their_own_numbers():
    """A model that does not get there is not in the order."""
    y = np.array([1.0, -2.0, 3.0, -0.5, 0.7, 2.2, -1.1, 0.3, 4.0, -0.2])
    zero_width = uc.Intervals.from_bands(y, 0 * y, [0.0, *[1.0] * 9])
    full = uc.Intervals.from_bands(y, 0 * y, np.linspace(1, 2, 10))
    comparison = uc.compare({"zero": zero_width, "full": full}, rng=0, coverage=0.8)
    below = comparison.at(miss_rate=0.09999)
    assert "zero" not in below.order
    assert "zero" in comparison.at(miss_rate=0.1).order
    there = uc.compare({"zero": zero_width, "full": full}, rng=0, coverage=0.9)
    assert not math.isnan(there.tests[0].width_ratio)


def test_several_constant_widths_are_counted_and_the_models_compared():
    """Models with predictions of their own have one each: an answer is about the models."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=300)
    models = {
        name: uc.Intervals.from_bands(y, rng.normal(size=300) / 20, np.exp(rng.normal(size=300) / 20))
        for name in "ab"
    }
    comparison = uc.compare(models, n_resamples=199, rng=0)
    answer, *others = comparison.findings
    assert answer.startswith(
        "At 90% coverage, b, a and 2 constant widths are too close to call: b's interval score"
    )
    assert "better than a's" in answer
    assert not any("better than a's" in finding for finding in others)
    assert sum("that of constant width of" in finding for finding in others) == 2
    alike = comparison.answers[-1]
    assert alike.endswith("are alike (too few rows to be sure): their interval scores are the same to 0.05%.")


def test_ties_and_undecided_leads_are_told_apart():
    """Beside a model that is too close to call, another can be beyond what so few blocks decide."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=400)
    bands = {"a": rng.lognormal(sigma=0.01, size=400), "b": np.full(400, 1.0), "c": rng.lognormal(size=400)}
    models = {name: uc.Intervals.from_bands(y, 0 * y, band) for name, band in bands.items()}
    comparison = uc.compare(models, blocks=np.arange(400) // 80, rng=0)
    assert [test.needs for test in comparison.tests] == [None, "blocks", "blocks"]
    answer = comparison.recommendation.answer
    assert ("a and b are too close" in answer) or ("b and a are too close" in answer)
    assert answer.endswith("; against c it is not decided.")


def test_the_chosen_coverage_keeps_to_its_own_rule_for_crossings():
    """A crossing that rests on the band at the chosen coverage alone is none, if the test does not decide it."""
    standings = uc.compare(make_crossing().models, rank_by="bandwidth", rng=0, coverage=0.8).standings
    pair = ("sharp", "damped")
    ratio = standings.ratios[pair]
    margin = np.where(standings.rates < 0.05, ratio.margin, np.inf)
    margin[standings.chosen] = ratio.margin[standings.chosen]
    undecided = dataclasses.replace(
        standings,
        ratios={pair: ratio._replace(margin=margin)},
        tests={pair: dataclasses.replace(standings.tests[pair], clear=False)},
    )
    assert pair in {(one.a, one.b) for one in standings.crossings()}
    assert undecided.crossings() == ()
