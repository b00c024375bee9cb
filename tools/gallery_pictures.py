"""Pictures of the gallery with a text for those who cannot see them: sphinx-gallery would take the name of the file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from matplotlib import pyplot as plt

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def chart_in_words(ax: Axes) -> str:
    """Return the title of a chart, what it draws against what, and the names in its key."""
    title, across, up = (
        " ".join(text.split()) for text in (ax.get_title(), ax.get_xlabel(), ax.get_ylabel())
    )
    names = [name for name in ax.get_legend_handles_labels()[1] if name]
    drawn = f"{up} against {across}" if up and across else up or across
    key = f"with {', '.join(dict.fromkeys(names))}" if names else ""
    return "; ".join(part for part in (title, drawn, key) if part)


def figure_in_words(figure: Figure) -> str:
    """Return a sentence about each chart of a figure."""
    told = (chart_in_words(ax) for ax in figure.get_axes())
    return "Chart: " + ". ".join(dict.fromkeys(words for words in told if words))


def save_described(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Save the open figures of an example, each with its words. Those that nothing was drawn on are left out."""
    from sphinx_gallery.scrapers import matplotlib_scraper  # noqa: PLC0415 - only the build of the site has it

    for number in plt.get_fignums():
        if not plt.figure(number).get_axes():
            plt.close(number)
    words = iter([figure_in_words(plt.figure(number)) for number in plt.get_fignums()])
    saved: str = matplotlib_scraper(block, block_vars, gallery_conf)
    return re.sub(r"(?<=:alt: ).*", lambda _match: next(words), saved)
