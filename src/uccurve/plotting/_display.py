"""Curves with everything that is drawn with them, in scikit-learn's manner."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from uccurve._base import frames
from uccurve._base.arrays import to_numpy
from uccurve.curve import UCC
from uccurve.exceptions import ArgumentError
from uccurve.intervals import Intervals
from uccurve.plotting._fitted_estimators import intervals_of
from uccurve.plotting._plot_options import PlotOptions
from uccurve.plotting._plot_reliability import checked_curves
from uccurve.plotting._plot_ucc import plot_ucc

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import ArrayLike, Vary, X, Y
    from uccurve.comparison import Comparison
    from uccurve.curve._curve import Curve


@dataclass(frozen=True, eq=False)
class UCCDisplay:
    """One or more curves and how to draw them.

    The display holds data; `plot` draws it and changes nothing: it returns a display that knows
    its axes. Make one of curves, or by ``from_predictions``, ``from_estimator`` or
    ``from_comparison``, which draw at once.

    Parameters
    ----------
    curves : mapping of name to UCC or Intervals
        The curves by the names in the legend; an empty name is left out of it. Intervals stand for
        their curve.
    x, y : str
        The two costs on the axes.
    options : dict
        Options of `plot` for all drawings; see `uccurve.plotting.plot_ucc`.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes or None
        The axes drawn on, after plotting.
    figure_ : matplotlib.figure.Figure or None
        Their figure.

    Examples
    --------
    >>> import uccurve as uc
    >>> y = [1.0, -2.0, 3.0, -4.0]
    >>> display = uc.UCCDisplay.from_predictions(y, [0, 0, 0, 0], std=[1, 1, 2, 4], name="mine")
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['mine: area 2.75, gain -10.0 %', 'as given', 'constant band', 'limit, symmetric bands']
    >>> display.figure_.clear()
    """

    curves: Mapping[str, Any]  # curves, once made; intervals may be given
    x: X = "bandwidth"
    y: Y = "miss_rate"
    options: PlotOptions = field(default_factory=PlotOptions, repr=False)
    ax_: Any = field(default=None, repr=False)
    figure_: Any = field(default=None, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "curves", checked_curves(self.curves))
        object.__setattr__(self, "options", PlotOptions(**self.options))
        next(iter(self.curves.values()))._check_axes(self.x, self.y)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike | None,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        *,
        std: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        vary: Vary = "scale",
        x: X = "bandwidth",
        y: Y = "miss_rate",
        ax: Any = None,
        **options: Unpack[PlotOptions],
    ) -> UCCDisplay:
        """Draw the curve of predictions with bounds, or with standard deviations.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,) or (n, outputs)
            Observations and predictions; with bounds the latter may be None, which takes the midpoints.
        lower, upper : array, same shape
            Bounds.
        std : array, same shape
            Standard deviations, instead of bounds.
        sample_weight : array of shape (n,), optional
            Weights, 0 or more.
        name : str, optional
            Name in the legend.
        vary : {"scale", "shift"}
            What moves the operating point.
        x, y : str
            The two costs on the axes.
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes if not given.
        **options
            Options of `plot`.
        """
        given = {"lower": lower, "upper": upper, "std": std}
        names = tuple(key for key, value in given.items() if value is not None)
        if names == ("std",):
            intervals = Intervals.from_std(y_true, y_pred, std, sample_weight=sample_weight)
        elif names == ("lower", "upper"):
            intervals = Intervals.from_bounds(
                y_true, lower, upper, y_pred=y_pred, sample_weight=sample_weight
            )
        else:
            got = ", ".join(f"`{key}`" for key in names) or "none of them"
            raise ArgumentError(f"give `lower` and `upper`, or `std`; got {got}.")
        return cls({name or "": UCC(intervals, vary=vary)}, x, y, options).plot(ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803 - scikit-learn's name
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        vary: Vary = "scale",
        axes: tuple[X, Y] = ("bandwidth", "miss_rate"),
        ax: Any = None,
        **options: Unpack[PlotOptions],
    ) -> UCCDisplay:
        """Draw the curve of a fitted estimator.

        Parameters
        ----------
        estimator : object
            With ``predict_interval(X)``, which returns bounds of shape (n, 2) or (n, 2, 1), a pair of
            bounds, or a pair of predictions and bounds; or with ``predict(X, return_std=True)``,
            also as the last step of a pipeline.
        X : array or frame
            Inputs, handed to the estimator.
        y : array of shape (n,) or (n, outputs)
            Observations.
        sample_weight : array of shape (n,), optional
            Weights, 0 or more.
        name : str, optional
            Name in the legend; the estimator's class if not given.
        vary : {"scale", "shift"}
            What moves the operating point.
        axes : pair of str
            The two costs on the axes, horizontal first.
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes if not given.
        **options
            Options of `plot`.
        """
        intervals = intervals_of(estimator, X, y, sample_weight)
        label = type(estimator).__name__ if name is None else name
        return cls({label: UCC(intervals, vary=vary)}, *axes, options).plot(ax)

    @classmethod
    def from_comparison(
        cls, comparison: Comparison, *, ax: Any = None, **options: Unpack[PlotOptions]
    ) -> UCCDisplay:
        """Draw the models of a comparison, on the axes it was made for."""
        return cls(comparison.models, comparison.options.x, comparison.options.y, options).plot(ax)

    def plot(self, ax: Any = None, **options: Unpack[PlotOptions]) -> UCCDisplay:
        """Draw the curves and return a display that knows its axes.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes if not given.
        **options
            ``reference``, ``frontier``, ``band``, ``original``, ``cost``, ``miss_rate``, ``unit`` and
            ``legend`` as in `uccurve.plotting.plot_ucc`; the display's own where not given.
        """
        merged: PlotOptions = {**self.options, **options}
        for name, curve in self.curves.items():
            ax = plot_ucc(curve, ax, x=self.x, y=self.y, label=name or None, **merged)
        return replace(self, ax_=ax, figure_=ax.figure)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the lines as a frame, one row a point, with the columns model, line, x and y.

        The lines are "curve", "constant band" and, on the bandwidth axis, "limit"; all points,
        where a figure of many rows shows some.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library; chosen as in `UCC.to_frame`.
        """
        lines = [(name, *line) for name, curve in self.curves.items() for line in self._lines(curve)]
        sizes = [line[2].size for line in lines]
        columns = {
            "model": np.repeat([line[0] for line in lines], sizes),
            "line": np.repeat([line[1] for line in lines], sizes),
            self.x: np.concatenate([line[2] for line in lines]),
            self.y: np.concatenate([line[3] for line in lines]),
        }
        first = next(iter(self.curves.values()))
        return frames.table(columns, backend or first._library)

    def _lines(self, curve: Curve) -> list[tuple[str, np.ndarray, np.ndarray]]:
        lines = [("curve", getattr(curve, self.x), getattr(curve, self.y))]
        if self.options.get("reference", True):
            constant = curve.reference
            lines.append(("constant band", getattr(constant, self.x), getattr(constant, self.y)))
        if self.options.get("frontier", True) and self.x == "bandwidth":
            limit = curve.frontier
            width = limit.bandwidth if curve.symmetric else limit.asymmetric_bandwidth
            lines.append(("limit", width, getattr(limit, self.y)))
        return [(line, to_numpy(x), to_numpy(y)) for line, x, y in lines]
