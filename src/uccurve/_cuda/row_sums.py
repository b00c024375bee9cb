"""Sums over rows of CUDA tensors: the closed forms, without arrays between.

Differences are taken in the precision of the tensors, as everywhere; everything after that, and all sums, in
float64. Triton comes with PyTorch for CUDA. Without it, and where rows are not plain (bad values, bands of
zero), the plain formulas serve.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

Tensor = Any

SMALLEST = 1 << 16
"""Fewer rows are quicker in plain formulas than in a launch of their own."""
_SAMPLE = 1024
"""Rows from which a width and a unit near the mean ones are taken."""
_PROGRAMS_PER_PROCESSOR = 16
_BLOCK = 512
_WARPS = 4
_PLAIN_BLOCK = 1 << 28
"""Rows for which plain operations keep arrays between: as much memory as the rows take."""


class DeficitAreaSums(NamedTuple):
    r"""Sums behind those of the deficit on bandwidth, with a width :math:`c` and a unit near the mean."""

    width: float
    unit: float
    moment: float
    r"""Of :math:`|e| k`."""
    moment_beyond: float
    r"""Of :math:`|e| k (a - c)`, in squares of the unit."""
    square: float
    r"""Of :math:`e^2`, in squares of the unit."""

    def saved(self, width: float) -> float:
        r"""Return the sum of :math:`|e| k (a - c)` for another width, in squares of the unit."""
        return self.moment_beyond + (self.width - width) / self.unit * (self.moment / self.unit)


class AreaSums(NamedTuple):
    r"""Sums behind areas and gains on bandwidth, with a width :math:`c` near the mean."""

    width: float
    critical: float
    r"""Of :math:`k = |e| / a`."""
    beyond: float
    r"""Of :math:`k (a - c)`."""
    deficit: DeficitAreaSums | None = None
    """None where they did not come with the others."""

    def saved(self, width: float) -> float:
        r"""Return the sum of :math:`k (a - c)` for another width, which is near."""
        return self.beyond + (self.width - width) * self.critical


class RowSums(NamedTuple):
    """Sums and extremes of rows; of one band per side, or of one for both."""

    error: float
    bands: tuple[float, ...]
    lowest: tuple[float, ...]
    """The smallest band of each side."""
    highest: tuple[float, ...]
    """The largest one of each side."""
    asymmetry: float
    """The largest difference between the bands of a row."""
    differing: float
    """Number of rows whose bands differ by more than rounding."""
    areas: AreaSums | None
    """None where some band is zero, or has no reciprocal."""


def usable(*columns: Tensor | None) -> bool:
    """Whether all columns are plain CUDA tensors that the kernels read, and Triton is there."""
    return kernels() is not None and _readable(columns)


def summable(*columns: Tensor | None) -> bool:
    """Whether `row_sums` takes the columns: without Triton, float32 with one band for both sides."""
    if not _readable(columns):
        return False
    return kernels() is not None or (columns[3] is None and _all_single(columns))


def _readable(columns: Sequence[Tensor | None]) -> bool:
    given = [column for column in columns if column is not None]
    return (
        all(type(column).__module__ == "torch" and getattr(column, "is_cuda", False) for column in given)
        and given[0].ndim == 1
        and given[0].shape[0] >= SMALLEST
        and all(str(column.dtype) in ("torch.float32", "torch.float64") for column in given)
        and all(column.is_contiguous() for column in given)
    )


def _all_single(columns: Sequence[Tensor | None]) -> bool:
    return all("float32" in str(column.dtype) for column in columns if column is not None)


def row_sums(
    y_true: Tensor, y_pred: Tensor, lower: Tensor, upper: Tensor | None, rounding: float
) -> RowSums | None:
    """Return sums and extremes of errors and bands; None where some row is not finite or a band negative.

    ``rounding`` is how far bands may be off, relative to the prediction and to themselves.
    """
    if kernels() is None:
        return _plain_sums(y_true, y_pred, lower)
    single = _all_single((y_true, y_pred, lower, upper))
    width, unit = (0.0, 1.0) if single else _typical(y_true, y_pred, lower, upper)
    sides = 1 if upper is None else 2
    columns = (y_true, y_pred, lower, lower if upper is None else upper)
    found = _launched(
        kernels().row_sums,
        columns,
        16,
        [rounding, width, 1 / unit],
        ASYMMETRIC=upper is not None,
        SINGLE=single,
    )
    sums, least, most = _all_programs(found)
    bad, error, below, above, differing = sums[:5]
    if bad:
        return None
    flat, critical, beyond, moment, moment_beyond, square = sums[10:]
    if single:  # k a is e: with a width of 0 these are known
        beyond, moment_beyond = error, square
    deficit = DeficitAreaSums(width, unit, moment, moment_beyond, square)
    plain = not flat and math.isfinite(critical) and math.isfinite(moment)
    return RowSums(
        error=error,
        bands=(below, above)[:sides],
        lowest=tuple(least[:sides]),
        highest=tuple(most[:sides]),
        asymmetry=most[2],
        differing=differing,
        areas=AreaSums(width, critical, beyond, deficit) if plain else None,
    )


def _plain_sums(y_true: Tensor, y_pred: Tensor, band: Tensor) -> RowSums | None:
    """Do the same without Triton, for float32 and one band; without the sums of the deficit.

    Each operation reads float32 and works in float64, without a copy between: ratios are added to a 0 of
    float64, and the norm of lists of tensors adds up absolute values in another precision.
    """
    import torch  # noqa: PLC0415

    n, size, double = y_true.shape[0], min(y_true.shape[0], _PLAIN_BLOCK), torch.float64
    room, zero = torch.empty(size, dtype=double, device=band.device), band.new_zeros(1, dtype=double)
    parts = []
    for begin in range(0, n, size):
        y, p, a = (column[begin : begin + size] for column in (y_true, y_pred, band))
        residual = y - p
        ratio = torch.addcdiv(zero.expand(a.shape[0]), residual, a, out=room[: a.shape[0]])
        sums = [*_absolute_sums([residual, a]), torch.linalg.vector_norm(ratio, 1)]
        parts.append(torch.stack([*sums, *torch.aminmax(a)]))
    errors, widths, criticals, lows, highs = zip(*torch.stack(parts).tolist(), strict=True)
    error, width, critical = sum(errors), sum(widths), sum(criticals)
    least, most = min(lows), max(highs)
    if not (least >= 0 and math.isfinite(width) and math.isfinite(error)):
        return None
    plain = least > 0 and math.isfinite(critical)
    return RowSums(
        error=error,
        bands=(width,),
        lowest=(least,),
        highest=(most,),
        asymmetry=0.0,
        differing=0.0,
        areas=AreaSums(0.0, critical, error) if plain else None,
    )


def _absolute_sums(columns: list[Tensor]) -> list[Tensor]:
    """Add up absolute values of float32 columns in float64, without a copy where PyTorch is new enough."""
    import torch  # noqa: PLC0415

    try:
        return list(torch._foreach_norm(columns, 1, dtype=torch.float64))
    except (AttributeError, TypeError):
        return [torch.linalg.vector_norm(column, 1, dtype=torch.float64) for column in columns]


def critical_scales(
    y_true: Tensor, y_pred: Tensor, lower: Tensor, upper: Tensor | None, target: Tensor
) -> None:
    """Write the critical scale of each row into a float64 tensor."""
    import torch  # noqa: PLC0415

    n, columns = y_true.shape[0], (y_true, y_pred, lower, lower if upper is None else upper)
    with torch.cuda.device(target.device):
        kernels().critical_scales[(-(-n // _BLOCK),)](
            *columns, target, n, ASYMMETRIC=upper is not None, BLOCK=_BLOCK, num_warps=_WARPS
        )


def _typical(y_true: Tensor, y_pred: Tensor, lower: Tensor, upper: Tensor | None) -> tuple[float, float]:
    """Return a half width and an error of usual size, from a few rows; 1 where they have none."""
    some = slice(0, _SAMPLE)
    width = lower[some].double().mean()
    if upper is not None:
        width = (width + upper[some].double().mean()) / 2
    found = [float(width), float((y_true[some] - y_pred[some]).double().abs().mean())]
    usual = [number if 0 < number < float("inf") else 1.0 for number in found]
    return usual[0], usual[1]


def _all_programs(found: Tensor) -> tuple[list[float], list[float], list[float]]:
    """Return the sums of all programs, the least of both bands, and the most of both and of the asymmetry."""
    import torch  # noqa: PLC0415

    parts = [found.sum(0), found[:, 5:7].amin(0), found[:, 7:10].amax(0)]
    numbers = torch.cat(parts).tolist()  # the card is waited for once
    return numbers[:16], numbers[16:18], numbers[18:]


def _launched(
    kernel: Any, columns: Sequence[Tensor], outputs: int, numbers: Sequence[float], **options: Any
) -> Tensor:
    """Run a kernel over all rows; return one row of sums for each program."""
    import torch  # noqa: PLC0415

    n, device = columns[0].shape[0], columns[0].device
    programs = programs_for(n, device)
    found = torch.empty((programs, outputs), dtype=torch.float64, device=device)
    given = torch.tensor(numbers, dtype=torch.float64, device=device)
    with torch.cuda.device(device):
        kernel[(programs,)](*columns, given, found, n, programs, BLOCK=_BLOCK, num_warps=_WARPS, **options)
    return found


def programs_for(n: int, device: Any) -> int:
    """Return how many programs to share the rows among."""
    import torch  # noqa: PLC0415

    processors = torch.cuda.get_device_properties(device).multi_processor_count
    return int(min(processors * _PROGRAMS_PER_PROCESSOR, -(-n // _BLOCK)))


@cache
def kernels() -> Any:
    """Return the module of kernels; None without Triton."""
    try:
        from . import triton_kernels  # noqa: PLC0415
    except ImportError:
        return None
    return triton_kernels
