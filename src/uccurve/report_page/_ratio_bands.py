"""The lines of the main chart: each model over one common reference, with a band for all coverages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.text import printable
from uccurve.formulas.tolerances import SAME_SUM

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve.comparison import Comparison


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class RatioLines:
    """What a comparison ranks by, over that of the reference, at the miss rates the page carries."""

    rates: np.ndarray
    reference: str
    """The name of the constant width that all lines are held against."""
    measure: str
    """What is compared, in words."""
    better: tuple[str, str, str]
    """Words for less, more and as much of it than the reference."""
    number: Mapping[str, np.ndarray]
    """Of models and constant widths; NaN where it is not known."""
    ratio: Mapping[str, np.ndarray]
    log_margin: Mapping[str, np.ndarray]
    """Half the width of the band around the logarithm of each; NaN where it is not known."""


def ratio_lines(comparison: Comparison, rates: np.ndarray) -> RatioLines:
    """Return the lines of all models."""
    standings = comparison.standings
    leader = next(
        (name for name in standings.at_place(standings.chosen).order if name in comparison.models), ""
    )
    reference = comparison.own_constant_band[leader or next(iter(comparison.models))]
    place = np.searchsorted(standings.rates, rates - SAME_SUM)
    place = np.where(place < standings.rates.size, place, -1)
    known = np.abs(standings.rates[place] - rates) <= SAME_SUM

    def at_rates(values: np.ndarray) -> np.ndarray:
        return np.where(known, values[place], np.nan)

    flat = [name for name, curve in comparison.models.items() if curve.reference is curve]
    number = {name: at_rates(row) for name, row in zip(standings.names, standings.numbers, strict=True)}
    for name, own in comparison.own_constant_band.items():
        if name in flat:
            number.setdefault(own, number[name])
    stands_for = reference if reference in standings.names else next(iter(flat), reference)
    ratio, margin = {}, {}
    for name in comparison.models:
        with np.errstate(divide="ignore", invalid="ignore"):
            quotient = number[name] / number[reference]
        ratio[name] = np.where(np.isfinite(quotient), quotient, np.nan)
        found = standings.ratio_curve(name, stands_for)
        margin[name] = np.full(rates.size, np.nan) if found is None else at_rates(found.margin)
    return RatioLines(
        rates=rates,
        reference=printable(reference),
        measure="interval score" if comparison.options.by_score else "half-width",
        better=("better", "worse", "the same")
        if comparison.options.by_score
        else ("narrower", "wider", "as wide"),
        number=number,
        ratio=ratio,
        log_margin=margin,
    )
