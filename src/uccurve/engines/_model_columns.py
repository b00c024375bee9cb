"""The columns of a model, by name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from uccurve.exceptions import ArgumentError
from uccurve.intervals._nominal_coverage import claim_of_columns

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, kw_only=True, slots=True)
class Columns:
    """The columns of one model, by name.

    Attributes
    ----------
    y_true : str
        Observations.
    y_pred : str | None
        Predictions; the midpoints of the bounds if not given.
    lower : str | None
        Lower bounds.
    upper : str | None
        Upper bounds.
    std : str | None
        Standard deviations, in place of bounds.
    sample_weight : str | None
        Weights, 0 or more.
    nominal : float | None
        The coverage that the bounds claim, such as 0.9. A standard deviation claims 0.6827.
    """

    y_true: str
    y_pred: str | None = None
    lower: str | None = None
    upper: str | None = None
    std: str | None = None
    sample_weight: str | None = None
    nominal: float | None = None

    def __post_init__(self) -> None:
        bounds = (self.lower is not None, self.upper is not None)
        if self.std is not None and (any(bounds) or self.y_pred is None):
            raise ArgumentError("`std` needs `y_pred`, and neither `lower` nor `upper`.")
        if self.std is None and not all(bounds):
            raise ArgumentError("`lower` and `upper` must both be given, or `std` in their place.")
        claim_of_columns(self.nominal, std=self.std is not None)

    @property
    def claim(self) -> float | None:
        """The coverage that the intervals claim, from ``nominal`` or from ``std``."""
        return claim_of_columns(self.nominal, std=self.std is not None)

    @property
    def symmetric(self) -> bool:
        """Whether bands are symmetric by construction."""
        return self.std is not None or self.y_pred is None

    def roles(self) -> dict[str, str]:
        """Return the given names by role."""
        names = {
            role: getattr(self, role)
            for role in ("y_true", "y_pred", "lower", "upper", "std", "sample_weight")
        }
        return {role: name for role, name in names.items() if name is not None}

    def renamed(self, names: Mapping[str, str]) -> Columns:
        """Return the same model with other names of columns."""
        given: dict[str, Any] = {role: names[name] for role, name in self.roles().items()}
        return replace(self, **given)
