"""The same rows with an upper limit, with its mirror, and with intervals; and what is said of limits."""

import numpy as np

import uccurve as uc

RNG = np.random.default_rng(0)
P = RNG.uniform(20, 200, 60)
Y = P + RNG.normal(0, 0.2 * P)
UPPER = {
    "stock": uc.Intervals.from_bounds(Y, upper=1.25 * P, y_pred=P),
    "reserve": uc.Intervals.from_bounds(Y, upper=P + 20 + RNG.uniform(0, 9, 60), y_pred=P),
}
LOWER = {name: uc.Intervals.from_bounds(-m.y_true, -m.upper, y_pred=-m.y_pred) for name, m in UPPER.items()}
BOTH = {name: uc.Intervals.from_bands(Y, P, m.upper - P) for name, m in UPPER.items()}
SENTENCE = (
    "All bounds are {} limits: the bandwidth is the mean distance from the prediction to the limit, and "
    "constant width has the same distance in every row."
)


def compared(models):
    """Few exchanges: words are what matters here."""
    return uc.compare(models, n_resamples=19, rng=0)
