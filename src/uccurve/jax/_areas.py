"""The closed forms of areas and gains on the bandwidth axis, in operations that JAX can trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import jax.numpy as jnp

from uccurve._base import arguments
from uccurve._kernels import areas, rows

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Y

    Array = Any


def auucc(
    y_true: Array,
    y_pred: Array,
    band: Array,
    upper_band: Array | None = None,
    *,
    y: Y = "miss_rate",
    sample_weight: Array | None = None,
) -> Array:
    r"""Return the area under the curve of bandwidth against y, under scaling; lower is better.

    With residuals :math:`e`, the band :math:`a` that faces the observation and the mean half width :math:`c`,
    it is :math:`c\,\overline{|e| / a}` against the miss rate, and :math:`\tfrac12 c\,\overline{e^2 / a}`
    against the deficit.

    Parameters
    ----------
    y_true, y_pred, band : array of shape (n,) or (n, outputs)
        Observations, predictions, and the distance, 0 or more, from the prediction to the bounds. A row with
        a band of 0 and an error makes the area infinite.
    upper_band : array, same shape, optional
        The distance to the upper bound, where it differs; ``band`` is then that to the lower one.
    y : {"miss_rate", "deficit"}
        The vertical axis. Give it as a static argument where you compile.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.

    Returns
    -------
    array of shape ()
        In the precision of the arrays; the areas of several outputs are averaged, as `uccurve.auucc` does.
    """
    found = _means(y_true, y_pred, band, upper_band, y, sample_weight)
    return jnp.mean(areas.closed_area(found.width, found.own, deficit=y == "deficit"))


def auucc_gain(
    y_true: Array,
    y_pred: Array,
    band: Array,
    upper_band: Array | None = None,
    *,
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
    found = _means(y_true, y_pred, band, upper_band, y, sample_weight)
    return jnp.mean(found.saved / found.constant)


class _Means(NamedTuple):
    """Weighted means over rows, for each output."""

    width: Any
    own: Any
    saved: Any
    constant: Any


def _means(
    y_true: Array, y_pred: Array, band: Array, upper_band: Array | None, y: Y, weight: Array | None
) -> _Means:
    arguments.option("y", y, ("miss_rate", "deficit"))
    y_true, y_pred, band = jnp.asarray(y_true), jnp.asarray(y_pred), jnp.asarray(band)
    upper = None if upper_band is None else jnp.asarray(upper_band)
    if weight is not None and y_true.ndim > 1:
        weight = jnp.asarray(weight)[:, None]

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
