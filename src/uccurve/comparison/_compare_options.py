"""What a comparison is made with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from uccurve._base import arguments
from uccurve.curve import family_of, ranges
from uccurve.inference import CRITERIA

if TYPE_CHECKING:
    import numpy as np

    from uccurve._base.type_aliases import ArrayLike, Vary, X, Y
    from uccurve.formulas.bands import Scale as Family
    from uccurve.inference import Criterion

DEFAULT_MISS_RATE = 0.1
MOST_BOOTSTRAPS = 999
MOST_AT_A_POINT = 499
"""Bootstraps of a number at a point, which has no closed form."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class CompareOptions:
    """The options of `compare`, checked.

    Attributes
    ----------
    x, y : str
        The axes of areas, gains, tests and crossings.
    vary : str
        The family of operating points.
    miss_rate : float
        The point of the comparison: models are moved to it, ranked, tested and recommended there.
    rank_by : str
        What they are ranked by there: "interval_score" or "bandwidth".
    test_areas : bool
        Whether areas are tested as well.
    partial_range : tuple of float
        Miss rates of the partial gains.
    n_resamples : int | None
        Exchanges of each permutation test; None for enough of them for the number of tests.
    blocks : int | array of shape (n,) | None
        What depends on each other.
    by : array of shape (n,) | None
        Labels of segments.
    confidence_level : float
        Confidence level, and 1 minus the level of significance.
    """

    x: X = "bandwidth"
    y: Y = "miss_rate"
    vary: Vary = "scale"
    miss_rate: float = DEFAULT_MISS_RATE
    rank_by: Criterion = "interval_score"
    test_areas: bool = False
    partial_range: tuple[float, float] = (0.0, 0.5)
    n_resamples: int | None = None
    blocks: ArrayLike | int | None = field(default=None, repr=False)
    by: ArrayLike | None = field(default=None, repr=False)
    confidence_level: float = 0.95

    def __post_init__(self) -> None:
        arguments.option("x", self.x, ("bandwidth", "excess"))
        arguments.option("y", self.y, ("miss_rate", "deficit"))
        family_of(self.vary)
        arguments.number("miss_rate", self.miss_rate, 0, 1, open_=True)
        arguments.option("rank_by", self.rank_by, CRITERIA)
        ranges.check_range("partial_range", self.partial_range, 0.0)
        if self.n_resamples is not None:
            arguments.whole("n_resamples", self.n_resamples, 2)
        arguments.number("confidence_level", self.confidence_level, 0, 1, open_=True)

    @property
    def family(self) -> Family:
        """What moves the operating point."""
        return family_of(self.vary)

    def resampling(self, rng: np.random.Generator, most: int) -> dict[str, Any]:
        """Return the options of a confidence interval with at most so many bootstrap samples."""
        return {
            "confidence_level": self.confidence_level,
            "blocks": self.blocks,
            "rng": rng,
            "n_resamples": most if self.n_resamples is None else min(self.n_resamples, most),
        }

    @property
    def point(self) -> str:
        """The coverage of the comparison in words."""
        return f"{100 * arguments.complement(self.miss_rate):.12g}%"

    @property
    def level(self) -> float:
        """The level of significance."""
        return 1 - self.confidence_level

    @property
    def axes(self) -> str:
        """The axes in words."""
        return f"{self.x} and {self.y}".replace("_", " ")
