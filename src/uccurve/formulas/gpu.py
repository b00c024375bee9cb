"""Sums over rows of CUDA tensors, without arrays between.

Differences are taken in the precision of the tensors, as everywhere; everything after that, and all sums, in
float64. Triton comes with PyTorch for CUDA. Without it, and where rows are not plain (bad values, bands of
zero), the plain formulas serve.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from .areas import AreaSums, ClosedSums

if TYPE_CHECKING:
    from collections.abc import Sequence

Tensor = Any

# Fewer rows are quicker in plain formulas than in a launch of their own.
_FEWEST = 1 << 16
# Rows from which a width near the mean one is taken.
_SAMPLE = 1024
_PROGRAMS_PER_PROCESSOR = 16
_BLOCK = 512
_WARPS = 4
# What each program of the kernel writes.
_NUMBERS = 15


class RowSums(NamedTuple):
    """Sums and extremes of rows; of one band per side, or of one for both.

    Attributes
    ----------
    lowest : tuple[float, ...]
        The smallest band of each side.
    highest : tuple[float, ...]
        The largest one of each side.
    asymmetry : float
        The largest difference between the bands of a row.
    areas : AreaSums | None
        None where some band is zero, or has no reciprocal.
    """

    error: float
    bands: tuple[float, ...]
    lowest: tuple[float, ...]
    highest: tuple[float, ...]
    asymmetry: float
    areas: AreaSums | None


def row_sums(y_true: Tensor, y_pred: Tensor, lower: Tensor, upper: Tensor | None) -> RowSums | None:
    """Return sums and extremes of errors and bands, where a kernel can find them.

    Parameters
    ----------
    y_true, y_pred, lower, upper : tensor of shape (n,)
        Observations, predictions and bands; ``upper`` is None where the bands of both sides are the same.

    Returns
    -------
    RowSums or None
        None for other arrays than large CUDA tensors, without Triton, and where some row is not finite, is
        not 0 or between 1e-100 and 1e100 in size, or has a negative band.
    """
    columns = [column for column in (y_true, y_pred, lower, upper) if column is not None]
    if not _readable(columns) or _kernel() is None:
        return None
    single = all("float32" in str(column.dtype) for column in columns)
    samples = [] if single else [float(band[:_SAMPLE].double().mean()) for band in columns[2:]]
    width = sum(samples) / max(1, len(samples))  # a half-width of usual size
    sums, least, most = _launched(columns, width, single=single)
    bad, error, *bands = sums[:4]
    if bad:
        return None
    flat, critical, saved, moment, moment_saved, square = sums[9:]
    if single:  # k a is e: with a width of 0 these are known
        saved, moment_saved = error, square
    areas = None
    if not flat and math.isfinite(critical) and math.isfinite(moment):
        of_miss_rate, of_deficit = (
            ClosedSums(critical, saved, error),
            ClosedSums(moment, moment_saved, square),
        )
        areas = AreaSums(width, of_miss_rate, of_deficit)
    sides = 1 if upper is None else 2
    return RowSums(
        error=error,
        bands=tuple(bands[:sides]),
        lowest=tuple(least[:sides]),
        highest=tuple(most[:sides]),
        asymmetry=most[2],
        areas=areas,
    )


def _readable(columns: Sequence[Tensor]) -> bool:
    """Whether all columns are plain CUDA tensors, and long enough to be worth a launch."""
    return (
        all(type(column).__module__ == "torch" and getattr(column, "is_cuda", False) for column in columns)
        and columns[0].ndim == 1
        and columns[0].shape[0] >= _FEWEST
        and all(str(column.dtype) in ("torch.float32", "torch.float64") for column in columns)
        and all(column.is_contiguous() for column in columns)
    )


@cache
def _kernel() -> Any:
    """Return the kernel; None without Triton."""
    try:
        from .gpu_kernel import add_rows  # noqa: PLC0415
    except ImportError:
        return None
    return add_rows


def _launched(
    columns: Sequence[Tensor], width: float, *, single: bool
) -> tuple[list[float], list[float], list[float]]:
    """Run the kernel over all rows.

    Returns the sums of all programs, the least of both bands, and the most of both and of the asymmetry.
    """
    import torch  # noqa: PLC0415

    y_true, y_pred, lower, *upper = columns
    n, device = y_true.shape[0], y_true.device
    processors = torch.cuda.get_device_properties(device).multi_processor_count
    programs = min(processors * _PROGRAMS_PER_PROCESSOR, -(-n // _BLOCK))
    found = torch.empty((programs, _NUMBERS), dtype=torch.float64, device=device)
    with torch.cuda.device(device):
        _kernel()[(programs,)](
            y_true,
            y_pred,
            lower,
            upper[0] if upper else lower,
            torch.tensor([width], dtype=torch.float64, device=device),
            found,
            n,
            programs,
            ASYMMETRIC=bool(upper),
            SINGLE=single,
            BLOCK=_BLOCK,
            num_warps=_WARPS,
        )
    parts = [found.sum(0), found[:, 4:6].amin(0), found[:, 6:9].amax(0)]
    answer = torch.cat(parts).tolist()  # the GPU is waited for once
    return answer[:_NUMBERS], answer[_NUMBERS : _NUMBERS + 2], answer[_NUMBERS + 2 :]
