"""Which columns of a table mean what."""

from uccurve.columns._column_detection import (
    ColumnChoice,
    GivenColumns,
    ModelColumns,
    detect_columns,
    detect_observations,
)
from uccurve.columns._column_levels import LevelNames
from uccurve.columns._column_names import (
    absent_column,
    level_of,
    listed,
    looks_like_bound,
    looks_like_interval,
    nearest,
)
from uccurve.columns._level_names import LevelStyle, level_name
from uccurve.columns._suffixed_columns import is_short_part

__all__ = [
    "ColumnChoice",
    "GivenColumns",
    "LevelNames",
    "LevelStyle",
    "ModelColumns",
    "absent_column",
    "detect_columns",
    "detect_observations",
    "is_short_part",
    "level_name",
    "level_of",
    "listed",
    "looks_like_bound",
    "looks_like_interval",
    "nearest",
]
