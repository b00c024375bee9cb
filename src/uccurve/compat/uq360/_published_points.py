"""UQ360's operating points, to its rounding, after a sort instead of N passes over N rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve.compat.uq360._coordinates import Point
from uccurve.compat.uq360._curve_knots import all_knots
from uccurve.compat.uq360._rounding import thresholds
from uccurve.curve import UCC
from uccurve.intervals import Intervals

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Vary


def costs_at(
    residual: np.ndarray, lower: np.ndarray, upper: np.ndarray, scale: float = 1.0, bias: float = 0.0
) -> Point:
    """Return the costs of bands that are widened by ``bias`` and then multiplied by ``scale``, as UQ360 does.

    The excess is measured to the bound on the observation's side of the prediction, also where the other
    bound is nearer.
    """
    below, above = (scale * np.maximum(band + bias, 0.0) for band in (lower, upper))
    hit = (residual >= -below) & (residual <= above)
    room = np.where(residual >= 0, above - residual, below + residual)
    return Point(
        parameter=scale,
        missrate=1 - float(np.sum(hit)) / residual.size,
        bandwidth=float(np.mean([above, below])),
        excess=float(np.mean(np.maximum(room, 0.0))),
        deficit=float(np.mean(np.maximum(-room, 0.0))),
    )


@dataclass(frozen=True, eq=False)
class PublishedPoints:
    """UQ360's operating points, one for each row, by rising critical value; each cost when it is asked for.

    Miss rates are counted with UQ360's rounding; the other costs are within a few units in the last place of
    its own, since it adds the rows up in another order.
    """

    residual: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    vary: Vary

    @cached_property
    def parameter(self) -> np.ndarray:
        """Critical values."""
        return np.sort(self._critical)

    @cached_property
    def missrate(self) -> np.ndarray:
        """Share of the rows that UQ360 counts as missed."""
        reached = np.sort(_reached_from(self._abs_error, self._active, self._critical, self.vary))
        return np.asarray(1 - np.searchsorted(reached, self.parameter, side="right") / self.residual.size)

    @cached_property
    def bandwidth(self) -> np.ndarray:
        """Mean half width."""
        return _bandwidths(self.lower, self.upper, self.parameter, self.vary)

    @cached_property
    def excess(self) -> np.ndarray:
        """Mean room up to the bound on the observation's side."""
        return self._at_points("excess")

    @cached_property
    def deficit(self) -> np.ndarray:
        """Mean distance beyond the bound on the observation's side."""
        return self._at_points("deficit")

    def at(self, place: int) -> Point:
        """Return one of the points."""
        return Point(*(float(getattr(self, cost)[place]) for cost in Point._fields))

    @cached_property
    def _abs_error(self) -> np.ndarray:
        return np.asarray(np.abs(self.residual))

    @cached_property
    def _active(self) -> np.ndarray:
        return np.where(self.residual >= 0, self.upper, self.lower)

    @cached_property
    def _critical(self) -> np.ndarray:
        error, band = self._abs_error, self._active
        return np.asarray(error / band if self.vary == "scale" else error - band)

    @cached_property
    def _facing(self) -> UCC:
        """The curve with the far bounds as far away as the near ones, which has UQ360's excess."""
        return UCC(
            Intervals.from_bands(self.residual, np.zeros_like(self.residual), self._active), vary=self.vary
        )

    def _at_points(self, cost: str) -> np.ndarray:
        knots, _ = all_knots(self._facing, frozenset((cost,)))
        place = np.searchsorted(knots.parameter, self.parameter, side="right") - 1
        return np.asarray(knots.costs[cost][place])


def _reached_from(abs_error: np.ndarray, active: np.ndarray, critical: np.ndarray, vary: Vary) -> np.ndarray:
    """Return the smallest float at which UQ360 counts each row as a hit."""

    def captures(parameter: np.ndarray, rows: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            moved = active[rows] * parameter if vary == "scale" else active[rows] + parameter
        return np.asarray(np.maximum(moved, 0.0) >= abs_error[rows])

    missed = np.flatnonzero(abs_error > 0)  # a residual of 0 is a hit even without a band
    reached = np.full(abs_error.shape, -np.inf)
    reached[missed] = thresholds(lambda parameter, rows: captures(parameter, missed[rows]), critical[missed])
    return reached


def _bandwidths(lower: np.ndarray, upper: np.ndarray, parameter: np.ndarray, vary: Vary) -> np.ndarray:
    r"""Return the mean of :math:`k z`, or of :math:`\max(z + s, 0)`, over both bands of all rows."""
    if vary == "scale":
        return np.asarray(parameter * np.mean([upper, lower]))
    bands = np.sort(np.concatenate([lower, upper]))
    sums = np.concatenate([np.cumsum(bands[::-1])[::-1], [0.0]])  # of each band and all wider ones
    first = np.searchsorted(bands, -parameter, side="right")
    return np.asarray((sums[first] + (bands.size - first) * parameter) / bands.size)
