"""What all metrics of intervals share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from torchmetrics import Metric

from uccurve._base import arguments
from uccurve._base.extras import needed

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve._base.type_aliases import ArrayLike


class IntervalMetric(Metric):
    """A metric of batches of intervals. Its states depend on the rows alone, never on an option.

    A ``MetricCollection`` lets metrics share an update whose states were equal once. So states that mean
    different things have different names, and options are used only where the value is computed. States
    are float64 and stay so, whatever ``half``, ``to`` and ``set_dtype`` ask for: half precision cannot count.

    Parameters
    ----------
    num_outputs : int
        How many outputs each row has.
    multioutput : str or sequence of float
        What becomes of their values: "uniform_average", "raw_values", or weights.
    other : tuple of str
        Further words that ``multioutput`` may be.
    options
        Those of ``torchmetrics.Metric``.
    """

    is_differentiable = False
    full_state_update = False

    def __init__(
        self,
        num_outputs: int,
        multioutput: str | ArrayLike,
        other: tuple[str, ...] = (),
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.num_outputs = arguments.whole("num_outputs", num_outputs, 1)
        if isinstance(multioutput, str):
            arguments.option("multioutput", multioutput, ("uniform_average", "raw_values", *other))
        self.multioutput = multioutput

    def _apply(self, fn: Callable[[Tensor], Tensor], *args: Any) -> Any:
        """Move states between devices, and leave their precision alone."""

        def moved(state: Tensor) -> Tensor:
            found = fn(state)
            return found if found.dtype == state.dtype else state.to(found.device)

        return super()._apply(moved, *args)

    def _tensor(self, value: float | np.ndarray) -> Tensor:
        """Return a result on the device of the metric."""
        if isinstance(value, np.ndarray):
            value = value.copy()  # a tensor of a curve's arrays could be written to
        return torch.as_tensor(value, dtype=torch.float64, device=self.device)

    def _nothing(self) -> Tensor:
        """Return the value of no rows: NaN, for each output where each has a value."""
        each = isinstance(self.multioutput, str) and self.multioutput == "raw_values"
        return torch.full((self.num_outputs,) if each else (), torch.nan, dtype=torch.float64).to(self.device)

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Draw a value, or a series of values, as torchmetrics does.

        Parameters
        ----------
        val : tensor or sequence of tensors, optional
            Results of ``forward`` or ``compute``; by default that of ``compute`` now.
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        figure and axes
        """
        with needed("matplotlib", extra="plot"):
            return self._plot(val, ax)
