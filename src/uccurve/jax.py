"""Areas and gains as functions that JAX can compile, map and differentiate; needs JAX.

``import uccurve`` does not load them. They check shapes but no values, since traced arrays have none yet: NaN
in, NaN out. `uccurve.auucc` is the same for arrays that have values, with checks.

>>> import jax, jax.numpy as jnp
>>> from uccurve.jax import auucc, auucc_gain
>>> y, band = jnp.array([1.0, 2.0, -4.0]), jnp.array([1.0, 1.0, 2.0])
>>> f"{jax.jit(auucc)(y, -band, band):.4f}"
'2.2222'
>>> def area(band):
...     return auucc(y, y_pred=jnp.zeros(3), band=band)
>>> [f"{slope:.2f}" for slope in jax.grad(area)(band)]
['0.11', '-0.33', '0.11']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from uccurve._base import arguments
from uccurve._base.arguments import needed
from uccurve.exceptions import ArgumentError
from uccurve.formulas import areas, rows

with needed("jax", extra="jax"):
    import jax.numpy as jnp

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import Y

    Array = Any

__all__ = ["auucc", "auucc_gain"]


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
    ArgumentError
        If ``y`` is unknown, or neither bounds nor bands are passed, or both.

    See Also
    --------
    uccurve.auucc : With checks, in float64.
    auucc_gain : Relative to constant width.

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from uccurve.jax import auucc
    >>> y, band = jnp.array([1.0, 2.0, -4.0]), jnp.array([1.0, 1.0, 2.0])
    >>> f"{auucc(y, -band, band):.3f}"
    '2.222'
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
    r"""Return the share of constant width's area that these bands save; higher is better.

    Takes the parameters of `auucc`. With :math:`k = |e| / a` it is
    :math:`\overline{k (a - c)} / \overline{|e|}` against the miss rate, and
    :math:`\overline{|e| k (a - c)} / \overline{e^2}` against the deficit.

    Parameters
    ----------
    y_true, lower, upper, y_pred, band, upper_band, y, sample_weight
        As in `auucc`.

    Returns
    -------
    array of shape ()
        The gains of several outputs are averaged, as `uccurve.auucc_gain` does.

    Raises
    ------
    ShapeError, EmptyInputError, ArgumentError
        As in `auucc`.

    See Also
    --------
    uccurve.auucc_gain : With checks, in float64.

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from uccurve.jax import auucc_gain
    >>> y, band = jnp.array([1.0, 2.0, -4.0]), jnp.array([1.0, 1.0, 2.0])
    >>> f"{auucc_gain(y, -band, band):.3f}"
    '0.048'
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
    columns = {"y_true": y_true, **given, "sample_weight": weight}
    columns = {name: jnp.asarray(column) for name, column in columns.items() if column is not None}
    arguments.row_shapes(columns)
    y_true, weight = columns.pop("y_true"), columns.pop("sample_weight", None)
    y_pred, band, upper = _bands(columns)
    if weight is not None:
        weight = weight.reshape(-1, *[1] * (y_true.ndim - 1))

    def mean(column: Array) -> Array:
        if weight is None:
            return jnp.mean(column, axis=0)
        return jnp.sum(column * weight, axis=0) / jnp.sum(weight)

    split = rows.make(jnp, y_true, y_pred, band, upper, None)
    error, active = split.abs_error, split.active
    width = mean(band if upper is None else (band + upper) / 2)
    exact = error == 0  # captured by any band; 0 / 0 in the branch not taken would make gradients NaN
    k = jnp.where(exact, 0.0, error / jnp.where(exact, 1.0, active))
    own, constant = (error * k, error * error) if y == "deficit" else (k, error)
    return _Means(width, mean(own), mean(own * (active - width)), mean(constant))


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
