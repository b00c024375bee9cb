"""--level: which of several bounds of a model to use; refused where it would choose nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve.cli._errors import DataError, UsageError, as_option
from uccurve.columns import list_names
from uccurve.exceptions import ArgumentError
from uccurve.intervals import checks

if TYPE_CHECKING:
    from uccurve.cli._options import ColumnOptions
    from uccurve.columns import ColumnChoice


def check_level(level: float | None) -> None:
    """Refuse a miss rate in the place of a coverage; 0.9 is refused where it is looked for."""
    if level is not None and level >= 1:
        try:
            checks.check_no_miss_rates("level", f"{level:g}", [level / 100], unit=100)
        except ArgumentError as error:
            raise UsageError(error.sentence(naming=as_option)) from error


def refuse_useless_level(columns: ColumnOptions, choice: ColumnChoice, file: str) -> None:
    """Refuse --level where no chosen bounds have it in their names."""
    level = columns.level
    if level is None or any(model.level == level for model in choice.models):
        return
    used = [column for model in choice.models for column in model.arguments.values()]
    message = (
        f"--level {level:g} chooses among columns such as Model-lo-{level:g} and Model-hi-{level:g}, "
        f"but the columns in use are {list_names(used)}: leave it out."
    )
    if columns.model or columns.lower or columns.upper or columns.std:
        raise UsageError(message)
    raise DataError(f"{file}: {message}")
