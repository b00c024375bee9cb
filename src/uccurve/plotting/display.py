"""Curves with everything that is drawn with them, in scikit-learn's manner."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any

from uccurve._base import arguments
from uccurve.adapters.estimators import intervals_of
from uccurve.comparison import Comparison
from uccurve.curve import UCC, ranges
from uccurve.exceptions import ArgumentError
from uccurve.intervals import Intervals
from uccurve.plotting.curves import check_curves, draw_curves
from uccurve.plotting.style import MOST_IN_COLOR, save_figure

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from uccurve._base.type_aliases import ArrayLike, Vary, X, Y


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

    Raises
    ------
    ArgumentError
        If ``curves`` is not a mapping with at least one curve, or an axis is unknown.
    ArgumentTypeError
        If one of them is neither a `UCC` nor `Intervals`.

    See Also
    --------
    plotting.plot_ucc : Draws one curve.
    compare : Which model to use.

    Examples
    --------
    >>> import uccurve as uc
    >>> y = [1.0, -2.0, 3.0, -4.0]
    >>> display = uc.UCCDisplay.from_predictions(
    ...     y, y_pred=[0, 0, 0, 0], std=[1, 1, 2, 4], name="mine", linewidth=3
    ... )
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['mine: area 2.75, gain −10.0%', 'as supplied', 'constant width', 'limit, symmetric intervals']
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
        self.curves = check_curves(self.curves)
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
            Where to draw; new axes if not passed.
        **options
            Options and line keywords of `plot`.

        Returns
        -------
        UCCDisplay
            The display, drawn.

        Raises
        ------
        InvalidRowsError, ShapeError, EmptyInputError, NotNumericError
            As in `Intervals.from_bounds`.
        ArgumentError
            If neither bounds nor ``std`` are passed, or both; or as in `plot`.
        MissingDependencyError
            If matplotlib is not installed.
        """
        has_bounds = lower is not None or upper is not None
        if has_bounds == (std is not None):
            raise ArgumentError(argument="lower", rule="be passed with `upper`, or `y_pred` with `std`")
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
        ax: Any = None,
        **options: Any,
    ) -> UCCDisplay:
        """Draw the curve of a fitted estimator, as half-width over coverage.

        Parameters
        ----------
        estimator : object
            With ``predict_interval(X)``, which returns bounds of shape (n, 2) or (n, 2, 1), a pair of
            bounds, a pair of predictions and bounds, or a frame of skpro; or with
            ``predict(X, return_std=True)``. Either may be the last step of a pipeline or the best estimator
            of a search. A forecaster of sktime forecasts the times in the index of ``y``.
        X : array or frame
            Inputs, passed to the estimator.
        y : array of shape (n,) or (n, outputs)
            Observations.
        sample_weight : array of shape (n,), optional
            Weights, 0 or more.
        name : str, optional
            Name in the legend; the estimator's class if not passed.
        vary : {"scale", "shift"}
            What moves the operating point.
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes if not passed.
        **options
            Options and line keywords of `plot`.

        Returns
        -------
        UCCDisplay
            The display, drawn.

        Raises
        ------
        ArgumentError
            If the estimator predicts neither intervals nor standard deviations; or as in `plot`.
        ShapeError
            If what it predicts does not have these shapes, or the rows of ``y``.
        InvalidRowsError
            If rows are invalid, as in `Intervals.from_bounds`.
        MissingDependencyError
            If matplotlib is not installed.
        """
        intervals = intervals_of(estimator, X, y, sample_weight)
        label = type(estimator).__name__ if name is None else name
        return cls({label: UCC(intervals, vary=vary)}).plot(ax, **options)

    @classmethod
    def from_comparison(cls, comparison: Comparison, *, ax: Any = None, **options: Any) -> UCCDisplay:
        """Draw the models of a comparison, on the two costs it was made for.

        Parameters
        ----------
        comparison : Comparison
            What `compare` found.
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes if not passed.
        **options
            Options and line keywords of `plot`.

        Returns
        -------
        UCCDisplay
            The display, drawn.

        Raises
        ------
        ArgumentTypeError
            If ``comparison`` is not a `Comparison`.
        MissingDependencyError, ArgumentError, TypeError, UnreachableError
            As in `plot`.
        """
        arguments.instance("comparison", comparison, Comparison)
        standings, models = comparison.standings, comparison.models
        if len(models) > MOST_IN_COLOR:
            best = [name for name in standings.at_place(standings.chosen).order if name in models]
            options = {"highlight": best[:2]} | options
        return cls(models, x=comparison.options.x, y=comparison.options.y).plot(ax, **options)

    def plot(self, ax: Any = None, **options: Any) -> UCCDisplay:
        """Draw the curves, set ``ax_``, ``figure_`` and ``line_``, and return the display.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes if not passed.
        **options
            Those of `uccurve.plotting.PlotOptions`. Further ones are keywords of
            ``matplotlib.lines.Line2D``, such as ``linewidth``, ``linestyle`` or ``alpha``, for the line of
            each curve. A ``color`` applies to all parts of the curve.

        Returns
        -------
        UCCDisplay
            Itself.

        Raises
        ------
        MissingDependencyError
            If matplotlib is not installed.
        ArgumentError
            If an option has a value outside its rule, or the axes show other costs.
        TypeError
            If a keyword is neither an option nor one of ``Line2D``.
        UnreachableError
            If scaling does not reach a coverage of ``points``, because rows have zero bands.
        """
        lines = draw_curves(self.curves, ax, self.x, self.y, options)
        first = next(iter(lines.values()))
        self.ax_, self.figure_ = first.axes, first.figure
        self.line_ = lines if len(lines) > 1 else first
        return self

    def save(self, path: str | os.PathLike[str], *, dpi: float = 300) -> None:
        """Write the figure that `plot` drew to a file, with fonts that publishers accept.

        Parameters
        ----------
        path : str or path
            The file. Its name ends with ``.pdf`` or ``.svg``, for papers and slides, or with ``.png``. Text
            in PDF files is in TrueType fonts, in SVG files outlines.
        dpi : float
            Dots per inch of a PNG file.

        Raises
        ------
        ArgumentError
            If nothing is drawn yet, the name ends with none of these, or ``dpi`` is not from 1 to 2,400.
        OSError
            If the file cannot be written; it names the path.
        """
        if not hasattr(self, "figure_"):
            raise ArgumentError("there is no figure yet: call plot() before save()")
        save_figure(self.figure_, path, arguments.number("dpi", dpi, 1, 2400))
