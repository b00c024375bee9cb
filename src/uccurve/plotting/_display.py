"""Curves with everything that is drawn with them, in scikit-learn's manner."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments, frames
from uccurve._base.arrays import to_numpy
from uccurve.adapters._fitted_estimators import intervals_of
from uccurve.comparison import Comparison
from uccurve.curve import UCC, ranges
from uccurve.exceptions import ArgumentError
from uccurve.intervals import Intervals
from uccurve.plotting._plot_reliability import checked_curves
from uccurve.plotting._plot_ucc import draw_ucc
from uccurve.plotting._saved_figures import save_figure

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from uccurve._base.type_aliases import ArrayLike, Vary, X, Y
    from uccurve.curve import Curve
    from uccurve.plotting._plot_options import Coverages, PlotOptions


@dataclass(eq=False)
class UCCDisplay:
    """One or more curves, to be drawn on one pair of axes.

    The display holds data; `plot` draws it. Make one of curves, or by ``from_predictions``,
    ``from_estimator`` or ``from_comparison``, which draw at once.

    Parameters
    ----------
    curves : mapping of name to UCC or Intervals
        The curves by the names in the legend; an empty name is left out of it. Intervals stand for
        their curve.
    x, y : str
        The two costs on the axes.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes drawn on; set by `plot`, as are the other two.
    figure_ : matplotlib.figure.Figure
        Their figure.
    line_ : matplotlib.lines.Line2D, or dict of name to Line2D
        The line of the curve; with several curves, their lines by name.

    Examples
    --------
    >>> import uccurve as uc
    >>> y = [1.0, -2.0, 3.0, -4.0]
    >>> display = uc.UCCDisplay.from_predictions(
    ...     y, y_pred=[0, 0, 0, 0], std=[1, 1, 2, 4], name="mine", linewidth=3
    ... )
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['mine: area 2.75, gain −10.0%', 'as supplied', 'constant width', 'limit, symmetric bands']
    >>> display.line_.get_linewidth()
    3.0
    >>> display.figure_.clear()
    """

    curves: Mapping[str, Any]  # curves, once made; intervals may be given
    _: KW_ONLY
    x: X = "bandwidth"
    y: Y = "miss_rate"
    ax_: Any = field(init=False, repr=False)
    figure_: Any = field(init=False, repr=False)
    line_: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.curves = checked_curves(self.curves)
        ranges.check_axes(self.x, self.y)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        *,
        y_pred: ArrayLike | None = None,
        std: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        vary: Vary = "scale",
        x: X = "bandwidth",
        y: Y = "miss_rate",
        ax: Any = None,
        **options: Any,
    ) -> UCCDisplay:
        """Draw the curve of bounds, or of predictions with standard deviations.

        Parameters
        ----------
        y_true : array of shape (n,) or (n, outputs)
            Observations.
        lower, upper : array, same shape
            Bounds.
        y_pred : array, same shape
            Predictions; with bounds the default is their midpoints.
        std : array, same shape
            Standard deviations, with predictions, instead of bounds.
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
            Options and line keywords of `plot`.
        """
        bounds = {"lower": lower, "upper": upper}
        given = [f"`{key}`" for key, value in {**bounds, "std": std}.items() if value is not None]
        if not given or (std is not None and len(given) > 1):
            got = " and ".join(given) or "none of them"
            raise ArgumentError(
                argument="lower", rule="be passed with `upper`, or `y_pred` with `std`", got=got
            )
        if std is None:
            intervals = Intervals.from_bounds(
                y_true, lower, upper, y_pred=y_pred, sample_weight=sample_weight
            )
        else:
            intervals = Intervals.from_std(y_true, y_pred, std, sample_weight=sample_weight)
        return cls({name or "": UCC(intervals, vary=vary)}, x=x, y=y).plot(ax, **options)

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
        **options: Any,
    ) -> UCCDisplay:
        """Draw the curve of a fitted estimator.

        Parameters
        ----------
        estimator : object
            With ``predict_interval(X)``, which returns bounds of shape (n, 2) or (n, 2, 1), a pair of
            bounds, a pair of predictions and bounds, or a frame of skpro; or with
            ``predict(X, return_std=True)``. Either may be the last step of a pipeline or the best estimator
            of a search. A forecaster of sktime forecasts the times in the index of ``y``.
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
            The two costs on the axes, elsewhere called ``x`` and ``y``, which is the target here.
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes if not given.
        **options
            Options and line keywords of `plot`.
        """
        if not isinstance(axes, (tuple, list)) or len(axes) != 2:  # noqa: PLR2004 - a pair
            raise ArgumentError(
                argument="axes", rule="be a pair like ('bandwidth', 'miss_rate')", got=repr(axes)
            )
        intervals = intervals_of(estimator, X, y, sample_weight)
        label = type(estimator).__name__ if name is None else name
        return cls({label: UCC(intervals, vary=vary)}, x=axes[0], y=axes[1]).plot(ax, **options)

    @classmethod
    def from_comparison(cls, comparison: Comparison, *, ax: Any = None, **options: Any) -> UCCDisplay:
        """Draw the models of a comparison, on the two costs it was made for.

        Parameters
        ----------
        comparison : Comparison
            What `compare` found.
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes if not given.
        **options
            Options and line keywords of `plot`.
        """
        arguments.instance("comparison", comparison, Comparison)
        return cls(comparison.models, x=comparison.options.x, y=comparison.options.y).plot(ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        reference: bool = True,
        frontier: bool = True,
        confidence: float | None = None,
        original: bool = True,
        cost: float | None = None,
        miss_rate: tuple[float, float] | None = None,
        points: Coverages | None = None,
        area: bool | tuple[float, float] = False,
        unit: str = "",
        legend: bool = True,
        width: float | None = None,
        height: float | None = None,
        **line_kwargs: Any,
    ) -> UCCDisplay:
        """Draw the curves, set ``ax_``, ``figure_`` and ``line_``, and return the display.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes if not given.
        reference, frontier, confidence, original, cost, miss_rate, points, area, unit, legend, width, height
            As in `uccurve.plotting.plot_ucc`.
        **line_kwargs
            Keywords of ``matplotlib.lines.Line2D``, such as ``linewidth``, ``linestyle`` or ``alpha``,
            for the line of each curve. A ``color`` is taken by all that belongs to the curve.
        """
        options: PlotOptions = {
            "reference": reference,
            "frontier": frontier,
            "confidence": confidence,
            "original": original,
            "cost": cost,
            "miss_rate": miss_rate,
            "points": points,
            "area": area,
            "unit": unit,
            "legend": legend,
        }
        lines: dict[str, Any] = {}
        for name, curve in self.curves.items():
            options["width"], options["height"] = (None, None) if lines else (width, height)
            lines[name] = draw_ucc(
                curve,
                ax,
                x=self.x,
                y=self.y,
                label=name,
                line_style=line_kwargs,
                **options,
            )
            ax = lines[name].axes
        self.ax_, self.figure_ = ax, ax.figure
        self.line_ = lines if len(lines) > 1 else lines[name]
        return self

    def save(self, path: str | os.PathLike[str], *, dpi: float = 300) -> None:
        """Write the figure that `plot` drew to a file, with the fonts that publishers take.

        Parameters
        ----------
        path : str or path
            The file. Its name ends with ``.pdf`` or ``.svg``, for papers and slides, or with ``.png``. Words
            in PDF files are in TrueType fonts; those in SVG files are outlines.
        dpi : float
            Dots per inch of a PNG file.
        """
        if not hasattr(self, "figure_"):
            raise ArgumentError("there is no figure yet: call plot() before save()")
        save_figure(self.figure_, path, arguments.number("dpi", dpi, 1, 2400))

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the lines as a frame, one row per point, with the columns model, line, x and y.

        The lines are "curve", "constant width" and, on the bandwidth axis, "limit", with all their
        points. A figure of many rows shows only some of them.

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
        return frames.table(columns, backend or first.library)

    def _lines(self, curve: Curve) -> list[tuple[str, np.ndarray, np.ndarray]]:
        lines = [("curve", getattr(curve, self.x), getattr(curve, self.y))]
        constant = curve.reference
        lines.append(("constant width", getattr(constant, self.x), getattr(constant, self.y)))
        if self.x == "bandwidth":
            limit = curve.frontier
            width = limit.bandwidth if curve.symmetric else limit.asymmetric_bandwidth
            lines.append(("limit", width, getattr(limit, self.y)))
        return [(line, to_numpy(x), to_numpy(y)) for line, x, y in lines]
