"""Many rows with many orders of magnitude between them, whose exact answers are known."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

import uccurve as uc
from fuzz.search import Target

CLOSE = 1e-12


class Pattern(NamedTuple):
    """A few rows, which are repeated in a random order."""

    errors: list[int]
    """Observations, in powers of ten; predictions are 0."""
    bands: list[int]
    """Bands, in powers of ten."""
    repeats: int
    seed: int


def _check(pattern: Pattern) -> None:
    check_rows(pattern.errors, pattern.bands, pattern.repeats, pattern.seed)


def check_rows(errors: list[int], bands: list[int], repeats: int, seed: int) -> None:
    """Compare numbers of many rows with those of the few that they repeat, in exact fractions."""
    y_few, band_few = (np.array([10.0**power for power in powers]) for powers in (errors, bands))
    order = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(errors)), repeats))
    curve = uc.UCC(uc.Intervals.from_bands(y_few[order], np.zeros(order.size), band_few[order]))
    y, z = ([Fraction(float(value)) for value in column] for column in (y_few, band_few))
    width = _mean(z)
    critical = [a / b for a, b in zip(y, z, strict=True)]
    area = width * _mean(critical)
    moment = width * _mean([a * k for a, k in zip(y, critical, strict=True)]) / 2
    at = curve.at(parameter=1.0)
    wanted: dict[str, tuple[float, Fraction]] = {
        "area": (curve.area(), area),
        "area against the deficit": (curve.area(y="deficit"), moment),
        "bandwidth": (at.bandwidth, width),
        "deficit": (at.deficit, _mean([max(a - b, Fraction(0)) for a, b in zip(y, z, strict=True)])),
        "excess": (at.excess, _mean([max(b - a, Fraction(0)) for a, b in zip(y, z, strict=True)])),
        "largest excess": (float(curve.excess[-1]), _excess(y, z, max(critical))),
    }
    for name, (found, exact) in wanted.items():
        assert abs(Fraction(found) - exact) <= Fraction(CLOSE) * exact, (
            name,
            found,
            float(exact),
        )


def _excess(y: list[Fraction], z: list[Fraction], parameter: Fraction) -> Fraction:
    return _mean([max(parameter * b - a, Fraction(0)) for a, b in zip(y, z, strict=True)])


def _mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


_power = st.integers(-6, 6)
TARGET = Target(
    examples=st.integers(2, 10).flatmap(
        lambda n: st.builds(
            Pattern,
            st.lists(_power, min_size=n, max_size=n),
            st.lists(_power, min_size=n, max_size=n),
            st.just(10**5 // n),
            st.integers(0, 9),
        )
    ),
    check=_check,
    per_round=3,
)
