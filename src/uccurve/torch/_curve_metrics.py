"""The curve of all batches, its area and its gain: metrics that keep the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torchmetrics.utilities import dim_zero_cat
from torchmetrics.utilities.plot import plot_curve

from uccurve._base import arguments
from uccurve._base.arguments import needed
from uccurve.curve import UCC, ranges
from uccurve.exceptions import ArgumentError, EmptyInputError
from uccurve.intervals import Intervals
from uccurve.metrics import average_outputs
from uccurve.torch._interval_metric import IntervalMetric

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Partial, PooledOutput, Vary, X, Y
    from uccurve.torch._interval_metric import Batch

_ROWS = {
    "y_true": "observations",
    "lower": "lower_bounds",
    "upper": "upper_bounds",
    "y_pred": "predictions",
    "sample_weight": "row_weights",
}
"""The state that keeps each column, outputs laid end to end."""


class _CurveMetric(IntervalMetric):
    """Rows of all updates, and their curve."""

    def __init__(
        self,
        *,
        x: X,
        y: Y,
        vary: Vary,
        num_outputs: int,
        multioutput: PooledOutput | ArrayLike,
        **options: Any,
    ) -> None:
        super().__init__(num_outputs, multioutput, ("pooled",), **options)
        arguments.option("x", x, ("bandwidth", "excess"))
        arguments.option("y", y, ("miss_rate", "deficit"))
        arguments.option("vary", vary, ("scale", "shift"))
        self.x, self.y, self.vary = x, y, vary
        for name in _ROWS.values():
            self.add_state(name, [], dist_reduce_fx="cat")

    def curve(self) -> UCC:
        """Return the curve of all rows and processes. Several outputs are pooled.

        Raises
        ------
        EmptyInputError
            If there were no rows with weight.
        """
        synced = self.sync_context(
            dist_sync_fn=self.dist_sync_fn, should_sync=self._to_sync, should_unsync=self._should_unsync
        )
        with synced:
            if self._is_empty():
                raise EmptyInputError(
                    "the metric must have rows with weight", got="none", hint="Call update first."
                )
            return self._curve()

    def _add(self, batch: Batch) -> None:
        given = {role: column for role, column in batch._asdict().items() if column is not None}
        for role in _ROWS:
            if self._kept("y_true") and bool(self._kept(role)) != (role in given):
                raise _in_some_updates(role)
        for role, column in given.items():
            self._kept(role).append(column.reshape(-1).clone())  # the caller may write to theirs

    def _kept(self, role: str) -> Any:
        """Return the parts of a column; one tensor, while the states of processes are gathered."""
        return getattr(self, _ROWS[role])

    def _sync_dist(self, *args: Any, **options: Any) -> None:
        """Gather the states of processes; one without rows sends an empty float64 tensor."""
        for name in _ROWS.values():
            if not getattr(self, name):
                setattr(self, name, [torch.empty(0, dtype=torch.float64, device=self.device)])
        super()._sync_dist(*args, **options)

    def _is_empty(self) -> bool:
        """Whether there are no rows with weight."""
        weights = self._column("sample_weight")
        return not self._column("y_true").numel() or bool(weights.numel() and weights.max() == 0)

    def _column(self, role: str) -> Tensor:
        """Return a column of all updates; without values where it was not given."""
        parts = self._kept(role)
        return dim_zero_cat(parts) if len(parts) else torch.empty(0, dtype=torch.float64, device=self.device)

    def _rows(self) -> Intervals:
        """Return the rows of all updates."""
        columns = {role: self._column(role) for role in _ROWS}
        elements = columns["y_true"].numel()
        for role in ("y_pred", "sample_weight"):
            expected = elements if role == "y_pred" else elements // self.num_outputs
            if columns[role].numel() not in (0, expected):
                raise _in_some_updates(role)
        given = {role: column for role, column in columns.items() if column.numel()}
        shape = (-1,) if self.num_outputs == 1 else (-1, self.num_outputs)
        rows = {n: c if n == "sample_weight" else c.reshape(shape) for n, c in given.items()}
        y_true, lower, upper = (rows.pop(role) for role in ("y_true", "lower", "upper"))
        return Intervals.from_bounds(
            y_true, lower, upper, y_pred=rows.get("y_pred"), sample_weight=rows.get("sample_weight")
        )

    def _curve(self) -> UCC:
        """Return one curve of all outputs."""
        return UCC(self._rows(), vary=self.vary)


class _CurveNumber(_CurveMetric):
    """A number of the curve, over all of it or a part."""

    _statistic: str

    def __init__(
        self,
        *,
        x: X = "bandwidth",
        y: Y = "miss_rate",
        vary: Vary = "scale",
        partial: Partial = "mean",
        miss_rate: tuple[float, float] | None = None,
        coverage: tuple[float, float] | None = None,
        bandwidth: tuple[float, float] | None = None,
        excess: tuple[float, float] | None = None,
        deficit: tuple[float, float] | None = None,
        parameter: tuple[float, float] | None = None,
        num_outputs: int = 1,
        multioutput: PooledOutput | ArrayLike = "uniform_average",
        **options: Any,
    ) -> None:
        super().__init__(x=x, y=y, vary=vary, num_outputs=num_outputs, multioutput=multioutput, **options)
        arguments.option("partial", partial, ("strip", "mean"))
        self.partial = partial
        self.part = ranges.on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
        ranges.one_of("a range", self.part, required=False)

    def compute(self) -> Tensor:
        """Return the number of all rows of all updates; NaN without rows."""
        if self._is_empty():
            return self._nothing()
        options = {"x": self.x, "y": self.y, "partial": self.partial, **self.part}
        if isinstance(self.multioutput, str) and self.multioutput == "pooled":
            return self._tensor(getattr(self._curve(), self._statistic)(**options))
        curves = [UCC(output, vary=self.vary) for output in self._rows().outputs()]
        values = [getattr(curve, self._statistic)(**options) for curve in curves]
        return self._tensor(average_outputs(values, self.multioutput))


class AUUCC(_CurveNumber):
    """Area under the Uncertainty Characteristics Curve; lower is better. As `uccurve.auucc`.

    Parameters
    ----------
    x, y, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter
        As in `UCC.area`.
    vary : {"scale", "shift"}
        What moves the operating point.
    num_outputs : int
        How many outputs each row has; rows then have the shape (n, num_outputs).
    multioutput : {"uniform_average", "raw_values", "pooled"} or sequence of float
        Average the areas of outputs, return them, take that of one curve for all, or average with weights.
    options
        Those of ``torchmetrics.Metric``.

    Examples
    --------
    >>> import torch
    >>> from uccurve.torch import AUUCC
    >>> metric = AUUCC()
    >>> metric.update(torch.tensor([1, 2]), torch.tensor([0, 0]), torch.tensor([2, 3]), torch.tensor([1, 1]))
    >>> metric.update(torch.tensor([3]), torch.tensor([2]), torch.tensor([5]), torch.tensor([4]))
    >>> metric.compute()
    tensor(0.4444, dtype=torch.float64)
    """

    higher_is_better = False
    _statistic = "area"


class AUUCCGain(_CurveNumber):
    """Share of the constant band's area that these bands save; higher is better. As `uccurve.auucc_gain`.

    Parameters
    ----------
    x, y, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter
        As in `UCC.gain`.
    vary, num_outputs, multioutput, options
        As in `AUUCC`.

    Examples
    --------
    >>> import torch
    >>> from uccurve.torch import AUUCCGain
    >>> metric = AUUCCGain()
    >>> y, lower, upper = torch.tensor([1, 2, 3]), torch.tensor([0, 0, 2]), torch.tensor([2, 3, 5])
    >>> metric.update(y, lower, upper, y_pred=torch.tensor([1, 1, 4]))
    >>> metric.compute()
    tensor(0.3333, dtype=torch.float64)
    """

    higher_is_better = True
    _statistic = "gain"


class CurvePoints(NamedTuple):
    """The operating points of a curve, from zero bands on, each of shape (m,)."""

    x: Tensor
    """Bandwidth or excess, in units of y."""
    y: Tensor
    """Miss rate, or deficit in units of y."""
    parameter: Tensor
    """The scale or shift of the bands."""


class UncertaintyCharacteristicsCurve(_CurveMetric):
    """The Uncertainty Characteristics Curve of all batches.

    Parameters
    ----------
    x : {"bandwidth", "excess"}
        The horizontal axis.
    y : {"miss_rate", "deficit"}
        The vertical axis.
    vary, num_outputs, options
        As in `AUUCC`. Several outputs share one curve, as in `UCC`.

    Examples
    --------
    >>> import torch
    >>> from uccurve.torch import UncertaintyCharacteristicsCurve
    >>> metric = UncertaintyCharacteristicsCurve()
    >>> band = torch.tensor([1.0, 1, 2, 4])
    >>> metric.update(torch.tensor([1.0, 2, 3, 4]), -band, band)
    >>> metric.compute().y
    tensor([1.0000, 0.5000, 0.2500, 0.0000], dtype=torch.float64)
    >>> metric.curve().at(coverage=0.75).parameter
    1.5
    """

    def __init__(
        self,
        *,
        x: X = "bandwidth",
        y: Y = "miss_rate",
        vary: Vary = "scale",
        num_outputs: int = 1,
        **options: Any,
    ) -> None:
        super().__init__(x=x, y=y, vary=vary, num_outputs=num_outputs, multioutput="pooled", **options)

    def compute(self) -> CurvePoints:
        """Return the operating points of all rows of all updates; none without rows."""
        if self._is_empty():
            return CurvePoints(*(self._tensor(np.empty(0)) for _ in CurvePoints._fields))
        curve = self._curve()
        return CurvePoints(*(self._tensor(getattr(curve, name)) for name in (self.x, self.y, "parameter")))

    def plot(self, val: Any = None, ax: Any = None, **options: Any) -> Any:
        """Draw the curve with the constant band, the limit line and the original operating point.

        Parameters
        ----------
        val : CurvePoints, optional
            An earlier result, of which the bare line is drawn; by default the curve of all rows.
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.
        options
            Those of `Curve.plot`.

        Returns
        -------
        figure and axes
        """
        with needed("matplotlib", extra="plot"):
            if val is not None:
                names = (self.x, self.y)
                return plot_curve(val, ax=ax, label_names=names, name=type(self).__name__)
        drawn = self.curve().plot(ax, x=self.x, y=self.y, **options)
        return drawn.figure, drawn


def _in_some_updates(role: str) -> ArgumentError:
    return ArgumentError(
        argument=role,
        rule="be passed in all updates or in none",
        got="it in some",
        hint="Reset the metric, or pass it always.",
    )
