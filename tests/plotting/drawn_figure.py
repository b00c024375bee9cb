"""Intervals to draw, and what tests read off a figure."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

import uccurve as uc


def some_intervals(n=99, *, seed=0, symmetric=False, weighted=False, unit=1.0):
    rng = np.random.default_rng(seed)
    lower, upper = unit * rng.exponential(size=(2, n))
    weight = rng.uniform(0.1, 2, size=n) if weighted else None
    y = unit * rng.normal(size=n)
    return uc.Intervals.from_bands(y, np.zeros(n), lower, None if symmetric else upper, sample_weight=weight)


LEVELS = (0.05, 0.15, 0.25, 0.5, 0.75, 0.85, 0.95)


def some_quantiles(n=99, *, seed=0, levels=LEVELS):
    """Log-normal rows and their quantiles."""
    rng = np.random.default_rng(seed)
    center, spread = rng.normal(size=n), rng.uniform(0.3, 1.0, size=n)
    table = np.exp(center[:, None] + spread[:, None] * norm.ppf(levels))
    return uc.Intervals.from_quantiles(np.exp(center + spread * rng.normal(size=n)), table, levels)


def percent(share):
    """A share as figures show it, with a true minus sign."""
    return f"{100 * share:.1f}%".replace("-", "−")


def path(curve, x="bandwidth", y="miss_rate"):
    """The points of a curve where they are drawn: a cost over coverage, or the deficit over it."""
    costs = getattr(curve, x), getattr(curve, y)
    return np.column_stack(costs if y == "deficit" else [1 - costs[1], costs[0]]).tolist()


def point(at):
    """An operating point over coverage."""
    return [1 - at.miss_rate, at.bandwidth]


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def labelled(ax, start):
    (artist,) = [a for a in [*ax.lines, *ax.collections, *ax.patches] if str(a.get_label()).startswith(start)]
    return artist


def xy(line):
    return np.column_stack([line.get_xdata(), line.get_ydata()]).tolist()


def marks(ax, marker):
    """Places of the marks of one shape, legend entries left out."""
    return [xy(line)[0] for line in ax.lines if line.get_marker() == marker and len(line.get_xdata())]


def hits_and_misses(ax):
    hit, missed = (xy(labelled(ax, where)) for where in ("inside", "missed"))
    return hit, missed
