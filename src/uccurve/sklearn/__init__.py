"""Scorers and a conformal regressor for scikit-learn. The only place that knows it.

>>> from uccurve.sklearn import ConformalIntervalRegressor, neg_interval_score_at
"""

from uccurve._base.arguments import needed

with needed("scikit-learn", extra="sklearn"):
    from uccurve.sklearn.regressor import ConformalIntervalRegressor
    from uccurve.sklearn.scorers import (
        IntervalScorer,
        interval_scorer,
        neg_auucc_scorer,
        neg_interval_score_at,
        neg_rms_area_scorer,
    )

__all__ = [
    "ConformalIntervalRegressor",
    "IntervalScorer",
    "interval_scorer",
    "neg_auucc_scorer",
    "neg_interval_score_at",
    "neg_rms_area_scorer",
]
