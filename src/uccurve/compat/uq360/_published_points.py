"""UQ360's operating points, to its rounding, after a sort instead of N passes over N rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uccurve.compat.uq360._coordinates import Point
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


def point_columns(
    residual: np.ndarray, lower: np.ndarray, upper: np.ndarray, vary: Vary
) -> dict[str, np.ndarray]:
    """Return UQ360's operating points, one for each row: rising critical values, and the costs there.

    Miss rates are counted with UQ360's rounding; the other costs are within a few units in the last place of
    its own, since it adds the rows up in another order.
    """
    abs_error, active = np.abs(residual), np.where(residual >= 0, upper, lower)
    critical = abs_error / active if vary == "scale" else abs_error - active
    parameter = np.sort(critical)
    reached = np.sort(_reached_from(abs_error, active, critical, vary))
    facing = UCC(Intervals.from_bands(residual, np.zeros_like(residual), active, active), vary=vary)
    lines = facing._data.lines  # the far bounds as far away as the near ones: UQ360's excess
    place = np.searchsorted(lines.knots, parameter, side="right") - 1
    return {
        "parameter": parameter,
        "missrate": 1 - np.searchsorted(reached, parameter, side="right") / residual.size,
        "bandwidth": _bandwidths(lower, upper, parameter, vary),
        "excess": lines.excess[place],
        "deficit": lines.deficit[place],
    }


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
