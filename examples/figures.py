"""Draw the figures of the documentation from the code on its pages: the same pictures each time.

Without arguments it draws those of ``docs/figures``. With pages about other libraries it draws theirs, in an
environment that has the library, one of those of ``make test-adapters``:
``.venv-adapters/bin/python examples/figures.py docs/libraries/mapie.md``.
"""

from __future__ import annotations

import argparse
import doctest
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import chdir
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib import pyplot as plt

import uccurve as uc
from uccurve.exceptions import DroppedRowsWarning
from uccurve.plotting import COLORS, QUIET, plot_intervals, plot_reliability

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
GROUND: dict[Any, Any] = dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "none")
"""No ground: the pages have one, light or dark."""
INK: dict[Any, Any] = dict.fromkeys(
    ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), QUIET
)
"""Words that can be read on both."""
DPI = 92
"""Figures of libraries, in two panels, stay below 100 kB."""


def draw_all() -> Iterator[str]:
    """Draw each figure of ``docs/figures``, and yield its name while it is the current one."""
    page = (DOCS / "figures.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for name, code in re.findall(r"(?:/([\w-]+)\.svg\)\n\n)?```python\n(.*?)```", page, re.DOTALL):
        exec(code, names)  # noqa: S102 - the project's own pages
        if name:
            yield name
    for draw in (
        conformal_regressor,
        calibrated,
        one_sided,
        scores,
        levels_curve,
        levels_reliability,
        levels_intervals,
        hub,
    ):
        draw()
        yield draw.__name__.replace("_", "-")


def run_first_example(page: Path) -> dict[str, Any]:
    """Run the first example of a page, and return the names that it leaves."""
    example = page.read_text(encoding="utf-8").partition("```pycon\n")[2].partition("```")[0]
    names: dict[str, Any] = {}
    exec("".join(part.source for part in doctest.DocTestParser().get_examples(example)), names)  # noqa: S102
    return names


# -- figures whose code is not on a page --------------------------------------------------------


def conformal_regressor() -> None:
    """Calibrated intervals of a boosting: of constant width, and with widths that follow its error."""
    from sklearn.ensemble import GradientBoostingRegressor  # noqa: PLC0415 - not where libraries are drawn

    from uccurve.sklearn import ConformalIntervalRegressor  # noqa: PLC0415

    rng = np.random.default_rng(5)
    place = rng.uniform(0, 10, size=1500)
    y = np.sin(place) + 0.08 * (1 + place) * rng.normal(size=1500)
    boosting = GradientBoostingRegressor(n_estimators=60, max_depth=2, min_samples_leaf=30, random_state=0)
    scale = GradientBoostingRegressor(n_estimators=30, max_depth=2, min_samples_leaf=60, random_state=0)
    new = np.linspace(0, 10, 400)
    _, panels = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
    titles = {"the same band for all rows": None, "with scale_estimator": scale}
    for (title, scale_estimator), ax in zip(titles.items(), panels, strict=True):
        model = ConformalIntervalRegressor(
            boosting, scale_estimator=scale_estimator, coverage=0.9, cv=0.4, random_state=0
        ).fit(place[:, None], y)
        lower, upper = model.predict_interval(new[:, None]).T
        ax.plot(place[:400], y[:400], ".", color=QUIET, markersize=4, label="observations")
        ax.fill_between(new, lower, upper, color=COLORS[0], alpha=0.25, linewidth=0, label="90% intervals")
        ax.plot(new, model.predict(new[:, None]), color=COLORS[0], label="predictions")
        ax.set(title=title, xlabel="x")
    panels[0].set_ylabel("y")
    panels[1].legend(frameon=False, loc="upper left")


def calibrated() -> None:
    """Rows as they were given, too narrow, and the same rows after calibration on others."""
    rng = np.random.default_rng(0)
    scale = rng.lognormal(sigma=0.5, size=400)
    rows = uc.Intervals.from_bounds(scale * rng.normal(size=400), -scale, 1.2 * scale, y_pred=0 * scale)
    first, second = rows.by(np.arange(400) % 2).values()
    moved = uc.ConformalScaler(coverage=0.9).fit(first).transform(second)
    shown = np.argsort(second.upper)[::4]
    figure, panels = plt.subplots(1, 2, figsize=(10, 3.6), sharey=True, layout="constrained")
    titles = {"as supplied": second, "calibrated for 90%": moved}
    for (title, one), ax in zip(titles.items(), panels, strict=True):
        plot_intervals(one[shown], ax, parameter=1)
        drawn = ax.get_legend()
        drawn.remove()
        ax.set(
            title=f"{title}: covers {100 * one.ucc().original.coverage:.0f}% of new rows", ylim=(-5.5, 6.5)
        )
        ax.set(xlabel="50 new rows, by width", ylabel="y" if one is second else "")
    names = [text.get_text() for text in drawn.get_texts()]
    figure.legend(drawn.legend_handles, names, loc="outside lower center", ncols=len(names), frameon=False)


def one_sided() -> None:
    """Demand, its forecast and an upper limit that covers 95% of all rows, for some of them."""
    page = run_first_example(DOCS / "howto/one-sided.md")
    expected = page["expected"]
    _, ax = plt.subplots(figsize=(7.6, 4.2), layout="constrained")
    shown = np.argsort(expected)[::25]
    plot_intervals(page["limit"], ax, rows=shown, against=expected, coverage=0.95, unit="pieces")
    ax.set(xlabel="forecast (pieces)", ylabel="demand (pieces)")


def scores() -> None:
    """Two models that a score and the curve order differently: the parts of the score, and the curves."""
    page = run_first_example(DOCS / "scores.md")
    y, levels, tables = page["y"], page["levels"], {name: page[name] for name in ("flat", "sharp")}
    _, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained", width_ratios=(1, 1.6))
    for place, table in enumerate(tables.values()):
        parts = uc.weighted_interval_score(y, table, levels, decompose=True)
        missed, color = parts.score - parts.width, COLORS[place]
        left.bar(place, parts.width, 0.6, color=color)
        left.bar(place, missed, 0.6, parts.width, color=color, alpha=0.35, hatch="//", edgecolor="white")
        left.text(place, parts.width / 2, "width", ha="center", va="center", color="white", fontsize=9)
        left.text(place, (parts.width + parts.score) / 2, "misses", ha="center", va="center", fontsize=9)
        left.text(place, parts.score + 0.02, f"{parts.score:.2f}", ha="center", va="bottom")
    left.set(xticks=(0, 1), xticklabels=list(tables), ylabel="weighted interval score", ylim=(0, 1.8))
    left.set_title("as supplied: flat scores better", fontsize=10)
    models = {name: uc.Intervals.from_quantiles(y, table, levels) for name, table in tables.items()}
    uc.UCCDisplay(models).plot(right, frontier=False, reference=False)
    swap = uc.ratio_curve(models["sharp"], models["flat"], rng=0).crossover
    above = f" above {100 * swap.coverage:.0f}% coverage" if swap else ""
    right.set_title(f"once scaled: sharp is narrower{above}", fontsize=10)


def levels_curve() -> None:
    """Draw one model's quantiles by their own levels, and its widest pair scaled."""
    forecast = run_first_example(DOCS / "distributions.md")["forecast"]
    both = {"by level": forecast.ucc(vary="level"), "by scale": forecast.ucc(vary="scale")}
    uc.UCCDisplay(both).plot(unit="minutes").ax_.set_ylim(-0.6, 50)


def levels_reliability() -> None:
    """Draw the claims of quantiles that are too sure, and of quantiles that are right."""
    page = run_first_example(DOCS / "distributions.md")
    quantiles = np.exp(page["typical"][:, None] + np.outer(page["spread"], page["steps"]))
    right = uc.Intervals.from_quantiles(page["minutes"], quantiles, page["levels"])
    plot_reliability({"too sure": page["forecast"], "right": right}, confidence=0.95)


def levels_intervals() -> None:
    """Draw the same rows at three nominal coverages."""
    forecast = run_first_example(DOCS / "distributions.md")["forecast"]
    rows = np.arange(100, 130)[np.argsort(forecast.y_pred[100:130])]
    _, panels = plt.subplots(3, 1, figsize=(6.4, 6.6), layout="constrained")
    for ax, nominal in zip(panels, (0.5, 0.8, 0.95), strict=True):
        plot_intervals(forecast[rows], ax, vary="level", nominal=nominal, unit="minutes")
        ax.set(ylim=(-4, 190), xlabel="")
    panels[-1].set_xlabel("delivery, by its median")


def hub() -> None:
    """Draw the four models that forecast deaths in a forecasting hub: their claims, and their curves."""
    import polars as pl  # noqa: PLC0415 - not where libraries are drawn

    rows = pl.read_csv(ROOT / "tests/others/eu_covid_hub_quantiles.csv.gz").filter(target="Deaths")
    with warnings.catch_warnings(action="ignore", category=DroppedRowsWarning):  # not all models made them
        models = uc.adapters.from_hub(rows)
    _, (left, right) = plt.subplots(1, 2, figsize=(8.6, 4.0), layout="constrained")
    plot_reliability(models, left, legend=False)
    curves = {name: intervals.ucc(vary="level") for name, intervals in models.items()}
    uc.UCCDisplay(curves).plot(right, reference=False, frontier=False, unit="deaths")
    right.set_box_aspect(1)
    right.set_ylim(0, 700)


# -- other libraries ----------------------------------------------------------------------------


def models_of(page: Path) -> dict[str, uc.Intervals]:
    """Return the intervals, by name, that a page's first example leaves.

    They are in ``models``, in ``intervals``, or in ``forecasts`` that have them.
    """
    names = run_first_example(page)
    found = names.get("models", names.get("forecasts", names.get("intervals")))
    if isinstance(found, Mapping) and found:
        return dict(found)
    found = getattr(found, "intervals", found)
    if not isinstance(found, uc.Intervals):
        raise SystemExit(f"{page}: the first example must leave `models` or `intervals`.")
    return {page.stem: found}


def draw_library(page: Path) -> None:
    """Draw the curves, by level where there are levels, and the reliability of the claims."""
    models = models_of(page)
    by_level = all("levels=" in repr(rows) for rows in models.values())
    curves = {name: rows.ucc(vary="level" if by_level else "scale") for name, rows in models.items()}
    _, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained", width_ratios=(6, 5))
    uc.UCCDisplay(curves).plot(left, frontier=False)
    plot_reliability(models, right, confidence=0.95)
    right.set_xlabel(fill(right.get_xlabel(), 45))  # as many characters as fit below the panel


def main(arguments: list[str]) -> None:
    """Draw the figures of the pages that are named, or those of ``docs/figures``."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", type=Path, help="pages, such as docs/libraries/mapie.md")
    parser.add_argument("--output", type=Path, help="the folder that the figures go to")
    options = parser.parse_args(arguments)
    output = (options.output or DOCS / "figures" / ("libraries" if options.pages else "")).resolve()
    output.mkdir(parents=True, exist_ok=True)
    plt.switch_backend("agg")
    for page in options.pages:
        warnings.simplefilter("ignore")  # of other libraries; the pages say what matters
        draw_library(page)
        plt.savefig(output / f"{page.stem}.png", dpi=DPI, metadata={"Software": None})
        plt.close()
    if not options.pages:
        plt.rcParams.update(GROUND | INK)
        with tempfile.TemporaryDirectory() as folder, chdir(folder):  # some code on pages writes files
            for name in draw_all():
                with plt.rc_context({"svg.hashsalt": name}):
                    plt.savefig(output / f"{name}.svg", metadata={"Date": None})
                plt.close()


if __name__ == "__main__":
    main(sys.argv[1:])
