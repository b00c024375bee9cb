"""What every curve declares: its data, its rows, its limits, and the arrays over its operating points."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from uccurve._base import frames
from uccurve._base.arrays import to_numpy

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Array, Side, Tails, Vary, X, Y
    from uccurve.curve._curve import Curve
    from uccurve.curve._curve_data import WholeCurveData
    from uccurve.curve._results import Frontier
    from uccurve.intervals import Intervals


class CurveArrays(ABC):
    """What an exact and a sketched curve have in common: `Curve` asks it, `UCC` and `SketchedUCC` fill it."""

    vary: Vary
    """What moves the operating point."""
    tails: Tails = "scale"
    """What "level" does beyond the outermost quantiles."""

    @property
    @abstractmethod
    def _data(self) -> WholeCurveData:
        """What the answers are computed from."""

    @property
    @abstractmethod
    def symmetric(self) -> bool:
        """Whether the two bands of each row differ by less than 1% of the mean band."""

    @property
    @abstractmethod
    def side(self) -> Side:
        """Where the intervals have a bound: "both" sides, or "upper" or "lower" for a one-sided limit."""

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of rows."""

    @property
    @abstractmethod
    def reference(self) -> Self:
        """The curve that gains are measured against: of a constant band around the same predictions."""

    @property
    @abstractmethod
    def frontier(self) -> Frontier:
        """The limit line that no symmetric intervals around these predictions can pass."""

    @abstractmethod
    def ceiling(self, *, x: X = "bandwidth", y: Y = "miss_rate", asymmetric: bool = False) -> float:
        """Return the largest full gain that bands around these predictions could have in hindsight.

        On bandwidth and miss rate it depends on the family: bands under "scale", any nested intervals under
        "level", which can gain more. Do not compare shares of the ceiling between families.

        Parameters
        ----------
        x, y : str
            The axes.
        asymmetric : bool
            Bands may differ on the two sides; the default is the ceiling of symmetric bands,
            which asymmetric ones can exceed. It has no effect on a one-sided limit, which has one side.
        """

    @property
    def _rows(self) -> Intervals | None:
        """The rows, where the curve still has them."""
        return None

    @property
    def _levels(self) -> tuple[float, ...]:
        """The nominal coverages of nested quantiles, where they move the operating point; else none."""
        rows = self._rows
        if self.vary != "level" or rows is None or rows.rows.columns.nested is None:
            return ()
        return rows.rows.columns.nested.levels

    @property
    @abstractmethod
    def _nominal(self) -> float | None:
        """The coverage that the intervals claim."""

    @property
    def _library(self) -> str | None:
        """The frame library that the rows came from."""
        return None

    @abstractmethod
    def _same_constant_band(self, other: Curve) -> bool:
        """Whether another curve is measured against the same constant band."""

    @property
    def parameter(self) -> Array:
        """The distinct operating points, rising from where every band is zero; shape (m,)."""
        return self._data.parameter

    @property
    def miss_rate(self) -> Array:
        """Share of the weight that is missed at each operating point, shape (m,)."""
        return self._data.miss_rate

    @property
    def coverage(self) -> Array:
        """Share of the weight that is captured at each operating point, shape (m,)."""
        return self._data.coverage

    @property
    def bandwidth(self) -> Array:
        """Mean half width at each operating point, in units of y, shape (m,).

        Of a one-sided limit, the mean distance from the prediction to the limit.
        """
        return self._data.bandwidth

    @property
    def excess(self) -> Array:
        """Mean over all rows of the distance of a hit to the nearer bound, in units of y, shape (m,).

        Of a one-sided limit, from the limit down to the observation or the prediction, whichever is nearer.
        """
        return self._data.excess

    @property
    def deficit(self) -> Array:
        """Mean over all rows of the distance of a miss to the nearer bound, in units of y, shape (m,)."""
        return self._data.deficit

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the operating points as a frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library. By default the one the intervals came from, else one that is installed, in
            this order, else a dict of arrays.
        """
        _ = self._data.lines  # first, so that one argsort serves all costs
        names = ("parameter", "miss_rate", "bandwidth", "excess", "deficit")
        columns = {name: to_numpy(getattr(self, name)) for name in names}
        if self._levels:
            within = columns["parameter"] <= 1
            columns = {
                "nominal": np.where(within, columns["parameter"] * self._levels[-1], np.nan),
                **columns,
            }
        return frames.table(columns, backend or self._library)
