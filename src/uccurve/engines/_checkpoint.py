"""Finished files of a scan, kept on disk as sketch files: a scan that was killed resumes where it stopped."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from uccurve.engines._assemble import Part
from uccurve.exceptions import SketchFormatError
from uccurve.sketch import SketchFile, UCCSketch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from uccurve.engines._model_columns import Columns


class Checkpoint:
    """A folder with one state for each finished file.

    A state is known by the file's path, size and time of change, and by the columns that are scanned: if any
    of these differs, the file is scanned again. Models are known by their place, not by their name. The state
    says itself what it is of, so that a state under the name of another one is not used.
    """

    def __init__(
        self, folder: Path, models: Sequence[Columns], by: Sequence[str], *, hive: bool = False
    ) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._columns = {str(place): columns.roles() for place, columns in enumerate(models)}
        self._by = tuple(by)
        self._scanned = repr((self._columns, self._by, hive))

    def source(self, path: Path) -> str:
        """Return a checksum of a file as it is now, and of what is scanned."""
        about = path.stat()
        known = f"{path.resolve()}\0{about.st_size}\0{about.st_mtime_ns}\0{self._scanned}"
        return hashlib.sha256(known.encode(errors="surrogateescape")).hexdigest()

    def read(self, source: str) -> Part | None:
        """Return what was found in a file, or None if it is to be scanned."""
        try:
            state = SketchFile.read(self._state_path(source))
        except (FileNotFoundError, SketchFormatError):
            return None
        kept = state.checkpoint
        if kept is None or kept["source"] != source:
            return None
        several = len(self._by) > 1
        return Part(
            {
                (int(model), *(segment if several else (segment,) if self._by else ())): sketch.state
                for (model, segment), sketch in state.sketches.items()
            },
            {(model, rule): count for model, rule, count in kept["broken"]},
            {(model, rule): example for model, rule, example in kept["examples"]},
        )

    def write(self, source: str, part: Part) -> None:
        """Keep what was found in a file, all of it or nothing."""
        sketches = {
            (str(model), *labels): UCCSketch((state,)) for (model, *labels), state in part.states.items()
        }
        state = replace(
            SketchFile.of(sketches, self._by, self._columns),
            checkpoint={
                "source": source,
                "broken": [(*which, count) for which, count in part.broken.items()],
                "examples": [(*which, example) for which, example in part.examples.items()],
            },
        )
        state.write(self._state_path(source))

    def _state_path(self, source: str) -> Path:
        return self.folder / f"{source[:32]}.state"
