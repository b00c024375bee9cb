"""Which area or gain is meant."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from uccurve._base import arguments
from uccurve.curve import family_of, ranges

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import Partial, Vary, X, Y
    from uccurve.formulas.bands import Scale as Family

What = Literal["area", "gain"]


@dataclass(frozen=True, kw_only=True)
class AreaSpec:
    """An area or a gain: its axes, its family, and the part of the curve."""

    what: What
    x: X = "bandwidth"
    y: Y = "miss_rate"
    vary: Vary = "scale"
    partial: Partial = "mean"
    range_: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        arguments.option("x", self.x, ("bandwidth", "excess"))
        arguments.option("y", self.y, ("miss_rate", "deficit"))
        arguments.option("partial", self.partial, ("strip", "mean"))
        family_of(self.vary)
        axis = ranges.one_of("a range", self.range_, required=False)
        if axis is not None:
            ranges.check_range(axis, self.range_[axis], self.family.lowest)

    @property
    def family(self) -> Family:
        """What moves the operating point."""
        return family_of(self.vary)

    @property
    def axis(self) -> str | None:
        """The axis of the range, None for the whole curve."""
        return ranges.one_of("a range", self.range_, required=False)

    @property
    def power(self) -> int:
        """The power of the unit of y that the number has."""
        if self.what == "gain":
            return 0
        mean = self.partial == "mean" and self.axis is not None
        return 1 if self.y == "miss_rate" or mean else 2

    @property
    def closed(self) -> bool:
        """Whether sums over rows suffice: all of the curve on the bandwidth axis, but not under shift."""
        known = self.family.proportional or self.family.nested
        return self.x == "bandwidth" and known and self.axis is None
