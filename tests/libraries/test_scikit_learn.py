"""scikit-learn: real fits, read by `from_sklearn`."""

from __future__ import annotations

import numpy as np
import pytest
from library_rows import made_rows
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.linear_model import QuantileRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from uccurve.adapters import from_sklearn

ROWS = made_rows()
LEVELS = (0.05, 0.25, 0.75, 0.95)


def test_a_gaussian_process_has_standard_deviations():
    """As they are, or as Gaussian intervals of a coverage; both have the same curve."""
    model = GaussianProcessRegressor(RBF() + WhiteKernel(), random_state=0).fit(ROWS.X[:150], ROWS.y[:150])
    as_std = from_sklearn(ROWS.y_test, model, ROWS.X_test)
    wider = from_sklearn(ROWS.y_test, model, ROWS.X_test, coverage=0.9)
    assert (as_std.nominal, wider.nominal) == (0.6827, 0.9)
    assert np.allclose(wider.upper_band / as_std.upper_band, 1.6448536)
    assert wider.ucc().area() == pytest.approx(as_std.ucc().area())


@pytest.mark.parametrize(
    "regressor",
    [
        lambda level: HistGradientBoostingRegressor(loss="quantile", quantile=level, max_iter=40),
        lambda level: make_pipeline(StandardScaler(), QuantileRegressor(quantile=level, alpha=0.01)),
        lambda level: GridSearchCV(QuantileRegressor(quantile=level), {"alpha": [0.01, 0.1]}, cv=2),
    ],
)
@pytest.mark.filterwarnings("ignore::uccurve.exceptions.SortedRowsWarning")
def test_quantile_regressors_are_read_by_their_levels(regressor):
    """Also pipelines and searches, as they predict themselves."""
    models = {level: regressor(level).fit(ROWS.X, ROWS.y) for level in reversed(LEVELS)}
    intervals = from_sklearn(ROWS.y_test, models, ROWS.X_test, crossed="sort")
    assert intervals.ucc(vary="level").reliability().levels == (0.5, 0.9)
    assert intervals.ucc(vary="level").at(nominal=0.5).coverage == pytest.approx(0.5, abs=0.12)
