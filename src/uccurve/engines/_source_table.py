"""What a scan reads: a frame of some engine, with the names that its columns have in the source."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from uccurve.columns import list_names
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceTable:
    """A frame, and what its engine does not tell.

    Attributes
    ----------
    frame : frame
        A lazy or eager frame that narwhals knows.
    names : list of str or None
        The columns of the frame by place, as the file names them, where the engine may have renamed them:
        DuckDB takes names that differ only in case for the same. None stands for the frame's own names.
    is_text : bool
        Whether all cells are text, as in a CSV file.
    folder_labels : dict of str to str or None
        Labels that all rows share, from the names of folders; None for a missing label.
    """

    frame: Any
    names: list[str] | None = None
    is_text: bool = False
    folder_labels: dict[str, str | None] = field(default_factory=dict)


def refuse_repeated(names: Iterable[str]) -> None:
    """Refuse columns of the same name: which one is meant is not guessed."""
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise ArgumentError(f"each column must have its own name, but several are {list_names(repeated)}")
