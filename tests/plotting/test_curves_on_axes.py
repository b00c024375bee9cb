"""Curves on axes: floors in the legend, several models told apart."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex

I = uc.Intervals


def test_a_curve_with_a_floor_can_be_drawn():
    """Its legend says how far down it goes."""
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    ax = I.from_bands([1, 2, 3], [0, 0, 0], [1, 0, 1]).ucc().plot()
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert "down to a miss rate of 0.333" in labels
    plt.close("all")


def test_several_curves_on_one_figure_can_be_told_apart():
    """Own colors and dashes, references drawn once, axes not mixed."""
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    rng = np.random.default_rng(0)
    y = rng.normal(size=50)
    models = [I.from_bands(y, shift + 0 * y, rng.exponential(size=50)) for shift in (0, 0, 1)]
    ax = None
    for i, model in enumerate(models):
        ax = model.ucc().plot(ax, label=str(i))
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels.count("constant width") == labels.count("as supplied") == 1
    assert "constant width, other predictions" in labels
    lines = [line for line in ax.lines if line.get_label()[:2] in ("0:", "1:", "2:")]
    assert len({line.get_color() for line in lines}) == 3
    assert len({str(line._dash_pattern) for line in lines}) == 3
    with raises(ex.ArgumentError, "ax"):
        models[0].ucc().plot(ax, x="excess", y="deficit")
    asymmetric = I.from_bands(y, 0 * y, 1.0, 2.0).ucc().plot()
    assert "limit, asymmetric bands" in [text.get_text() for text in asymmetric.get_legend().get_texts()]
    plt.close("all")
