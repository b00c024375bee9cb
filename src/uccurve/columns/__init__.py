"""Which columns of a table mean what."""

from uccurve.columns.detect import ColumnChoice, ModelColumns, choose_model, detect_columns
from uccurve.columns.names import absent_column, list_names, nearest_name, read_level, suggest_roles

__all__ = [
    "ColumnChoice",
    "ModelColumns",
    "absent_column",
    "choose_model",
    "detect_columns",
    "list_names",
    "nearest_name",
    "read_level",
    "suggest_roles",
]
