"""Files in and out, and all models of a table."""

from uccurve.io.models import Models, choose, complete_choice, name_models
from uccurve.io.read import (
    FORMATS,
    STDIN,
    as_table,
    format_of,
    is_address,
    quiet_libraries,
    read,
    read_pieces,
)
from uccurve.io.tables import WHOLE, Table, read_time
from uccurve.io.text_files import check_distinct
from uccurve.io.write import check_output, write, writing

__all__ = [
    "FORMATS",
    "STDIN",
    "WHOLE",
    "Models",
    "Table",
    "as_table",
    "check_distinct",
    "check_output",
    "choose",
    "complete_choice",
    "format_of",
    "is_address",
    "name_models",
    "quiet_libraries",
    "read",
    "read_pieces",
    "read_time",
    "write",
    "writing",
]
