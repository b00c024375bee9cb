r"""Scores of rows: pinball loss, weighted interval score, CRPS of draws.

All of them rest on the pinball loss. The weighted interval score is twice its mean over symmetric levels,
and the CRPS of :math:`m` draws twice its mean over the levels :math:`(i - 1/2) / m` of the sorted draws.
Tables have the levels or the draws along their last axis.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Array = Any


class Pairs(NamedTuple):
    r"""Where a table of quantiles holds symmetric pairs.

    Attributes
    ----------
    lower : Array
        The columns of the lower quantiles.
    upper : Array
        The columns of the upper quantiles, each in the place of its partner.
    tails : Array
        The levels :math:`\alpha_k / 2` of the lower quantiles: the share that lies beyond each
        bound.
    median : int | None
        The column of the median; None without one.
    """

    lower: Array
    upper: Array
    tails: Array
    median: int | None


class WISTerms(NamedTuple):
    """The three parts of the weighted interval score of rows; their sum is the score."""

    width: Array
    underprediction: Array
    overprediction: Array


def pinball(xp: Any, error: Array, level: Any) -> Array:
    r"""Pinball loss :math:`\max(\tau e,\ (\tau - 1) e)` of the error :math:`e = y - q` at the level τ."""
    return xp.maximum(level * error, (level - 1) * error)


def mean_pinball(xp: Any, y: Array, table: Array, levels: Array) -> Array:
    """Mean pinball loss over the levels."""
    return xp.mean(pinball(xp, xp.expand_dims(y, axis=-1) - table, levels), axis=-1)


def wis_terms(xp: Any, y: Array, table: Array, pairs: Pairs) -> WISTerms:
    r"""Weighted interval score, in three parts.

    .. math:: \frac{1}{K + 1/2} \Big(\frac{|y - m|}{2} + \sum_k \frac{\alpha_k}{2} (u_k - l_k)
              + (l_k - y)^+ + (y - u_k)^+\Big)

    The sum is over interval scores times :math:`\alpha_k / 2`. Without a median :math:`m` the divisor is the
    number of pairs, :math:`K`. An observation above an interval, or above the median, was underpredicted.
    """
    each = xp.expand_dims(y, axis=-1)
    lower, upper = xp.take(table, pairs.lower, axis=-1), xp.take(table, pairs.upper, axis=-1)
    width = xp.sum(pairs.tails * (upper - lower), axis=-1)
    above = xp.sum(xp.clip(each - upper, min=0.0), axis=-1)
    below = xp.sum(xp.clip(lower - each, min=0.0), axis=-1)
    divisor = float(pairs.lower.shape[0])
    if pairs.median is not None:
        residual = y - table[..., pairs.median]
        above = above + xp.clip(residual, min=0.0) / 2
        below = below + xp.clip(-residual, min=0.0) / 2
        divisor += 0.5
    return WISTerms(width / divisor, above / divisor, below / divisor)


def crps_of_draws(xp: Any, y: Array, draws: Array, *, fair: bool = False) -> Array:
    r"""CRPS of the empirical distribution of :math:`m` draws, :math:`E|X - y| - \tfrac12 E|X - X'|`.

    It is written as :math:`\frac{2}{m} \sum_i \rho_{(i - 1/2) / m}(y - x_{(i)})`: no term is below 0, so that
    nothing cancels out. The fair estimator, on average the CRPS of what was drawn from, is smaller by
    :math:`\sum_{i<j} (x_{(j)} - x_{(i)}) / (m^2 (m - 1))`, in which the i-th gap between sorted draws
    occurs :math:`i (m - i)` times.
    """
    ordered, number = xp.sort(draws, axis=-1, stable=False), draws.shape[-1]
    rank = xp.arange(1, number + 1, dtype=draws.dtype, device=draws.device)
    score = 2 * mean_pinball(xp, y, ordered, (rank - 0.5) / number)
    if not fair:
        return score
    steps = rank[:-1] / number * ((number - rank[:-1]) / number) / (number - 1)
    return score - xp.sum(steps * (ordered[..., 1:] - ordered[..., :-1]), axis=-1)
