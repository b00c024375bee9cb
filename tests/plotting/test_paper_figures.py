"""A figure for a paper: its size, its file and the sentence below it."""

from __future__ import annotations

import re

import matplotlib.pyplot as plt
import pytest
from drawn_figure import some_intervals
from PIL import Image

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.datasets import make_crossing


def display():
    return uc.UCCDisplay(make_crossing().models)


@pytest.mark.parametrize(
    ("size", "inches"),
    [
        ({"width": 3.3}, [3.3, 2.6]),
        ({"width": 6.4}, [6.4, 4.4]),
        ({"width": 3.3, "height": 2}, [3.3, 2]),
        ({"height": 3}, [6.4, 3]),
        ({}, [6.4, 4.4]),
    ],
)
def test_a_new_figure_has_the_size_that_is_asked_for(size, inches):
    """Of one curve, of several, and of a comparison."""
    comparison = uc.compare(make_crossing().models, n_resamples=9, rng=0)
    for ax in (display().plot(**size).ax_, some_intervals().ucc().plot(**size), comparison.plot(**size)):
        assert ax.figure.get_size_inches().tolist() == pytest.approx(inches)
    assert len(plt.get_fignums()) == 3


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"width": 0}, "width"),
        ({"height": "tall"}, "height"),
        ({"width": float("nan")}, "width"),
    ],
)
def test_other_sizes_are_refused(options, argument):
    """Before a figure is made."""
    with raises(ex.UccurveError, argument):
        display().plot(**options)
    assert plt.get_fignums() == []


def test_given_axes_have_their_own_size():
    """A size beside them would do nothing."""
    ax = plt.subplots()[1]
    with raises(ex.ArgumentError, "width"):
        display().plot(ax, width=3.3)
    with raises(ex.ArgumentError, "height"):
        some_intervals().ucc().plot(ax, height=3)
    assert len(ax.lines) == 0


def fonts(path):
    return set(re.findall(rb"/Subtype /(Type3|Type42|TrueType|CIDFontType2)", path.read_bytes()))


def test_saved_files_have_the_fonts_that_publishers_take(tmp_path):
    """No Type 3 in the PDF file; the reader's settings are as before."""
    before = dict(plt.rcParams)
    drawn = display().plot(points=[0.9], width=3.3)
    drawn.save(tmp_path / "figure.pdf")
    drawn.figure_.savefig(tmp_path / "plain.pdf")
    assert b"Type3" not in fonts(tmp_path / "figure.pdf") != set()
    assert b"Type3" in fonts(tmp_path / "plain.pdf")  # what matplotlib does by itself
    assert dict(plt.rcParams) == before
    drawn.save(tmp_path / "figure.png")
    with Image.open(tmp_path / "figure.png") as picture:
        assert picture.size == (990, 780)
    drawn.save(str(tmp_path / "FIGURE.SVG"))
    assert (tmp_path / "FIGURE.SVG").read_text().startswith("<?xml")
    assert len(list(tmp_path.iterdir())) == 4


def test_unknown_files_are_refused(tmp_path):
    """By the end of their names; and nothing is saved before something is drawn."""
    with pytest.raises(ex.ArgumentError):
        display().save(tmp_path / "figure.pdf")
    drawn = display().plot()
    with raises(ex.ArgumentError, "path"):
        drawn.save(tmp_path / "figure.gif")
    with raises(ex.ArgumentError, "dpi"):
        drawn.save(tmp_path / "figure.png", dpi=0)
    assert list(tmp_path.iterdir()) == []


def test_the_caption_says_what_was_drawn():
    """And nothing else."""
    drawn = display().plot(points={"alarms": 0.9, "reports": 0.975}, cost=0.2, confidence=0.9)
    gains = [f"{name} {100 * curve.gain():.1f}%" for name, curve in drawn.curves.items()]
    assert drawn.caption() == (
        "Curves: mean half-width against miss rate, over 5,000 rows; dots: 90 and 97.5% coverage; "
        "rings: as supplied; stars: the least cost at c = 0.2; shade along a curve: 90% confidence band of "
        "the whole curve; thin dashes: constant width around the same predictions; dotted: the least "
        f"width possible in hindsight. Gain over constant width: {', '.join(gains).replace('-', '−')}."
    )
    drawn.plot(original=False, frontier=False, reference=False, miss_rate=(0.1, 0.2), area=(0.8, 0.9))
    assert drawn.caption().startswith(
        "Curves: mean half-width against miss rate, over 5,000 rows; shade left of a curve: coverages from "
        "80% to 90%; gray strip: miss rates from 0.1 to 0.2. Gain"
    )


def test_captions_name_other_axes_and_single_curves():
    """Excess and deficit in words; a gain that does not exist is left out."""
    one = uc.UCCDisplay({"": some_intervals()}, x="excess", y="deficit").plot(area=True)
    assert one.caption().startswith(
        "Curve: mean room inside the bounds against mean distance outside the bounds, over 99 rows; "
        "rings: as supplied; shade below a curve: its area; thin dashes:"
    )
    floor = uc.UCCDisplay({"": uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], [1, 0, 1])}).plot()
    assert floor.caption().endswith("hindsight.")
    with pytest.raises(ex.ArgumentError):
        display().caption()
