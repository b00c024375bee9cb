"""The families of intervals that move the operating point. A new one is a file here and a line below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve._base import arguments
from uccurve.curve.families._level import Level
from uccurve.curve.families._scale import Scale
from uccurve.curve.families._shift import Shift
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Tails
    from uccurve.curve.families._family import Family

SCALE = Scale()
FAMILIES: dict[str, Family] = {family.name: family for family in (SCALE, Shift(), Level())}
_WITHOUT_TAILS = Level("none")


def family_of(vary: object, tails: Tails = "scale") -> Family:
    """Return the family that ``vary`` names; ``tails="none"`` ends a "level" one at the outermost pair."""
    arguments.option("vary", vary, tuple(FAMILIES))
    arguments.option("tails", tails, ("scale", "none"))
    if tails == "none":
        if vary != "level":
            raise ArgumentError(argument="tails", rule="be 'scale' unless vary='level'", got=repr(tails))
        return _WITHOUT_TAILS
    return FAMILIES[str(vary)]
