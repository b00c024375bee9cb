"""The coverage that a command aims at; --coverage and --miss-rate are two ways to say it."""

from __future__ import annotations

from uccurve._base.arguments import complement
from uccurve.cli._errors import UsageError

DEFAULT_RATE = 0.1
"""The miss rate where neither an option nor the names of columns tell one: 90% coverage."""


def given_rate(coverage: float | None, miss_rate: float | None) -> float | None:
    """Return the target miss rate that --coverage or --miss-rate tells; None if neither is given."""
    if coverage is None:
        return miss_rate
    if miss_rate is not None:
        raise UsageError("--coverage and --miss-rate exclude each other: they say the same.")
    return complement(coverage)


def coverage_in_words(miss_rate: float) -> str:
    """Name the target of a miss rate: "90% coverage" for 0.1."""
    return f"{100 * complement(miss_rate):.12g}% coverage"
