"""UQ360's functions: numbers of one operating point, the gain, and a recalibrated model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from uccurve._base import arguments, frames
from uccurve.compat.uq360.curve import UncertaintyCharacteristicsCurve
from uccurve.compat.uq360.rows import finite_floats, to_floats
from uccurve.exceptions import NotFittedError, RepairedInputWarning, ShapeError

if TYPE_CHECKING:
    from collections.abc import Callable

# UQ360 takes an interval for four standard deviations: two to either side, about 95%.
_DEVIATIONS = 4.0


def picp(y_true: Any, y_lower: Any, y_upper: Any) -> float:
    """Return the share of observations inside their interval (prediction interval coverage probability).

    `uccurve.coverage` is the same number.

    Parameters
    ----------
    y_true, y_lower, y_upper : array
        Observations and bounds, all of one shape. UQ360 broadcasts a column against a row, to a wrong number;
        here that is an error. Rows with crossed bounds count as missed, as in UQ360, with a warning.

    Returns
    -------
    float
        A share, from 0 to 1.

    Raises
    ------
    ShapeError
        If shapes differ, or there are no rows.
    NonFiniteError, NotNumericError
        If values are not finite, or not numbers.
    IndexMismatchError
        If columns of pandas name their rows differently.

    See Also
    --------
    uccurve.coverage : The same.

    Examples
    --------
    >>> picp([1, 2, 3, 4], [0, 0, 0, 0], [2, 2, 2, 2])
    0.5
    """
    true, lower, upper = _same_shape(y_true=y_true, y_lower=y_lower, y_upper=y_upper)
    _warn_crossed(lower, upper)
    return float(np.mean((true <= upper) & (true >= lower)))


def mpiw(y_lower: Any, y_upper: Any) -> float:
    """Return the mean width of the intervals (mean prediction interval width).

    It is twice `uccurve.bandwidth`, which is a half-width.

    Parameters
    ----------
    y_lower, y_upper : array
        Bounds, of one shape. Crossed ones count with their distance, as in UQ360, with a warning.

    Returns
    -------
    float
        In units of y.

    Raises
    ------
    ShapeError, NonFiniteError, NotNumericError, IndexMismatchError
        As in `picp`.

    See Also
    --------
    uccurve.bandwidth : Half of it.

    Examples
    --------
    >>> mpiw([0, 0], [2, 4])
    3.0
    """
    lower, upper = _same_shape(y_lower=y_lower, y_upper=y_upper)
    _warn_crossed(lower, upper)
    return float(np.mean(np.abs(upper - lower)))


def form_D_for_auucc(yhat: Any, zhatl: Any, zhatu: Any) -> np.ndarray:  # noqa: N802 - UQ360's name
    """Return the matrix that ``fit`` takes: predictions, lower bands, upper bands.

    Parameters
    ----------
    yhat, zhatl, zhatu : array of shape (n,) or (n, 1)
        Predictions, lower bands and upper bands.

    Returns
    -------
    array of shape (n, 3)
        What ``fit`` takes.

    Raises
    ------
    ShapeError
        If there are several outputs; or as in `picp`.
    NonFiniteError, NotNumericError, IndexMismatchError
        As in `picp`.

    See Also
    --------
    uccurve.Intervals.from_bands : The native way.

    Examples
    --------
    >>> form_D_for_auucc([1.0, 2.0], [0.5, 0.5], [1.0, 1.5])
    array([[1. , 0.5, 1. ],
           [2. , 0.5, 1.5]])
    """
    columns = _same_shape(yhat=yhat, zhatl=zhatl, zhatu=zhatu)
    if columns[0].size != len(columns[0]):
        raise ShapeError("the curve takes one output, of shape (n,) or (n, 1)", got=columns[0].shape)
    return np.stack([column.reshape(-1) for column in columns], axis=1)


def fitted_ucc_w_nullref(
    y_true: Any, y_pred_mean: Any, y_pred_lower: Any, y_pred_upper: Any
) -> UncertaintyCharacteristicsCurve:
    """Return curves of two models: the one given, and constant width around the same predictions.

    Constant width is the standard deviation of the predictions; where they do not vary, it is the mean
    half-width.

    Parameters
    ----------
    y_true, y_pred_mean, y_pred_lower, y_pred_upper : array of shape (n,) or (n, 1)
        Observations, predictions and bounds.

    Returns
    -------
    UncertaintyCharacteristicsCurve
        Fitted to both.

    Raises
    ------
    InvalidRowsError
        If values are not finite, or predictions lie outside their bounds.
    ArgumentError
        If all lower bands, or all upper ones, are zero.
    ShapeError, NotNumericError, IndexMismatchError
        As in `picp`.

    See Also
    --------
    uccurve.UCC.reference : The native curve of constant width.

    Examples
    --------
    >>> ucc = fitted_ucc_w_nullref([1, 2, 4], [1, 3, 3], [0, 1, 0], [2, 5, 6])
    >>> [round(area, 3) for area in ucc.get_AUUCC()]
    [0.119, 0.178]
    """
    true, mean, lower, upper = _same_shape(
        y_true=y_true, y_mean=y_pred_mean, y_lower=y_pred_lower, y_upper=y_pred_upper
    )
    flat = np.full_like(mean, np.std(mean) if np.ptp(mean) > 0 else np.mean(upper - lower) / 2)
    models = [form_D_for_auucc(mean, mean - lower, upper - mean), form_D_for_auucc(mean, flat, flat)]
    return UncertaintyCharacteristicsCurve().fit(models, true)


def auucc_gain(y_true: Any, y_mean: Any, y_lower: Any, y_upper: Any) -> float:
    """Return the share of constant width's area that is saved, on EXCESS and miss rate as in UQ360.

    The paper's gain is on bandwidth and miss rate: `uccurve.auucc_gain`.

    Parameters
    ----------
    y_true, y_mean, y_lower, y_upper : array of shape (n,) or (n, 1)
        Observations, predictions and bounds.

    Returns
    -------
    float
        0.05 is 5%. NaN where constant width has no area.

    Raises
    ------
    InvalidRowsError, ArgumentError, ShapeError, NotNumericError, IndexMismatchError
        As in `fitted_ucc_w_nullref`.

    See Also
    --------
    uccurve.auucc_gain : The paper's gain.

    Examples
    --------
    >>> round(auucc_gain([1, 2, 4], [1, 3, 3], [0, 1, 0], [2, 5, 6]), 3)
    0.333
    """
    area, constant = fitted_ucc_w_nullref(y_true, y_mean, y_lower, y_upper).get_AUUCC()
    return (constant - area) / constant if constant > 0 else math.nan


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

    Raises
    ------
    ShapeError, NonFiniteError, NotNumericError, IndexMismatchError
        As in `picp`.

    See Also
    --------
    uccurve.crps : A score that outliers rule less.

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

    Returns
    -------
    dict of str to float
        By UQ360's names.

    Raises
    ------
    ArgumentError
        If ``option`` is unknown.
    InvalidRowsError, ArgumentError
        If the gain is asked for, as in `fitted_ucc_w_nullref`.
    ShapeError, NotNumericError, IndexMismatchError
        As in `picp`.

    See Also
    --------
    uccurve.compare : Several models, with tests.

    Examples
    --------
    >>> compute_regression_metrics([1, 2, 4], [1, 3, 3], [0, 1, 0], [2, 5, 6], option=["picp", "mpiw"])
    {'picp': 1.0, 'mpiw': 4.0}
    """
    rows = _same_shape(y_true=y_true, y_mean=y_mean, y_lower=y_lower, y_upper=y_upper)
    true, mean, lower, upper = rows

    gaussian = negative_log_likelihood_Gaussian
    numbers: dict[str, Callable[[], float]] = {
        "rmse": lambda: float(np.mean(np.sqrt(np.mean((true - mean) ** 2, axis=0)))),
        "nll": lambda: gaussian(*rows) if nll_fn is None else float(np.mean(nll_fn(y_true))),
        "auucc_gain": lambda: auucc_gain(*rows),
        "picp": lambda: picp(true, lower, upper),
        "mpiw": lambda: mpiw(lower, upper),
        "r2": lambda: _r2(true, mean),
    }
    asked = list(numbers) if option == "all" else [option] if isinstance(option, str) else list(option)
    for name in asked:
        arguments.option("option", name, ("all", *numbers))
    return {name: compute() for name, compute in numbers.items() if name in asked}


def _r2(true: np.ndarray, mean: np.ndarray) -> float:
    """Return 1 minus the share of variance left, averaged over outputs; of constant observations 0, or 1."""
    left = np.sum((true - mean) ** 2, axis=0)
    there = np.sum((true - np.mean(true, axis=0)) ** 2, axis=0)
    share = np.divide(left, there, out=np.where(left > 0, 1.0, 0.0), where=there > 0)
    return float(np.mean(1 - share))


class res(NamedTuple):  # noqa: N801 - UQ360's name
    """Predictions and bounds, each in the shape that the base model gives."""

    y_mean: np.ndarray
    y_lower: np.ndarray
    y_upper: np.ndarray


class UCCRecalibration:
    """Multiply the bands of a fitted model so that rows at hand are missed at a given rate.

    The factor describes the rows it was found on. New rows are missed somewhat more often: use
    `uccurve.ConformalScaler`, which allows for that.

    Parameters
    ----------
    base_model : object
        A fitted model whose ``predict(X)`` returns predictions, lower and upper bounds first.

    See Also
    --------
    uccurve.ConformalScaler : With a guarantee for new rows.

    Examples
    --------
    >>> import numpy as np
    >>> class Model:
    ...     def predict(self, X):
    ...         return np.zeros(len(X)), np.full(len(X), -1.0), np.full(len(X), 1.0)
    >>> y = np.array([0.5, -1.0, 2.0, 4.0])
    >>> recalibrated = UCCRecalibration(Model()).fit(y[:, None], y)
    >>> recalibrated.predict(y[:1, None], missrate=0.25).y_upper
    array([2.])
    """

    def __init__(self, base_model: Any) -> None:
        self.base_model = base_model
        self.ucc: UncertaintyCharacteristicsCurve | None = None

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 - the usual signature
        """Return the parameters, as estimators do.

        Parameters
        ----------
        deep : bool
            Not used.

        Returns
        -------
        dict
            The base model.
        """
        return {"base_model": self.base_model}

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803 - the usual name
        """Find the curve of the base model on rows with observations.

        Parameters
        ----------
        X : array of shape (n, features)
            What the base model predicts from.
        y : array of shape (n,) or (n, 1)
            Observations.

        Returns
        -------
        UCCRecalibration
            Itself, fitted.

        Raises
        ------
        ShapeError, InvalidRowsError, ArgumentError, NotNumericError
            As in `UncertaintyCharacteristicsCurve.fit`.
        """
        mean, lower, upper = self._predicted(X)
        matrix = form_D_for_auucc(mean, mean - lower, upper - mean)
        self.ucc = UncertaintyCharacteristicsCurve().fit(matrix, y)
        return self

    def predict(self, X: Any, missrate: float = 0.05) -> res:  # noqa: N803 - the usual name
        """Return predictions and bounds that missed at most ``missrate`` of the rows that were fitted.

        Parameters
        ----------
        X : array of shape (n, features)
            What the base model predicts from.
        missrate : float
            Between 0 and 1.

        Returns
        -------
        namedtuple
            ``y_mean``, ``y_lower`` and ``y_upper``, in the shape that the base model gives.

        Raises
        ------
        NotFittedError
            If `fit` was not called.
        ArgumentError
            If ``missrate`` is not from 0 to 1.
        """
        if self.ucc is None:
            raise NotFittedError("this UCCRecalibration is not fitted yet", hint="Call fit first.")
        share = arguments.number("missrate", missrate, 0, 1)
        factor = self.ucc._curves("scale")[0].at(miss_rate=share).parameter
        mean, lower, upper = self._predicted(X)
        return res(mean, mean - factor * (mean - lower), mean + factor * (upper - mean))

    def _predicted(self, X: Any) -> list[np.ndarray]:  # noqa: N803
        return [to_floats("base_model", one) for one in self.base_model.predict(X)[:3]]


def _warn_crossed(lower: np.ndarray, upper: np.ndarray) -> None:
    """Warn of crossed bounds, if there are any."""
    if (crossed := int(np.sum(lower > upper))) > 0:
        counted = arguments.rows_that(crossed, lower.size, "has", "have")
        words = f"{counted} `y_lower` above `y_upper`: missed in any case, with the distance as width."
        arguments.warn_caller(words, RepairedInputWarning)


def _same_shape(**named: Any) -> list[np.ndarray]:
    """Return arrays of finite floats, if they have one shape and, of pandas, one index."""
    frames.check_same_index(named)
    arrays = {name: finite_floats(name, values) for name, values in named.items()}
    arguments.row_shapes(arrays)
    return list(arrays.values())
