"""Finished files of a scan, kept on disk as sketch files: a scan that was killed resumes where it stopped."""

from __future__ import annotations

import contextlib
import hashlib
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from uccurve.engines._assemble import Part
from uccurve.exceptions import SketchFormatError
from uccurve.sketch import SketchFile, UCCSketch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from uccurve.engines._model_columns import Columns

_ABANDONED = 60.0
"""Seconds after which nobody writes to an unfinished state any more."""


class Checkpoint:
    """A folder with one state for each finished file.

    A state is known by the file's path, size and time of change, and by the columns that are scanned: if any
    of these differs, the file is scanned again. Models are known by their place, not by their name.
    """

    def __init__(self, folder: Path, models: Sequence[Columns], by: Sequence[str]) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._columns = {str(place): columns.roles() for place, columns in enumerate(models)}
        self._by = tuple(by)
        self._scanned = repr((tuple(columns.roles().items() for columns in models), tuple(by)))

    def read(self, path: Path) -> Part | None:
        """Return what was found in a file, or None if it is to be scanned."""
        try:
            state = SketchFile.read(self._state_path(path))
        except FileNotFoundError:
            return None
        except SketchFormatError:
            return None  # damaged, or of another version: scan the file again
        several = len(self._by) > 1
        return Part(
            {
                (int(model), *(segment if several else (segment,) if self._by else ())): sketch._state
                for (model, segment), sketch in state.sketches.items()
            },
            {(int(model), rule): count for (model, rule), count in state.broken.items()},
            {(int(model), rule): example for (model, rule), example in state.examples.items()},
        )

    def write(self, path: Path, part: Part) -> None:
        """Keep what was found in a file, all of it or nothing."""
        sketches = {
            (str(model), *labels): UCCSketch(state) for (model, *labels), state in part.states.items()
        }
        state = replace(
            SketchFile.of(sketches, self._by, self._columns),
            broken={(str(model), rule): count for (model, rule), count in part.broken.items()},
            examples={(str(model), rule): example for (model, rule), example in part.examples.items()},
        )
        state.write(self._state_path(path))

    def tidy(self) -> None:
        """Remove what killed scans left half-written."""
        for leftover in self.folder.glob(".*.state.*.part"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - leftover.stat().st_mtime > _ABANDONED:  # no other scan is writing it
                    leftover.unlink()

    def _state_path(self, path: Path) -> Path:
        about = path.stat()
        known = f"{path.resolve()}\0{about.st_size}\0{about.st_mtime_ns}\0{self._scanned}"
        return self.folder / f"{hashlib.sha256(known.encode()).hexdigest()[:32]}.state"
