"""The examples of the gallery: every figure shows something, and says in words what."""

from __future__ import annotations

import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

SCRIPTS = sorted((Path(__file__).parents[2] / "examples" / "gallery").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_no_figure_of_the_gallery_is_empty(script, capsys):
    """The gallery shows all that are open; their titles are the text for readers who do not see them."""
    runpy.run_path(str(script))
    capsys.readouterr()
    assert plt.get_fignums() != []
    for number in plt.get_fignums():
        figure = plt.figure(number)
        assert any(ax.has_data() for ax in figure.axes)
        titles = [figure.get_suptitle(), *(ax.get_title() for ax in figure.axes)]
        assert any(len(title.split()) > 2 for title in titles)
