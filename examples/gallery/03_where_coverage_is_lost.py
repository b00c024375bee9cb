"""
Where is coverage lost?
=======================

Intervals that cover 90% of all rows may cover 70% where it matters. Full marks are significant.
"""

import numpy as np
from matplotlib import pyplot as plt

import uccurve as uc
from uccurve.datasets import make_heteroscedastic

data = make_heteroscedastic(3000, spread=0.8, rng=1)
damped = uc.Intervals.from_bands(data.y_true, data.y_pred, data.std**0.25)
found = uc.conditional_coverage(damped, coverage=0.9)
fig, ax = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
found.plot(ax)
fig.suptitle("Coverage by half width, before")
print(found)

# %%
# A factor for each half of the widths mends some of it. It is fitted on every other row, and tried on the rest.

wide = np.where(damped.upper - damped.lower > np.median(damped.upper - damped.lower), "wide", "narrow")
fitted_on = np.arange(3000) % 2 == 0
scaler = uc.ConformalScaler(coverage=0.9).fit(damped[fitted_on], by=wide[fitted_on])
moved = scaler.transform(damped[~fitted_on], by=wide[~fitted_on])
fig, ax = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
uc.conditional_coverage(moved, coverage=0.9).plot(ax)
fig.suptitle("Coverage by half width, with a factor for each half")
print(scaler)
