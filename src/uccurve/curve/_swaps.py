"""Where two curves swap order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve._base.arrays import to_numpy
from uccurve.curve._curve_data import line, slack
from uccurve.curve._results import Crossing
from uccurve.formulas import crossings

if TYPE_CHECKING:
    from uccurve._base.type_aliases import X, Y
    from uccurve.curve._curve_data import CurveData


def swaps(mine: CurveData, theirs: CurveData, x: X, y: Y) -> tuple[Crossing, ...]:
    """Return each swap of order, by rising y."""
    exact = slack(mine) == slack(theirs) == 0  # heights that are sums of weights compare up to rounding
    traces = [_trace(data, x, y, exact=exact) for data in (mine, theirs)]
    found = crossings.crossings(mine.xp, *traces)
    ys, xs, signs = (to_numpy(column).tolist() for column in found)
    return tuple(
        Crossing(x=at_x, y=at_y, better_below="self" if sign < 0 else "other")
        for at_y, at_x, sign in zip(ys, xs, signs, strict=True)
    )


def _trace(data: CurveData, x: X, y: Y, *, exact: bool) -> crossings.Trace:
    if y == "miss_rate":
        return crossings.trace(data.xp, getattr(data, x), data.miss_rate, steps=True, exact=exact)
    return crossings.trace(data.xp, line(data, x), line(data, y), steps=False)
