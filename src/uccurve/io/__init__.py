"""Files in and out, and all models of a table."""

from uccurve.io.models import Models, choose, name_models
from uccurve.io.read import FORMATS, STDIN, check_path, format_of, list_files, read, read_pieces, refusing
from uccurve.io.tables import WHOLE, Table, as_table, read_time
from uccurve.io.write import check_output, write, writing

__all__ = [
    "FORMATS",
    "STDIN",
    "WHOLE",
    "Models",
    "Table",
    "as_table",
    "check_output",
    "check_path",
    "choose",
    "format_of",
    "list_files",
    "name_models",
    "read",
    "read_pieces",
    "read_time",
    "refusing",
    "write",
    "writing",
]
