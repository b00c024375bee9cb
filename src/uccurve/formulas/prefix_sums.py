"""Running sums that lose few digits, however many terms there are."""

from __future__ import annotations

from typing import Any

Array = Any

_RUN = 256


def prefix_sums(xp: Any, terms: Array) -> Array:
    """Return the sums of the first 1, 2, … terms.

    Long columns are added up in runs, and then run by run: equal terms that are added one after the other
    round in the same direction each time. The sums of terms of one sign rise or fall all the same, because
    each run goes on from the rounded sum of those before it.
    """
    n = terms.shape[0]
    if n <= _RUN:
        return xp.cumulative_sum(terms)
    whole = n // _RUN * _RUN
    runs = xp.cumulative_sum(xp.reshape(terms[:whole], (-1, _RUN)), axis=1)
    ends = xp.cumulative_sum(runs[:, -1])
    before = xp.concat([xp.zeros_like(ends[:1]), ends[:-1]])
    runs += xp.expand_dims(before, axis=1)
    sums = xp.reshape(runs, (-1,))
    if whole == n:
        return sums
    return xp.concat([sums, xp.cumulative_sum(terms[whole:]) + ends[-1]])
