"""Colors and dashes of the studies' figures: those of the library's figures and of the report page."""

from uccurve.plotting import COLORS, DASHES
from uccurve.plotting import QUIET as GRAY

__all__ = ["COLORS", "DASHES", "GRAY"]
