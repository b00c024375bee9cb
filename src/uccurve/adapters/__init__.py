"""Intervals from the output of other libraries: ``from_<library>(y_true, output)``.

Adapters read arrays, frames and objects of the documented shape; none imports its library. What an output
does not say, such as the coverage it claims, is an argument. All take ``sample_weight`` and ``invalid``, and
``crossed`` if they read bounds or quantiles, as `Intervals.from_quantiles` does.

>>> import numpy as np
>>> from uccurve.adapters import from_crepes
>>> from_crepes([1.0, 2.0, 4.0], np.array([[0, 2], [1, 4], [2, 5]]), nominal=0.9)
Intervals(n=3, bandwidth=1.333, symmetric)
"""

from uccurve.adapters.draws import SeriesIntervals, from_arviz, from_darts, from_gluonts, from_numpyro
from uccurve.adapters.estimators import from_catboost, from_lightgbm, from_ngboost, from_sklearn, from_xgboost
from uccurve.adapters.pandas_frames import (
    from_prophet,
    from_skforecast,
    from_skpro,
    from_sktime,
    from_statsmodels,
)
from uccurve.adapters.tables import from_hub, from_nixtla
from uccurve.adapters.uncertainty import from_crepes, from_mapie, from_uncertainty_toolbox, from_uq360

__all__ = [
    "SeriesIntervals",
    "from_arviz",
    "from_catboost",
    "from_crepes",
    "from_darts",
    "from_gluonts",
    "from_hub",
    "from_lightgbm",
    "from_mapie",
    "from_ngboost",
    "from_nixtla",
    "from_numpyro",
    "from_prophet",
    "from_skforecast",
    "from_sklearn",
    "from_skpro",
    "from_sktime",
    "from_statsmodels",
    "from_uncertainty_toolbox",
    "from_uq360",
    "from_xgboost",
]
