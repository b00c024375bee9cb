"""The report page that the documentation shows, links to, and has pictures of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import uccurve as uc
from uccurve.datasets import make_crossing

if TYPE_CHECKING:
    from pathlib import Path


def write_sample_report(page: Path) -> Path:
    """Write the report page of the built-in example."""
    crossing = make_crossing()
    return uc.report(
        crossing.models,
        page,
        title="Two models: one narrower, one better",
        by=crossing.segment,
        against={"x": crossing.x},
        n_resamples=1999,
        rng=0,
    )
