"""Data for examples and tests: some with a known answer, and some that were measured."""

from uccurve.datasets._generated import (
    Crossing,
    Gap,
    Heteroscedastic,
    make_crossing,
    make_gap,
    make_heteroscedastic,
)
from uccurve.datasets._metro_traffic import MetroTraffic, fetch_metro_traffic

__all__ = [
    "Crossing",
    "Gap",
    "Heteroscedastic",
    "MetroTraffic",
    "fetch_metro_traffic",
    "make_crossing",
    "make_gap",
    "make_heteroscedastic",
]
