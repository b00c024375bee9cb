"""Shares of rows: how many independent rows would tell as much, and the exact limits that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from uccurve.inference._judged_rows import JudgedRows


_SMALLEST_TAIL = 1e-300


def share_limits(hits: Any, misses: Any, tail: float) -> tuple[np.ndarray, np.ndarray]:
    r"""Return both Clopper-Pearson limits of shares, shape (m,), with the probability ``tail`` beyond each.

    With :math:`x` hits and :math:`n - x` misses the limits are the quantiles
    :math:`B^{-1}(\tau;\ x,\ n - x + 1)` and :math:`B^{-1}(1 - \tau;\ x + 1,\ n - x)` of beta
    distributions. They hold for counts, and extend to effective numbers that are not whole.
    """
    from scipy.special import betaincinv  # noqa: PLC0415 - takes a while to load

    hits, misses = np.broadcast_arrays(np.asarray(hits, dtype=float), np.asarray(misses, dtype=float))
    low = np.where(hits > 0, betaincinv(hits, misses + 1, tail), 0.0)
    high = np.where(misses > 0, 1.0 - betaincinv(misses, hits + 1, tail), 1.0)
    return low, high


def t_quantile(tail: float, df: Any) -> np.ndarray:
    """Return what Student's t exceeds with the probability ``tail``."""
    from scipy.special import stdtrit  # noqa: PLC0415 - takes a while to load

    return np.asarray(-stdtrit(df, max(tail, _SMALLEST_TAIL)))


def effective_rows(rows: JudgedRows, segment: np.ndarray, alpha: float) -> np.ndarray:
    r"""Return the effective number of rows of each segment, shape (segments,).

    Independent rows of the weights :math:`w_i`: Kish's :math:`(\sum w)^2 / \sum w^2`. Rows that depend on
    each other within blocks, which have the weights :math:`W_b` in the segment:

    .. math:: n^* = \frac{(\sum w)^2}{(1 - \rho) \sum w_i^2 + \rho \sum W_b^2}
       \cdot \min\left(1, \frac{t_{n-1}^2}{t_{\nu}^2}\right)

    The correlation :math:`\rho` within blocks is estimated from all segments together: that of a single
    segment would be too small just where its coverage is off. The second factor, of Korn and Graubard
    (1998), allows for few blocks: :math:`\nu` are the degrees of freedom of :math:`\rho`, which all segments
    add to.

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
    share = rows.weight
    total, of_rows = np.bincount(segment, share), np.bincount(segment, share**2)
    if rows.block is None:
        return np.asarray(total**2 / of_rows)
    n_codes = int(rows.block.max()) + 1
    block_of_segment, block = np.unique(segment * n_codes + rows.block, return_inverse=True)
    owner, code = block_of_segment // n_codes, block_of_segment % n_codes
    of_blocks = np.bincount(owner, np.bincount(block, share) ** 2)
    covered = np.bincount(segment, share * rows.covered) / total
    off = share * (rows.covered - covered[segment])
    off_of_blocks = np.bincount(block, off)
    n_blocks = np.bincount(owner)
    rho = _correlation(
        np.bincount(owner, off_of_blocks**2),
        np.bincount(segment, off**2),
        covered * (1 - covered) * (of_blocks - of_rows),
        n_blocks,
    )
    found = total**2 / ((1 - rho) * of_rows + rho * of_blocks)
    several = (n_blocks > 1) & (n_blocks < count)
    if several.any():
        freedom = _degrees_of_freedom(off_of_blocks, owner, code)
        t_rows, t_blocks = (t_quantile(alpha / 2, df) for df in (count[several] - 1, freedom))
        found[several] *= np.minimum((t_rows / t_blocks) ** 2, 1.0)
    return np.where(n_blocks == 1, total**2 / of_blocks, found)


def _degrees_of_freedom(off: np.ndarray, owner: np.ndarray, code: np.ndarray) -> float:
    """Return how many independent comparisons of blocks the correlation within them rests on.

    Parts of one block in several segments are as good as blocks of their own where they differ from their
    segments independently, and as good as one where they differ alike: how alike they are is estimated.
    """
    n_blocks = np.bincount(owner)
    inside = (n_blocks > 1)[owner]
    owner, off = owner[inside], off[inside]
    _, code = np.unique(code[inside], return_inverse=True)
    apart = float(np.sum(n_blocks[n_blocks > 1] - 1))
    together = float(code.max())  # the distinct blocks less one
    size = np.sqrt(np.bincount(owner, off**2)[owner] / n_blocks[owner])
    some = size > 0
    relative, code = off[some] / size[some], code[some]
    parts = np.bincount(code).astype(float)
    if not (parts > 1).any() or apart <= together:
        return apart
    alike = np.sum(np.bincount(code, relative) ** 2) - np.sum(relative**2)
    share = min(max(float(alike / np.sum(parts * (parts - 1))), 0.0), 1.0)
    return apart / (1 + (apart / together - 1) * share)


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
