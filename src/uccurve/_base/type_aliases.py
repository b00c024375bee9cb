"""Types that all folders share."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

Array: TypeAlias = Any
"""An array of any namespace of the array API standard."""

ArrayLike: TypeAlias = Any
"""An array, a list of numbers, or a column of a pandas, Polars or PyArrow frame."""

Namespace: TypeAlias = Any
"""A namespace of the array API standard, as array-api-compat returns it."""

Tails: TypeAlias = Literal["scale", "none"]
Vary: TypeAlias = Literal["scale", "shift", "level"]
"""What moves the operating point: bands ``k * z``, or bands ``max(z + s, 0)``."""

X: TypeAlias = Literal["bandwidth", "excess"]
"""A cost that grows with the bands: the horizontal axis."""

Y: TypeAlias = Literal["miss_rate", "deficit"]
"""A cost that falls as the bands grow: the vertical axis."""

Partial: TypeAlias = Literal["strip", "mean"]
"""Which of the two definitions of a partial area."""

MultiOutput: TypeAlias = Literal["uniform_average", "raw_values"]
"""Average the outputs, or return one value for each."""

PooledOutput: TypeAlias = Literal["uniform_average", "raw_values", "pooled"]
"""The same, or one curve for all outputs."""

Side: TypeAlias = Literal["both", "upper", "lower"]
"""Where intervals have a bound: on both sides of the prediction, or above or below it only."""

Invalid: TypeAlias = Literal["raise", "drop"]
"""What happens to rows that break a rule."""

Crossed: TypeAlias = Literal["raise", "sort"]
"""What happens to rows whose quantiles or bounds are not in order."""
