"""UQ360's class: its state, questions, arguments and return types, on the exact curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from uccurve._base import arguments
from uccurve.compat.uq360.rows import read_models
from uccurve.curve import UCC
from uccurve.exceptions import ArgumentError, NotFittedError, RepairedInputWarning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve.curve import OperatingPoint
    from uccurve.intervals import Intervals

# What UQ360 keeps of an operating point, in its order, as `UCC` calls it.
_COSTS = ("parameter", "miss_rate", "bandwidth", "excess", "deficit")
_MISS_RATE, _EXCESS = 1, 3
_PAIR = 2


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

    See Also
    --------
    uccurve.UCC : The native curve.

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

        Raises
        ------
        ArgumentError
            If an axis is unknown.
        """
        for name, axis in (("x_axis_name", x_axis_name), ("y_axis_name", y_axis_name)):
            if axis is not None:
                arguments.option(name, axis, tuple(self.axes_name2idx))
        if normalize is not None and (x_axis_name or not y_axis_name):
            self._divides_x = bool(normalize)
        if normalize is not None and (y_axis_name or not x_axis_name):
            self._divides_y = bool(normalize)
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

        Raises
        ------
        ArgumentError
            If ``std_unit`` is not above 0.
        NotFittedError
            If it is not passed, and `fit` was not called.
        """
        if std_unit is not None:
            self.std_unit = arguments.number("std_unit", std_unit, 0, open_=True)
        elif np.ptp(gt := self._fitted_gt()) > 0:  # of equal numbers NumPy may find a deviation of 4e-15
            self.std_unit = float(np.std(gt))
        else:
            self.std_unit, words = 1.0, "`gt` has a standard deviation of 0; the unit is 1 instead."
            arguments.warn_caller(words, RepairedInputWarning)
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

        Returns
        -------
        UncertaintyCharacteristicsCurve
            Itself, fitted.

        Raises
        ------
        ShapeError
            If ``X`` is not of shape (n, 3), or ``gt`` not of shape (n,).
        InvalidRowsError
            If values are not finite, or bands are negative.
        ArgumentError
            If all lower bands, or all upper ones, are zero.
        NotNumericError, IndexMismatchError
            As in `picp`.
        """
        models = read_models(X, gt)
        self.gt, self._intervals = np.asarray(models[0].y_true), models
        self._made = {
            "scale": [UCC(model) for model in models],
            "bias": [UCC(model, vary="shift") for model in models],
        }
        self.d = [np.asarray(model.residual) for model in models]
        self.lb = [np.asarray(model.lower_band) for model in models]
        self.ub = [np.asarray(model.upper_band) for model in models]
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
        return self._made[operation]

    def _axes(self) -> list[Axis]:
        unit = self.std_unit or 1.0
        shown = ((self.x_axis_idx, self.norm_x_axis), (self.y_axis_idx, self.norm_y_axis))
        return [Axis(_COSTS[place], unit if divided else 1.0) for place, divided in shown]

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

        Raises
        ------
        NotFittedError
            If `fit` was not called.
        ArgumentError
            If both ranges are passed, one is not ``(low, high)``, ``aucfct`` is unknown, or bias is asked for
            without ``precompute_bias_data``.
        """
        curves = self._curves("bias" if vary_bias else "scale")
        arguments.option("aucfct", aucfct, ("trapz", "simps"))
        part = _part(partial_x, partial_y)
        return _one_or_all([area(curve, part, *self._axes()) for curve in curves])

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

        Raises
        ------
        NotFittedError
            If `fit` was not called.
        ArgumentError
            If ``scale`` is negative, or one of the two is not finite.
        """
        self._fitted_gt()
        scale, bias = arguments.number("scale", scale, 0), arguments.number("bias", bias)
        x, y = self._axes()

        if bias and scale == 1:
            points = [curve.at(parameter=bias) for curve in self._made["bias"]]
        else:
            models = [model.shifted(bias) if bias else model for model in self._intervals]
            points = [UCC(model).at(parameter=scale) for model in models]
        return _one_or_all([(x.value(point), y.value(point), x.unit, y.unit) for point in points])

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

        Raises
        ------
        NotFittedError
            If `fit` was not called.
        ArgumentError
            If not exactly one value is passed, it is outside its axis, or bias is asked for without
            ``precompute_bias_data``.
        """
        operation = "bias" if vary_bias else "scale"
        curves = self._curves(operation)
        x, y = self._axes()
        names = ("req_x_axis_value", "req_y_axis_value", "req_critical_value")
        values = (req_x_axis_value, req_y_axis_value, req_critical_value)
        requests = zip(names, values, (x, y, Axis("parameter", 1.0)), strict=True)
        asked = [request for request in requests if request[1] is not None]
        if len(asked) != 1:
            rule = "be passed, or `req_y_axis_value`, or `req_critical_value`: exactly one of them"
            raise ArgumentError(argument="req_x_axis_value", rule=rule)
        name, value, axis = asked[0]

        def answer(curve: UCC) -> dict[str, Any]:
            try:
                point = curve.at(**{axis.cost: arguments.number(name, value) * axis.unit})
            except ArgumentError as error:
                raise error.replaced(argument=name) from error
            values = {"new_x": x.value(point), "new_y": y.value(point)}
            return {"operation": operation, "modvalue": point.parameter, **values}

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
            and ``original_cost`` (of the bands as supplied), for one model, or for each.

        Raises
        ------
        NotFittedError
            If `fit` was not called.
        ArgumentError
            If a cost is negative, ``search`` is unknown, or bias is asked for without
            ``precompute_bias_data``.
        """
        searched = [search] if isinstance(search, str) else list(search)
        for one in searched or [""]:
            arguments.option("search", one, ("scale", "bias"))
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

        curves = {name: self._curves(name) for name in ("scale", "bias") if name in searched}
        found = [[cheapest(name, curve) for curve in curves[name]] for name in curves]
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
            Where to save the figure, which is then closed; without it, it is shown.
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

        Raises
        ------
        NotFittedError
            If `fit` was not called.
        ArgumentError
            If there are fewer labels or markers than models, or bias is asked for without
            ``precompute_bias_data``.
        MissingDependencyError
            If matplotlib is not installed.
        OSError
            If the figure cannot be saved.
        """
        curves = self._curves("bias" if vary_bias else "scale")
        labels = [syslabel] if isinstance(syslabel, str) else list(syslabel)
        shapes = [None] * len(curves) if markers is None else list(markers)
        for name, given in (("syslabel", labels), ("markers", shapes)):
            if len(given) < len(curves):
                rule = f"have one for each of {len(curves)} models"
                raise ArgumentError(argument=name, rule=rule, got=len(given))
        with arguments.needed("matplotlib", extra="plot"):
            from matplotlib import pyplot as plt  # noqa: PLC0415
        areas, points = self.get_AUUCC(vary_bias), self.get_OP()
        several = (areas, points) if len(curves) > 1 else ([areas], [points])
        figure, ax = plt.subplots()
        for curve, own, at, label, marker in zip(curves, *several, labels, shapes, strict=False):
            line = {"marker": marker, "label": f"{label} (AUC={own:.3f})"} | kwargs
            (drawn,) = ax.plot(*path(curve, *self._axes()), **line)
            ax.plot(*at[:2], "o", color=drawn.get_color(), markerfacecolor="w", markeredgewidth=1.5)
        ax.lines[-1].set_label("OP")
        unit = f"[in units of {self.std_unit:g}]" if self._unit_given else "[in std deviations]"
        x_words, y_words = (unit if divided else "(raw)" for divided in (self.norm_x_axis, self.norm_y_axis))
        ax.set(xlabel=f"{self.axes_idx2descr[self.x_axis_idx]} {x_words}", xlim=xlim, title=titlestr)
        ax.set(ylabel=f"{self.axes_idx2descr[self.y_axis_idx]} {y_words}", ylim=ylim)
        ax.legend()
        ax.grid()
        if outfn is not None:
            figure.savefig(outfn)
            plt.close(figure)
        else:
            plt.show()
        return areas, points


def _points(curve: UCC) -> list[tuple[float, ...]]:
    columns = np.stack([np.asarray(getattr(curve, cost)) for cost in _COSTS], axis=1)
    return list(map(tuple, columns.tolist()))


def _one_or_all(answers: list[Any]) -> Any:
    """Return the answer of one model alone, those of several as a list."""
    return answers[0] if len(answers) == 1 else answers


def _part(partial_x: Any, partial_y: Any) -> Part | None:
    """Check the range that is given, if one is."""
    if partial_x is not None and partial_y is not None:
        raise ArgumentError(argument="partial_x", rule="not be passed beside `partial_y`: pass one of them")
    name, span = ("partial_y", partial_y) if partial_x is None else ("partial_x", partial_x)
    if span is None:
        return None
    ends = [arguments.as_float(end) for end in arguments.sequence(name, span)]
    if len(ends) != _PAIR or not ends[0] < ends[1]:
        rule = "be a pair (low, high) with low < high"
        raise ArgumentError(argument=name, rule=rule, got=repr(span))
    return Part(name == "partial_x", *ends)


# -- the exact curve as a path in the plane of any two axes ---------------------------------------


class Axis(NamedTuple):
    """What is shown on an axis: a cost as `UCC` calls it, and the unit that its values are divided by."""

    cost: str
    unit: float

    def value(self, point: OperatingPoint) -> float:
        """Return the value of an operating point, as shown."""
        return float(getattr(point, self.cost)) / self.unit


class Part(NamedTuple):
    """A part of the curve: a range on one of the two axes, as it is shown."""

    on_x: bool
    low: float
    high: float


def knots(curve: UCC) -> dict[str, np.ndarray]:
    """Return parameter and costs where the curve bends or jumps.

    The first knot has bands of zero, the last is the first at which no more is missed than at the end.
    Between two knots, bandwidth, excess and deficit are linear, and the miss rate is constant.
    """
    lines = curve.data.lines
    at = np.asarray(lines.knots)
    point = np.searchsorted(curve.parameter, at, side="right") - 1
    found = {
        "parameter": at,
        "miss_rate": curve.miss_rate[point],
        "bandwidth": at * curve.intervals.bandwidth if lines.bandwidth is None else lines.bandwidth,
        "excess": lines.excess,
        "deficit": lines.deficit,
    }
    first = int(np.searchsorted(at, at[0], side="right")) - 1
    last = int(np.argmax(found["miss_rate"] == curve.miss_rate[-1]))
    return {name: np.asarray(column)[first : max(first, last) + 1] for name, column in found.items()}


def path(curve: UCC, x: Axis, y: Axis) -> tuple[np.ndarray, np.ndarray]:
    """Return the curve on two axes; where the miss rate jumps, it has both ends of the jump."""
    found = knots(curve)
    if "miss_rate" in (x.cost, y.cost):
        found = {name: np.repeat(column, 2) for name, column in found.items()}
        found["miss_rate"][2::2] = found["miss_rate"][1:-2:2]  # a jump begins where the one before it ended
    return found[x.cost] / x.unit, found[y.cost] / y.unit


def area(curve: UCC, part: Part | None, x: Axis, y: Axis) -> float:
    """Return the area below the path, or a part of it: exact, since it is made of straight lines."""
    xs, ys = path(curve, x, y)
    if part is not None:
        xs, ys = _cut(xs, ys, part)
    return abs(float(np.sum(np.diff(xs) * (ys[1:] + ys[:-1]) / 2)))


def _cut(x: np.ndarray, y: np.ndarray, part: Part) -> tuple[np.ndarray, np.ndarray]:
    """Return a part of a path, cut right at both ends."""
    along, low, high = x if part.on_x else y, part.low, part.high
    if along[0] > along[-1]:  # along the path each cost only rises, or only falls
        low, high, along = -high, -low, -along
    first = int(np.searchsorted(along, low, side="left"))
    behind = int(np.searchsorted(along, high, side="right"))
    if first == along.size or behind == 0:
        return x[:0], y[:0]
    steps = np.arange(along.size)
    ends = (_step_at(along, first, low), _step_at(along, behind, high))
    kept = [ends[0], *steps[first:behind], ends[1]]
    return np.interp(kept, steps, x), np.interp(kept, steps, y)


def _step_at(along: np.ndarray, place: int, value: float) -> float:
    """Return how many steps along the path a value lies that would be inserted at a place."""
    if place in (0, along.size):
        return float(min(place, along.size - 1))
    before, after = float(along[place - 1]), float(along[place])
    return place - 1 + (value - before) / (after - before)
