r"""Numbers that are smooth functions of sums over the rows, with their gradients and standard errors.

**Full areas and gains** on the bandwidth axis. Bandwidths are linear between the knots of nested pairs; one
pair alone is scaled, and has a single segment. With :math:`S_k` the slope of the mean half-width in a segment
and :math:`M_k` the mean of the integral of a row's misses (or of its deficit) over the segment, the area is
:math:`A = \sum_k S_k M_k`. Constant bands of outputs with the mean widths :math:`c_j` have the area
:math:`C = \frac{1}{J^2} \sum_i c_i \sum_j \overline{|e_j|} / c_j`, half of that with :math:`e_j^2` against
the deficit; the gain is :math:`1 - A / C`.

**Means** of a column are the quotient of two sums.

A unit of rows with the sums :math:`x_u` moves a number by :math:`x_u \cdot g` to first order, g its gradient
at the sums of all rows: its *influence*. Influences add up to 0, and the standard error of the number is
:math:`\sqrt{\frac{m}{m - 1} \sum_u (x_u \cdot g)^2}` for m independent units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve.curve import ranges
from uccurve.formulas import bands

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve._base.type_aliases import Y
    from uccurve.inference.reweighted import Presorted, Reweighted

# A relative step in the imaginary direction.
_STEP = 1e-10


class Form(NamedTuple):
    """A number that is a smooth function of weighted sums of columns.

    Attributes
    ----------
    columns : numpy.ndarray
        What is added up: (rows, columns), or weighted sums of it within units: (units, columns).
    of_sums : callable
        Returns the number from sums of the columns along the last axis.
    """

    columns: np.ndarray
    of_sums: Callable[[np.ndarray], np.ndarray]


def mean_form(column: np.ndarray, outputs: int) -> Form:
    """Return the mean of a column over all elements, of which each row has some."""
    by_row = column.reshape(-1, outputs).sum(axis=1)
    columns = np.stack([by_row, np.full(by_row.size, float(outputs))], axis=1)
    return Form(columns, lambda sums: sums[..., 0] / sums[..., 1])


def area_form(data: Reweighted, y: Y, *, is_gain: bool) -> Form:
    """Return a full area or gain on the bandwidth axis; rows that are never captured have none.

    The columns are half-widths of the inner pairs, over all outputs; those of the outermost pair, of each
    output; integrals over the segments; what the areas of the constant bands are means of; and 1.
    """
    rows, outputs = data.presorted, data.presorted.outputs
    if rows.never_captured.size:
        raise ranges.below_floor(data, 0)
    error, is_deficit = rows.rows.abs_error, y == "deficit"
    # segments end at pairs, and the last one never; a single pair has only that
    begins = np.append(0.0, rows.knots) if rows.knots.size > 1 else np.zeros(1)
    outermost = rows.half_width.reshape(-1, outputs)
    inner, segments = (
        column.reshape(len(outermost), outputs, -1).sum(axis=1)
        for column in (rows.half_widths[:, :-1], _integrals(rows, begins, deficit=is_deficit))
    )
    constant = (error * error if is_deficit else error).reshape(-1, outputs)
    parts = [inner, outermost, segments, constant, np.ones((len(outermost), 1))]
    ends = np.cumsum([part.shape[1] for part in parts])[:-1]
    factor = (0.5 if is_deficit else 1.0) / outputs**2

    def of_sums(sums: np.ndarray) -> np.ndarray:
        inner, outermost, segments, constant, rows = np.split(sums, ends, axis=-1)
        width = outermost.sum(axis=-1, keepdims=True)
        rising = np.concatenate([np.zeros_like(width), inner, width], axis=-1)
        slopes = np.diff(rising, axis=-1)[..., : begins.size - 1] / np.diff(begins)
        slopes = np.concatenate([slopes, width], axis=-1)
        area = (slopes * segments).sum(axis=-1) / (rows[..., 0] * outputs) ** 2
        if not is_gain:
            return np.asarray(area)
        # a sum of 0 has nothing to divide
        inverse = np.divide(1, outermost, out=np.zeros_like(outermost), where=outermost.real > 0)
        constant_area = factor * (width / rows)[..., 0] * (constant * inverse).sum(axis=-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(1 - np.where(constant_area.real > 0, area / constant_area, np.nan))

    return Form(np.concatenate(parts, axis=1), of_sums)


def _integrals(rows: Presorted, begins: np.ndarray, *, deficit: bool) -> np.ndarray:
    """Return how long a row is missed in each segment, or its deficit added up there: (rows, segments)."""
    length = np.append(np.diff(begins), np.inf)
    missed = np.clip(rows.critical[:, None] - begins, 0.0, length)
    if not deficit:
        return np.asarray(missed)
    error, ladder = rows.rows.abs_error, rows.rows.ladder
    if begins.size == 1 or ladder is None:
        return np.asarray(missed * (error - rows.rows.active * missed[:, 0] / 2)[:, None])
    knots = tuple(rows.knots.tolist())
    found = []
    for place, (begin, _, slope) in enumerate(bands.segments(knots, ladder.active, tails=True)):
        band = bands.band_at(np, knots, ladder.active, begin, tails=True) if begin > 0 else 0.0
        time = missed[:, place]
        found.append(time * (error - band - slope * time / 2))
    return np.stack(found, axis=1)


def gradient(form: Form, sums: np.ndarray) -> np.ndarray:
    """Return how a form changes with each of the sums along the last axis; NaN where undefined.

    Forms are quotients of polynomials: a small step in the imaginary direction gives slopes without rounding
    (Squire and Trapp 1998).
    """
    size = np.abs(sums)
    least = np.where(size > 0, size, np.inf).min(axis=-1, keepdims=True)
    step = _STEP * np.where(size > 0, size, least)
    moved = sums[..., None, :] + 1j * step[..., None, :] * np.eye(sums.shape[-1])
    return np.asarray(form.of_sums(moved).imag / step)


def standard_error(influence: np.ndarray) -> np.ndarray:
    """Return the standard error that the influence of independent units, along the first axis, adds up to.

    No square leaves float64, whatever the unit of y.
    """
    units, largest = len(influence), np.abs(influence).max(axis=0)
    relative = np.divide(influence, largest, out=np.zeros_like(influence), where=largest > 0)
    return np.asarray(largest * np.sqrt((relative**2).sum(axis=0) * units / (units - 1)))


def effective_units(influence: np.ndarray) -> float:
    r"""Return how many units carry the standard error: :math:`(\sum I^2)^2 / \sum I^4`."""
    largest = float(np.abs(influence).max(initial=0.0))
    if largest == 0:
        return float(influence.size)
    squares = (influence / largest) ** 2
    return float(squares.sum()) ** 2 / float(squares @ squares)


def special() -> Any:
    """Return SciPy's special functions, which take a while to load."""
    from scipy import special as functions  # noqa: PLC0415

    return functions


def t_quantile(tail: float, df: Any) -> np.ndarray:
    """Return what Student's t exceeds with the probability ``tail``."""
    # finite where the tail is too small for a float
    return np.asarray(-special().stdtrit(df, max(tail, 1e-300)))


def share_limits(hits: np.ndarray, misses: np.ndarray, tail: float) -> tuple[np.ndarray, np.ndarray]:
    r"""Return both Clopper-Pearson limits of shares, shape (m,), with the probability ``tail`` beyond each.

    With :math:`x` hits and :math:`n - x` misses the limits are the quantiles
    :math:`B^{-1}(\tau;\ x,\ n - x + 1)` and :math:`B^{-1}(1 - \tau;\ x + 1,\ n - x)` of beta
    distributions. They hold for counts, and extend to effective numbers that are not whole.
    """
    quantile = special().betaincinv
    low = np.where(hits > 0, quantile(hits, misses + 1, tail), 0.0)
    return low, np.where(misses > 0, 1.0 - quantile(misses, hits + 1, tail), 1.0)
