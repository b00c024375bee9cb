"""UQ360's arithmetic as it is printed: a loop over rows in a loop over points. It shares nothing with the code."""

from __future__ import annotations

import numpy as np


def costs(d, lower, upper, scale=1.0, bias=0.0):
    """Miss rate, bandwidth, excess and deficit, row by row."""
    hits, widths, excess, deficit = 0, [], 0.0, 0.0
    for error, low, high in zip(d, lower, upper, strict=True):
        low, high = scale * max(low + bias, 0.0), scale * max(high + bias, 0.0)  # noqa: PLW2901
        hits += -low <= error <= high
        facing = high - error if error >= 0 else low + error
        excess += max(facing, 0.0)
        deficit += max(-facing, 0.0)
        widths += [low, high]
    return 1 - hits / len(d), float(np.mean(widths)), excess / len(d), deficit / len(d)


def points(d, lower, upper, *, bias=False):
    """One point for each row, by rising critical value."""
    facing = [high if error >= 0 else low for error, low, high in zip(d, lower, upper, strict=True)]
    if bias:
        critical = sorted(abs(error) - band for error, band in zip(d, facing, strict=True))
        return [(s, *costs(d, lower, upper, bias=s)) for s in critical]
    critical = sorted(abs(error) / band for error, band in zip(d, facing, strict=True))
    return [(k, *costs(d, lower, upper, scale=k)) for k in critical]
