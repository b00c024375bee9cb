"""What all figures have in common: names, units, refusals, hard cases and other people's axes."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import array_api_strict as strict
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from drawn_figure import labelled, labels, path, some_intervals, xy
from matplotlib.figure import Figure
from matplotlib.text import Text

import uccurve as uc
from uccurve.plotting import plot_bands, plot_intervals, plot_regimes, plot_reliability

I = uc.Intervals
ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["_hidden$x$", r"\$\frac$", "a\nb" + "m" * 200])
def test_names_are_shown_and_not_obeyed(name):
    """In any figure: no formulas, no hidden entries, no wide legend, and no two names that look alike."""
    curve, places = some_intervals().ucc(), pd.Series(np.arange(99), name=name)
    ax = curve.plot(label=name, unit=name, cost=0.5, points={name: 0.9})
    start = name if len(name) < 40 else f"a�b{'m' * 16}…{'m' * 20}"
    shown = ax.get_legend().get_texts()[0]
    assert shown._preprocess_math(shown.get_text())[0].lstrip(" ").startswith(f"{start}: area")
    plot_intervals(curve.intervals, unit=name, against=places)
    plot_bands(curve.intervals, unit=name, against=places, vary="shift")
    two = {name: curve.intervals, f"{name}n": curve.intervals}
    for ax in (uc.UCCDisplay(two).plot().ax_, plot_reliability(two, nominal=0.9)):
        assert len({*labels(ax)[:2]}) == 2
    lanes = plot_regimes(uc.compare(two, n_resamples=9, rng=0)).get_yticklabels()
    assert lanes[0].get_text() != lanes[1].get_text()
    uc.ratio_curve(curve, n_resamples=9, rng=0).plot(label=name)
    uc.conditional_coverage(curve, by=[name[:20]] * 99, name=name).plot()  # less room beside the axes
    for number in plt.get_fignums():
        figure = plt.figure(number)
        figure.canvas.draw()
        assert not any(text._preprocess_math(text.get_text())[1] for text in figure.findobj(Text))


def test_figures_on_dark_ground_are_dark():
    """Rings are hollow, and wider bands are darker."""
    with plt.style.context("dark_background"):
        ring = labelled(some_intervals().ucc().plot(), "as supplied")
        bands = plot_bands(some_intervals(), against=np.arange(99)).collections
    assert ring.get_markerfacecolor() == (0, 0, 0)
    assert np.diff([band.get_facecolor().sum() for band in bands]).min() > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("intervals", "vary"),
    [
        (I.from_bands([1.0], [0.0], 1.0), "shift"),
        (I.from_bands([0.0], [0.0], 1.0), "scale"),
        (I.from_bands([1.0], [0.0], 0.0), "scale"),
        (I.from_bands([1.0, 2.0], [0.0, 0.0], [1.0, 0.0], sample_weight=[0.0, 1.0]), "shift"),
        (some_intervals(unit=1e-90, weighted=True), "scale"),
        (some_intervals(unit=1e90, weighted=True), "shift"),
    ],
    ids=["one", "exact", "zero band", "floor", "tiny", "huge"],
)
def test_the_smallest_and_strangest_rows_can_be_drawn(intervals, vary):
    """With everything that goes with them, and rendered without a warning."""
    curve = intervals.ucc(vary=vary)
    ax = curve.plot(cost=0.5, confidence=0.95, area=(0.4, 0.9))
    assert "nan" not in " ".join(labels(ax))
    curve.plot(x="excess", y="deficit", cost=0.5)
    plot_intervals(intervals, vary=vary)
    plot_reliability(intervals, nominal=0.9)
    for number in plt.get_fignums():
        plt.figure(number).canvas.draw()


def test_figures_draw_on_given_axes_only(monkeypatch):
    """No figure is made or shown, the current one stays current, and settings are as before; any arrays will do."""
    monkeypatch.setattr(plt, "show", lambda *_: pytest.fail("shown"))
    given = some_intervals()
    columns = given.y_true, given.y_pred, given.lower_band, given.upper_band
    curve = I.from_bands(*map(strict.asarray, columns)).ucc()
    current, before = plt.figure(), dict(plt.rcParams)
    axes = iter(Figure().subplots(1, 7))
    drawn = [
        curve.plot(next(axes), confidence=0.9, cost=0.5, points=[0.9], area=(0.5, 0.9)),
        plot_intervals(curve.intervals, next(axes)),
        plot_bands(curve.intervals, next(axes), against=strict.arange(99)),
        plot_reliability(curve, next(axes), nominal=0.9),
        plot_regimes(uc.compare({"a": curve.intervals}, n_resamples=9, rng=0), next(axes)),
        uc.ratio_curve(curve, n_resamples=9, rng=0).plot(next(axes)),
        uc.conditional_coverage(curve).plot(next(axes)),
    ]
    assert drawn == drawn[0].figure.axes
    assert xy(labelled(drawn[0], "area")) == path(given.ucc())
    assert dict(plt.rcParams) == before
    assert (plt.gcf(), current.axes, len(plt.get_fignums())) == (current, [], 1)


@pytest.mark.slow
def test_the_figures_of_the_documentation_are_drawn(tmp_path):
    """All that the pages show; those of the page of figures by its own code, as a reader would copy it."""
    script = runpy.run_path(str(ROOT / "examples" / "figures.py"))
    with plt.rc_context():
        script["main"](["--output", str(tmp_path)])
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == sorted(path.name for path in (ROOT / "docs" / "figures").iterdir() if path.is_file())
    pages = "".join(page.read_text() for page in (ROOT / "docs").rglob("*.md"))
    for name in files:
        content = (tmp_path / name).read_text()
        assert "#ffffff" not in re.search(r'<g id="patch_1">.*?</g>', content, re.DOTALL).group(), "no ground"
        assert len(content) < 400_000, "small enough for a repository"
        assert f"figures/{name})" in pages
