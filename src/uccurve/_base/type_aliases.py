"""Types that all folders share."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

# An array of any namespace of the array API standard.
Array: TypeAlias = Any

# An array, a list of numbers, or a column of a pandas, Polars or PyArrow frame.
ArrayLike: TypeAlias = Any

# A namespace of the array API standard, as array-api-compat returns it.
Namespace: TypeAlias = Any

Tails: TypeAlias = Literal["scale", "none"]
# What moves the operating point: bands ``k * z``, bands ``max(z + s, 0)``, or the level of nested quantiles.
Vary: TypeAlias = Literal["scale", "shift", "level"]

# A cost that grows with the bands: the horizontal axis.
X: TypeAlias = Literal["bandwidth", "excess"]

# A cost that falls as the bands grow: the vertical axis.
Y: TypeAlias = Literal["miss_rate", "deficit"]

# Which of the two definitions of a partial area.
Partial: TypeAlias = Literal["strip", "mean"]

# Average the outputs, or return one value for each.
MultiOutput: TypeAlias = Literal["uniform_average", "raw_values"]

# The same, or one curve for all outputs.
PooledOutput: TypeAlias = Literal["uniform_average", "raw_values", "pooled"]

# Where intervals have a bound: on both sides of the prediction, or above or below it only.
Side: TypeAlias = Literal["both", "upper", "lower"]

# What happens to rows that break a rule.
Invalid: TypeAlias = Literal["raise", "drop"]

# What happens to rows whose quantiles or bounds are not in order.
Crossed: TypeAlias = Literal["raise", "sort"]
