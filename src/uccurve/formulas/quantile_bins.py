"""Bins that hold about the same weight each, and never split equal values."""

from __future__ import annotations

from typing import Any

import numpy as np


def quantile_bins(values: np.ndarray, weight: np.ndarray, bins: int, rounding: Any = 0.0) -> np.ndarray:
    r"""Return the bin of each value, numbered from 0 by rising values without gaps; shape (m,).

    A run of equal values with the weight :math:`w`, after the weight :math:`c` of all smaller ones, goes
    into the bin :math:`\lfloor b\,(c + w/2) / W \rfloor` of b. Bins that stay empty are left out.

    Parameters
    ----------
    values, weight : numpy.ndarray
        What is put into bins, and the weights, above 0.
    bins : int
        The most bins.
    rounding : float or numpy.ndarray
        Neighbors that differ by no more than this are equal.
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    slack = np.broadcast_to(rounding, values.shape)[order]
    with np.errstate(invalid="ignore", over="ignore"):  # infinite neighbors are equal
        rises = np.diff(ordered) > np.maximum(slack[1:], slack[:-1])
    run = np.concatenate([[0], np.cumsum(rises)])
    of_run = np.bincount(run, weights=weight[order])
    up_to = np.cumsum(of_run)
    bin_of_run = np.floor(bins * (up_to - of_run / 2) / up_to[-1])
    _, without_gaps = np.unique(bin_of_run, return_inverse=True)
    codes = np.empty(values.size, dtype=np.int64)
    codes[order] = without_gaps[run]
    return codes
