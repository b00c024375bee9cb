"""How many independent rows of equal weight would tell as much about a share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uccurve._kernels.binomial import squared_t_quantile

if TYPE_CHECKING:
    from uccurve.inference._judged_rows import JudgedRows


def effective_rows(rows: JudgedRows, segment: np.ndarray, alpha: float) -> np.ndarray:
    r"""Return the effective number of rows of each segment, shape (segments,).

    Independent rows: Kish's :math:`(\sum w)^2 / \sum w^2`. Rows that depend on each other within blocks:
    that of Korn and Graubard (1998),

    .. math:: n^* = \frac{\hat p (1 - \hat p)}{v} \cdot \frac{t_{n-1}^2}{t_{G-1}^2}, \qquad
       v = \frac{G}{G - 1} \sum_b \Bigl(\sum_{i \in b} w_i (c_i - \hat p)\Bigr)^2 \Big/ W^2,

    with G blocks in the segment, but never more than Kish's. Where all rows are covered, or none, v says
    nothing: the blocks are counted instead, as is one block on its own.

    Parameters
    ----------
    rows : JudgedRows
        The rows.
    segment : numpy.ndarray
        The segment of each, numbered from 0.
    alpha : float
        Probability outside the interval of one segment, which the quantiles of t are for.
    """
    count = np.bincount(segment)
    top = np.zeros(count.size)
    np.maximum.at(top, segment, rows.weight)
    share = rows.weight / top[segment]  # each segment in its own unit: no square leaves float64
    total = np.bincount(segment, share)
    kish = total**2 / np.bincount(segment, share**2)
    if rows.block is None:
        return kish
    n_codes = int(rows.block.max()) + 1
    block_of_segment, of_row = np.unique(segment * n_codes + rows.block, return_inverse=True)
    owner = block_of_segment // n_codes
    blocks = np.bincount(owner)
    weight_of_block = np.bincount(of_row, share)
    effective_blocks = total**2 / np.bincount(owner, weight_of_block**2)
    covered = np.bincount(segment, share * rows.covered) / total
    off = np.bincount(of_row, share * (rows.covered - covered[segment]))
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = blocks / (blocks - 1) * np.bincount(owner, off**2) / total**2
        robust = np.minimum(covered * (1 - covered) / variance, kish)
    several = (blocks > 1) & (blocks < count)
    rows_t = squared_t_quantile(alpha, np.maximum(count[several] - 1, 1))
    robust[several] *= rows_t / squared_t_quantile(alpha, blocks[several] - 1)
    all_alike = (np.bincount(segment, rows.covered) == 0) | (np.bincount(segment, ~rows.covered) == 0)
    robust = np.where(all_alike | (blocks == 1), np.minimum(effective_blocks, kish), robust)
    return np.where(blocks == count, kish, robust)
