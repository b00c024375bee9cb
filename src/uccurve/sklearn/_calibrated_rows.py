"""Calibration rows, as the models that were not fitted to them predict them, and the bounds they lead to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arrays import to_numpy
from uccurve.calibration import ConformalScaler
from uccurve.sklearn._cross_bounds import bounds_at, cross_bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Vary
    from uccurve.calibration import Unseen
    from uccurve.intervals import Intervals


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class CalibratedRows:
    """What is kept of the calibration rows.

    Attributes
    ----------
    intervals : Intervals
        Observations and intervals of n rows.
    labels : array of shape (n,), or None
        Their groups.
    fold : array of shape (n,)
        The number of the model that predicted each row.
    vary, unseen : str
        As in `ConformalScaler`.
    """

    intervals: Intervals
    labels: np.ndarray | None
    fold: np.ndarray
    vary: Vary
    unseen: Unseen

    def scaler(self, coverage: float) -> ConformalScaler:
        """Return the parameters for a coverage."""
        scaler = ConformalScaler(coverage=coverage, vary=self.vary, unseen=self.unseen)
        return scaler.fit(self.intervals, by=self.labels)

    def bounds(
        self, scaler: ConformalScaler, rows_by_model: Sequence[Intervals], groups: ArrayLike | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return bounds of new rows, as one model predicts them or as those of all folds do."""
        fit, rows = scaler.fitted_, rows_by_model[0]
        new_rows = fit.group_new_rows(groups, rows.n, name="groups")
        if len(rows_by_model) == 1:
            lower, upper = bounds_at(fit.family, rows, fit.parameters(new_rows, rows.y_pred)[:, None])
            return lower[:, 0], upper[:, 0]
        critical = to_numpy(self.intervals.critical(vary=self.vary))
        lower, upper = np.empty(rows.n), np.empty(rows.n)
        for label, new in new_rows.items():  # None for rows that take all calibration rows
            mine = self._rows_of(label)
            by_fold = [critical[mine & (self.fold == fold)] for fold in range(len(rows_by_model))]
            lower[new], upper[new] = cross_bounds(
                fit.family, [each[new] for each in rows_by_model], by_fold, fit.coverage
            )
        return lower, upper

    def _rows_of(self, label: Any) -> np.ndarray:
        if label is None or self.labels is None:
            return np.ones(self.fold.size, dtype=bool)
        return np.array([other == label for other in self.labels.tolist()])
