"""
Two models, and where they swap
===============================

One model is narrower at high coverage, the other one below. The narrower one is not always the better one.
"""

from matplotlib import pyplot as plt

import uccurve as uc
from uccurve.datasets import make_crossing

models = make_crossing().models
display = uc.UCCDisplay(models).plot()
display.ax_.set_title("Two models, and where they swap")

# %%
# The ratio of the two widths says from which coverage on, and how sure that is: the band holds at all coverages at once.

fig, ax = plt.subplots(figsize=(6.4, 4), layout="constrained")
ax.set_title("Half-width of sharp in percent of that of damped")
ratio = uc.ratio_curve(models["sharp"], models["damped"], criterion="bandwidth", rng=0)
ratio.plot(ax, label="sharp over damped", other="damped")
print(ratio.crossover)

# %%
# The interval score also counts how far misses lie outside. By that ``sharp`` is the better one, narrower or not:

fig, ax = plt.subplots(figsize=(6.4, 4), layout="constrained")
ax.set_title("Interval score of sharp in percent of that of damped")
uc.ratio_curve(models["sharp"], models["damped"], rng=0).plot(ax, label="sharp over damped", other="damped")

# %%
# In words:

print(uc.compare(models, coverage=0.9, n_resamples=999, rng=0).verdict)
