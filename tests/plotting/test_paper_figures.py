"""A figure for a paper: its size and its file."""

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
    ("size", "inches"), [({"width": 3.3}, [3.3, 2.6]), ({"height": 3}, [6.4, 3]), ({}, [6.4, 4.4])]
)
def test_a_new_figure_has_the_size_that_is_asked_for(size, inches):
    """Of one curve, of several, and of a comparison."""
    comparison = uc.compare(make_crossing().models, n_resamples=9, rng=0)
    for ax in (display().plot(**size).ax_, some_intervals().ucc().plot(**size), comparison.plot(**size)):
        assert ax.figure.get_size_inches().tolist() == pytest.approx(inches)
    assert len(plt.get_fignums()) == 3


@pytest.mark.parametrize(("argument", "size"), [("width", 0), ("height", "tall"), ("width", float("nan"))])
def test_other_sizes_are_refused(argument, size):
    """Before a figure is made."""
    with raises(ex.UccurveError, argument):
        display().plot(**{argument: size})
    assert plt.get_fignums() == []


def test_given_axes_have_their_own_size():
    """A size beside them would do nothing."""
    ax = plt.subplots()[1]
    with raises(ex.ArgumentError, "width"):
        display().plot(ax, width=3.3)
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
