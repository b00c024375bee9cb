"""The intervals as they are: sums that add up over batches and processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from uccurve._base import arguments
from uccurve.formulas import costs
from uccurve.metrics import average_outputs
from uccurve.torch.interval_metric import IntervalMetric

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uccurve._base.type_aliases import ArrayLike, MultiOutput
    from uccurve.torch.interval_metric import Batch

    RowCost = Callable[[Tensor, Tensor, Tensor], Any]


def _half_width(_y: Tensor, low: Tensor, high: Tensor) -> Any:
    return costs.half_width(low, high)


def _deficit(y: Tensor, low: Tensor, high: Tensor) -> Any:
    return costs.deficit(torch, costs.room(torch, y, low, high))


class _MeanOfRows(IntervalMetric):
    """Means of costs of rows, kept as sums for each output."""

    higher_is_better = False
    _costs: Mapping[str, RowCost]  # by the name of the state that holds their sum

    def __init__(
        self,
        *,
        num_outputs: int = 1,
        multioutput: MultiOutput | ArrayLike = "uniform_average",
        **options: Any,
    ) -> None:
        super().__init__(num_outputs, multioutput, **options)
        for name in (*self._costs, self._weight_name):
            self.add_state(name, torch.zeros(self.num_outputs, dtype=torch.float64), dist_reduce_fx="sum")

    @property
    def _weight_name(self) -> str:
        return f"weight_of_{next(iter(self._costs))}"

    def _add(self, batch: Batch) -> None:
        y, low, high, _, weight = batch
        for name, cost in self._costs.items():
            rows = cost(y, low, high)
            self._increase(name, rows.sum(dim=0) if weight is None else (rows * weight[:, None]).sum(dim=0))
        self._increase(self._weight_name, y.shape[0] if weight is None else weight.sum())

    def _increase(self, name: str, amount: Tensor | float) -> None:
        setattr(self, name, getattr(self, name) + amount)

    def _means(self) -> dict[str, list[float]]:
        """Return the mean of each cost for each output; NaN without weight."""
        weight = getattr(self, self._weight_name)
        return {name: (getattr(self, name) / weight).tolist() for name in self._costs}

    def _value(self, means: Mapping[str, float]) -> float:
        """Return the metric of one output."""
        (value,) = means.values()
        return value

    def compute(self) -> Tensor:
        """Return the mean over all rows of all updates; NaN without rows.

        Returns
        -------
        tensor of shape ()
            In float64.

        Raises
        ------
        ShapeError
            If ``multioutput`` does not have one weight for each output.
        """
        means = self._means()
        each = [dict(zip(means, values, strict=True)) for values in zip(*means.values(), strict=True)]
        return self._tensor(average_outputs(list(map(self._value, each)), self.multioutput))


class MissRate(_MeanOfRows):
    """Share of observations outside their interval; a bound that touches is a hit. As `uccurve.miss_rate`.

    Bounds may be infinite.

    Parameters
    ----------
    num_outputs : int
        How many outputs each row has; rows then have the shape (n, num_outputs).
    multioutput : {"uniform_average", "raw_values"} or sequence of float
        Average the outputs, return one value for each, or average them with weights.
    **options
        Those of ``torchmetrics.Metric``.

    Raises
    ------
    ArgumentError
        If ``num_outputs`` is not a whole number from 1 on, or ``multioutput`` is an unknown word.

    See Also
    --------
    uccurve.miss_rate : The same of arrays.

    Examples
    --------
    >>> import torch
    >>> from uccurve.torch import MissRate
    >>> metric = MissRate()
    >>> metric.update(torch.tensor([1.0, 2, 3]), torch.tensor([0.0, 2, 0]), torch.tensor([2.0, 3, 2]))
    >>> metric.compute()
    tensor(0.3333, dtype=torch.float64)
    """

    _costs = {"missed": costs.missed}  # noqa: RUF012 - states of modules are instance attributes
    _infinite_bounds = True


class Bandwidth(_MeanOfRows):
    """Mean half-width of the intervals, in units of y. As `uccurve.bandwidth`.

    Parameters
    ----------
    num_outputs, multioutput, **options
        As in `MissRate`.

    Raises
    ------
    ArgumentError
        As in `MissRate`.

    See Also
    --------
    uccurve.bandwidth : The same of arrays.

    Examples
    --------
    >>> import torch
    >>> from uccurve.torch import Bandwidth
    >>> metric = Bandwidth()
    >>> metric.update(torch.tensor([1.0, 1]), torch.tensor([0.0, 0]), torch.tensor([2.0, 4]))
    >>> metric.compute()
    tensor(1.5000, dtype=torch.float64)
    """

    _costs = {"half_widths": _half_width}  # noqa: RUF012


class IntervalScore(_MeanOfRows):
    r"""Mean interval (Winkler) score of central intervals; lower is better. As `uccurve.interval_score`.

    Parameters
    ----------
    miss_rate, coverage : float
        The nominal miss rate of the intervals, or their nominal coverage: one of the two.
    num_outputs, multioutput, **options
        As in `MissRate`.

    Raises
    ------
    ArgumentError
        If not exactly one of the two rates is passed, or it is not between 0 and 1; or as in `MissRate`.

    See Also
    --------
    uccurve.interval_score : The same of arrays.

    Examples
    --------
    >>> import torch
    >>> from uccurve.torch import IntervalScore
    >>> metric = IntervalScore(coverage=0.5)
    >>> metric.update(torch.tensor([1.0, 5]), torch.tensor([0.0, 0]), torch.tensor([4.0, 4]))
    >>> metric.compute()
    tensor(6., dtype=torch.float64)
    """

    _costs = {  # noqa: RUF012
        "score_half_widths": _half_width,
        "score_deficits": _deficit,
    }

    def __init__(
        self,
        *,
        miss_rate: float | None = None,
        coverage: float | None = None,
        num_outputs: int = 1,
        multioutput: MultiOutput | ArrayLike = "uniform_average",
        **options: Any,
    ) -> None:
        super().__init__(num_outputs=num_outputs, multioutput=multioutput, **options)
        self.nominal_miss_rate = arguments.miss_rate_of(coverage, miss_rate)

    def _value(self, means: Mapping[str, float]) -> float:
        width, deficit = means.values()
        return float(costs.interval_score(width, deficit, self.nominal_miss_rate))
