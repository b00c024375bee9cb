"""Areas and gains that depend on the order of the rows, as functions of the rows' weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from uccurve.curve import areas, ranges
from uccurve.inference._reweighted import ReweightedData

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve.formulas.resampling import Halves, Lanes
    from uccurve.inference._area_spec import AreaSpec
    from uccurve.inference._presorted import Presorted


@dataclass(frozen=True, eq=False)
class SortedArea:
    """An area or gain whose rows are sorted once."""

    spec: AreaSpec
    presorted: Presorted

    def value(self, weight: np.ndarray) -> float:
        """Return area or gain of the rows with the given weights."""
        area = self._own.area(weight)
        if self.spec.what == "area":
            return area
        constant = self._constant.area(weight, self.presorted.width(weight))
        return 1 - area / constant if constant > 0 else math.nan

    def difference(self, everything: np.ndarray) -> Callable[[np.ndarray], float]:
        """Return a function of the weights of some rows: their area or gain minus that of the others."""
        return SplitArea(self, everything).difference

    @cached_property
    def _own(self) -> _Area:
        return _area(self.spec, self.presorted, constant=False)

    @cached_property
    def _constant(self) -> _Area:
        if self.presorted.outputs > 1:
            return _ConstantPerOutput(self.spec, self.presorted)
        return _area(self.spec, self.presorted.unit_band, constant=True)


@dataclass(frozen=True, eq=False)
class SplitArea:
    """Area or gain of some rows minus that of the rest of them."""

    whole: SortedArea
    everything: np.ndarray
    """The weights of all rows."""

    def difference(self, weight: np.ndarray) -> float:
        """Return the difference, for the weights of some rows."""
        area, other = self._own(weight, (1.0, 1.0))
        if self.whole.spec.what == "area":
            return area - other
        width = self.whole.presorted.width
        first, second = self._constant(weight, (width(weight), width(self.everything - weight)))
        return other / second - area / first if min(first, second) > 0 else math.nan

    @cached_property
    def _own(self) -> _Split:
        return self.whole._own.split(self.everything)

    @cached_property
    def _constant(self) -> _Split:
        return self.whole._constant.split(self.everything)


class _Split(Protocol):
    """Areas of some rows and of the rest, given the widths of their constant bands."""

    def __call__(self, weight: np.ndarray, widths: tuple[float, float], /) -> tuple[float, float]: ...


class _Area(Protocol):
    """An area as a function of weights."""

    def area(self, weight: np.ndarray, width: float = 1.0) -> float: ...

    def split(self, everything: np.ndarray) -> _Split: ...


def _area(spec: AreaSpec, presorted: Presorted, *, constant: bool) -> _Area:
    if spec.axis is not None or (spec.x == "bandwidth" and spec.family.proportional):
        return _PartialArea(spec, presorted, constant)
    if presorted.never_captured.size:
        raise ranges.below_floor(ReweightedData(presorted, np.ones(presorted.critical.size)), 0)
    return _WholeArea(spec, presorted)


@dataclass(frozen=True, eq=False)
class _ConstantPerOutput:
    """The area of constant bands, one for each output: their order changes with the weights."""

    spec: AreaSpec
    presorted: Presorted

    def area(self, weight: np.ndarray, _width: float = 1.0) -> float:
        return _area(self.spec, self.presorted.constant(weight), constant=False).area(weight)

    def split(self, everything: np.ndarray) -> _Split:
        return lambda weight, _widths: (self.area(weight), self.area(everything - weight))


@dataclass(frozen=True, eq=False)
class _WholeArea:
    """The whole area, added up along lanes of sorted knots."""

    spec: AreaSpec
    presorted: Presorted

    def area(self, weight: np.ndarray, _width: float = 1.0) -> float:
        return self._halves(weight).area() / float(weight.sum()) ** 2

    def split(self, everything: np.ndarray) -> _Split:
        """Return the areas of a part and of the rest; the factors of all rows are found once."""
        whole = self._halves(everything).kept()
        total = float(everything.sum())

        def both(weight: np.ndarray, _widths: tuple[float, float]) -> tuple[float, float]:
            part = self._halves(weight)
            own, other = whole.areas_of(part)
            inside = float(weight.sum())
            return own / inside**2, other / (total - inside) ** 2

        return both

    @cached_property
    def _lanes(self) -> Lanes:
        return self.presorted.lanes(self.spec.x)

    def _halves(self, weight: np.ndarray) -> Halves:
        return self.presorted.halves(self._lanes, self.spec.y, weight)


@dataclass(frozen=True, eq=False)
class _PartialArea:
    """The area over any part of the curve, from prefix sums of the presorted rows."""

    spec: AreaSpec
    presorted: Presorted
    constant: bool

    def area(self, weight: np.ndarray, width: float = 1.0) -> float:
        spec, data = self.spec, ReweightedData(self.presorted, weight)
        part = ranges.span(data, spec.axis, self._range(width))
        return areas.area_over(data, spec.x, spec.y, spec.partial, part)

    def split(self, everything: np.ndarray) -> _Split:
        return lambda weight, widths: (
            self.area(weight, widths[0]),
            self.area(everything - weight, widths[1]),
        )

    def _range(self, width: float) -> dict[str, Any]:
        """Return the range; the constant band has a width of 1 here, so that its parameter differs."""
        given: dict[str, Any] = dict(self.spec.range_)
        if self.constant and self.spec.axis == "parameter":
            given["parameter"] = tuple(
                self.spec.family.for_unit_band(end, width) for end in given["parameter"]
            )
        return given
