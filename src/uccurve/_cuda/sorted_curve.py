"""The curve of rows on a card: its points by a sort of values alone, its costs by one sort and two walks."""

from __future__ import annotations

from typing import Any, NamedTuple

from uccurve._cuda import row_sums
from uccurve._kernels.points import Points

Tensor = Any

_BLOCK = 256
_RUN = 1024
_WARPS = 2


class CurveCosts(NamedTuple):
    """The operating points of a curve, its costs there, and how the excess goes on."""

    points: Points
    excess: Tensor
    deficit: Tensor
    slope: float
    """Slope of the excess behind the last point."""


def distinct_points(parameter: Tensor) -> Points:
    """Do as `_kernels.points.distinct` does without weights, for a CUDA tensor that need not be sorted.

    ``parameter`` holds the start and the critical values. PyTorch sorts numbers without their order only to
    find different ones; that takes less memory and time than a sort with it.
    """
    import torch  # noqa: PLC0415

    n = parameter.shape[0] - 1
    parameter, counts = torch.unique(parameter, return_counts=True)
    missed = counts.cumsum_(0).neg_().add_(n + 1).to(torch.float64)
    missed /= torch.tensor(n, device=missed.device)  # a number would be multiplied by its rounded reciprocal
    if not bool(parameter[-1].isfinite()):
        parameter, missed = parameter[:-1], missed[:-1]
    return Points(parameter, missed)


def curve_costs(critical: Tensor | None, bands: Tensor) -> CurveCosts | None:
    """Return the curve of rows with symmetric bands; None where some row is never captured.

    None as well where sums leave float64. ``critical`` are the critical scales, None where no kernel can
    tell. Rows are sorted by them once. One walk gathers the bands and adds them up block by block, another
    one goes on from the sums of the blocks before.
    """
    if critical is None:
        return None
    import torch  # noqa: PLC0415

    n, device = critical.shape[0], critical.device
    blocks = -(-n // _BLOCK)
    knots, order = critical.sort()
    del critical
    sorted_bands = torch.empty_like(bands)
    sums = torch.empty((4, blocks), dtype=torch.float64, device=device)
    kept = torch.empty(blocks, dtype=torch.int64, device=device)
    with torch.cuda.device(device):
        row_sums.kernels().sums_by_block[(blocks,)](
            knots, order, bands, sorted_bands, sums, kept, n, blocks, BLOCK=_BLOCK, num_warps=_WARPS
        )
    del order
    band, rise, fall, length = sums
    before, after = _before(band), _before(band.flip(0)).flip(0)
    excess_by_block = _before(before[:-1] * length + rise)
    deficit_by_block = _before((after[1:] * length + fall).flip(0)).flip(0)
    at_start = (knots[:1] != 0).to(torch.int64)
    first_of_block = torch.cat([at_start, kept]).cumsum(0)
    size, *ends = torch.stack(
        [first_of_block[-1], excess_by_block[-1], deficit_by_block[0], before[-1]]
    ).tolist()
    if not all(number < float("inf") for number in ends):
        return None
    columns = torch.empty((4, int(size)), dtype=torch.float64, device=device)
    columns[:, 0] = torch.tensor([0.0, 1.0, 0.0, ends[1] / n])  # another row's, if that is captured at 0
    parameter, miss_rate, excess, deficit = columns
    with torch.cuda.device(device):
        row_sums.kernels().costs_at_knots[(blocks,)](
            knots,
            sorted_bands,
            before,
            after[1:],
            excess_by_block,
            deficit_by_block,
            first_of_block,
            parameter,
            miss_rate,
            excess,
            deficit,
            n,
            BLOCK=_BLOCK,
            num_warps=_WARPS,
        )
    return CurveCosts(Points(parameter, miss_rate), excess, deficit, ends[2] / n)


def _before(terms: Tensor) -> Tensor:
    """Return the sums of the first 0, 1, 2, … terms, none below the one before."""
    import torch  # noqa: PLC0415

    sums = torch.cat([terms.new_zeros(1), terms.cumsum(0)])
    whole = torch.nn.functional.pad(sums, (0, -sums.shape[0] % _RUN))
    runs = whole.reshape(-1, _RUN).cummax(1).values  # at once; PyTorch walks over a single run slowly
    ends = runs[:, -1].cummax(0).values
    runs[1:] = torch.maximum(runs[1:], ends[:-1, None])
    return runs.reshape(-1)[: sums.shape[0]]
