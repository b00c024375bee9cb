"""Scorers and a conformal regressor for scikit-learn. The only place that knows it.

>>> from uccurve.sklearn import ConformalIntervalRegressor, neg_score_at_scorer
"""

from uccurve._base.arguments import needed

with needed("scikit-learn", extra="sklearn"):
    from uccurve.sklearn._conformal_regressor import ConformalIntervalRegressor
    from uccurve.sklearn._scorers import (
        IntervalScorer,
        auucc_gain_scorer,
        deficit_gain_scorer,
        interval_scorer,
        neg_auucc_scorer,
        neg_deficit_area_scorer,
        neg_score_at_scorer,
    )
    from uccurve.sklearn._time_split import TimeSplit

__all__ = [
    "ConformalIntervalRegressor",
    "IntervalScorer",
    "TimeSplit",
    "auucc_gain_scorer",
    "deficit_gain_scorer",
    "interval_scorer",
    "neg_auucc_scorer",
    "neg_deficit_area_scorer",
    "neg_score_at_scorer",
]
