"""UQ360's class: its questions, arguments and return types, on pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from uccurve._base import arguments
from uccurve.compat.uq360 import _drawing
from uccurve.compat.uq360._curve_state import CurveState
from uccurve.compat.uq360._fitted_model import PartRange
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Vary
    from uccurve.compat.uq360._fitted_model import FittedModel

_Answer = TypeVar("_Answer")
_SEARCHES: dict[str, Vary] = {"scale": "scale", "bias": "shift"}


class UncertaintyCharacteristicsCurve(CurveState):
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
    as_published : bool
        Give UQ360's own numbers instead: its trapezoids or parabolas, nearest points, rounding, repairs and
        units, but without its N² steps. The documentation says where they differ from the exact ones.

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
            Published: the rule of quadrature. The exact area needs none.
        partial_x, partial_y : pair of float, optional
            A range on one axis, as shown: the area below the part of the curve inside it.

        Returns
        -------
        float or list of float
            For one model, or for each.
        """
        models, vary = self._asked(vary_bias)
        arguments.option("aucfct", aucfct, ("trapz", "simps"))
        part = _part(partial_x, partial_y)
        return _one_or_all([model.area(self._view, vary, aucfct, part) for model in models])

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
        models, _ = self._asked(vary_bias=False)
        scale, bias = arguments.number("scale", scale, 0), arguments.number("bias", bias)
        view = self._view
        return _one_or_all(
            [(*view.of(model.moved(scale, bias)), view.x_unit, view.y_unit) for model in models]
        )

    def get_specific_operating_point(
        self,
        req_x_axis_value: float | None = None,
        req_y_axis_value: float | None = None,
        req_critical_value: float | None = None,
        vary_bias: bool = False,
    ) -> Any:
        """Return the operating point at a value of x or of y, as shown, or of the scale or bias.

        Of a miss rate, it is the narrowest point with at most that. (Published: the nearest point, on either
        side.)

        Parameters
        ----------
        req_x_axis_value, req_y_axis_value : float, optional
            A value on one of the axes, as shown.
        req_critical_value : float, optional
            The factor or the amount itself. (Published: the nearest that is the critical value of a row.)
        vary_bias : bool
            Add to the bands instead of multiplying them.

        Returns
        -------
        dict or list of dict
            ``operation`` ("scale" or "bias"), ``modvalue`` (what to multiply by, or to add), ``new_x`` and
            ``new_y`` (as shown), for one model, or for each.
        """
        models, vary = self._asked(vary_bias)
        view = self._view
        asked = [
            (axis, arguments.number(name, value) * unit)
            for name, axis, value, unit in (
                ("req_x_axis_value", view.x, req_x_axis_value, view.x_unit),
                ("req_y_axis_value", view.y, req_y_axis_value, view.y_unit),
                ("req_critical_value", "parameter", req_critical_value, 1.0),
            )
            if value is not None
        ]
        if len(asked) != 1:
            raise ArgumentError(
                argument="req_x_axis_value",
                rule="be passed, or `req_y_axis_value`, or `req_critical_value`: exactly one of them",
            )
        operation = "bias" if vary_bias else "scale"
        found = [model.at(*asked[0], vary) for model in models]
        return _one_or_all(
            [{"operation": operation, **_recipe(point.parameter, view.of(point))} for point in found]
        )

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
            arguments.option("search", one, tuple(_SEARCHES))
        if not searched:
            raise ArgumentError(argument="search", rule="name 'scale' or 'bias'")
        models, _ = self._asked("bias" in searched)
        x_cost = arguments.number("x_axis_cost", x_axis_cost, 0)
        y_cost = arguments.number("y_axis_cost", y_axis_cost, 0)
        view = self._view
        if augment_cost_by_normfactor:
            x_cost, y_cost = x_cost / view.x_unit, y_cost / view.y_unit

        def answer(model: FittedModel) -> dict[str, Any]:
            found = {
                one: model.cheapest(view, x_cost, y_cost, vary)
                for one, vary in _SEARCHES.items()
                if one in searched
            }
            operation = min(found, key=lambda one: found[one].cost)
            cheapest, given = found[operation], model.moved(1.0, 0.0)
            return {
                "operation": operation,
                "cost": cheapest.cost,
                **_recipe(cheapest.parameter, (cheapest.x, cheapest.y)),
                "original_cost": x_cost * getattr(given, view.x) + y_cost * getattr(given, view.y),
            }

        return _one_or_all([answer(model) for model in models])

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
        models, vary = self._asked(vary_bias)
        labels = [syslabel] if isinstance(syslabel, str) else list(syslabel)
        for name, given in (("syslabel", labels), ("markers", markers)):
            if given is not None and len(given) < len(models):
                raise ArgumentError(
                    argument=name, rule=f"have one for each of {len(models)} models", got=len(given)
                )
        areas, points = self.get_AUUCC(vary_bias), self.get_OP()
        alone = len(models) == 1
        _drawing.draw(
            paths=[model.path(self._view, vary) for model in models],
            areas=[areas] if alone else areas,
            points=[points] if alone else points,
            labels=labels,
            markers=markers or [None] * len(models),
            words=self._axis_words(),
            view=_drawing.Shown(titlestr, xlim, ylim, outfn),
            line=kwargs,
        )
        return areas, points


def _one_or_all(answers: list[_Answer]) -> _Answer | list[_Answer]:
    """Return the answer of one model alone, those of several as a list."""
    return answers[0] if len(answers) == 1 else answers


def _recipe(parameter: float, shown: tuple[float, float]) -> dict[str, float]:
    return {"modvalue": parameter, "new_x": shown[0], "new_y": shown[1]}


def _part(partial_x: Any, partial_y: Any) -> PartRange | None:
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
    return PartRange(named[0] == "partial_x", low, high)
