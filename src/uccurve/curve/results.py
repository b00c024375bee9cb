"""What the curve answers: small frozen records, every field with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from uccurve._base import frames
from uccurve._base.arrays import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Array


@dataclass(frozen=True, kw_only=True, slots=True)
class OperatingPoint:
    """One way to set the bands, and what it costs.

    Attributes
    ----------
    parameter : float
        Scale (a factor) or shift (in units of y) applied to the bands as supplied; under ``vary="level"`` the
        nominal coverage as a share of the largest one, and beyond 1 the scale of the outermost pair.
    miss_rate : float
        Share of the weight whose observations lie outside the moved intervals.
    coverage : float
        Share of the weight whose observations lie inside: 1 - miss_rate.
    bandwidth : float
        Mean half-width of the moved intervals, or mean distance from the prediction to a one-sided limit,
        in units of y.
    excess : float
        Mean distance from captured observations to the nearer bound, 0 for misses, in units of y.
    deficit : float
        Mean distance from missed observations to the nearer bound, 0 for hits, in units of y.
    nominal : float | None
        The coverage that the intervals claim there, where nested quantiles move them (``vary="level"``); None
        otherwise, and beyond the outermost pair.

    See Also
    --------
    UCC.at : Returns it.

    Examples
    --------
    >>> import uccurve as uc
    >>> curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4]))
    >>> point = curve.at(coverage=0.75)
    >>> point.parameter, point.bandwidth
    (1.5, 3.0)
    """

    parameter: float
    miss_rate: float
    coverage: float
    bandwidth: float
    excess: float
    deficit: float
    nominal: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class OperatingPoints:
    """Several operating points, in the order requested.

    Attributes
    ----------
    parameter, miss_rate, coverage, bandwidth, excess, deficit : numpy.ndarray
        The fields of `OperatingPoint`, each of shape (m,).
    nominal : numpy.ndarray, or None
        The same, NaN beyond the outermost pair; None unless ``vary="level"``.

    See Also
    --------
    UCC.points : Returns it.

    Examples
    --------
    >>> import uccurve as uc
    >>> curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4]))
    >>> curve.points(coverage=[0.5, 0.75]).bandwidth
    array([2., 3.])
    """

    parameter: np.ndarray
    miss_rate: np.ndarray
    coverage: np.ndarray
    bandwidth: np.ndarray
    excess: np.ndarray
    deficit: np.ndarray
    nominal: np.ndarray | None = None
    _library: str | None = field(default=None, repr=False)

    @classmethod
    def of(cls, points: Sequence[OperatingPoint], library: str | None) -> OperatingPoints:
        """Arrange points as columns.

        Parameters
        ----------
        points : sequence of OperatingPoint
            The points.
        library : str or None
            The library of the frame by default.

        Returns
        -------
        OperatingPoints
            The same as columns.
        """
        names = [field.name for field in fields(OperatingPoint)]
        if all(point.nominal is None for point in points):
            names.remove("nominal")
        columns = {
            name: frozen(np.array([getattr(point, name) for point in points], dtype=np.float64))
            for name in names
        }
        return cls(**columns, _library=library)

    def __len__(self) -> int:
        return int(self.parameter.size)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the points as a frame, one row each.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library. By default the one the intervals came from, else one that is installed, in
            this order, else a dict of arrays.

        Returns
        -------
        frame
            One row per point.

        Raises
        ------
        ArgumentError
            If ``backend`` is unknown.
        ImportError
            If that library is not installed.
        """
        names = ["coverage", "miss_rate", "parameter", "bandwidth", "excess", "deficit"]
        if self.nominal is not None:
            names.insert(0, "nominal")
        return frames.table({name: getattr(self, name) for name in names}, backend or self._library)


@dataclass(frozen=True, kw_only=True, slots=True)
class CostOptimum:
    """The cheapest operating point for a linear cost c * x + (1 - c) * y.

    Attributes
    ----------
    cost : float
        The cost at the optimum.
    point : OperatingPoint
        The optimum; the one with the smallest parameter if several cost the same.
    original_cost : float
        The cost of the intervals as supplied.

    See Also
    --------
    UCC.minimize_cost : Returns it.

    Examples
    --------
    >>> import uccurve as uc
    >>> curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4]))
    >>> best = curve.minimize_cost(0.1)
    >>> best.point.parameter, best.cost
    (2.0, 0.4)
    """

    cost: float
    point: OperatingPoint
    original_cost: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Crossing:
    """A point at which two curves swap order.

    Attributes
    ----------
    x : float
        Where they cross on the horizontal axis, in the unit of that cost.
    y : float
        Where they cross on the vertical axis: a miss rate, or a deficit in units of y.
    better_below : Literal['self', 'other']
        Which curve needs less x just below this y.

    See Also
    --------
    UCC.crossings : Returns it.

    Examples
    --------
    >>> import uccurve as uc
    >>> curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4]))
    >>> other = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 3, 3, 3]))
    >>> [crossing.y for crossing in curve.crossings(other)]
    [0.5, 0.75]
    """

    x: float
    y: float
    better_below: Literal["self", "other"]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Frontier:
    """The limit line: what intervals chosen in hindsight, around the same predictions, would cost.

    To miss a share of the rows at the least bandwidth, hindsight covers the rows with the smallest
    absolute residuals, each exactly, and gives the others no band. The excess is 0 all along.

    Attributes
    ----------
    miss_rate : Array
        Miss rates, from 1 down to 0, shape (m,).
    bandwidth : Array
        Least bandwidth of symmetric intervals at each miss rate, in units of y, shape (m,).
    deficit : Array
        Deficit at each miss rate, in units of y, shape (m,).

    See Also
    --------
    UCC.frontier : Returns it.

    Examples
    --------
    >>> import uccurve as uc
    >>> curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4]))
    >>> curve.frontier.bandwidth
    array([0.  , 0.25, 0.75, 1.5 , 2.5 ])
    """

    miss_rate: Array
    bandwidth: Array
    deficit: Array

    @property
    def asymmetric_bandwidth(self) -> Array:
        """Least bandwidth when bands may differ: the side away from the observation has no width."""
        return self.bandwidth / 2


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class CurveBand:
    """Where the true miss rate may lie, at each operating point.

    Attributes
    ----------
    parameter : Array
        The operating points, shape (m,).
    miss_rate : Array
        The miss rate of the rows at hand, shape (m,).
    low : Array
        Lower end of the band, shape (m,).
    high : Array
        Upper end of the band, shape (m,).
    confidence_level : float
        Probability of covering the true miss rate everywhere at once.

    See Also
    --------
    UCC.confidence_band : Returns it.

    Examples
    --------
    >>> import uccurve as uc
    >>> curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4]))
    >>> band = curve.confidence_band()
    >>> band.low.round(2), band.high.round(2)
    (array([0.32, 0.  , 0.  , 0.  ]), array([1.  , 1.  , 0.93, 0.68]))
    """

    parameter: Array
    miss_rate: Array
    low: Array
    high: Array
    confidence_level: float
