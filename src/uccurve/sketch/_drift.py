"""How far two sketches lie apart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from uccurve.sketch._binned_data import BinnedData

if TYPE_CHECKING:
    from uccurve.sketch._state import State


@dataclass(frozen=True, kw_only=True, slots=True)
class Drift:
    """How far two curves lie apart.

    Attributes
    ----------
    statistic : float
        The difference in coverage, first minus second, that is largest in size over all scales.
    parameter : float
        The scale at which it occurs.
    pvalue : float
        Upper bound on the probability of a gap this large if both samples come from the same source and
        rows are independent.
    """

    statistic: float
    parameter: float
    pvalue: float


def drift(a: State, b: State) -> Drift:
    r"""Return the largest gap in coverage where bins end, first minus second.

    The p-value is :math:`\exp(1 - 2 g^2 n m / (n + m))` at a gap of :math:`g`.
    """
    tables = (a.scale, b.scale)
    bins = np.union1d(tables[0].bins, tables[1].bins)
    captured = []
    for table in tables:
        weight = np.zeros(bins.size)
        weight[np.searchsorted(bins, table.bins)] = table.sums[0]
        captured.append(np.cumsum(weight) / weight.sum())
    gaps = captured[0] - captured[1]
    place = int(np.argmax(np.abs(gaps)))
    gap = float(gaps[place])
    n, m = (BinnedData(state).effective_rows for state in (a, b))
    largest = [table.largest[table.bins <= bins[place]].max(initial=0.0) for table in tables]
    pvalue = min(1.0, math.exp(1 - 2 * gap**2 * n * m / (n + m)))
    return Drift(statistic=gap, parameter=float(max(largest)), pvalue=pvalue)
