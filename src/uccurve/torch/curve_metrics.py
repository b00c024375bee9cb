"""Area and gain of the curve of all batches: metrics that keep the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torchmetrics.utilities import dim_zero_cat

from uccurve._base import arguments
from uccurve.curve import UCC, ranges
from uccurve.exceptions import ArgumentError, EmptyInputError
from uccurve.intervals import Intervals
from uccurve.metrics import average_outputs
from uccurve.torch.interval_metric import Batch, IntervalMetric

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Partial, PooledOutput, Vary, X, Y


class _CurveNumber(IntervalMetric):
    """A number of the curve of all updates' rows, over all of it or a part."""

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
        super().__init__(num_outputs, multioutput, ("pooled",), **options)
        arguments.option("vary", vary, ("scale", "shift"))
        self.part = ranges.check_axes(
            x, y, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter
        )
        self.x, self.y, self.vary, self.partial = x, y, vary, partial
        for name in Batch._fields:
            self.add_state(name, [], dist_reduce_fx="cat")

    def curve(self) -> UCC:
        """Return the curve of all rows and processes. Several outputs are pooled.

        Returns
        -------
        UCC
            To ask for points, optima and ceilings.

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
            return UCC(self._rows(), vary=self.vary)

    def _add(self, batch: Batch) -> None:
        for name, column in batch._asdict().items():
            kept = getattr(self, name)
            if self.y_true and bool(kept) != (column is not None):
                raise ArgumentError(
                    argument=name,
                    rule="be passed in all updates or in none",
                    got="it in some",
                    hint="Reset the metric, or pass it always.",
                )
        for name, column in batch._asdict().items():
            if column is not None:
                getattr(self, name).append(column.reshape(-1).clone())  # the caller may write to theirs

    def _sync_dist(self, *args: Any, **options: Any) -> None:
        """Gather the states of processes; one without rows sends an empty float64 tensor."""
        for name in Batch._fields:
            if not getattr(self, name):
                setattr(self, name, [torch.empty(0, dtype=torch.float64, device=self.device)])
        super()._sync_dist(*args, **options)

    def _is_empty(self) -> bool:
        """Whether there are no rows with weight."""
        weights = self._column("sample_weight")
        return not self._column("y_true").numel() or bool(weights.numel() and weights.max() == 0)

    def _column(self, name: str) -> Tensor:
        """Return a column of all updates; without values where it was not given."""
        parts = getattr(self, name)  # one tensor, while the states of processes are gathered
        return dim_zero_cat(parts) if len(parts) else torch.empty(0, dtype=torch.float64, device=self.device)

    def _rows(self) -> Intervals:
        """Return the rows of all updates."""
        shape = (-1,) if self.num_outputs == 1 else (-1, self.num_outputs)
        columns: dict[str, Any] = {name: self._column(name) for name in Batch._fields}
        given = {
            name: column if name == "sample_weight" else column.reshape(shape)
            for name, column in columns.items()
            if column.numel()
        }
        return Intervals.from_bounds(given.pop("y_true"), given.pop("lower"), given.pop("upper"), **given)

    def compute(self) -> Tensor:
        """Return the number of all rows of all updates; NaN without rows.

        Returns
        -------
        tensor of shape ()
            In float64.

        Raises
        ------
        UnreachableError
            If rows with a zero band would have to be captured by scaling.
        ShapeError
            If ``multioutput`` does not have one weight for each output.
        """
        if self._is_empty():
            return self._nothing()
        options = {"x": self.x, "y": self.y, "partial": self.partial, **self.part}
        rows = self._rows()
        is_pooled = isinstance(self.multioutput, str) and self.multioutput == "pooled"
        curves = [UCC(output, vary=self.vary) for output in ([rows] if is_pooled else rows.outputs())]
        values = [getattr(curve, self._statistic)(**options) for curve in curves]
        return self._tensor(values[0] if is_pooled else average_outputs(values, self.multioutput))


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
    **options
        Those of ``torchmetrics.Metric``.

    Raises
    ------
    ArgumentError
        If an option has a value outside its rule, or several ranges are passed.

    See Also
    --------
    uccurve.auucc : The same of arrays.

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
    """Share of constant width's area that these bands save; higher is better. As `uccurve.auucc_gain`.

    Parameters
    ----------
    x, y, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter
        As in `UCC.gain`.
    vary, num_outputs, multioutput, **options
        As in `AUUCC`.

    Raises
    ------
    ArgumentError
        As in `AUUCC`.

    See Also
    --------
    uccurve.auucc_gain : The same of arrays.

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
