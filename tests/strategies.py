"""Rows whose arithmetic is exact: integers for values, powers of two (or zero) for bands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

import uccurve as uc
from oracle import Oracle

BANDS = [0.5, 1.0, 2.0, 4.0]
UNITS = [1.0, 2.0**-40, 2.0**40, 2.0**-300, 2.0**300]


@dataclass(frozen=True)
class Case:
    """Columns of rows, and the two ways to look at them."""

    y: list[float]
    p: list[float]
    lower_band: list[float]
    upper_band: list[float]
    weight: list[float] | None
    vary: str = "scale"

    @property
    def symmetric(self):
        return self.lower_band == self.upper_band

    def intervals(self, asarray=np.asarray):
        columns = [asarray(np.array(c)) for c in (self.y, self.p, self.lower_band)]
        upper = None if self.symmetric else asarray(np.array(self.upper_band))
        weight = None if self.weight is None else asarray(np.array(self.weight))
        return uc.Intervals.from_bands(*columns, upper, sample_weight=weight)

    def curve(self, asarray=np.asarray):
        return uc.UCC(self.intervals(asarray), vary=self.vary)

    def oracle(self):
        return Oracle.of(self.y, self.p, self.lower_band, self.upper_band, self.weight, self.vary)


@st.composite
def cases(draw, *, max_rows=8, zero_bands=False, vary=("scale", "shift"), symmetric=None, units=UNITS):
    """Draw a case; ties, zero residuals and repeated rows are likely on purpose."""
    n = draw(st.integers(1, max_rows))
    unit = draw(st.sampled_from(units))

    def column(strategy):
        return draw(st.lists(strategy, min_size=n, max_size=n))

    bands = st.sampled_from(BANDS + [0.0] * zero_bands)
    lower = column(bands)
    upper = lower if draw(st.booleans() if symmetric is None else st.just(symmetric)) else column(bands)
    weight = column(st.sampled_from([0.0, 1.0, 2.0, 0.25])) if draw(st.booleans()) else None
    if weight is not None and not any(weight):
        weight[0] = 1.0
    scaled = [
        [v * unit for v in c] for c in (column(st.integers(-6, 6)), column(st.integers(-2, 2)), lower, upper)
    ]
    return Case(*scaled, weight, draw(st.sampled_from(vary)))


def damaged(raw):
    """Draw the bytes of one strategy, with up to three pieces of them cut out and others put in their place."""
    place = st.floats(0, 1, exclude_max=True)
    pieces = st.tuples(place, st.sampled_from([0, 1, 8, 2**30]), st.binary(max_size=9))

    def replace(given, changes):
        for where, length, inserted in changes:
            begin = int(where * len(given))
            given = given[:begin] + inserted + given[begin + length :]
        return given

    return st.builds(replace, raw, st.lists(pieces, max_size=3))
