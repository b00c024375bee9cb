"""What all figures have in common: names, units, refusals, hard cases and other people's axes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from drawn_figure import hits_and_misses, labelled, labels, some_intervals, xy
from matplotlib.text import Text
from PIL import Image

import uccurve as uc
from uccurve import exceptions as ex
from uccurve.plotting import (
    plot_bands,
    plot_intervals,
    plot_operating_points,
    plot_regimes,
    plot_reliability,
)

I = uc.Intervals
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "option",
    [{"cost": 2}, {"miss_rate": (0.2, 0.1)}, {"x": "width"}, {"y": "deficit", "confidence": 0.9}],
)
def test_a_bad_option_leaves_the_axes_alone(option):
    """The error comes before the first line; a band of miss rates needs them on the axis."""
    ax = plt.subplots()[1]
    with pytest.raises(ex.ArgumentError):
        some_intervals().ucc().plot(ax, **option)
    assert len(ax.get_children()) == len(plt.subplots()[1].get_children())
    with pytest.raises(TypeError, match="'colour'"):
        some_intervals().ucc().plot(colour="red")


def test_units_are_on_the_labels():
    """Of both axes; a miss rate has none."""
    curve = some_intervals().ucc()
    ax = curve.plot(unit="kWh")
    assert ax.get_xlabel() == "bandwidth: mean half-width (kWh)"
    assert ax.get_ylabel() == "miss rate"
    ax = curve.plot(x="excess", y="deficit")
    assert ax.get_xlabel() == "excess: mean room inside the bounds (units of y)"
    assert ax.get_ylabel() == "deficit: mean distance outside the bounds (units of y)"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["$x$", "_hidden", "a\nb", r"\$\frac$", "m" * 200, "$x_{", "100%"])
def test_names_are_shown_and_not_obeyed(name):
    """In any figure: no formulas, no hidden entries, no line breaks, and no legend wider than the figure."""
    curve, places = some_intervals().ucc(), pd.Series(np.arange(99), name=name)
    ax = curve.plot(label=name, unit=name, cost=0.5, points={name: 0.9})
    start = name.replace("\n", "�") if len(name) < 40 else "m" * 39 + "…"
    shown = ax.get_legend().get_texts()[0]
    assert shown._preprocess_math(shown.get_text())[0].lstrip(" ").startswith(f"{start}: area")
    plot_intervals(curve.intervals, unit=name, against=places)
    plot_bands(curve.intervals, unit=name, against=places, vary="shift")
    plot_reliability({name: curve}, nominal=0.9)
    plot_regimes(uc.compare({name: curve.intervals}, n_resamples=9, rng=0))
    uc.ratio_curve(curve, n_resamples=9, rng=0).plot(label=name)
    uc.conditional_coverage(
        curve, by=[name[:20]] * 99, name=name
    ).plot()  # beside the axes there is less room
    for number in plt.get_fignums():
        figure = plt.figure(number)
        figure.canvas.draw()
        assert not any(text._preprocess_math(text.get_text())[1] for text in figure.findobj(Text))


def test_cleared_axes_are_drawn_on_anew():
    """What was there does not count."""
    curve = some_intervals().ucc()
    ax = curve.plot()
    before = labels(ax)
    ax.clear()
    assert labels(curve.plot(ax)) == before
    ax.clear()
    assert ax is curve.plot(ax, x="excess")


@pytest.mark.slow
@pytest.mark.parametrize(
    "intervals",
    [
        I.from_bands([1.0], [0.0], 1.0),
        I.from_bands([0.0], [0.0], 1.0),
        I.from_bands([1.0], [0.0], 0.0),
        I.from_bands([1.0, 1.0], [0.0, 2.0], [0.0, 1.0], [1.0, 0.0]),
        I.from_bands([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 2.0]),
        I.from_bands([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [1.0, 0.0, 1.0], sample_weight=[0.0, 1.0, 2.0]),
        some_intervals(unit=1e-90, weighted=True),
        some_intervals(unit=1e90, weighted=True),
    ],
    ids=["one", "exact", "zero band", "two", "all exact", "floor", "tiny", "huge"],
)
@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize(("x", "y"), [("bandwidth", "miss_rate"), ("excess", "deficit")])
def test_the_smallest_and_strangest_rows_can_be_drawn(intervals, vary, x, y):
    """With everything that goes with them, and rendered without a warning."""
    curve = intervals.ucc(vary=vary)
    more = {"confidence": 0.95, "miss_rate": (0.4, 0.9)} if y == "miss_rate" else {}
    ax = curve.plot(x=x, y=y, cost=0.5, **more)
    ax.figure.canvas.draw()
    plot_intervals(intervals, vary=vary).figure.canvas.draw()
    if vary == "scale":
        plot_reliability(curve, nominal=0.9).figure.canvas.draw()
    assert "nan" not in " ".join(labels(ax))


def test_other_array_libraries_can_be_drawn():
    """They come to NumPy on the way."""
    xp = pytest.importorskip("array_api_strict")
    given = some_intervals()
    strict = I.from_bands(
        *(xp.asarray(v) for v in (given.y_true, given.y_pred, given.lower_band, given.upper_band))
    )
    curve = strict.ucc()
    ax = curve.plot(confidence=0.9, cost=0.5, miss_rate=(0, 0.5), points=[0.9], area=(0.5, 0.9))
    plot_bands(strict, against=xp.arange(99))
    plot_operating_points(strict)
    assert xy(labelled(ax, "area"))[-1] == xy(labelled(given.ucc().plot(), "area"))[-1]
    assert len(hits_and_misses(plot_intervals(strict))[1]) == round(curve.original.miss_rate * 99)
    plot_reliability(curve, nominal=0.9)
    assert len(uc.UCCDisplay({"a": curve}).to_frame("pandas")) > 200


def test_settings_of_matplotlib_are_left_alone():
    """And nothing is shown."""
    before = dict(plt.rcParams)
    curve = some_intervals().ucc()
    curve.plot(confidence=0.9, cost=0.5, points=[0.9], area=True)
    plot_intervals(curve.intervals)
    plot_bands(curve.intervals)
    plot_operating_points(curve.intervals)
    plot_reliability(curve, nominal=0.9)
    assert dict(plt.rcParams) == before


@pytest.mark.slow
def test_the_figures_of_the_documentation_are_drawn(tmp_path):
    """All that the page shows, and nothing half-written beside them."""
    script = str(ROOT / "examples" / "figures.py")
    subprocess.run(
        [sys.executable, "-W", "error", script, "--output", str(tmp_path)], check=True, capture_output=True
    )
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == sorted(path.name for path in (ROOT / "docs" / "figures").iterdir() if path.is_file())
    pages = "".join(page.read_text() for page in (ROOT / "docs").rglob("*.md"))
    assert {Path(name).suffix for name in files} == {".pdf", ".png"}
    for name in files:
        content = (tmp_path / name).read_bytes()
        assert content.startswith(b"\x89PNG" if name.endswith("png") else b"%PDF")
        assert len(content) < 250_000, "small enough for a repository"
        assert f"figures/{Path(name).stem}.png)" in pages
        if name.endswith("png"):
            with Image.open(tmp_path / name) as picture:
                assert [round(dots) for dots in picture.info["dpi"]] == [300, 300]


def test_the_code_on_the_page_runs(tmp_path, monkeypatch):
    """From top to bottom, as a reader would copy it, and each block draws."""
    monkeypatch.chdir(tmp_path)  # some of it writes files
    page = (ROOT / "docs" / "figures.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 1 + len(re.findall(r"!\[.*?\]\(figures/", page))
    scope = {}
    exec(blocks[0], scope)  # noqa: S102 - our own page
    assert plt.get_fignums() == []
    for block in blocks[1:]:
        exec(block, scope)  # noqa: S102
        (number,) = plt.get_fignums()
        plt.figure(number).canvas.draw()
        plt.close("all")
