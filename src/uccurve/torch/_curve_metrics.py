"""The curve of all batches, its area and its gain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from torchmetrics.utilities.plot import plot_curve

from uccurve._base import arguments
from uccurve._base.extras import needed
from uccurve.curve._ranges import on_axes, one_of
from uccurve.intervals._mean_costs import average
from uccurve.torch._curve_metric import CurveMetric

if TYPE_CHECKING:
    from torch import Tensor

    from uccurve._base.type_aliases import ArrayLike, Partial, PooledOutput, Vary, X, Y


class _CurveNumber(CurveMetric):
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
        sketch: bool = False,
        num_outputs: int = 1,
        multioutput: PooledOutput | ArrayLike = "uniform_average",
        **options: Any,
    ) -> None:
        super().__init__(
            x=x, y=y, vary=vary, sketch=sketch, num_outputs=num_outputs, multioutput=multioutput, **options
        )
        arguments.option("partial", partial, ("strip", "mean"))
        self.partial = partial
        self.part = on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
        one_of("a range", self.part, required=False)

    def compute(self) -> Tensor:
        """Return the number of all rows of all updates; NaN without rows."""
        if self._is_empty():
            return self._nothing()
        options = {"x": self.x, "y": self.y, "partial": self.partial, **self.part}
        if isinstance(self.multioutput, str) and self.multioutput == "pooled":
            return self._tensor(getattr(self._curve(), self._statistic)(**options))
        values = [getattr(curve, self._statistic)(**options) for curve in self._curves()]
        return self._tensor(average(values, self.multioutput))


class AUUCC(_CurveNumber):
    """Area under the Uncertainty Characteristics Curve; lower is better. As `uccurve.auucc`.

    Parameters
    ----------
    x, y, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter
        As in `UCC.area`.
    vary : {"scale", "shift"}
        What moves the operating point.
    sketch : bool
        Keep a sketch in place of the rows: 3 MB per output, whatever the number of rows. The full areas
        against bandwidth are exact up to rounding, others as close as `SketchedUCC.error_bound` says.
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
    vary, sketch, num_outputs, multioutput, options
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


class UncertaintyCharacteristicsCurve(CurveMetric):
    """The Uncertainty Characteristics Curve of all batches.

    Parameters
    ----------
    x : {"bandwidth", "excess"}
        The horizontal axis.
    y : {"miss_rate", "deficit"}
        The vertical axis.
    vary, sketch, num_outputs, options
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
        sketch: bool = False,
        num_outputs: int = 1,
        **options: Any,
    ) -> None:
        super().__init__(
            x=x, y=y, vary=vary, sketch=sketch, num_outputs=num_outputs, multioutput="pooled", **options
        )

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
