"""Draw the figures of the documentation: one command, the same pictures each time."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import pyplot as plt
from PIL import Image

import uccurve as uc
from uccurve._base.files import replacing
from uccurve.datasets import make_crossing, make_heteroscedastic
from uccurve.plotting import (
    COLORS,
    QUIET,
    plot_bands,
    plot_intervals,
    plot_operating_points,
    plot_regimes,
    plot_reliability,
)

if TYPE_CHECKING:
    from collections.abc import Callable

OUTPUT = Path("docs/figures")
UNIT = "kWh"
DPI = 300
"""What journals ask of pictures."""
FORMATS = ("pdf", "png")
"""A vector file for papers and slides, which no enlargement blurs, and a picture for web pages."""
PALETTE = 256
"""Colors of a picture: a palette shows the same and takes less than half of the space."""


def models(n: int = 3000) -> dict[str, uc.Intervals]:
    """Three models with the same predictions: one knows the noise scale, one damps it, one guesses."""
    data = make_heteroscedastic(n, spread=0.8, rng=1)
    rng = np.random.default_rng(2)
    known = data.std * rng.lognormal(sigma=0.2, size=n)
    bands = {"sharp": known, "damped": known**0.25, "guessed": rng.lognormal(sigma=0.5, size=n)}
    return {name: uc.Intervals.from_bands(data.y_true, data.y_pred, band) for name, band in bands.items()}


def crossing() -> Any:
    """Two models of which each is the better one somewhere: the built-in example."""
    return uc.UCCDisplay(make_crossing().models).plot().ax_


def one_model() -> Any:
    """One model with all that goes with it."""
    sharp = models()["sharp"].ucc()
    return sharp.plot(label="sharp", cost=0.2, miss_rate=(0.05, 0.2), confidence=0.95, unit=UNIT)


def points() -> Any:
    """One model with the operating points that matter, and its area over some coverages."""
    sharp = models()["sharp"]
    return sharp.ucc().plot(label="sharp", points=[0.5, 0.8, 0.9, 0.95, 0.99], area=(0.8, 0.95), unit=UNIT)


def paper() -> Any:
    """Two models in one column of a paper, with the operating points that it talks about."""
    two = {name: models()[name] for name in ("sharp", "damped")}
    return uc.UCCDisplay(two).plot(points=[0.9, 0.95], unit=UNIT, width=3.3).ax_


def several_models() -> Any:
    """Several models on one pair of axes."""
    return uc.UCCDisplay(models()).plot(unit=UNIT).ax_


def excess_and_deficit() -> Any:
    """Draw the other two costs, which share a unit, so that a cost of both is easy to weigh."""
    two = {name: models()[name] for name in ("sharp", "damped")}
    return uc.UCCDisplay(two, x="excess", y="deficit").plot(cost=0.2, unit=UNIT).ax_


def load_forecast() -> tuple[uc.Intervals, np.ndarray]:
    """Four days of load by the hour, with bands that are wider above than below."""
    hours = np.arange(96)
    rng = np.random.default_rng(4)
    y_pred = 30 + 12 * np.sin(2 * np.pi * (hours - 7) / 24)
    band = 0.12 * y_pred
    y_true = y_pred + band * rng.normal(size=hours.size)
    return uc.Intervals.from_bands(y_true, y_pred, band, 1.3 * band), hours


def intervals() -> Any:
    """Rows with their intervals, wide enough to miss one in ten."""
    forecast, hours = load_forecast()
    ax = plot_intervals(forecast, miss_rate=0.1, against=hours, unit=UNIT)
    ax.set_xlabel("hour")
    return ax


def bands() -> Any:
    """Bands at three coverages over time."""
    forecast, hours = load_forecast()
    ax = plot_bands(forecast, against=hours, unit=UNIT)
    ax.set_xlabel("hour")
    return ax


def conformal_regressor() -> Any:
    """Calibrated intervals of a boosting: of constant width, and with widths that follow its error."""
    from sklearn.ensemble import GradientBoostingRegressor  # noqa: PLC0415 - optional

    from uccurve.sklearn import ConformalIntervalRegressor  # noqa: PLC0415

    rng = np.random.default_rng(5)
    place = rng.uniform(0, 10, size=1500)
    y = np.sin(place) + 0.08 * (1 + place) * rng.normal(size=1500)
    boosting = GradientBoostingRegressor(n_estimators=60, max_depth=2, min_samples_leaf=30, random_state=0)
    scale = GradientBoostingRegressor(n_estimators=30, max_depth=2, min_samples_leaf=60, random_state=0)
    new = np.linspace(0, 10, 400)
    figure, panels = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
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
    return figure.axes[0]


def operating_points() -> Any:
    """Draw the curve with two of its points, and the rows at both."""
    rng = np.random.default_rng(3)
    place = np.sort(rng.uniform(0, 10, size=150))
    band = 0.1 + 0.05 * place
    y_pred = np.sin(place)
    y_true = y_pred + band * rng.normal(size=150)
    noisy = uc.Intervals.from_bands(y_true, y_pred, band)
    left, *panels = plot_operating_points(noisy, against=place, miss_rates=(0.7, 0.2))
    for panel in panels:
        panel.set_xlabel("x")
    return left


def regimes() -> Any:
    """Who is the narrowest where."""
    return plot_regimes(uc.compare(models(), rank_by="bandwidth", n_resamples=199, rng=0))


def ratio() -> Any:
    """Draw the interval score of one model over that of another, and over that of its constant band."""
    sharp, damped = (models()[name] for name in ("sharp", "damped"))
    ax = uc.ratio_curve(sharp, damped, rng=0).plot(label="sharp over damped")
    return uc.ratio_curve(sharp, rng=0).plot(ax, label="sharp over its constant band")


def conditional_coverage() -> Any:
    """Draw the coverage of rows with narrow and wide intervals, which cover 90% on the whole."""
    return uc.conditional_coverage(models()["damped"], coverage=0.9).plot()


def calibrated() -> Any:
    """Rows as they were given, too narrow, and the same rows after calibration on others."""
    rng = np.random.default_rng(0)
    scale = rng.lognormal(sigma=0.5, size=400)
    rows = uc.Intervals.from_bounds(scale * rng.normal(size=400), -scale, 1.2 * scale, y_pred=0 * scale)
    first, second = rows.by(np.arange(400) % 2).values()
    moved = uc.ConformalScaler(coverage=0.9).fit(first).transform(second)
    shown = np.argsort(second.upper)[::4]
    figure, panels = plt.subplots(1, 2, figsize=(10, 3.6), sharey=True, layout="constrained")
    titles = {"as given": second, "calibrated for 90%": moved}
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
    return panels[0]


def one_sided() -> Any:
    """Demand, its forecast and an upper limit that covers 95% of all rows, for some of them."""
    rng = np.random.default_rng(0)
    expected = rng.uniform(20, 200, 2000)
    demand = expected + rng.normal(0, 0.2 * expected)
    limit = uc.Intervals.from_bounds(demand, upper=1.25 * expected, y_pred=expected)
    shown = np.argsort(expected)[::25]
    _, ax = plt.subplots(figsize=(7.6, 4.2), layout="constrained")
    plot_intervals(limit, ax, rows=shown, against=expected, coverage=0.95, unit="pieces")
    ax.set(xlabel="forecast (pieces)", ylabel="demand (pieces)")
    return ax


def scores() -> Any:
    """Two models that a score and the curve order differently: the parts of the score, and the curves."""
    rng, busy = np.random.default_rng(0), 0.5
    spread = np.where(rng.uniform(size=2000) < busy, 4.0, 1.0)
    error = spread * rng.normal(size=2000)
    past, y, spread = error[:1000], error[1000:], spread[1000:]
    levels = [0.05, 0.25, 0.5, 0.75, 0.95]
    shape = np.array([NormalDist().inv_cdf(level) for level in levels])
    half_widths = np.quantile(np.abs(past), [0.9, 0.5, 0.0, 0.5, 0.9])
    tables = {
        "flat": np.tile(np.sign(shape) * half_widths, (1000, 1)),
        "sharp": 0.35 * spread[:, None] * shape,
    }
    _, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained", width_ratios=(1, 1.6))
    for place, table in enumerate(tables.values()):
        parts = uc.weighted_interval_score(y, table, levels, decompose=True)
        left.bar(place, parts.width, 0.6, color=COLORS[place])
        left.bar(
            place,
            parts.score - parts.width,
            0.6,
            parts.width,
            color=COLORS[place],
            alpha=0.35,
            hatch="//",
            edgecolor="white",
        )
        left.text(place, parts.width / 2, "width", ha="center", va="center", color="white", fontsize=9)
        left.text(place, (parts.width + parts.score) / 2, "misses", ha="center", va="center", fontsize=9)
        left.text(place, parts.score + 0.02, f"{parts.score:.2f}", ha="center", va="bottom")
    left.set(xticks=(0, 1), xticklabels=list(tables), ylabel="weighted interval score", ylim=(0, 1.8))
    left.set_title("as they are: flat scores better", fontsize=10)
    models = {name: uc.Intervals.from_quantiles(y, table, levels) for name, table in tables.items()}
    uc.UCCDisplay(models).plot(right, frontier=False, reference=False)
    swap = uc.ratio_curve(models["sharp"], models["flat"], rng=0).crossover
    above = f" above {100 * swap.coverage:.0f}% coverage" if swap else ""
    right.set_title(f"once scaled: sharp is narrower{above}", fontsize=10)
    return left


def reliability() -> Any:
    """Three models that reliability and the UCC judge differently.

    Observations are standard normal, and so are the residuals of all three in units of their bands.
    """
    n = 3000
    rng = np.random.default_rng(5)
    std = rng.uniform(0.2, 0.9, size=n)
    known = np.sqrt(1 - std**2) * rng.normal(size=n)
    y_true = known + std * rng.normal(size=n)
    given = {
        "informed": (known, std),
        "too narrow": (known, 0.6 * std),
        "constant": (0 * known, 1.0),
    }
    three = {name: uc.Intervals.from_std(y_true, *model) for name, model in given.items()}
    _, (left, right) = plt.subplots(1, 2, figsize=(7.8, 4.0), layout="constrained")
    plot_reliability(three, left)
    uc.UCCDisplay(three).plot(right, reference=False, frontier=False, unit=UNIT)
    right.set_box_aspect(1)  # as tall as the square on the left
    return left


def deliveries(sureness: float) -> uc.Intervals:
    """Delivery times with long tails, and quantiles whose spread is the true one times a factor."""
    rng = np.random.default_rng(0)
    typical, spread = rng.normal(3, 0.3, size=1500), rng.uniform(0.15, 1.1, size=1500)
    minutes = np.exp(typical + spread * rng.normal(size=1500))
    levels = (0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975)
    steps = np.array([NormalDist().inv_cdf(level) for level in levels])
    quantiles = np.exp(typical[:, None] + sureness * np.outer(spread, steps))
    return uc.Intervals.from_quantiles(minutes, quantiles, levels)


def levels_curve() -> Any:
    """Draw one model's quantiles by their own levels, and its widest pair scaled."""
    forecast = deliveries(0.8)
    both = {"by level": forecast.ucc(vary="level"), "by scale": forecast.ucc(vary="scale")}
    ax = uc.UCCDisplay(both).plot(unit="minutes").ax_
    ax.set_xlim(-0.6, 50)
    return ax


def levels_reliability() -> Any:
    """Draw the claims of quantiles that are too sure, and of quantiles that are right."""
    return plot_reliability({"too sure": deliveries(0.8), "right": deliveries(1.0)}, confidence=0.95)


def levels_intervals() -> Any:
    """Draw the same rows at three nominal coverages."""
    forecast = deliveries(0.8)
    rows = np.arange(100, 130)[np.argsort(forecast.y_pred[100:130])]
    _, panels = plt.subplots(3, 1, figsize=(6.4, 6.6), layout="constrained")
    for ax, nominal in zip(panels, (0.5, 0.8, 0.95), strict=True):
        plot_intervals(forecast[rows], ax, vary="level", nominal=nominal, unit="minutes")
        ax.set(ylim=(-4, 190), xlabel="")
    panels[-1].set_xlabel("delivery, by its median")
    return panels[0]


FIGURES: dict[str, Callable[[], Any]] = {
    "crossing": crossing,
    "one-model": one_model,
    "points": points,
    "paper": paper,
    "several-models": several_models,
    "excess-and-deficit": excess_and_deficit,
    "intervals": intervals,
    "bands": bands,
    "operating-points": operating_points,
    "conformal-regressor": conformal_regressor,
    "regimes": regimes,
    "ratio": ratio,
    "conditional-coverage": conditional_coverage,
    "calibrated": calibrated,
    "one-sided": one_sided,
    "scores": scores,
    "reliability": reliability,
    "levels-curve": levels_curve,
    "levels-reliability": levels_reliability,
    "levels-intervals": levels_intervals,
}


def write(ax: Any, path: Path, dpi: int) -> None:
    """Write a figure, all of it or none of it; without a date, so that the same figure is the same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kind = path.suffix[1:]
    nameless = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[kind]
    drawn = io.BytesIO()
    with plt.rc_context({"svg.hashsalt": path.stem, "pdf.fonttype": 42}):  # TrueType fonts, for publishers
        ax.figure.savefig(drawn, format=kind, dpi=dpi, metadata=nameless)
    with replacing(path) as unfinished:
        if kind == "png":
            with Image.open(drawn) as picture:
                few = picture.convert("RGB").quantize(PALETTE, dither=Image.Dither.NONE)
                few.save(unfinished, format="png", optimize=True, dpi=(dpi, dpi))
        else:
            unfinished.write_bytes(drawn.getvalue())


def main(arguments: list[str]) -> None:
    """Draw all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=OUTPUT, help="the folder they go to")
    parser.add_argument(
        "--formats", nargs="+", choices=("png", "svg", "pdf"), default=FORMATS, help="the kinds of files"
    )
    parser.add_argument("--dpi", type=int, default=DPI, help="dots per inch of PNG files")
    options = parser.parse_args(arguments)
    plt.switch_backend("agg")
    for name, draw in FIGURES.items():
        ax = draw()
        for kind in options.formats:
            path = options.output / f"{name}.{kind}"
            write(ax, path, options.dpi)
            print(path)
        plt.close(ax.figure)


if __name__ == "__main__":
    main(sys.argv[1:])
