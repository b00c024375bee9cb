"""Draw the figures of the pages about other libraries, from the code on these pages.

A page's first example leaves ``models``, intervals by name, or ``intervals``, or ``forecasts`` that have one
of the two. The figure shows their curves, and what they cover against what they claim. Each page is drawn in
an environment that has its library: see ``make library-figures``.
"""

from __future__ import annotations

import argparse
import doctest
import sys
import warnings
from pathlib import Path
from textwrap import fill
from typing import Any

from matplotlib import pyplot as plt

import uccurve as uc
from uccurve._base.files import replacing
from uccurve.plotting import plot_reliability

OUTPUT = Path("docs/figures/libraries")
DPI = 92
"""Figures of two panels stay below 100 kB."""
_LINE = 45
"""Characters that fit below the second panel."""


def models_of(page: Path) -> dict[str, uc.Intervals]:
    """Run the first example of a page, and return the intervals that it leaves, by name."""
    example = page.read_text(encoding="utf-8").partition("```pycon\n")[2].partition("```")[0]
    names: dict[str, Any] = {}
    for part in doctest.DocTestParser().get_examples(example):
        exec(compile(part.source, str(page), "single"), names)  # noqa: S102 - the project's own pages
    found = names.get("models", names.get("forecasts", names.get("intervals")))
    found = getattr(found, "models", getattr(found, "intervals", found))
    if isinstance(found, uc.Intervals):
        return {page.stem: found}
    if not isinstance(found, dict) or not found:
        raise SystemExit(f"{page}: the first example must leave `models` or `intervals`.")
    return found


def draw(models: dict[str, uc.Intervals]) -> Any:
    """Draw the curves, by level where there are levels, and the reliability of the claims."""
    by_level = all(_has_levels(rows) for rows in models.values())
    curves = {name: rows.ucc(vary="level" if by_level else "scale") for name, rows in models.items()}
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained", width_ratios=(6, 5))
    uc.UCCDisplay(curves).plot(left, frontier=False)
    plot_reliability(models, right, confidence=0.95)
    right.set_xlabel(fill(right.get_xlabel(), _LINE))
    return figure


def _has_levels(rows: uc.Intervals) -> bool:
    return "levels=" in repr(rows)


def main(arguments: list[str]) -> None:
    """Draw the figures of the pages that are named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="+", type=Path, help="pages, such as docs/libraries/mapie.md")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="the folder that the figures go to")
    options = parser.parse_args(arguments)
    plt.switch_backend("agg")
    options.output.mkdir(parents=True, exist_ok=True)
    for page in options.pages:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of other libraries; the pages say what matters
            models = models_of(page)
        figure = draw(models)
        path = options.output / f"{page.stem}.png"
        with replacing(path) as unfinished:
            figure.savefig(unfinished, format="png", dpi=DPI, metadata={"Software": None})
        plt.close(figure)
        print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
