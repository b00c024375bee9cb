"""
One curve, many sets of intervals
=================================

The paper's figure: two operating points on the curve, and the intervals there.
"""

import numpy as np

import uccurve as uc
from uccurve.plotting import plot_operating_points

rng = np.random.default_rng(3)
place = np.sort(rng.uniform(0, 10, size=150))
band = 0.1 + 0.05 * place
noisy = uc.Intervals.from_bands(np.sin(place) + band * rng.normal(size=150), np.sin(place), band)
axes = plot_operating_points(noisy, against=place, miss_rates=(0.7, 0.2))
for ax in axes[1:]:
    ax.set_xlabel("x")
axes[0].figure.suptitle("One curve, and the intervals at two of its points")
