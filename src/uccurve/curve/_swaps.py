"""Where two curves swap order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve._base.arrays import to_numpy
from uccurve._kernels import crossings
from uccurve.curve._curve_data import line, slack
from uccurve.curve._results import Crossing

if TYPE_CHECKING:
    from uccurve._base.type_aliases import X, Y
    from uccurve.curve._curve_data import CurveData


def swaps(mine: CurveData, theirs: CurveData, x: X, y: Y) -> tuple[Crossing, ...]:
    """Return each swap of order, by rising y."""
    found = crossings.crossings(mine.xp, _trace(mine, x, y), _trace(theirs, x, y))
    ys, xs, signs = (to_numpy(column).tolist() for column in found)
    return tuple(
        Crossing(x=at_x, y=at_y, better_below="self" if sign < 0 else "other")
        for at_y, at_x, sign in zip(ys, xs, signs, strict=True)
    )


def _trace(data: CurveData, x: X, y: Y) -> crossings.Trace:
    if y == "miss_rate":
        exact = slack(data) == 0
        return crossings.trace(data.xp, getattr(data, x), data.miss_rate, steps=True, exact=exact)
    return crossings.trace(data.xp, line(data, x), line(data, y), steps=False)
