"""Compare two models on a built-in example: print tables and findings, draw their curves."""

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


def crossing(comparison: uc.Comparison) -> str:
    """Say where the two models swap order."""
    table = comparison.tables["crossings"]
    pairs = zip(table["a"], table["b"], table["miss_rate"], strict=True)
    swaps = [rate for a, b, rate in pairs if {a, b} == set(comparison.models)]
    return f"The order of the two changes at miss rates between {min(swaps):.3f} and {max(swaps):.3f}."


def advice(comparison: uc.Comparison) -> str:
    """Say how to reach a coverage of 90 %."""
    factors = {name: curve.at(coverage=0.9).parameter for name, curve in comparison.models.items()}
    return "\n".join(
        f"To cover 90 %, multiply the bands of {name} by {k:.2f}." for name, k in factors.items()
    )


def draw(comparison: uc.Comparison, path: Path) -> None:
    """Write the figure, all of it or none of it."""
    ax = comparison.plot()
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.part")
    ax.figure.savefig(unfinished, format=path.suffix[1:], dpi=130)
    unfinished.replace(path)


def main(arguments: list[str]) -> None:
    """Print tables and findings, and write the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=OUTPUT, help="where the figure goes")
    output = parser.parse_args(arguments).output
    comparison = uc.compare(models(), n_resamples=1999, rng=0, progress=True)
    print(comparison, end="\n\n")
    print(comparison.summary())
    print(crossing(comparison))
    print(advice(comparison), end="\n\n")
    draw(comparison, output)
    print(f"The curves are drawn in {output}.")


if __name__ == "__main__":
    main(sys.argv[1:])
