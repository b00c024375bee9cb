"""Which columns of a table mean what."""

from uccurve.columns.detect import ColumnChoice, ModelColumns, detect_columns, interval_parts
from uccurve.columns.names import absent_column, list_names, looks_like, nearest_name, read_level

__all__ = [
    "ColumnChoice",
    "ModelColumns",
    "absent_column",
    "detect_columns",
    "interval_parts",
    "list_names",
    "looks_like",
    "nearest_name",
    "read_level",
]
