"""How many independent rows of equal weight would tell as much about a share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uccurve._kernels.binomial import squared_t_quantile

if TYPE_CHECKING:
    from uccurve.inference._judged_rows import JudgedRows


def effective_rows(rows: JudgedRows, segment: np.ndarray, alpha: float) -> np.ndarray:
    r"""Return the effective number of rows of each segment, shape (segments,).

    Independent rows of the weights :math:`w_i`: Kish's :math:`(\sum w)^2 / \sum w^2`. Rows that depend on
    each other within blocks, which have the weights :math:`W_b` and are G in the segment:

    .. math:: n^* = \frac{(\sum w)^2}{(1 - \rho) \sum w_i^2 + \rho \sum W_b^2}
       \cdot \frac{t_{n-1}^2}{t_{G-1}^2}

    The correlation :math:`\rho` within blocks is estimated from all segments together: that of a single
    segment would be too small just where its coverage is off. The second factor, of Korn and Graubard
    (1998), allows for few blocks.

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
    total, of_rows = np.bincount(segment, share), np.bincount(segment, share**2)
    if rows.block is None:
        return np.asarray(total**2 / of_rows)
    n_codes = int(rows.block.max()) + 1
    block_of_segment, block = np.unique(segment * n_codes + rows.block, return_inverse=True)
    owner = block_of_segment // n_codes
    of_blocks = np.bincount(owner, np.bincount(block, share) ** 2)
    covered = np.bincount(segment, share * rows.covered) / total
    off = share * (rows.covered - covered[segment])
    n_blocks = np.bincount(owner)
    rho = _correlation(
        np.bincount(owner, np.bincount(block, off) ** 2),
        np.bincount(segment, off**2),
        covered * (1 - covered) * (of_blocks - of_rows),
        n_blocks,
    )
    found = total**2 / ((1 - rho) * of_rows + rho * of_blocks)
    several = (n_blocks > 1) & (n_blocks < count)
    t_rows, t_blocks = (squared_t_quantile(alpha, n[several] - 1) for n in (count, n_blocks))
    found[several] *= t_rows / t_blocks
    return np.where(n_blocks == 1, total**2 / of_blocks, found)


def _correlation(
    between_blocks: np.ndarray, between_rows: np.ndarray, if_alike: np.ndarray, n_blocks: np.ndarray
) -> float:
    """Estimate the correlation of coverage within blocks; 1 where nothing speaks against it.

    The squares of the blocks' sums exceed those of their rows by the products of different rows, which are
    held against what they would be if all rows of a block were covered alike.
    """
    known = n_blocks > 1
    blocks = n_blocks[known]
    products = float(np.sum(blocks / (blocks - 1) * between_blocks[known] - between_rows[known]))
    alike = float(np.sum(if_alike[known]))
    return min(max(products / alike, 0.0), 1.0) if alike > 0 else 1.0
