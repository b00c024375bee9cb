"""UQ360's class: its state, questions, arguments and return types, on the exact curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np

from uccurve._base import arguments
from uccurve._base.arguments import needed
from uccurve.compat.uq360._path import Axis, Part, area, knots, path
from uccurve.compat.uq360._rows import intervals_of, matrices, observations, unit_of
from uccurve.curve import UCC
from uccurve.exceptions import ArgumentError, NotFittedError
from uccurve.plotting._style import literal, thin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve.intervals import Intervals

_Answer = TypeVar("_Answer")
_COSTS = ("parameter", "miss_rate", "bandwidth", "excess", "deficit")
"""What UQ360 keeps of an operating point, in its order, as `UCC` calls it."""
_MISS_RATE, _EXCESS = 1, 3
_WITHOUT_A_SCREEN = ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")


class UncertaintyCharacteristicsCurve:
    """Drop-in for UQ360's class of that name: the same calls, exact numbers, N log N steps instead of N².

    Several models at once give lists, one model gives its answer alone. The axes stay as they were set,
    excess and miss rate at first, and are divided by the standard deviation of the observations while
    ``normalize`` is on. Nothing is printed and no input is modified; what must be replaced is counted in a
    warning.

    Parameters
    ----------
    normalize : bool
        Divide bandwidths, excesses and deficits by the unit; `set_coordinates` changes it.
    precompute_bias_data : bool
        False refuses questions about bias, as UQ360 does. Nothing is computed before it is needed.

    Attributes
    ----------
    gt : array
        Observations; None before `fit`.
    d, lb, ub : list of array
        Residuals, lower and upper bands of each model; None before `fit`.
    std_unit : float
        The unit of normalized axes; None before it is known.
    x_axis_idx, y_axis_idx : int
        Places of the axes in an operating point.

    Examples
    --------
    >>> import numpy as np
    >>> from uccurve.compat.uq360 import UncertaintyCharacteristicsCurve
    >>> X = np.array([[0.0, 1.0, 1.0], [0.0, 2.0, 2.0], [0.0, 1.0, 1.0], [0.0, 2.0, 2.0]])
    >>> gt = np.array([0.5, -1.0, 2.0, 3.0])
    >>> ucc = UncertaintyCharacteristicsCurve(normalize=False).fit(X, gt)
    >>> ucc.set_coordinates(x_axis_name="bandwidth", y_axis_name="missrate")
    >>> ucc.get_AUUCC()
    1.6875
    >>> ucc.get_specific_operating_point(req_y_axis_value=0.25)["modvalue"]
    1.5
    """

    axes_name2idx: ClassVar = {"missrate": 1, "bandwidth": 2, "excess": 3, "deficit": 4}
    axes_idx2descr: ClassVar = {1: "Missrate", 2: "Bandwidth", 3: "Excess", 4: "Deficit"}

    def __init__(self, normalize: bool = True, precompute_bias_data: bool = True) -> None:
        self.normalize = normalize
        self.precompute_bias_data = precompute_bias_data
        self.x_axis_idx, self.y_axis_idx = _EXCESS, _MISS_RATE
        self.std_unit: float | None = None
        self.gt: np.ndarray | None = None
        self.d: list[np.ndarray] | None = None
        self.lb: list[np.ndarray] | None = None
        self.ub: list[np.ndarray] | None = None
        self._divides_x = self._divides_y = bool(normalize)
        self._unit_given = False
        self._intervals: list[Intervals] = []
        self._made: dict[str, list[UCC]] = {}

    # -- what stays set ---------------------------------------------------------------------------

    def set_coordinates(
        self, x_axis_name: str | None = None, y_axis_name: str | None = None, normalize: bool | None = None
    ) -> None:
        """Choose the axes, for all later calls.

        Parameters
        ----------
        x_axis_name, y_axis_name : {"missrate", "bandwidth", "excess", "deficit"}, optional
            What to show; None leaves an axis as it is.
        normalize : bool, optional
            Divide the named axes, or both if none is named, by the unit. None leaves it as it is. A miss rate
            is never divided.
        """
        for name, axis in (("x_axis_name", x_axis_name), ("y_axis_name", y_axis_name)):
            if axis is not None:
                arguments.option(name, axis, tuple(self.axes_name2idx))
        if normalize is not None:
            both = x_axis_name is None and y_axis_name is None
            self._divides_x = bool(normalize) if both or x_axis_name is not None else self._divides_x
            self._divides_y = bool(normalize) if both or y_axis_name is not None else self._divides_y
        if x_axis_name is not None:
            self.x_axis_idx = self.axes_name2idx[x_axis_name]
        if y_axis_name is not None:
            self.y_axis_idx = self.axes_name2idx[y_axis_name]

    @property
    def norm_x_axis(self) -> bool:
        """Whether x is divided by the unit."""
        return self._divides_x and self.x_axis_idx != _MISS_RATE

    @property
    def norm_y_axis(self) -> bool:
        """Whether y is divided by the unit."""
        return self._divides_y and self.y_axis_idx != _MISS_RATE

    def set_std_unit(self, std_unit: float | None = None) -> None:
        """Choose the unit of normalized axes.

        Parameters
        ----------
        std_unit : float, optional
            The unit. By default the standard deviation of the observations, which must be fitted by then.
        """
        if std_unit is None:
            self.std_unit = unit_of(self._fitted_gt())
        else:
            self.std_unit = arguments.number("std_unit", std_unit, 0)
            if self.std_unit == 0:
                raise ArgumentError(argument="std_unit", rule="be above 0")
        self._unit_given = std_unit is not None

    def fit(self, X: Any, gt: Any) -> Self:  # noqa: N803 - UQ360's name
        """Take the predictions and bands of one or several models.

        Parameters
        ----------
        X : array of shape (n, 3), or list of such arrays
            Predictions, lower bands and upper bands, one array for each model. Bands are distances to the
            prediction, 0 or more.
        gt : array of shape (n,)
            Observations.
        """
        observed = observations(gt)
        models = [intervals_of(matrix, observed) for matrix in matrices(X, observed.size)]
        self.gt, self._intervals, self._made = observed, models, {}
        self.d, self.lb, self.ub = (
            [np.asarray(getattr(model, column)) for model in models]
            for column in ("residual", "lower_band", "upper_band")
        )
        if not self._unit_given:
            self.set_std_unit()
        return self

    @property
    def plotdata_for_scale(self) -> list[list[tuple[float, ...]]]:
        """Operating points of each model, in raw units: (scale, missrate, bandwidth, excess, deficit)."""
        return [_points(curve) for curve in self._curves("scale")]

    @property
    def plotdata_for_bias(self) -> list[list[tuple[float, ...]]]:
        """The same with the bias in place of the scale; none without ``precompute_bias_data``."""
        return [_points(curve) for curve in self._curves("bias")] if self.precompute_bias_data else []

    def _fitted_gt(self) -> np.ndarray:
        if self.gt is None:
            raise NotFittedError("there are no data yet", hint="Call fit first.")
        return self.gt

    def _curves(self, operation: str) -> list[UCC]:
        """Return the curve of each model, if it may be asked for."""
        self._fitted_gt()
        if operation == "bias" and not self.precompute_bias_data:
            raise ArgumentError(argument="precompute_bias_data", rule="be True for bias", got="False")
        if operation not in self._made:
            curves = [
                UCC(model, vary="shift" if operation == "bias" else "scale") for model in self._intervals
            ]
            self._made[operation] = curves
        return self._made[operation]

    def _axes(self) -> tuple[Axis, Axis]:
        unit = self.std_unit or 1.0
        return (
            Axis(_COSTS[self.x_axis_idx], unit if self.norm_x_axis else 1.0),
            Axis(_COSTS[self.y_axis_idx], unit if self.norm_y_axis else 1.0),
        )

    # -- questions --------------------------------------------------------------------------------

    def get_AUUCC(  # noqa: N802 - UQ360's name
        self,
        vary_bias: bool = False,
        aucfct: str = "trapz",
        partial_x: tuple[float, float] | None = None,
        partial_y: tuple[float, float] | None = None,
    ) -> Any:
        """Return the area under the curve on the axes that are set.

        Parameters
        ----------
        vary_bias : bool
            Add to the bands instead of multiplying them.
        aucfct : {"trapz", "simps"}
            UQ360's rule of quadrature. The exact area needs none.
        partial_x, partial_y : pair of float, optional
            A range on one axis, as shown: the area below the part of the curve inside it.

        Returns
        -------
        float or list of float
            For one model, or for each.
        """
        curves = self._curves("bias" if vary_bias else "scale")
        arguments.option("aucfct", aucfct, ("trapz", "simps"))
        part = _part(partial_x, partial_y)
        return _one_or_all([area(curve, *self._axes(), part) for curve in curves])

    def get_OP(self, scale: float = 1.0, bias: float = 0.0) -> Any:  # noqa: N802 - UQ360's name
        """Return where the bands, widened by ``bias`` and then multiplied by ``scale``, lie on the axes.

        Parameters
        ----------
        scale : float
            Factor, 0 or more.
        bias : float
            Amount; no band gets below 0.

        Returns
        -------
        tuple or list of tuple
            ``(x, y, unit of x, unit of y)`` for one model, or for each.
        """
        self._fitted_gt()
        scale, bias = arguments.number("scale", scale, 0), arguments.number("bias", bias)
        x, y = self._axes()

        def answer(intervals: Intervals) -> tuple[float, float, float, float]:
            if bias and scale == 1:
                point = UCC(intervals, vary="shift").at(parameter=bias)
            else:
                point = UCC(intervals.shifted(bias) if bias else intervals).at(parameter=scale)
            return getattr(point, x.cost) / x.unit, getattr(point, y.cost) / y.unit, x.unit, y.unit

        return _one_or_all([answer(intervals) for intervals in self._intervals])

    def get_specific_operating_point(
        self,
        req_x_axis_value: float | None = None,
        req_y_axis_value: float | None = None,
        req_critical_value: float | None = None,
        vary_bias: bool = False,
    ) -> Any:
        """Return the operating point at a value of x or of y, as shown, or of the scale or bias.

        Of a miss rate, it is the narrowest point with at most that.

        Parameters
        ----------
        req_x_axis_value, req_y_axis_value : float, optional
            A value on one of the axes, as shown.
        req_critical_value : float, optional
            The factor or the amount itself.
        vary_bias : bool
            Add to the bands instead of multiplying them.

        Returns
        -------
        dict or list of dict
            ``operation`` ("scale" or "bias"), ``modvalue`` (what to multiply by, or to add), ``new_x`` and
            ``new_y`` (as shown), for one model, or for each.
        """
        operation = "bias" if vary_bias else "scale"
        curves = self._curves(operation)
        x, y = self._axes()
        asked = [
            (axis.cost, arguments.number(name, value) * axis.unit)
            for name, axis, value in (
                ("req_x_axis_value", x, req_x_axis_value),
                ("req_y_axis_value", y, req_y_axis_value),
                ("req_critical_value", Axis("parameter", 1.0), req_critical_value),
            )
            if value is not None
        ]
        if len(asked) != 1:
            raise ArgumentError(
                argument="req_x_axis_value",
                rule="be passed, or `req_y_axis_value`, or `req_critical_value`: exactly one of them",
            )

        def answer(curve: UCC) -> dict[str, Any]:
            point = curve.at(**dict(asked))
            new_x, new_y = (getattr(point, axis.cost) / axis.unit for axis in (x, y))
            return {"operation": operation, "modvalue": point.parameter, "new_x": new_x, "new_y": new_y}

        return _one_or_all([answer(curve) for curve in curves])

    def minimize_cost(
        self,
        x_axis_cost: float = 0.5,
        y_axis_cost: float = 0.5,
        augment_cost_by_normfactor: bool = True,
        search: str | Sequence[str] = ("scale", "bias"),
    ) -> Any:
        """Return the operating point with the least ``x_axis_cost * x + y_axis_cost * y``.

        Parameters
        ----------
        x_axis_cost, y_axis_cost : float
            Cost of a raw unit on each axis, 0 or more.
        augment_cost_by_normfactor : bool
            Divide the cost of each normalized axis by the unit first, as if it were for the axis as shown.
        search : {"scale", "bias"} or sequence of them
            The curves to search. Bias wins only where it is cheaper.

        Returns
        -------
        dict or list of dict
            ``operation``, ``modvalue``, ``new_x`` and ``new_y`` (both raw, also on normalized axes), ``cost``
            and ``original_cost`` (of the bands as given), for one model, or for each.
        """
        searched = [search] if isinstance(search, str) else list(search)
        for one in searched:
            arguments.option("search", one, ("scale", "bias"))
        if not searched:
            raise ArgumentError(argument="search", rule="name 'scale' or 'bias'")
        x, y = self._axes()
        x_cost = arguments.number("x_axis_cost", x_axis_cost, 0)
        y_cost = arguments.number("y_axis_cost", y_axis_cost, 0)
        if augment_cost_by_normfactor:
            x_cost, y_cost = x_cost / x.unit, y_cost / y.unit

        def cheapest(operation: str, curve: UCC) -> dict[str, Any]:
            columns = knots(curve)
            costs = x_cost * columns[x.cost] + y_cost * columns[y.cost]
            place = int(np.argmin(costs))
            given = curve.original
            return {
                "operation": operation,
                "cost": float(costs[place]),
                "modvalue": float(columns["parameter"][place]),
                "new_x": float(columns[x.cost][place]),
                "new_y": float(columns[y.cost][place]),
                "original_cost": x_cost * getattr(given, x.cost) + y_cost * getattr(given, y.cost),
            }

        found = [
            [cheapest(operation, curve) for curve in self._curves(operation)]
            for operation in ("scale", "bias")
            if operation in searched
        ]
        return _one_or_all([min(ways, key=lambda way: way["cost"]) for ways in zip(*found, strict=True)])

    def plot_UCC(  # noqa: N802 - UQ360's name
        self,
        titlestr: str = "",
        syslabel: str | Sequence[str] = "model",
        outfn: Any = None,
        vary_bias: bool = False,
        markers: Sequence[str] | None = None,
        xlim: tuple[float, float] | None = None,
        ylim: tuple[float, float] | None = None,
        **kwargs: Any,
    ) -> tuple[Any, Any]:
        """Draw the curves and their operating points on a new figure; needs the extra ``plot``.

        Parameters
        ----------
        titlestr : str
            Title of the figure.
        syslabel : str or sequence of str
            Name of each model.
        outfn : path, optional
            Where to save the figure, which is then closed; without it, it is shown where figures are shown.
        vary_bias : bool
            Add to the bands instead of multiplying them.
        markers : sequence of str, optional
            A marker for each model's points.
        xlim, ylim : pair of float, optional
            What to show of each axis.
        **kwargs
            Passed on to matplotlib's ``plot``.

        Returns
        -------
        tuple
            What `get_AUUCC` and `get_OP` return.
        """
        curves = self._curves("bias" if vary_bias else "scale")
        labels = [syslabel] if isinstance(syslabel, str) else list(syslabel)
        for name, given in (("syslabel", labels), ("markers", markers)):
            if given is not None and len(given) < len(curves):
                raise ArgumentError(
                    argument=name, rule=f"have one for each of {len(curves)} models", got=len(given)
                )
        with needed("matplotlib", extra="plot"):
            from matplotlib import pyplot as plt  # noqa: PLC0415
        areas, points = self.get_AUUCC(vary_bias), self.get_OP()
        figure, ax = plt.subplots()
        for number, curve in enumerate(curves):
            own, at = (areas, points) if len(curves) == 1 else (areas[number], points[number])
            label = f"{literal(str(labels[number]))} (AUC={own:.3f})"
            line = {"marker": markers[number] if markers else None, "label": label} | kwargs
            (drawn,) = ax.plot(*map(thin, path(curve, *self._axes())), **line)
            ring: dict[str, Any] = {"marker": "o", "markerfacecolor": "w", "markeredgewidth": 1.5}
            last = number + 1 == len(curves)
            ring |= {"linestyle": "none", "color": drawn.get_color(), "label": "OP" if last else None}
            ax.plot(*at[:2], **ring)
        x_words, y_words = self._axis_words()
        ax.set(xlabel=x_words, ylabel=y_words, title=literal(str(titlestr)))
        if xlim is not None:
            ax.set_xlim(xlim)
        if ylim is not None:
            ax.set_ylim(ylim)
        ax.legend()
        ax.grid()
        if outfn is not None:
            figure.savefig(outfn)
            plt.close(figure)
        elif plt.get_backend().lower() not in _WITHOUT_A_SCREEN:  # those would warn
            plt.show()
        return areas, points

    def _axis_words(self) -> list[str]:
        """Name both axes and their units."""
        unit = f"[in units of {self.std_unit:g}]" if self._unit_given else "[in std deviations]"
        axes = ((self.x_axis_idx, self.norm_x_axis), (self.y_axis_idx, self.norm_y_axis))
        return [f"{self.axes_idx2descr[axis]} {unit if divided else '(raw)'}" for axis, divided in axes]


def _points(curve: UCC) -> list[tuple[float, ...]]:
    columns = [np.asarray(getattr(curve, cost)) for cost in _COSTS]
    return list(map(tuple, np.stack(columns, axis=1).tolist()))


def _one_or_all(answers: list[_Answer]) -> _Answer | list[_Answer]:
    """Return the answer of one model alone, those of several as a list."""
    return answers[0] if len(answers) == 1 else answers


def _part(partial_x: Any, partial_y: Any) -> Part | None:
    """Check the range that is given, if one is."""
    given = {"partial_x": partial_x, "partial_y": partial_y}
    named = [name for name, value in given.items() if value is not None]
    if not named:
        return None
    if len(named) > 1:
        raise ArgumentError(argument="partial_x", rule="not be passed beside `partial_y`: pass one of them")
    try:
        low, high = (arguments.as_float(end) for end in given[named[0]])
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError(
            argument=named[0], rule="be a pair (low, high)", got=repr(given[named[0]])
        ) from error
    if not low < high:
        raise ArgumentError(argument=named[0], rule="be a pair with low < high", got=repr(given[named[0]]))
    return Part(named[0] == "partial_x", low, high)
