"""Finished files of a scan, kept on disk as sketch files: a scan that was killed resumes where it stopped."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from uccurve._base import atomic_files
from uccurve._base.caller_warnings import warn_caller
from uccurve.engines._assemble import Part
from uccurve.exceptions import ArgumentError, SketchFormatError
from uccurve.intervals._row_rules import ROW_RULES
from uccurve.sketch import SketchFile, UCCSketch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from uccurve.engines._file_version import FileVersion
    from uccurve.engines._model_columns import Columns

_ABANDONED = 60.0
"""Seconds after which nobody writes to an unfinished state any more."""
_READING = 2
"""Counts up when files are read in another way, so that older states are not used."""


class Checkpoint:
    """A folder with one state for each finished file.

    A state is known by the version of the file, and by the columns that are scanned: if any of these
    differs, the file is scanned again. Models are known by their place, not by their name. The state says
    itself what it is of, so that a state under the name of another one is not used.
    """

    def __init__(
        self, folder: Path, models: Sequence[Columns], by: Sequence[str], *, hive: bool = False
    ) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_folder(folder)
        self._columns = {str(place): columns.roles() for place, columns in enumerate(models)}
        self._by = tuple(by)
        roles = tuple(tuple(columns.roles().items()) for columns in models)
        self._scanned = repr((_READING, roles, self._by, hive))

    def read(self, version: FileVersion) -> Part | None:
        """Return what was found in this version of a file, or None if it is to be scanned."""
        source = self._source(version)
        path = self._state_path(source)
        if path.is_symlink():
            return None  # states are never links: scan the file, which replaces it
        try:
            state = SketchFile.read(path)
        except (FileNotFoundError, IsADirectoryError):
            return None
        except SketchFormatError:
            return None  # damaged, or of another version: scan the file again
        if not self._fits(state, source):
            return None
        several = len(self._by) > 1
        return Part(
            {
                (int(model), *(segment if several else (segment,) if self._by else ())): sketch._state
                for (model, segment), sketch in state.sketches.items()
            },
            {(int(model), rule): count for (model, rule), count in state.broken.items()},
            {(int(model), rule): example for (model, rule), example in state.examples.items()},
        )

    def write(self, version: FileVersion, part: Part) -> None:
        """Keep what was found in a file, all of it or nothing."""
        source = self._source(version)
        sketches = {
            (str(model), *labels): UCCSketch(state) for (model, *labels), state in part.states.items()
        }
        state = replace(
            SketchFile.of(sketches, self._by, self._columns),
            broken={(str(model), rule): count for (model, rule), count in part.broken.items()},
            examples={(str(model), rule): example for (model, rule), example in part.examples.items()},
            source=source,
        )
        atomic_files.keep(self._state_path(source), state.to_bytes())

    def tidy(self) -> None:
        """Remove what killed scans left half-written."""
        for leftover in self.folder.glob(".*.state.*.part"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - leftover.lstat().st_mtime > _ABANDONED:  # no other scan is writing it
                    leftover.unlink()

    def _fits(self, state: SketchFile, source: str) -> bool:
        """Whether a state is of this file, and of these models, segments and rules."""
        by = (state.by,) if isinstance(state.by, str) else state.by or ()
        rules = [*state.broken, *state.examples]
        return (
            state.source == source
            and by == self._by
            and state.columns == self._columns
            and set(state.models) <= self._columns.keys()
            and all(model in self._columns and 0 <= rule < len(ROW_RULES) for model, rule in rules)
            and state.broken.keys() == state.examples.keys()
        )

    def _source(self, version: FileVersion) -> str:
        """Return a checksum of the file's version and of what is scanned."""
        known = f"{version!r}\0{self._scanned}"
        return hashlib.sha256(known.encode(errors="surrogateescape")).hexdigest()

    def _state_path(self, source: str) -> Path:
        return self.folder / f"{source[:32]}.state"


def _check_folder(folder: Path) -> None:
    """Refuse a folder that everybody can write to: numbers of a planted state would be believed."""
    who = atomic_files.open_to_others(folder)
    if who is None:
        return
    can = f"{who} can write to {os.fspath(folder)}, and so change the results"
    if who == "every user":
        raise ArgumentError(
            argument="checkpoint", rule=f"be a folder of your own, but {can}", hint="Name another folder."
        )
    warn_caller(f"the checkpoint should be a folder of your own, but {can}.", UserWarning)
