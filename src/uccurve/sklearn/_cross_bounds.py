r"""Bounds at parameters: of one model, or of the models of all folds together.

With several folds, calibration row i has the critical value :math:`k_i` under the model that was fitted
without it. Among the bounds of these models at :math:`k_i`, the CV+ interval of a new row reaches from the
:math:`(n + 1 - r)`-th smallest lower bound to the r-th smallest upper one, with
:math:`r = \lceil (n + 1) c \rceil`.

References
----------
R. F. Barber, E. J. Candès, A. Ramdas, R. J. Tibshirani, "Predictive inference with the jackknife+", Annals of
Statistics 49 (2021), :doi:`10.1214/20-AOS1965`. For nested intervals of any kind: C. Gupta,
A. K. Kuchibhotla, A. Ramdas, "Nested conformal prediction and quantile out-of-bag ensemble methods", Pattern
Recognition 127 (2022), :doi:`10.1016/j.patcog.2021.108496`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uccurve.calibration import conformal_rank

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from uccurve.formulas.bands import Scale as Family
    from uccurve.intervals import Intervals

_ENTRIES = 1 << 22
"""How many bounds are held in memory at once."""


def bounds_at(family: Family, rows: Intervals, parameter: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return lower and upper bounds of each row at parameters that broadcast with a column of the rows.

    Bounds are infinite where the parameter is, and on a side without bounds.
    """
    columns, nested = rows.rows.columns, rows.rows.columns.nested
    unbounded = np.isinf(parameter)
    finite = np.where(unbounded, 0.0, parameter)
    if family.nested and nested is not None:
        pairs = nested.map(lambda column: column[:, None])
        center = pairs.center
        lower_band, upper_band = pairs.bands_at_each(np, finite)
    else:
        center, given = columns.y_pred[:, None], columns.lower_band[:, None]
        other = given if columns.upper_band is None else columns.upper_band[:, None]
        lower_band, upper_band = (family.bands(np, band, finite) for band in (given, other))
    lower = center - np.where(unbounded | (rows.side == "upper"), np.inf, lower_band)
    upper = center + np.where(unbounded | (rows.side == "lower"), np.inf, upper_band)
    return lower, upper


def cross_bounds(
    family: Family,
    rows_by_fold: Sequence[Intervals],
    critical_by_fold: Sequence[np.ndarray],
    coverage: Fraction,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the CV+ bounds of new rows, as the model of each fold predicts them."""
    m, n = rows_by_fold[0].n, sum(critical.size for critical in critical_by_fold)
    rank = conformal_rank(n, coverage)
    lower, upper = np.full(m, -np.inf), np.full(m, np.inf)
    if rank > n:
        return lower, upper
    step = max(1, _ENTRIES // n)
    for begin in range(0, m, step):
        part = slice(begin, begin + step)
        bounds = [
            bounds_at(family, rows[part], critical[None, :])
            for rows, critical in zip(rows_by_fold, critical_by_fold, strict=True)
        ]
        lower[part], upper[part] = (
            np.partition(np.concatenate(side, axis=1), place, axis=1)[:, place]
            for side, place in zip(zip(*bounds, strict=True), (n - rank, rank - 1), strict=True)
        )
    return lower, upper
