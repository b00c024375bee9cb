"""The closed forms of areas and gains on the bandwidth axis, in operations that JAX can trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import jax.numpy as jnp

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError
from uccurve.formulas import areas, rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import Y

    Array = Any


def auucc(
    y_true: Array,
    lower: Array | None = None,
    upper: Array | None = None,
    *,
    y_pred: Array | None = None,
    band: Array | None = None,
    upper_band: Array | None = None,
    y: Y = "miss_rate",
    sample_weight: Array | None = None,
) -> Array:
    r"""Return the area under the curve of bandwidth against y, under scaling; lower is better.

    With residuals :math:`e`, the band :math:`a` that faces the observation and the mean half-width :math:`c`,
    it is :math:`c\,\overline{|e| / a}` against the miss rate, and :math:`\tfrac12 c\,\overline{e^2 / a}`
    against the deficit.

    Parameters
    ----------
    y_true, lower, upper : array of shape (n,) or (n, outputs)
        Observations and bounds, in the order of `uccurve.auucc`. A row with an interval of width 0 and an
        error makes the area infinite.
    y_pred : array, same shape, optional
        Predictions, between the bounds; they default to the midpoints.
    band : array, same shape, optional
        The distance, 0 or more, from the prediction to the bounds. It takes the place of the bounds and
        needs ``y_pred``.
    upper_band : array, same shape, optional
        The distance to the upper bound, where it differs; ``band`` is then that to the lower one.
    y : {"miss_rate", "deficit"}
        The vertical axis. Pass it as a static argument where you compile.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.

    Returns
    -------
    array of shape ()
        In the precision of the arrays; the areas of several outputs are averaged, as `uccurve.auucc` does.

    Raises
    ------
    ShapeError, EmptyInputError
        If shapes differ, or there are no rows. Values are not checked.
    """
    given = {"lower": lower, "upper": upper, "y_pred": y_pred, "band": band, "upper_band": upper_band}
    found = _means(y_true, given, y, sample_weight)
    return jnp.mean(areas.closed_area(found.width, found.own, deficit=y == "deficit"))


def auucc_gain(
    y_true: Array,
    lower: Array | None = None,
    upper: Array | None = None,
    *,
    y_pred: Array | None = None,
    band: Array | None = None,
    upper_band: Array | None = None,
    y: Y = "miss_rate",
    sample_weight: Array | None = None,
) -> Array:
    r"""Return the share of the constant band's area that these bands save; higher is better.

    Takes the parameters of `auucc`. With :math:`k = |e| / a` it is
    :math:`\overline{k (a - c)} / \overline{|e|}` against the miss rate, and
    :math:`\overline{|e| k (a - c)} / \overline{e^2}` against the deficit.

    Returns
    -------
    array of shape ()
        The gains of several outputs are averaged, as `uccurve.auucc_gain` does.
    """
    given = {"lower": lower, "upper": upper, "y_pred": y_pred, "band": band, "upper_band": upper_band}
    found = _means(y_true, given, y, sample_weight)
    return jnp.mean(found.saved / found.constant)


class _Means(NamedTuple):
    """Weighted means over rows, for each output."""

    width: Any
    own: Any
    saved: Any
    constant: Any


def _means(y_true: Array, given: Mapping[str, Array | None], y: Y, weight: Array | None) -> _Means:
    arguments.option("y", y, ("miss_rate", "deficit"))
    given = {name: jnp.asarray(column) for name, column in given.items() if column is not None}
    y_true = jnp.asarray(y_true)
    weights = {} if weight is None else {"sample_weight": jnp.asarray(weight)}
    arguments.row_shapes({"y_true": y_true, **given, **weights})
    y_pred, band, upper = _bands(given)
    if weight is not None:
        weight = weights["sample_weight"].reshape(-1, *[1] * (y_true.ndim - 1))

    def mean(column: Array) -> Array:
        return (
            jnp.mean(column, axis=0) if weight is None else jnp.sum(column * weight, axis=0) / jnp.sum(weight)
        )

    split = rows.make(jnp, y_true, y_pred, band, upper, None)
    error, active = split.abs_error, split.active
    width = mean(band if upper is None else (band + upper) / 2)
    exact = (
        error == 0
    )  # captured by any band; the other branch must not divide by 0 there, or gradients are NaN
    k = jnp.where(exact, 0.0, error / jnp.where(exact, 1.0, active))
    own = error * k if y == "deficit" else k
    return _Means(
        width, mean(own), mean(own * (active - width)), mean(error * error if y == "deficit" else error)
    )


def _bands(given: Mapping[str, Array]) -> tuple[Array, Array, Array | None]:
    """Return predictions, lower bands, and upper bands where they differ."""
    if given.keys() in ({"lower", "upper"}, {"lower", "upper", "y_pred"}):
        lower, upper = given["lower"], given["upper"]
        if "y_pred" in given:
            return given["y_pred"], given["y_pred"] - lower, upper - given["y_pred"]
        return lower + (upper - lower) / 2, (upper - lower) / 2, None
    if given.keys() in ({"y_pred", "band"}, {"y_pred", "band", "upper_band"}):
        return given["y_pred"], given["band"], given.get("upper_band")
    got = ", ".join(f"`{name}`" for name in given) or "none of them"
    raise ArgumentError(argument="lower", rule="be passed with `upper`, or `y_pred` with `band`", got=got)
