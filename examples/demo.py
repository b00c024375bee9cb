"""Score two models on a built-in example, print the table and draw their curves."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import uccurve as uc
from uccurve.datasets import make_heteroscedastic

OUTPUT = Path("build/demo/ucc.png")


def models(n: int = 5000) -> dict[str, uc.Intervals]:
    """Two models with the same predictions: one knows the noise scale, one damps it."""
    data = make_heteroscedastic(n, spread=0.8, rng=1)
    noise = np.random.default_rng(2).lognormal(sigma=0.2, size=n)
    bands = {"sharp": data.std * noise, "damped": (data.std * noise) ** 0.25}
    return {name: uc.Intervals.from_bands(data.y_true, data.y_pred, band) for name, band in bands.items()}


def score_table(curves: dict[str, uc.UCC]) -> str:
    """Lay out one row for each model."""
    head = f"{'':14}{'miss rate':>10}{'bandwidth':>11}{'area':>8}{'gain':>8}{'ceiling':>9}"
    head += f"{'deficit gain':>14}{'its ceiling':>13}"
    rows = [head]
    constant = {"constant band": next(iter(curves.values())).reference}
    for name, curve in {**curves, **constant}.items():
        row = f"{name:14}{curve.original.miss_rate:10.3f}{curve.original.bandwidth:11.3f}{curve.area():8.3f}"
        row += f"{_percent(curve.gain()):>8}{_percent(curve.ceiling()):>9}"
        row += f"{_percent(curve.gain(y='deficit')):>14}{_percent(curve.ceiling(y='deficit')):>13}"
        rows.append(row)
    return "\n".join(rows)


def findings(curves: dict[str, uc.UCC]) -> str:
    """Say what the curves show, from their numbers."""
    (first, a), (second, b) = curves.items()
    lines = []
    for rate in (0.05, 0.5):
        at_a, at_b = a.at(miss_rate=rate).bandwidth, b.at(miss_rate=rate).bandwidth
        better, other = (first, second) if at_a < at_b else (second, first)
        saved = 1 - min(at_a, at_b) / max(at_a, at_b)
        lines.append(
            f"At a miss rate of {rate:.2f} {better!r} needs {_percent(saved)} less bandwidth than {other!r}."
        )
    swaps = [crossing.y for crossing in a.crossings(b)]
    if swaps:
        lines.append(
            f"The order of the two changes at miss rates between {min(swaps):.3f} and {max(swaps):.3f}."
        )
    for curve in (a, b):
        name = first if curve is a else second
        factor = curve.at(miss_rate=0.1).parameter
        lines.append(f"To miss 10 % of the rows, multiply the bands of {name!r} by {factor:.2f}.")
    return "\n".join(lines)


def draw(curves: dict[str, uc.UCC], path: Path) -> None:
    """Write the figure, all of it or none of it."""
    ax = None
    for name, curve in curves.items():
        ax = curve.plot(ax, label=name)
    assert ax is not None  # noqa: S101
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.part")
    ax.figure.savefig(unfinished, format=path.suffix[1:], dpi=130)
    unfinished.replace(path)


def main(arguments: list[str]) -> None:
    """Print the table and the findings, and write the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=OUTPUT, help="where the figure goes")
    output = parser.parse_args(arguments).output
    curves = {name: uc.UCC(intervals) for name, intervals in models().items()}
    print(score_table(curves), end="\n\n")
    print(findings(curves), end="\n\n")
    draw(curves, output)
    print(f"The curves are drawn in {output}.")


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


if __name__ == "__main__":
    main(sys.argv[1:])
