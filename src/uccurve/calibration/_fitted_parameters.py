"""What a fit finds: the parameter of all calibration rows, and that of each label."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from uccurve.calibration._conformal_rank import conformal_rank

if TYPE_CHECKING:
    from collections.abc import Hashable
    from fractions import Fraction

    from uccurve._base.type_aliases import Side
    from uccurve.calibration._critical_values import CalibrationValues, CriticalValues
    from uccurve.formulas.bands import Scale as Family


Unseen: TypeAlias = Literal["raise", "pooled"]
"""What happens to rows whose label was not fitted: an error, or the parameter of all calibration rows."""


class GroupFit(NamedTuple):
    """The fit to some calibration rows."""

    parameter: float
    """The scale, shift or share of the largest level; infinite where no finite one keeps the promise."""
    rows: int
    """The number of calibration rows."""


class Fit(NamedTuple):
    """All that `ConformalScaler.transform` needs."""

    family: Family
    coverage: Fraction
    pooled: GroupFit
    """The fit to all rows."""
    by_label: dict[Hashable, GroupFit] | None
    """The fit to the rows of each label; None where rows have no labels."""
    unseen: Unseen
    """What happens to rows with another label."""
    side: Side
    """Where the calibration rows have bounds."""
    levels: tuple[float, ...]
    """The nominal coverages of their pairs of quantiles, where these are moved; 0 for the median."""

    def nominal(self, group: GroupFit) -> float | None:
        """Return the nominal coverage at a parameter; None where no pair of quantiles has it."""
        return group.parameter * self.levels[-1] if self.levels and group.parameter <= 1 else None


def fit_parameters(family: Family, coverage: Fraction, values: CalibrationValues, unseen: Unseen) -> Fit:
    """Choose the parameters."""
    by_label = None
    if values.by_label is not None:
        by_label = {label: _group_fit(group, coverage) for label, group in values.by_label.items()}
    pooled = _group_fit(values.pooled, coverage)
    return Fit(family, coverage, pooled, by_label, unseen, values.side, values.levels)


def _group_fit(values: CriticalValues, coverage: Fraction) -> GroupFit:
    n = values.n
    rank = conformal_rank(n, coverage)
    return GroupFit(values.at_rank(rank) if rank <= n else math.inf, n)
