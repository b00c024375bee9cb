"""
Quantiles of a skewed model
===========================

A model with several quantiles needs no factor: its own levels move the operating point.
"""

import numpy as np
from matplotlib import pyplot as plt
from scipy.stats import lognorm

import uccurve as uc
from uccurve.plotting import plot_reliability

rng = np.random.default_rng(0)
center, spread = rng.uniform(1, 4, size=2000), rng.uniform(0.2, 0.9, size=2000)
y = center * np.exp(spread * rng.normal(size=2000))
levels = np.array([0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975])
quantiles = lognorm.ppf(levels, s=0.8 * spread[:, None], scale=center[:, None])
model = uc.Intervals.from_quantiles(y, quantiles, list(levels))
display = uc.UCCDisplay({"its levels": model.ucc(vary="level"), "outer pair, scaled": model.ucc()}).plot()
display.ax_.set_title("Quantiles by their levels, and the outer pair scaled")

# %%
# It claims too much: its spread is a fifth too small.

fig, ax = plt.subplots(figsize=(4.6, 4.6), layout="constrained")
plot_reliability({"model": model}, ax)
ax.set_title("Claimed against observed coverage")
point = model.ucc(vary="level").at(coverage=0.8)
print(f"for 80% coverage take its {point.nominal:.0%} interval")
