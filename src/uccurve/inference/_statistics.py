"""Areas and gains as functions of the rows' weights, each by the quickest way it has."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from uccurve._base import arguments
from uccurve._base.type_aliases import Range
from uccurve.curve import _curve_areas
from uccurve.curve._ranges import below_floor, one_of, span
from uccurve.inference._presorted import Presorted, reweighted
from uccurve.intervals import Intervals

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Partial, Vary, X, Y
    from uccurve._kernels.resampling import Halves, Lanes

What = Literal["area", "gain"]


@dataclass(frozen=True, kw_only=True)
class Spec:
    """Which area or gain is meant."""

    what: What
    x: X = "bandwidth"
    y: Y = "miss_rate"
    vary: Vary = "scale"
    partial: Partial = "strip"
    range_: Range = field(default_factory=Range)

    def __post_init__(self) -> None:
        arguments.option("x", self.x, ("bandwidth", "excess"))
        arguments.option("y", self.y, ("miss_rate", "deficit"))
        arguments.option("vary", self.vary, ("scale", "shift"))
        arguments.option("partial", self.partial, ("strip", "mean"))
        one_of("a range", self.range_, required=False)

    @property
    def axis(self) -> str | None:
        """The axis of the range, None for the whole curve."""
        return one_of("a range", self.range_, required=False)

    @property
    def power(self) -> int:
        """The power of the unit of y that the number has."""
        if self.what == "gain":
            return 0
        mean = self.partial == "mean" and self.axis is not None
        return 1 if self.y == "miss_rate" or mean else 2

    @property
    def closed(self) -> bool:
        """Whether sums over rows suffice: the bandwidth axis under scaling, all of the curve."""
        return self.x == "bandwidth" and self.vary == "scale" and self.axis is None


def closed_columns(presorted: Presorted, y: Y) -> np.ndarray:
    """Columns whose weighted sums make up an area and its reference, and the weight itself: (n, 4)."""
    error, k = presorted.rows.abs_error, presorted.critical
    if presorted.never.size:
        raise below_floor(reweighted(presorted, np.ones(error.size)), 0)
    pair = (k, error) if y == "miss_rate" else (error * k, error * error)
    return np.stack([presorted.half_width, *pair, np.ones(error.size)], axis=1)


def closed_value(spec: Spec, sums: np.ndarray) -> np.ndarray:
    """Area or gain from sums of the columns along the last axis."""
    width, own, constant, weight = np.moveaxis(sums, -1, 0)
    if spec.what == "gain":
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(1 - width * own / (weight * constant))
    return np.asarray(width * own / weight**2 * (1.0 if spec.y == "miss_rate" else 0.5))


@dataclass(frozen=True, eq=False)
class SortedStatistic:
    """An area or gain that depends on the order of the rows, which is found once."""

    spec: Spec
    presorted: Presorted

    def value(self, weight: np.ndarray) -> float:
        """Area or gain of the rows with the given weights."""
        area = self._own.area(weight)
        if self.spec.what == "area":
            return area
        constant = self._constant.area(weight, self._widths(weight))
        return 1 - area / constant if constant > 0 else math.nan

    def difference(self, weight: np.ndarray, everything: np.ndarray) -> float:
        """Area or gain of the rows with the given weights minus that of the rest of everything."""
        area, other = self._own.both(weight, everything)
        if self.spec.what == "area":
            return area - other
        widths = (self._widths(weight), self._widths(everything - weight))
        first, second = self._constant.both(weight, everything, widths)
        return other / second - area / first if min(first, second) > 0 else math.nan

    def _widths(self, weight: np.ndarray) -> float:
        return float(weight @ self.presorted.half_width / weight.sum())

    @cached_property
    def _own(self) -> _Lanes | _Partial:
        return _areas_of(self.spec, self.presorted, constant=False)

    @cached_property
    def constant(self) -> Presorted:
        """The same rows with a band of 1."""
        rows = self.presorted.intervals
        return Presorted(Intervals.from_bands(rows.y_true, rows.y_pred, 1.0), self.spec.vary)

    @cached_property
    def _constant(self) -> _Lanes | _Partial:
        return _areas_of(self.spec, self.constant, constant=True)


def _areas_of(spec: Spec, presorted: Presorted, *, constant: bool) -> _Lanes | _Partial:
    if spec.axis is not None or (spec.x == "bandwidth" and spec.vary == "scale"):
        return _Partial(spec, presorted, constant)
    if presorted.never.size:
        raise below_floor(reweighted(presorted, np.ones(presorted.critical.size)), 0)
    return _Lanes(spec, presorted)


@dataclass(frozen=True, eq=False)
class _Lanes:
    """The whole area, added up along lanes of sorted knots."""

    spec: Spec
    presorted: Presorted

    def area(self, weight: np.ndarray, _width: float = 1.0) -> float:
        return self._halves(weight).area() / float(weight.sum()) ** 2

    def both(self, weight: np.ndarray, everything: np.ndarray, _widths: Any = None) -> tuple[float, float]:
        whole = self._whole(everything)
        part, total = self._halves(weight), float(weight.sum())
        own, rest = whole.areas_of(part)
        return own / total**2, rest / (float(everything.sum()) - total) ** 2

    @cached_property
    def _table(self) -> Lanes:
        return self.presorted.lanes(self.spec.x)

    def _halves(self, weight: np.ndarray) -> Halves:
        return self.presorted.halves(self._table, self.spec.y, weight)

    def _whole(self, everything: np.ndarray) -> Halves:
        """Return the factors of all rows, which every resample takes its part of."""
        kept: list[Any] = self.__dict__.setdefault("_kept", [])
        if not kept or kept[0] is not everything:
            kept[:] = [everything, self._halves(everything).kept()]
        return kept[1]  # type: ignore[no-any-return]


@dataclass(frozen=True, eq=False)
class _Partial:
    """The area over any part of the curve, from prefix sums of the presorted rows."""

    spec: Spec
    presorted: Presorted
    constant: bool

    def area(self, weight: np.ndarray, width: float = 1.0) -> float:
        spec, curve = self.spec, reweighted(self.presorted, weight)
        part = span(curve, spec.axis, self._range(width))
        return _curve_areas.area_over(curve, spec.x, spec.y, spec.partial, part)

    def both(
        self, weight: np.ndarray, everything: np.ndarray, widths: tuple[float, ...] = (1.0, 1.0)
    ) -> tuple[float, float]:
        return self.area(weight, widths[0]), self.area(everything - weight, widths[1])

    def _range(self, width: float) -> dict[str, Any]:
        """Return the range; the constant band has a width of 1 here, so that its parameter differs."""
        given: dict[str, Any] = dict(self.spec.range_)
        if self.constant and self.spec.axis == "parameter":
            low, high = given["parameter"]
            if self.spec.vary == "scale":
                given["parameter"] = (low * width, high * width)
            else:
                given["parameter"] = (low + width - 1, high + width - 1)
        return given
