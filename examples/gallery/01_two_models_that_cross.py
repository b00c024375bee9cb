"""
Two models, and where they swap
===============================

Neither model is better: one needs less width at high coverage, the other below. One coverage number would hide that.
"""

from matplotlib import pyplot as plt

import uccurve as uc
from uccurve.datasets import make_crossing

models = make_crossing().models
display = uc.UCCDisplay(models).plot()
display.ax_.set_title("Two models, and where they swap")

# %%
# The ratio of the two says from which coverage on, and how sure that is: the band holds at all coverages at once.

fig, ax = plt.subplots(figsize=(6.4, 4), layout="constrained")
ax.set_title("Bandwidth of sharp in per cent of that of damped")
ratio = uc.ratio_curve(models["sharp"], models["damped"], rng=0)
ratio.plot(ax, label="sharp over damped", other="damped")
print(ratio.crossover)

# %%
# In words:

print(uc.compare(models, coverage=0.9, n_resamples=999, rng=0).findings[0])
