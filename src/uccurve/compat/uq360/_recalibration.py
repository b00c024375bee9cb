"""UQ360's recalibration of a model that predicts intervals."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np

from uccurve._base import arguments
from uccurve.compat.uq360._curve import UncertaintyCharacteristicsCurve
from uccurve.compat.uq360._fitted_rows import unmasked
from uccurve.compat.uq360._regression_metrics import form_D_for_auucc
from uccurve.exceptions import ArgumentError, NotFittedError


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
    as_published : bool
        Take UQ360's factor: that of the nearest operating point, which may miss more rows than asked for.

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

    def __init__(self, base_model: Any, *, as_published: bool = False) -> None:
        self.base_model = base_model
        self.as_published = as_published
        self.ucc: UncertaintyCharacteristicsCurve | None = None

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 - the usual signature
        """Return the parameters, as estimators do."""
        return {"base_model": self.base_model, "as_published": self.as_published}

    def set_params(self, **params: Any) -> Self:
        """Change parameters, as estimators do."""
        for name, value in params.items():
            if name not in self.get_params():
                raise ArgumentError(argument=name, rule="be one of the arguments base_model, as_published")
            setattr(self, name, value)
        return self

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803 - the usual name
        """Find the curve of the base model on rows with observations.

        Parameters
        ----------
        X : array of shape (n, features)
            What the base model predicts from.
        y : array of shape (n,) or (n, 1)
            Observations.
        """
        mean, lower, upper = self._predicted(X)
        matrix = form_D_for_auucc(mean, mean - lower, upper - mean)
        self.ucc = UncertaintyCharacteristicsCurve(as_published=self.as_published).fit(matrix, y)
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
        """
        if self.ucc is None:
            raise NotFittedError("this UCCRecalibration is not fitted yet", hint="Call fit first.")
        share = arguments.number("missrate", missrate, 0, 1)
        factor = self.ucc._models[0].at("missrate", share, "scale").parameter
        mean, lower, upper = self._predicted(X)
        return res(mean, mean - factor * (mean - lower), mean + factor * (upper - mean))

    def _predicted(self, X: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # noqa: N803
        try:
            predicted = [unmasked(one) for one in self.base_model.predict(X)[:3]]
            mean, lower, upper = (np.asarray(one, dtype=np.float64) for one in predicted)
        except (TypeError, ValueError) as error:
            raise ArgumentError(
                argument="base_model",
                rule=(
                    "return arrays of predictions, lower and upper bounds first, in this order, from "
                    f"predict(X): {error}"
                ),
            ) from error
        return mean, lower, upper
