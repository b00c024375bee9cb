"""
Choose a coverage on the curve
==============================

Each label says what to multiply the bands by. The curve shows what the next per cent of coverage costs.
"""

import numpy as np
from matplotlib import pyplot as plt

import uccurve as uc
from uccurve.datasets import make_heteroscedastic
from uccurve.plotting import plot_bands

data = make_heteroscedastic(3000, spread=0.8, rng=1)
intervals = uc.Intervals.from_std(data.y_true, data.y_pred, data.std)
fig, ax = plt.subplots(layout="constrained")
ax.set_title("What each coverage costs in half width")
intervals.ucc().plot(ax, label="model", points=[0.5, 0.8, 0.9, 0.95, 0.99], unit="kWh")

# %%
# The same bands at three coverages, over the input:

fig, ax = plt.subplots(figsize=(7, 4), layout="constrained")
ax.set_title("Bands at three coverages")
shown = np.argsort(data.x)[::12]
plot_bands(intervals[shown], ax, against=data.x[shown], coverages=(0.5, 0.8, 0.95), unit="kWh")
ax.set_xlabel("x")

# %%
# How wide is that, and how much narrower than a constant band?

curve = intervals.ucc()
for coverage in (0.8, 0.9, 0.95, 0.99):
    point = curve.at(coverage=coverage)
    gain = curve.gain_at(coverage=coverage)
    print(
        f"{coverage:.0%}: multiply by {point.parameter:.2f}, half width {point.bandwidth:.2f}, {gain:+.0%} saved"
    )
