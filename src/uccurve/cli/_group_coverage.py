"""What calibrated bounds cover in each segment, the lowest coverage first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import uccurve
from uccurve.intervals import group_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np

_MOST_SHOWN = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupCoverage:
    """Coverage of one segment, as given and as calibrated."""

    segment: str
    rows: int
    """How many rows it was measured on."""
    before: float
    after: float

    def document(self) -> dict[str, Any]:
        """Return the record for a JSON document."""
        return {
            "segment": self.segment,
            "rows": self.rows,
            "coverage_before": self.before,
            "coverage_after": self.after,
        }


def group_coverages(
    labels: np.ndarray,
    y_true: np.ndarray,
    before: tuple[np.ndarray, np.ndarray],
    after: tuple[np.ndarray, np.ndarray],
) -> tuple[GroupCoverage, ...]:
    """Measure the coverage of each segment, and sort by it; those that are equal by their names.

    Parameters
    ----------
    labels : array of shape (n,)
        The segment of each row, as text.
    y_true : array of shape (n,)
        Observations.
    before, after : pair of arrays of shape (n,)
        Lower and upper bounds, as given and as calibrated.
    """
    if not labels.size:
        return ()
    found = [
        GroupCoverage(
            segment=str(label),
            rows=int(rows.size),
            before=_coverage(y_true, before, rows),
            after=_coverage(y_true, after, rows),
        )
        for label, rows in group_rows(labels, labels.size).items()
    ]
    return tuple(sorted(found, key=lambda group: group.after))


def group_notes(model: str, by: str, groups: Sequence[GroupCoverage]) -> Iterator[str]:
    """Lay the coverages out as a table, one note per row; the best of many segments are summed up."""
    if not groups:
        return
    yield f"{model}: coverage by {by}, the lowest first:"
    shown = groups[:_MOST_SHOWN]
    width = max(len(group.segment) for group in shown)
    digits = max(len(str(group.rows)) for group in shown)
    for group in shown:
        yield (
            f"  {group.segment:<{width}}  {100 * group.after:5.1f}%, from {100 * group.before:5.1f}%, "
            f"{group.rows:>{digits}} row{'s' if group.rows > 1 else ''}"
        )
    rest = groups[_MOST_SHOWN:]
    if rest:
        yield f"  and {len(rest)} more, from {100 * rest[0].after:.1f}% on"


def _coverage(y_true: np.ndarray, bounds: tuple[np.ndarray, np.ndarray], rows: np.ndarray) -> float:
    return float(uccurve.coverage(y_true[rows], *(bound[rows] for bound in bounds)))
