"""UQ360's numbers of one operating point, and its gain."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.caller_warnings import warn_caller
from uccurve.compat.uq360._curve import UncertaintyCharacteristicsCurve
from uccurve.compat.uq360._fitted_rows import floats, refuse_infinite
from uccurve.exceptions import ArgumentError, RepairedInputWarning, ShapeError

if TYPE_CHECKING:
    from collections.abc import Callable

_METRICS = ("rmse", "nll", "auucc_gain", "picp", "mpiw", "r2")
_DEVIATIONS = 4.0
"""UQ360 takes an interval for four standard deviations: two to either side, about 95%."""


def picp(y_true: Any, y_lower: Any, y_upper: Any) -> float:
    """Return the share of observations inside their interval (prediction interval coverage probability).

    `uccurve.coverage` is the same number.

    Parameters
    ----------
    y_true, y_lower, y_upper : array
        Observations and bounds, all of one shape. UQ360 broadcasts a column against a row, to a wrong number;
        here that is an error.

    Examples
    --------
    >>> picp([1, 2, 3, 4], [0, 0, 0, 0], [2, 2, 2, 2])
    0.5
    """
    true, lower, upper = _same_shape(y_true=y_true, y_lower=y_lower, y_upper=y_upper)
    return float(np.mean((true <= upper) & (true >= lower)))


def mpiw(y_lower: Any, y_upper: Any) -> float:
    """Return the mean width of the intervals (mean prediction interval width).

    It is twice `uccurve.bandwidth`, which is a half width.

    Parameters
    ----------
    y_lower, y_upper : array
        Bounds, of one shape. Crossed ones count with their distance, as in UQ360, with a warning.

    Examples
    --------
    >>> mpiw([0, 0], [2, 4])
    3.0
    """
    lower, upper = _same_shape(y_lower=y_lower, y_upper=y_upper)
    crossed = int(np.sum(lower > upper))
    if crossed:
        counted = arguments.rows_that(crossed, lower.size, "has", "have")
        warn_caller(
            f"{counted} `y_lower` above `y_upper`; the distance counts as width.", RepairedInputWarning
        )
    return float(np.mean(np.abs(upper - lower)))


def form_D_for_auucc(yhat: Any, zhatl: Any, zhatu: Any) -> np.ndarray:  # noqa: N802 - UQ360's name
    """Return the matrix that ``fit`` takes: predictions, lower bands, upper bands.

    Parameters
    ----------
    yhat, zhatl, zhatu : array of shape (n,) or (n, 1)
        Predictions, lower bands and upper bands.

    Examples
    --------
    >>> form_D_for_auucc([1.0, 2.0], [0.5, 0.5], [1.0, 1.5])
    array([[1. , 0.5, 1. ],
           [2. , 0.5, 1.5]])
    """
    columns = _same_shape(yhat=yhat, zhatl=zhatl, zhatu=zhatu)
    return np.stack([_one_output(column) for column in columns], axis=1)


def fitted_ucc_w_nullref(
    y_true: Any, y_pred_mean: Any, y_pred_lower: Any, y_pred_upper: Any, *, as_published: bool = False
) -> UncertaintyCharacteristicsCurve:
    """Return curves of two models: the one given, and a constant band around the same predictions.

    Parameters
    ----------
    y_true, y_pred_mean, y_pred_lower, y_pred_upper : array of shape (n,) or (n, 1)
        Observations, predictions and bounds.
    as_published : bool
        As in `UncertaintyCharacteristicsCurve`. The constant band is the standard deviation of the
        predictions; where they do not vary, which UQ360 refuses, it is the mean half width.

    Examples
    --------
    >>> ucc = fitted_ucc_w_nullref([1, 2, 4], [1, 3, 3], [0, 1, 0], [2, 5, 6])
    >>> [round(area, 3) for area in ucc.get_AUUCC()]
    [0.119, 0.178]
    """
    true, mean, lower, upper = map(
        _one_output,
        _same_shape(y_true=y_true, y_mean=y_pred_mean, y_lower=y_pred_lower, y_upper=y_pred_upper),
    )
    constant = float(np.std(mean))
    if np.ptp(mean) == 0 and not as_published:
        constant = float(np.mean(upper - lower)) / 2
    flat = np.full_like(mean, constant)
    models = [form_D_for_auucc(mean, mean - lower, upper - mean), form_D_for_auucc(mean, flat, flat)]
    return UncertaintyCharacteristicsCurve(as_published=as_published).fit(models, true)


def auucc_gain(y_true: Any, y_mean: Any, y_lower: Any, y_upper: Any, *, as_published: bool = False) -> float:
    """Return the share of the constant band's area that is saved, on EXCESS and miss rate as in UQ360.

    The paper's gain is on bandwidth and miss rate: `uccurve.auucc_gain`.

    Parameters
    ----------
    y_true, y_mean, y_lower, y_upper : array of shape (n,) or (n, 1)
        Observations, predictions and bounds.
    as_published : bool
        Give UQ360's number: it divides by the area of the model instead of that of the constant band, and its
        areas are trapezoids.

    Returns
    -------
    float
        0.05 is 5%. NaN where the constant band has no area.

    Examples
    --------
    >>> round(auucc_gain([1, 2, 4], [1, 3, 3], [0, 1, 0], [2, 5, 6]), 3)
    0.333
    """
    ucc = fitted_ucc_w_nullref(y_true, y_mean, y_lower, y_upper, as_published=as_published)
    area, constant = ucc.get_AUUCC()
    if not as_published:
        return (constant - area) / constant if constant > 0 else math.nan
    if np.isclose(constant, 0.0):
        raise ArgumentError(f"UQ360 finds no gain over a constant band with an area of {constant:g}")
    return (constant - area) / area if area else math.inf


def negative_log_likelihood_Gaussian(  # noqa: N802 - UQ360's name
    y_true: Any, y_mean: Any, y_lower: Any, y_upper: Any
) -> float:
    """Return the mean negative log-likelihood of Gaussians with a quarter of each interval as deviation.

    Parameters
    ----------
    y_true, y_mean, y_lower, y_upper : array
        Observations, predictions and bounds, of one shape.

    Returns
    -------
    float
        NaN where the bounds of a row do not differ, or are crossed.

    Examples
    --------
    >>> round(negative_log_likelihood_Gaussian([0.0, 1.0], [0.0, 0.0], [-2.0, -2.0], [2.0, 2.0]), 4)
    1.1689
    """
    true, mean, lower, upper = _same_shape(y_true=y_true, y_mean=y_mean, y_lower=y_lower, y_upper=y_upper)
    std = (upper - lower) / _DEVIATIONS
    if np.min(std) <= 0:
        return math.nan
    return float(np.mean(np.log(std) + ((true - mean) / std) ** 2 / 2)) + math.log(2 * math.pi) / 2


def compute_regression_metrics(
    y_true: Any,
    y_mean: Any,
    y_lower: Any,
    y_upper: Any,
    option: str | list[str] = "all",
    nll_fn: Callable[[Any], Any] | None = None,
    *,
    as_published: bool = False,
) -> dict[str, float]:
    """Return several numbers by their names in UQ360.

    Parameters
    ----------
    y_true, y_mean, y_lower, y_upper : array of shape (n,) or (n, 1)
        Observations, predictions and bounds.
    option : str or list of str
        Of "rmse", "nll", "auucc_gain", "picp", "mpiw" and "r2", or "all".
    nll_fn : function, optional
        Gives the negative log-likelihood of each observation; a Gaussian one by default.
    as_published : bool
        As in `auucc_gain`, the only number it matters to.

    Examples
    --------
    >>> compute_regression_metrics([1, 2, 4], [1, 3, 3], [0, 1, 0], [2, 5, 6], option=["picp", "mpiw"])
    {'picp': 1.0, 'mpiw': 4.0}
    """
    true, mean, lower, upper = _same_shape(y_true=y_true, y_mean=y_mean, y_lower=y_lower, y_upper=y_upper)
    asked = list(_METRICS) if option == "all" else [option] if isinstance(option, str) else list(option)
    for name in asked:
        arguments.option("option", name, ("all", *_METRICS))
    numbers: dict[str, Callable[[], float]] = {
        "rmse": lambda: _rmse(true, mean),
        "nll": lambda: (
            negative_log_likelihood_Gaussian(true, mean, lower, upper)
            if nll_fn is None
            else float(np.mean(nll_fn(y_true)))
        ),
        "auucc_gain": lambda: auucc_gain(true, mean, lower, upper, as_published=as_published),
        "picp": lambda: picp(true, lower, upper),
        "mpiw": lambda: mpiw(lower, upper),
        "r2": lambda: _r2(true, mean),
    }
    return {name: compute() for name, compute in numbers.items() if name in asked}


def _rmse(true: np.ndarray, mean: np.ndarray) -> float:
    """Return the root of the mean squared error, averaged over outputs."""
    return float(np.mean(np.sqrt(np.mean(_outputs(true - mean) ** 2, axis=0))))


def _r2(true: np.ndarray, mean: np.ndarray) -> float:
    """Return 1 minus the share of variance left, averaged over outputs; of constant observations 0, or 1."""
    left = np.sum(_outputs(true - mean) ** 2, axis=0)
    there = np.sum((_outputs(true) - np.mean(_outputs(true), axis=0)) ** 2, axis=0)
    share = np.divide(left, there, out=np.where(left > 0, 1.0, 0.0), where=there > 0)
    return float(np.mean(1 - share))


def _outputs(values: np.ndarray) -> np.ndarray:
    return values.reshape(values.shape[0], -1)


def _one_output(values: np.ndarray) -> np.ndarray:
    """Return rows of shape (n,); a column of shape (n, 1) is taken as such."""
    if values.size != values.shape[0]:
        raise ShapeError("the curve takes one output, of shape (n,) or (n, 1)", got=values.shape)
    return values.reshape(-1)


def _same_shape(**named: Any) -> list[np.ndarray]:
    """Return arrays of finite floats, if they have one shape."""
    arrays = {name: floats(name, values) for name, values in named.items()}
    for name, array in arrays.items():
        if array.ndim == 0 or array.size == 0:
            raise ShapeError(argument=name, rule="have rows", got=f"shape {array.shape}")
        refuse_infinite(name, array)
    shapes = {name: array.shape for name, array in arrays.items()}
    if len(set(shapes.values())) > 1:
        told = ", ".join(f"`{name}` {shape}" for name, shape in shapes.items())
        raise ShapeError("all arrays must have one shape", got=told)
    return list(arrays.values())
