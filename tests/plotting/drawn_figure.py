"""Intervals to draw, and what tests read off a figure."""

from __future__ import annotations

import numpy as np

import uccurve as uc


def some_intervals(n=99, *, seed=0, symmetric=False, weighted=False, unit=1.0):
    rng = np.random.default_rng(seed)
    lower, upper = unit * rng.exponential(size=(2, n))
    weight = rng.uniform(0.1, 2, size=n) if weighted else None
    y = unit * rng.normal(size=n)
    return uc.Intervals.from_bands(y, np.zeros(n), lower, None if symmetric else upper, sample_weight=weight)


def percent(share):
    """A share as figures show it, with a true minus sign."""
    return f"{100 * share:.1f}%".replace("-", "−")


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
    hit, missed = (xy(labelled(ax, f"observed, {where}")) for where in ("inside", "outside"))
    return hit, missed
