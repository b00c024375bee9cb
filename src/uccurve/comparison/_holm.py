"""Several p-values at once."""

from __future__ import annotations

import math


def holm(p_values: list[float]) -> list[float]:
    """Adjust p-values for their number (Holm 1979); NaN stays NaN and does not count."""
    counted = [place for place, p in enumerate(p_values) if not math.isnan(p)]
    adjusted = [math.nan] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(counted, key=lambda place: p_values[place])):
        largest = max(largest, min(1.0, p_values[place] * (len(counted) - rank)))
        adjusted[place] = largest
    return adjusted
