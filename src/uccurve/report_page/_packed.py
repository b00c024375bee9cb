"""Arrays as text."""

from __future__ import annotations

import base64
from typing import Literal

import numpy as np


def packed(values: np.ndarray) -> str:
    """Write an array as base64 of little-endian float64: exact, and short."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode("ascii")


def packed_shares(values: np.ndarray, bits: Literal[16, 32]) -> str:
    """Write shares between 0 and 1 as whole numbers of 16 or 32 bits; the largest one stands for NaN."""
    top = 2**bits - 1
    whole = np.where(np.isnan(values), top, np.round(np.nan_to_num(values) * (top - 1)))
    return base64.b64encode(whole.astype(f"<u{bits // 8}").tobytes()).decode("ascii")
