"""The figures of the traffic study: models are told apart without color, and marks are explained."""

from __future__ import annotations

import numpy as np
import pytest
from casestudies.__main__ import read_results
from casestudies.traffic import figures
from casestudies.traffic.assessment import Scored

import uccurve as uc

NAMES = ("one", "two")
N_SEEDS = 3


@pytest.fixture(scope="module")
def models():
    """Two models with seeds: bands that know some of the noise, of one more than of the other."""
    rng = np.random.default_rng(0)
    scale = rng.lognormal(sigma=0.8, size=400)
    known = {"one": 0.5, "two": 1.0}
    return {
        name: [
            Scored(
                intervals=uc.Intervals.from_bands(
                    scale * rng.normal(size=400),
                    np.zeros(400),
                    scale**power * rng.lognormal(sigma=0.3, size=400),
                ),
                grid_index=np.arange(400),
            )
            for _ in range(N_SEEDS)
        ]
        for name, power in known.items()
    }


@pytest.fixture(scope="module")
def right(models):
    measures = {
        "one": [{"crossover": {"value": rate}} for rate in (0.2, 0.3, 0.25)],
        "two": [{"crossover": None}, {"crossover": {"value": 0.1}}, {"crossover": None}],
    }
    figure = figures.cross_over(models, measures)
    figure.canvas.draw()
    return figure.axes[1]


def test_models_differ_in_dashes_and_marks_and_not_only_in_color(right):
    """A thick line for the mean of each, and all of it in the legend."""
    lines = {line.get_label(): line for line in right.lines}
    means = [lines[f"{name}: mean of 3 seeds, each a thin line"] for name in NAMES]
    marks = [lines[f"{name}: cross-over of each seed"] for name in NAMES]
    assert means[0].get_linestyle() != means[1].get_linestyle()
    assert marks[0].get_marker() != marks[1].get_marker()
    assert [list(mark.get_xdata()) for mark in marks] == [[0.2, 0.3, 0.25], [0.1]]
    assert len(right.get_legend().get_texts()) == 4


def test_the_mean_is_that_of_the_seeds(right, models):
    """Each of which is there as a thin line."""
    for number, name in enumerate(NAMES):
        color = figures.COLORS[number]
        thin = [line for line in right.lines if line.get_linewidth() < 1 and line.get_color() == color]
        assert len(thin) == N_SEEDS
        curve = models[name][0].intervals.ucc()
        assert thin[0].get_ydata()[20] == pytest.approx(1 - curve.gain_at(miss_rate=thin[0].get_xdata()[20]))
        (mean,) = [line for line in right.lines if str(line.get_label()).startswith(f"{name}: mean")]
        np.testing.assert_allclose(mean.get_ydata(), np.mean([line.get_ydata() for line in thin], axis=0))


def test_the_needs_of_the_documentation_have_a_key():
    """What a dot is, what the bar is, and which side is better."""
    results = read_results("traffic")
    figure = figures.needs({name: model["seeds"] for name, model in results["models"].items()})
    (key,) = figure.legends
    assert [text.get_text() for text in key.get_texts()] == [
        "one seed, in the color of its model",
        "mean of the seeds; further left is better",
    ]
