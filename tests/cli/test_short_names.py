"""Names that are shortened in the middle, and the bar that counts steps."""

from __future__ import annotations

import sys

import pytest
from rich.cells import cell_len

from uccurve._base.progress import StepBar
from uccurve.cli._short_names import SHORTEST, fitted_names, shortened


@pytest.mark.parametrize("mark", ["…", "..."])
@pytest.mark.parametrize(
    "name", ["gradient_boosting_with_quantile_loss", "予測モデルの名前はとても長いです", "ab" * 40]
)
@pytest.mark.parametrize("width", [10, 11, 17])
def test_a_short_name_fits_and_keeps_both_ends(name, width, mark):
    """Also with letters that take two columns."""
    short = shortened(name, width, mark)
    head, tail = short.split(mark)
    assert width - 2 <= cell_len(short) <= width
    assert name.startswith(head)
    assert name.endswith(tail)
    assert head
    assert tail


def test_names_with_enough_room_stay_whole():
    """Nothing is shortened without need."""
    assert shortened("forest", 6, "…") == "forest"
    assert fitted_names([["north", "south"], ["a" * 30]], 35, "…") == [["north", "south"], ["a" * 30]]


def test_two_columns_share_the_room():
    """A narrow one leaves its room to the other, and neither gets less than the least."""
    segments, models = fitted_names([["north"] * 2, ["a" * 50, "b" * 50]], 40, "…")
    assert segments == ["north"] * 2
    assert set(map(cell_len, models)) == {35}
    for column in fitted_names([["a" * 50], ["b" * 50]], 5, "…"):
        assert cell_len(column[0]) == SHORTEST


def test_names_that_differ_in_the_middle_only_stay_whole():
    """Two rows of a table must not look alike; equal names are no reason."""
    names = ["same_front_1_same_end", "same_front_2_same_end"]
    assert fitted_names([names], 12, "…") == [names]
    assert fitted_names([["x" * 30, "x" * 30]], 12, "…") == [["xxxxxx…xxxxx"] * 2]


def test_a_bar_counts_steps_and_leaves_nothing_behind(capsys, monkeypatch):
    """It is drawn on a terminal only, and no wider than that; what is left of it are spaces."""
    for show in (True, False):
        StepBar("testing", 1, show=show).step()
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "30")
    bar = StepBar("testing", 2, show=True)
    bar.step()
    bar.step()
    StepBar("nothing to do", 0, show=True)
    printed = capsys.readouterr()
    *drawn, blank, nothing = printed.err.split("\r")
    assert printed.out == ""
    assert drawn[1:] == [
        f"testing {'█' * n}{'░' * (14 - n)} {done} of 2" for done, n in enumerate((0, 7, 14))
    ]
    assert max(map(len, drawn)) == 29
    assert (blank, nothing) == (" " * 29, "")
