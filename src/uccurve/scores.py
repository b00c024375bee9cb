"""The area under the curve and the gain as metrics, in the manner of scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from uccurve.curve import UCC
from uccurve.intervals import Intervals
from uccurve.metrics import average

if TYPE_CHECKING:
    import numpy as np

    from uccurve._typing import ArrayLike, MultiOutput, Partial, Range, Vary, X, Y


def auucc(
    y_true: ArrayLike,
    y_pred: ArrayLike | None,
    lower: ArrayLike,
    upper: ArrayLike,
    *,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    partial: Partial = "strip",
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
    **range_: Unpack[Range],
) -> float | np.ndarray:
    """Return the area under the Uncertainty Characteristics Curve; lower is better.

    Takes the options of `UCC.area`. Several outputs have a curve each, and ``multioutput`` says
    whether their areas are averaged; one curve for all outputs is ``UCC(intervals).area()``.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.auucc([1, 2, 3], [1, 1, 4], lower=[0, 0, 2], upper=[2, 3, 5])
    0.4444444444444444
    """
    intervals = Intervals.from_bounds(y_true, y_pred, lower, upper, sample_weight=sample_weight)
    areas = [curve.area(x, y, partial=partial, **range_) for curve in _curves(intervals, vary)]
    return average(areas, multioutput)


def auucc_gain(
    y_true: ArrayLike,
    y_pred: ArrayLike | None,
    lower: ArrayLike,
    upper: ArrayLike,
    *,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    partial: Partial = "strip",
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
    **range_: Unpack[Range],
) -> float | np.ndarray:
    """Return the share of the constant band's area that these bands save; higher is better.

    Takes the options of `UCC.gain`; several outputs as in `auucc`.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.auucc_gain([1, 2, 3], [1, 1, 4], lower=[0, 0, 2], upper=[2, 3, 5])
    0.33333333333333337
    """
    intervals = Intervals.from_bounds(y_true, y_pred, lower, upper, sample_weight=sample_weight)
    gains = [curve.gain(x, y, partial=partial, **range_) for curve in _curves(intervals, vary)]
    return average(gains, multioutput)


def _curves(intervals: Intervals, vary: Vary) -> list[UCC]:
    return [UCC(output, vary) for output in intervals.outputs()]
