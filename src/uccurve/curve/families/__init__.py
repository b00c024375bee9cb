"""The families of intervals that move the operating point. A new one is a file here and a line below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve._base import arguments
from uccurve.curve.families._scale import Scale
from uccurve.curve.families._shift import Shift

if TYPE_CHECKING:
    from uccurve.curve.families._family import Family

SCALE = Scale()
FAMILIES: dict[str, Family] = {family.name: family for family in (SCALE, Shift())}


def family_of(vary: object) -> Family:
    """Return the family that ``vary`` names."""
    arguments.option("vary", vary, tuple(FAMILIES))
    return FAMILIES[str(vary)]
