r"""Mean bandwidths over ranges of miss rates, and how much each row moves them.

The mean bandwidth over miss rates in :math:`[r_0, r_1]` is :math:`c\,T` with c the mean half width and
T the mean critical value over the range. With q(r) the critical value at a miss rate r and
:math:`k^*` that of a row cut to :math:`[q(r_1), q(r_0)]`,

.. math:: (r_1 - r_0)\,T = \int_{r_0}^{r_1} q(r)\,dr = r_1 q(r_1) - r_0 q(r_0) + \overline{k^*} - q(r_1).

Moving a row changes the integral by its own cut value, less the mean of that: no density is needed.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from uccurve.inference._presorted import Presorted


@dataclass(frozen=True, eq=False)
class RangeMeans:
    """The mean bandwidths that a model needs over adjacent ranges of miss rates, under ``scale``."""

    presorted: Presorted
    share: np.ndarray
    """Share of the weight of each row."""
    width: float
    """Mean half width."""
    lengths: np.ndarray
    """Lengths of the ranges."""
    ends: np.ndarray
    """Critical values at the edges of the ranges, falling."""
    mean_cut: np.ndarray
    """Mean critical value, cut to each range."""
    means: np.ndarray
    """Mean bandwidth over each range."""

    @classmethod
    def of(cls, presorted: Presorted, weight: np.ndarray, edges: np.ndarray) -> RangeMeans:
        """Compute the means between rising miss rates ``edges``."""
        share = weight / float(weight.sum())
        width = presorted.width(weight)
        ends = presorted.parameter_at(weight, edges)
        mean_cut = np.array(
            [float(share @ np.clip(presorted.critical, low, high)) for high, low in itertools.pairwise(ends)]
        )
        lengths = np.diff(edges)
        critical = (edges[1:] * ends[1:] - edges[:-1] * ends[:-1] + mean_cut - ends[1:]) / lengths
        return cls(presorted, share, width, lengths, ends, mean_cut, width * critical)

    def influence(self, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Return how much each of the rows moves each mean; (rows, ranges)."""
        critical, half_width = self.presorted.critical[rows, None], self.presorted.half_width[rows, None]
        cut = np.clip(critical, self.ends[1:], self.ends[:-1]) - self.mean_cut
        wide = (half_width - self.width) * (self.means / self.width)
        return np.asarray(self.share[rows, None] * (wide + cut * (self.width / self.lengths)))
