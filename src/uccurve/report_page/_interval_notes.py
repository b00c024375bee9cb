"""What the page says about intervals: which there are, and where they end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve._base.text import whole_percent

if TYPE_CHECKING:
    from uccurve.comparison import Comparison
    from uccurve.report_page._ratio_bands import RatioLines


def has_intervals(comparison: Comparison) -> bool:
    """Whether any model has an interval in brackets."""
    return any(test.ratio.has_interval for test in comparison.tests)


def band_note(comparison: Comparison, lines: RatioLines) -> str:
    """Say what the bands of the main chart hold for, and where they end; nothing for sketches."""
    if all(curve.source is None or curve.reference is curve for curve in comparison.models.values()):
        return ""
    known = [
        lines.rates[np.isfinite(margin) & np.isfinite(lines.ratio[name])]
        for name, margin in lines.log_margin.items()
    ]
    ends = [float(rates.min()) for rates in known if rates.size]
    if not ends:
        return "There are too few rows for bands of confidence."
    level = f"{100 * comparison.options.confidence_level:g}%"
    end = whole_percent(arguments.complement(min(ends)))
    return (
        f"The {level} bands hold for all coverages at once. They end at {end} coverage: beyond it too few "
        f"rows are missed to tell."
    )
