"""Data and small estimators whose intervals are known, for the tests of this folder."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin


def heteroscedastic(n, seed=0):
    """Inputs, and observations whose noise grows with the first input."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(0.2, 2, size=(n, 2))
    return X, X @ [1.0, 2.0] + X[:, 0] * rng.standard_t(5, size=n)


class Asymmetric(RegressorMixin, BaseEstimator):
    """Predicts the mean of the targets, with bands that follow the size of the first input, wider above."""

    def fit(self, X, y, sample_weight=None):
        self.mean_ = np.average(y, weights=sample_weight)
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)

    def predict_interval(self, X):
        return np.stack([self.mean_ - np.abs(X[:, 0]), self.mean_ + 3 * np.abs(X[:, 0])], axis=1)


LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)


class MeanQuantiles(Asymmetric):
    """Predicts quantiles around the mean of the targets, in the order of ``LEVELS``."""

    predict_interval = property()  # has none

    def predict(self, X):
        return self.mean_ + X[:, :1] * [-1.5, -0.5, 0.25, 1.0, 2.5]
