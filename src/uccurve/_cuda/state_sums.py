"""The update of a metric's states in one launch, where plain operations would take some eighty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve._cuda import row_sums
from uccurve._kernels.bins import PER_OCTAVE

if TYPE_CHECKING:
    from collections.abc import Mapping

    Tensor = Any

_BLOCK = 256
_WARPS = 4
_STATES = (
    "scale_sums",
    "scale_largest",
    "switch_sums",
    "switch_largest",
    "error_sums",
    "error_largest",
    "totals",
    "extremes",
)


def usable(y_true: Tensor) -> bool:
    """Whether rows are on a card with Triton, and their sums may be added in any order."""
    import torch  # noqa: PLC0415

    any_order = not torch.are_deterministic_algorithms_enabled()
    return bool(y_true.is_cuda) and any_order and row_sums.kernels() is not None


def add(
    states: Mapping[str, Tensor],
    y_true: Tensor,
    lower: Tensor,
    upper: Tensor,
    y_pred: Tensor | None,
    weight: Tensor | None,
    octaves: Mapping[str, int],
) -> None:
    """Add checked rows to the states in place: float64 columns of shape (n, outputs), weights of shape (n,).

    ``octaves`` says how far the bins of each table reach.
    """
    import torch  # noqa: PLC0415

    n, outputs = y_true.shape
    given = (y_true, lower, upper, y_true if y_pred is None else y_pred, y_true if weight is None else weight)
    with torch.cuda.device(y_true.device):
        row_sums.kernels().add_to_states[(-(-n // _BLOCK), outputs)](
            *(column.contiguous() for column in given),
            *(states[name] for name in _STATES),
            n,
            outputs,
            PREDICTED=y_pred is not None,
            WEIGHTED=weight is not None,
            SCALE_EDGE=octaves["scale"] * PER_OCTAVE,
            SWITCH_EDGE=octaves["switch"] * PER_OCTAVE,
            ERROR_EDGE=octaves["error"] * PER_OCTAVE,
            FARTHEST=2.0 ** octaves["switch"],
            BLOCK=_BLOCK,
            num_warps=_WARPS,
        )
