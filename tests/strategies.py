"""Rows whose arithmetic is exact: integers for values, powers of two (or zero) for bands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import assume
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


@dataclass(frozen=True)
class OutputCase:
    """Rows of several outputs, in units that differ."""

    y: np.ndarray
    p: np.ndarray
    lower_band: np.ndarray
    upper_band: np.ndarray
    weight: np.ndarray | None
    vary: str

    def intervals(self):
        columns = (self.y, self.p, self.lower_band, self.upper_band)
        return uc.Intervals.from_bands(*columns, sample_weight=self.weight)

    def curve(self):
        return uc.UCC(self.intervals(), vary=self.vary)

    def oracle(self):
        n, outputs = self.y.shape
        weight = None if self.weight is None else np.repeat(self.weight, outputs)
        flat = [column.ravel().tolist() for column in (self.y, self.p, self.lower_band, self.upper_band)]
        return Oracle.of(*flat, weight, self.vary, list(range(outputs)) * n)


@st.composite
def output_cases(draw, *, zero_bands=False, vary=("scale", "shift")):
    """Draw rows of two or three outputs; an output may have no bands at all, or no errors."""
    n, outputs = draw(st.integers(1, 5)), draw(st.integers(2, 3))
    units = np.array(
        draw(st.lists(st.sampled_from([1.0, 16.0, 2.0**-20]), min_size=outputs, max_size=outputs))
    )

    def column(strategy):
        rows = st.lists(strategy, min_size=n * outputs, max_size=n * outputs)
        return np.array(draw(rows), dtype=float).reshape(n, outputs)

    lower, upper = (column(st.sampled_from(BANDS)) for _ in range(2))
    y, p = column(st.integers(-6, 6)), column(st.integers(-2, 2))
    if draw(st.booleans()):
        upper = lower
    if zero_bands and draw(st.booleans()):
        blank = draw(st.integers(0, outputs - 1))
        lower, upper = (np.where(np.arange(outputs) == blank, 0.0, band) for band in (lower, upper))
        if draw(st.booleans()):  # nor any errors there
            y = np.where(np.arange(outputs) == blank, p, y)
    weight = None
    if draw(st.booleans()):
        weight = np.array(draw(st.lists(st.sampled_from([0.0, 1.0, 2.0, 0.25]), min_size=n, max_size=n)))
        assume(weight.any())
    return OutputCase(y * units, p * units, lower * units, upper * units, weight, draw(st.sampled_from(vary)))


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
