"""
Two models, and where they swap
===============================

Neither model is better: one needs less width at high coverage, the other below. One coverage number would hide that.
"""

from matplotlib import pyplot as plt

import uccurve as uc
from uccurve.datasets import make_crossing

models = make_crossing().models
uc.UCCDisplay(models).plot()

# %%
# The ratio of the two says from which coverage on, and how sure that is: the band holds at all coverages at once.

plt.figure()
ratio = uc.ratio_curve(models["sharp"], models["damped"], rng=0)
ratio.plot(label="sharp over damped", other="damped")
print(ratio.crossover)

# %%
# In words:

print(uc.compare(models, coverage=0.9, n_resamples=999, rng=0).findings[0])
