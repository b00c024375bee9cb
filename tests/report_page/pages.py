"""Models for pages of every kind, and the pages of them."""

from __future__ import annotations

import numpy as np

import uccurve as uc
from uccurve.datasets import make_crossing

LONG = "pipeline/2026-01/quantile_regression_forest_with_conformal_adjustment_"
IMAGE = "<img src=x onerror=alert(1)>"
SCRIPT = "</script><script>alert(2)</script>"


def noisy_rows(n, seed=7):
    """Return the scale of the noise in each row, and observations around 20."""
    rng = np.random.default_rng(seed)
    scale = rng.lognormal(sigma=0.6, size=n)
    return rng, scale, 20 + scale * rng.normal(size=n)


def one_model(n=300, seed=3, **options):
    """Return a model with asymmetric bands."""
    _, scale, y = noisy_rows(n, seed)
    return uc.Intervals.from_bands(y, np.full(n, 20.0), scale, 1.5 * scale, **options)


def demo():
    crossing = make_crossing()
    about = {"by": crossing.segment, "against": {"x": crossing.x}, "title": "One narrower, one better"}
    return crossing.models, about


def differing():
    """Two models around predictions of their own, with weights, segments, a time and a warning."""
    n = 700
    rng, scale, y = noisy_rows(n)
    shape = {"nominal": 0.9, "sample_weight": rng.integers(1, 4, size=n).astype(float)}
    models = {
        "boosting": uc.Intervals.from_bands(y, 20 + 0.3 * rng.normal(size=n), 1.2 * scale, **shape),
        "linear": uc.Intervals.from_bands(y, np.full(n, 20.2), 1.5 * np.sqrt(scale), 1.7 * scale, **shape),
    }
    hours = np.datetime64("2026-01-01") + np.arange(n).astype("timedelta64[h]")
    about = {"by": rng.choice(["north", "south"], size=n), "against": {"scale": scale, "hour": hours}}
    return models, {**about, "title": "Loads", "unit": "kWh", "notes": ["12 rows were dropped."]}


def many():
    """Six models and forty segments, one of which is noisier than its bands say."""
    n = 3000
    rng, scale, y = noisy_rows(n)
    labels = np.array([f"store {i:02d}" for i in range(40)])[rng.integers(0, 40, n)]
    y = np.where(labels == "store 07", 20 + 3 * (y - 20), y)
    models = {
        f"model {i}": uc.Intervals.from_bands(y, np.full(n, 20.0), scale ** (1 - 0.18 * i), nominal=0.8)
        for i in range(6)
    }
    return models, {"by": labels, "coverage": 0.9, "n_resamples": 99}


def single():
    return {"mine": one_model(400, nominal=0.68)}, {}


def sketches():
    n = 3000
    _, scale, y = noisy_rows(n)
    bands = {"sharp": scale, "damped": np.sqrt(scale)}
    rows = {name: uc.Intervals.from_bands(y, np.full(n, 20.0), band) for name, band in bands.items()}
    return {name: one.sketch() for name, one in rows.items()}, {}


def quantiles():
    """Two models with several quantiles of skewed rows."""
    n, levels = 500, np.array([0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975])
    rng, scale, _ = noisy_rows(n)
    y, true = scale * rng.exponential(size=n), scale[:, None] * np.log(1 / (1 - levels))
    rough = np.sort(true * rng.lognormal(sigma=0.4, size=true.shape), axis=1)
    models = {
        "forest": uc.Intervals.from_quantiles(y, true, levels),
        "rough": uc.Intervals.from_quantiles(y, rough, levels),
    }
    return models, {"vary": "level", "unit": "min"}


def one_sided():
    """Two upper limits."""
    n = 600
    _, scale, y = noisy_rows(n)
    shape = {"y_pred": np.full(n, 20.0), "nominal": 0.95}
    models = {
        "limit a": uc.Intervals.from_bounds(y, None, 20 + 1.6 * scale, **shape),
        "limit b": uc.Intervals.from_bounds(y, None, 20 + 1.7 * np.sqrt(scale), **shape),
    }
    return models, {}


def hostile():
    """Names that would run if they were ever taken for anything but text, and very long ones."""
    n = 200
    rng = np.random.default_rng(0)
    y, flat = rng.normal(size=n), 1 + 0.2 * rng.uniform(size=n)
    models = {
        IMAGE: uc.Intervals.from_bands(y, np.zeros(n), rng.exponential(size=n) + 0.2),
        SCRIPT: uc.Intervals.from_bands(y, np.zeros(n), 1 + rng.uniform(size=n)),
        "=1+1 | \n\u2028 \U0001f525 \u0646\u0645 {{ 7 * 7 }} ${8} '\"`": uc.Intervals.from_bands(
            y, np.full(n, 0.1), 2 * flat - 1
        ),
        f"{LONG}alpha": uc.Intervals.from_bands(y, np.full(n, 0.05), flat),
        f"{LONG}beta": uc.Intervals.from_bands(y, np.full(n, 0.1), np.ones(n)),
    }
    labels = rng.choice([IMAGE, SCRIPT, "&amp;", "a|b\n\u202e\u0646\u0645 \U0001f525"], size=n)
    return models, {"by": labels, "against": {IMAGE: y}, "title": IMAGE, "unit": SCRIPT}


PAGES = {
    made.__name__: made for made in (demo, differing, many, single, sketches, quantiles, one_sided, hostile)
}


def write_page(path, models, **options):
    """Write a page with few resamples, enough to decide."""
    return uc.report(models, path, **{"n_resamples": 999, "rng": 0, **options})
