"""Intervals from the output of other libraries: ``from_<library>(y_true, output)``.

Adapters read arrays, frames and objects of the documented shape; none imports its library. What an output
does not say, such as the coverage it claims, is an argument.

>>> import numpy as np
>>> from uccurve.adapters import from_crepes
>>> from_crepes([1.0, 2.0, 4.0], np.array([[0, 2], [1, 4], [2, 5]]), nominal=0.9)
Intervals(n=3, bandwidth=1.333, symmetric)
"""

from uccurve.adapters._boosted_quantiles import from_catboost, from_lightgbm, from_xgboost
from uccurve.adapters._crepes import from_crepes
from uccurve.adapters._darts import from_darts
from uccurve.adapters._gluonts import from_gluonts
from uccurve.adapters._mapie import from_mapie
from uccurve.adapters._ngboost import from_ngboost
from uccurve.adapters._nixtla import NixtlaForecasts, from_nixtla
from uccurve.adapters._plain_arrays import from_uncertainty_toolbox, from_uq360
from uccurve.adapters._posterior_draws import from_arviz, from_numpyro
from uccurve.adapters._prophet import from_prophet
from uccurve.adapters._series import SeriesIntervals
from uccurve.adapters._skforecast import from_skforecast
from uccurve.adapters._sklearn import from_sklearn
from uccurve.adapters._sktime import from_skpro, from_sktime
from uccurve.adapters._statsmodels import from_statsmodels

__all__ = [
    "NixtlaForecasts",
    "SeriesIntervals",
    "from_arviz",
    "from_catboost",
    "from_crepes",
    "from_darts",
    "from_gluonts",
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
