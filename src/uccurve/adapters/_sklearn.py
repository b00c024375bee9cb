"""Fitted estimators of scikit-learn: standard deviations, and quantile regressors."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from uccurve._base import arguments
from uccurve._base.arrays import as_arrays
from uccurve.adapters._boosted_quantiles import stacked
from uccurve.adapters._claims import check_claims, levels_of
from uccurve.adapters._quantile_table import intervals_of_quantiles
from uccurve.adapters.estimators import last_step, takes_option
from uccurve.exceptions import ArgumentError
from uccurve.intervals import Intervals

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Crossed, Invalid

_LEVEL_NAMES = ("quantile", "alpha", "quantile_alpha")
"""What estimators call the level of the quantile that they predict."""
_QUANTILE = ("quantile", "reg:quantileerror")


def from_sklearn(
    y_true: ArrayLike,
    estimator: Any,
    X: Any,  # noqa: N803 - scikit-learn's name
    *,
    coverage: float | None = None,
    sample_weight: ArrayLike | None = None,
    crossed: Crossed = "raise",
    invalid: Invalid = "raise",
) -> Intervals:
    """Let fitted estimators predict intervals.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    estimator : estimator, sequence of estimators, or mapping of float to estimator
        One that has ``predict(X, return_std=True)``, such as ``GaussianProcessRegressor`` or
        ``BayesianRidge``. Or several quantile regressors, ``QuantileRegressor``,
        ``GradientBoostingRegressor(loss="quantile")`` or ``HistGradientBoostingRegressor(loss="quantile")``,
        whose levels are read from their parameters; those of other estimators are the keys of a mapping, as
        in ``{0.05: low, 0.95: high}``. Pipelines and searches are looked into.
    X : array or frame
        Inputs, handed to ``predict``.
    coverage : float, optional
        Of a standard deviation, the coverage of Gaussian intervals; 0.6827, one standard deviation, if not
        given. Of quantiles, the pair to take; all are kept if not given, for ``vary="level"``.
    crossed : {"raise", "sort"}
        Quantiles that are not in order: an error, or sort them in each row, with a warning that counts the
        rows.
    sample_weight, invalid
        As in `Intervals.from_bounds`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import QuantileRegressor
    >>> from uccurve.adapters import from_sklearn
    >>> X = np.linspace(0, 1, 40)[:, None]
    >>> y = X[:, 0] + np.sin(np.arange(40))
    >>> pair = [QuantileRegressor(quantile=q, alpha=0).fit(X, y) for q in (0.05, 0.95)]
    >>> from_sklearn(y, pair, X).nominal
    0.9
    """
    if not isinstance(estimator, (Mapping, list, tuple)):
        return _from_std(y_true, estimator, X, coverage, sample_weight, invalid)
    if isinstance(estimator, Mapping):
        by_level = {arguments.number("estimator", key, 0, 1, open_=True): e for key, e in estimator.items()}
    else:
        levels = [_level(one) for one in estimator]
        by_level = dict(zip(levels, estimator, strict=True))
        if len(by_level) < len(levels):
            raise ArgumentError(argument="estimator", rule="hold regressors of different levels", got=levels)
    if not by_level:
        raise ArgumentError(argument="estimator", rule="hold at least two quantile regressors", got="none")
    table = stacked({level: one.predict(X) for level, one in by_level.items()})
    return intervals_of_quantiles(
        y_true,
        table,
        list(by_level),
        coverage=coverage,
        sample_weight=sample_weight,
        crossed=crossed,
        invalid=invalid,
    )


def _from_std(
    y_true: ArrayLike,
    estimator: Any,
    X: Any,  # noqa: N803 - scikit-learn's name
    coverage: float | None,
    sample_weight: ArrayLike | None,
    invalid: Invalid,
) -> Intervals:
    """Read standard deviations, as they are or as Gaussian intervals of a coverage."""
    if not takes_option(getattr(last_step(estimator), "predict", None), "return_std"):
        raise ArgumentError(
            argument="estimator",
            rule="have `predict(X, return_std=True)`, or be a list of quantile regressors",
            got=type(estimator).__name__,
        )
    y_pred, std = estimator.predict(X, return_std=True)
    if coverage is None:
        return Intervals.from_std(y_true, y_pred, std, sample_weight=sample_weight, invalid=invalid)
    claim = check_claims(coverage, name="coverage")[0]
    arrays: dict[str, Any] = as_arrays(std=std)
    band = NormalDist().inv_cdf(levels_of(claim)[1]) * arrays["std"]
    return Intervals.from_bands(
        y_true, y_pred, band, nominal=claim, sample_weight=sample_weight, invalid=invalid
    )


def _level(estimator: Any) -> float:
    """Return the level of a quantile regressor, as its parameters say it."""
    regressor = last_step(estimator)
    parameters = regressor.get_params(deep=False) if hasattr(regressor, "get_params") else {}
    loss = parameters.get("loss", parameters.get("objective"))
    if type(regressor).__name__ == "QuantileRegressor":
        loss = "quantile"
    levels = [parameters[name] for name in _LEVEL_NAMES if parameters.get(name) is not None]
    if loss not in _QUANTILE or not levels:
        raise ArgumentError(
            argument="estimator",
            rule="hold quantile regressors",
            got=f"{type(regressor).__name__} with the loss {loss!r}",
            hint="Name the levels of other estimators, as in {0.05: low, 0.95: high}.",
        )
    return arguments.number("quantile", levels[0], 0, 1, open_=True)
