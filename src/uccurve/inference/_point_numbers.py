"""Bandwidth, gain and interval score at one miss rate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from uccurve._base import arguments
from uccurve.curve import areas, family_of
from uccurve.exceptions import ArgumentError
from uccurve.formulas import costs
from uccurve.inference._at_rates import Units, mean_deficits, numbers_at, rates_around

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uccurve._base.type_aliases import Vary
    from uccurve.formulas.bands import Scale as Family
    from uccurve.inference._at_rates import Criterion
    from uccurve.inference._presorted import Presorted

PointWhat = Literal["bandwidth_at", "gain_at", "score_at"]
NOT_DEFINED = "the curve does not reach this range or point"
POINTS: tuple[PointWhat, ...] = ("bandwidth_at", "gain_at", "score_at")
_SMALL = 1e-6
"""A relative change of widths, for slopes."""


@dataclass(frozen=True, kw_only=True)
class PointSpec:
    """The bandwidth that is needed at a miss rate, the share of it that is saved, or the interval score."""

    what: PointWhat
    miss_rate: float
    vary: Vary = "scale"
    axis = None

    @classmethod
    def of(
        cls, what: str, options: Mapping[str, Any], vary: Vary, x: str = "bandwidth", y: str = "miss_rate"
    ) -> PointSpec:
        """Read the point from the options of a statistic."""
        if (x, y) != ("bandwidth", "miss_rate"):
            raise ArgumentError(f"a {what!r} is on bandwidth and miss rate, got x={x!r} and y={y!r}")
        others = [name for name in options if name not in ("miss_rate", "coverage")]
        if others or len(options) != 1:
            got = ", ".join(options) or "none"
            raise ArgumentError(
                argument="coverage", rule=f"be passed for a {what!r}, or `miss_rate`", got=got
            )
        if "coverage" in options:
            rate = arguments.complement(arguments.number("coverage", options["coverage"], 0, 1))
        else:
            rate = arguments.number("miss_rate", options["miss_rate"], 0, 1)
        if what == "score_at":
            arguments.number("miss_rate", rate, 0, 1, open_=True)
        return cls(what=cast("PointWhat", what), miss_rate=rate, vary=vary)

    @property
    def family(self) -> Family:
        """What moves the operating point."""
        return family_of(self.vary)

    @property
    def power(self) -> int:
        """The power of the unit of y that the number has."""
        return int(self.what != "gain_at")


@dataclass(frozen=True, eq=False)
class PointEstimator:
    """A number at one miss rate, as a function of weights; NaN where too many rows are never captured."""

    spec: PointSpec
    presorted: Presorted

    @property
    def miss_rate(self) -> float:
        """The miss rate there."""
        return self.spec.miss_rate

    def value(self, weight: np.ndarray) -> float:
        """Return the number for rows with the given weights."""
        rate = self.spec.miss_rate
        own = self.presorted.bandwidth_at(weight, rate)
        if self.spec.what == "score_at":
            return self._score(weight)
        if self.spec.what == "bandwidth_at":
            return self.of_bandwidths(own)
        return self.of_bandwidths(own, self.presorted.constant(weight).bandwidth_at(weight, rate))

    def of_bandwidths(self, own: float, constant: float = math.nan) -> float:
        """Return the number, given the bandwidths that the model and its constant band need."""
        if math.isinf(own):
            return math.nan
        return own if self.spec.what == "bandwidth_at" else areas.share_saved(own, constant)

    def influence(self, weight: np.ndarray) -> np.ndarray | None:
        """Return how much each row moves the number; None where bands are 0, at an end or out of reach."""
        value, rate = self.value(weight), self.spec.miss_rate
        if not (0 < rate < 1 and math.isfinite(value)):
            return None
        if self.spec.what == "gain_at":
            own = self._log_influence(self.presorted, weight, "bandwidth")
            moved = (value - 1) * (own - self._constant_influence(weight))
        else:
            criterion: Criterion = "interval_score" if self.spec.what == "score_at" else "bandwidth"
            moved = value * self._log_influence(self.presorted, weight, criterion)
        return moved if np.isfinite(moved).all() else None

    def _constant_influence(self, weight: np.ndarray) -> np.ndarray:
        r"""Return how much each element moves the logarithm of the constant bands' bandwidth.

        The constant band of each of several outputs is the mean :math:`\bar z_j` of the model's, and moves
        with it. Let :math:`h_j(t)` be that band at the parameter, and :math:`s_j` the share of output j among
        the elements that are just captured or missed. Wider bands of one output let the parameter fall:

        .. math:: \frac{\partial \beta}{\partial \bar z_j} = \frac{\partial h_j}{\partial \bar z_j}
            \left(\frac{1}{J} - s_j \frac{\overline{h'}}{h_j'}\right), \quad \beta = \overline{h(t)}.
        """
        constant = self.presorted.constant(weight)
        fixed = self._log_influence(constant, weight, "bandwidth")
        outputs = constant.outputs
        if outputs == 1:
            return fixed
        rate = np.array([self.spec.miss_rate])
        (parameter,), around = constant.parameter_at(weight, rate), rates_around(constant, weight, rate)
        wide, narrow = float(around.wide[0]), float(around.narrow[0])
        at_edge = weight * ((constant.critical >= narrow) & (constant.critical <= wide))
        shares = at_edge.reshape(-1, outputs).sum(axis=0) / at_edge.sum()
        here, wider = (
            model.half_width_at(parameter)[:outputs] for model in (constant, constant.widened(1 + _SMALL))
        )
        slopes = (constant.half_width_at(wide) - constant.half_width_at(narrow))[:outputs]
        with np.errstate(divide="ignore", invalid="ignore"):
            lowered = np.where(shares > 0, shares * slopes.mean() / slopes, 0.0)
        moves = (wider - here) / _SMALL * (1 / outputs - lowered) / here.mean()  # per relative change
        own, mean = self.presorted.half_width, constant.half_width
        relative = np.divide(own - mean, mean, out=np.zeros(own.size), where=mean > 0)
        relative *= weight / weight[::outputs].sum()
        return np.asarray(fixed + np.tile(moves, weight.size // outputs) * relative)

    def _log_influence(self, model: Presorted, weight: np.ndarray, criterion: Criterion) -> np.ndarray:
        """Return how much each element of the rows moves the logarithm of a number at the miss rate."""
        elements = Units(np.arange(weight.size), weight.size)
        return numbers_at(model, weight, elements, np.array([self.spec.miss_rate]), criterion).influence[:, 0]

    def _score(self, weight: np.ndarray) -> float:
        """Return the interval score under weights; NaN where it is out of reach."""
        parameter = self.presorted.parameter_at(weight, np.array([self.spec.miss_rate]))
        if not np.isfinite(parameter[0]):
            return math.nan
        bandwidth = self.presorted.bandwidths_of(weight, parameter)
        deficit = mean_deficits(self.presorted, weight, parameter)
        side = self.presorted.intervals.side
        return float(costs.interval_score(bandwidth, deficit, self.spec.miss_rate, side)[0])

    def difference(self, everything: np.ndarray) -> Callable[[np.ndarray], float]:
        """Return a function of the weights of some rows: their number minus that of the others."""
        return lambda weight: self.value(weight) - self.value(everything - weight)
