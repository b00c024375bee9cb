"""One split in the order of time: the last rows calibrate."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import _num_samples

from uccurve._base import arguments
from uccurve.calibration import to_fraction
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterator


class TimeSplit:
    """Split rows, in the order of time, into earlier ones to fit and the last ones to calibrate.

    A splitter as those of ``sklearn.model_selection``, with one split.

    Parameters
    ----------
    fraction : float
        The share of the rows that calibrate, between 0 and 1; their number is rounded up.
    gap : int
        How many rows between the two parts are left out, such as the horizon of a forecast.

    Examples
    --------
    >>> from uccurve.sklearn import TimeSplit
    >>> fitted, calibrating = next(TimeSplit(0.3, gap=2).split(range(10)))
    >>> fitted, calibrating
    (array([0, 1, 2, 3, 4]), array([7, 8, 9]))
    """

    def __init__(self, fraction: float = 0.2, *, gap: int = 0) -> None:
        self.fraction = fraction
        self.gap = gap

    def __repr__(self) -> str:
        return f"TimeSplit({self.fraction!r}" + (f", gap={self.gap!r})" if self.gap else ")")

    def split(
        self,
        X: Any,
        y: Any = None,  # noqa: ARG002
        groups: Any = None,  # noqa: ARG002
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the rows to fit and the rows to calibrate, once.

        Parameters
        ----------
        X : array or frame
            Inputs in the order of time; only their number counts.
        y, groups
            Have no effect.
        """
        fraction = to_fraction(arguments.number("fraction", self.fraction, 0, 1, open_=True))
        gap, n = arguments.whole("gap", self.gap, 0), _num_samples(X)
        first = n - math.ceil(n * fraction)
        if first - gap < 1:
            raise ArgumentError(
                f"TimeSplit must leave at least one row to fit, but {n - first} of {n} rows calibrate and "
                f"gap={gap}: n_samples={n} is too few"
            )
        yield np.arange(first - gap), np.arange(first, n)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002
        """Return 1.

        Parameters
        ----------
        X, y, groups
            Have no effect.
        """
        return 1
