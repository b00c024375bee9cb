"""The columns of a model, by name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from uccurve.exceptions import ArgumentError
from uccurve.intervals import checks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import Side


@dataclass(frozen=True, kw_only=True, slots=True)
class Columns:
    """The columns of one model, by name.

    Attributes
    ----------
    y_true : str
        Observations.
    y_pred : str | None
        Predictions; the midpoints of the bounds if not given. A one-sided limit needs them.
    lower : str | None
        Lower bounds. Without them, ``upper`` is an upper limit.
    upper : str | None
        Upper bounds. Without them, ``lower`` is a lower limit.
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
            raise ArgumentError(
                argument="std", rule="be passed with `y_pred`, and with neither `lower` nor `upper`"
            )
        if self.std is None and not any(bounds):
            raise ArgumentError(argument="lower", rule="be passed, or `upper`, or `std` in their place")
        if self.side != "both" and self.y_pred is None:
            missing = "lower" if self.side == "upper" else "upper"
            raise ArgumentError(
                argument=missing, rule=f"be passed, or `y_pred` beside `{self.side}` for a one-sided limit"
            )
        checks.claim_of_columns(self.nominal, std=self.std is not None)

    @property
    def claim(self) -> float | None:
        """The coverage that the intervals claim, from ``nominal`` or from ``std``."""
        return checks.claim_of_columns(self.nominal, std=self.std is not None)

    @property
    def symmetric(self) -> bool:
        """Whether bands are symmetric by construction; a one-sided limit has one band."""
        return self.std is not None or self.y_pred is None or self.side != "both"

    @property
    def side(self) -> Side:
        """Where there are bounds."""
        if self.std is not None or (self.lower is not None and self.upper is not None):
            return "both"
        return "lower" if self.upper is None else "upper"

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
