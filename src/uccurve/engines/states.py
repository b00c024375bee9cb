"""From the rows of the GROUP BY to the states of sketches, and what a checkpoint keeps of finished files."""

from __future__ import annotations

import datetime as dt
import errno
import hashlib
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve.engines import group_by
from uccurve.exceptions import SketchFormatError
from uccurve.formulas.bins import NEVER, ZERO, BinTable
from uccurve.formulas.bins import merge as merge_bins
from uccurve.io import WHOLE
from uccurve.sketch import SketchFile, UCCSketch, state

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from uccurve.engines.select import Columns

# So many states of a segment are kept before they are added up.
_MANY_STATES = 4
# The number of a model, and the labels of a segment.
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """The states of some of the rows, and the rules that they break.

    Attributes
    ----------
    states : dict
        By the number of the model and the labels of the segment.
    broken : dict
        The number of rows by the number of the model and of the rule that they break.
    examples : dict
        The values of one such row each.
    """

    states: dict[Key, state.State] = field(default_factory=dict)
    broken: dict[tuple[int, int], int] = field(default_factory=dict)
    examples: dict[tuple[int, int], str] = field(default_factory=dict)


def add_parts(parts: Iterable[Part]) -> Part:
    """Add up parts, of which only a few are kept at a time."""
    states: dict[Key, list[state.State]] = {}
    whole = Part()
    for part in parts:
        for key, each in part.states.items():
            some = states.setdefault(key, [])
            some.append(each)
            if len(some) >= _MANY_STATES:
                some[:] = [state.add_states(some)]
        for which, count in part.broken.items():
            whole.broken[which] = whole.broken.get(which, 0) + count
        for which, example in part.examples.items():
            whole.examples.setdefault(which, example)
    return Part({key: state.add_states(some) for key, some in states.items()}, whole.broken, whole.examples)


def read_whole_labels(part: Part, kept_as_text: Sequence[int] = ()) -> Part:
    """Turn labels of text into whole numbers, column by column, where all are such: 10 follows 9.

    ``kept_as_text`` are the places of columns that stay text, as labels in the names of folders.
    """
    columns = list(zip(*(key[1:] for key in part.states), strict=True))
    kinds = [
        int
        if place not in kept_as_text
        and all(isinstance(label, str) and re.fullmatch(WHOLE, label) for label in column)
        else None
        for place, column in enumerate(columns)
    ]
    states = {
        (model, *(kind(label) if kind else label for label, kind in zip(labels, kinds, strict=True))): state
        for (model, *labels), state in part.states.items()
    }
    return replace(part, states=states)


def make_states(result: Mapping[str, np.ndarray], labels: Sequence[Key], models: Sequence[Columns]) -> Part:
    """Sort the rows of the GROUP BY by model, segment and kind, and turn them into states.

    Parameters
    ----------
    result : mapping of str to array
        The rows of the GROUP BY.
    labels : sequence of tuple
        The labels of each row.
    models : sequence of Columns
        The models.
    """
    model, rest = np.divmod(result["key"].astype(np.int64), group_by.MODEL_SPAN)
    kind, place = np.divmod(rest, group_by.KIND_SPAN)
    bins = place - group_by.MIDDLE
    part = Part()
    wrong = (kind == group_by.INVALID) & (bins != group_by.WEIGHTLESS)
    for number, rule, count in zip(model[wrong], bins[wrong], result["count"][wrong], strict=True):
        broken = (int(number), int(rule))
        part.broken[broken] = part.broken.get(broken, 0) + int(count)

    codes: dict[Key, int] = {}
    code = np.array([codes.setdefault(label, len(codes)) for label in labels], dtype=np.int64)
    segments, segment = list(codes), model * len(codes) + code
    order = np.flatnonzero(~wrong)
    order = order[np.argsort(segment[order], kind="stable")]
    layout = group_by.Layout.of(models)
    for rows in np.split(order, np.flatnonzero(np.diff(segment[order])) + 1):
        if rows.size:
            number = int(model[rows[0]])
            columns = {name: result[name][rows] for name in result if not name.startswith("group")}
            summary = _make_state(columns, kind[rows], bins[rows], layout, models[number])
            part.states[number, *segments[code[rows[0]]]] = summary
    return part


def list_labels(columns: Iterable[np.ndarray], n: int) -> list[Key]:
    """Return the labels of n rows, as objects of Python.

    Times and durations are exact to the microsecond, those with a zone are in UTC, and -0.0 is 0.0.
    """
    return list(zip(*map(_as_objects, columns), strict=True)) or [()] * n


def _as_objects(column: np.ndarray) -> list[Any]:
    if column.dtype.kind in "mM":
        column = column.astype(f"{column.dtype.kind}8[us]")
    elif column.dtype.kind == "f":
        column = column + 0.0
    labels: list[Any] = column.tolist()
    if type(labels[0] if labels else None).__name__ == "MonthDayNano":  # a duration of DuckDB
        return [
            dt.timedelta(30 * label.months + label.days, microseconds=label.nanoseconds // 1000)
            for label in labels
        ]
    return labels


def _make_state(
    result: Mapping[str, np.ndarray],
    kind: np.ndarray,
    bins: np.ndarray,
    layout: group_by.Layout,
    columns: Columns,
) -> state.State:
    """Return the state of the rows of the GROUP BY for one model and segment."""

    def sums(of: int, name: str) -> np.ndarray:
        if name not in layout.sums[of]:  # weights, where all are 1
            return np.asarray(result["count"][kind == of], dtype=float)
        return np.asarray(result[f"sum{layout.sums[of].index(name)}"][kind == of], dtype=float)

    def largest(of: int, name: str, default: float) -> float:
        if name not in layout.tops[of]:
            return default
        return float(result[f"max{layout.tops[of].index(name)}"][kind == of].max(initial=-np.inf))

    def table(of: int, names: Sequence[str]) -> BinTable:
        codes = bins[kind == of]
        codes = np.where(
            codes == group_by.ZERO_CODE, ZERO, np.where(codes == group_by.NEVER_CODE, NEVER, codes)
        )
        tops = np.where(codes == NEVER, np.inf, result["max0"][kind == of].astype(float))
        added = np.array([sums(of, name) for name in names]).reshape(len(names), codes.size)
        return merge_bins([BinTable(codes, tops, added)])

    scale, error, switch, invalid = group_by.SCALE, group_by.ERROR, group_by.SWITCH, group_by.INVALID
    has_good = bool((kind == scale).any())
    switches = table(switch, state.TABLES["switch"])
    switches.sums[1] *= 2  # 2|e|
    totals = state.Totals(
        rows=float(result["count"][(kind == error) | (kind == invalid)].sum()),
        weight_squares=float(sums(error, "weight_squares").sum()),
        **{name: float(sums(error, name).sum()) for name in ("width", "root", "square", "touching")},
        moment=float(sums(scale, "moment").sum()),
        narrowest=-largest(scale, "minus_narrowest", -np.inf),
        widest=max(0.0, largest(error, "widest", 0.0)) if has_good else 0.0,
        lightest=-largest(error, "minus_lightest", -1.0) if has_good else np.inf,
        heaviest=largest(scale, "heaviest", 1.0) if has_good else 0.0,
        asymmetry=largest(scale, "asymmetry", 0.0) if has_good else 0.0,
    )
    scales, errors = table(scale, state.TABLES["scale"]), table(error, state.TABLES["error"])
    return state.State(scales, switches, errors, totals, side=columns.side)


class Checkpoint:
    """A folder with one state for each finished file.

    A state is known by the file's path, size and time of change, and by the columns that are scanned: if any
    of these differs, the file is scanned again. Models are known by their place, not by their name. The state
    says itself what it is of, so that a state under the name of another one is not used.
    """

    def __init__(self, folder: Path, models: Sequence[Columns], by: Sequence[str], *, hive: bool) -> None:
        self.folder = folder
        if folder.exists() and not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "the checkpoint must be a folder", str(folder))
        folder.mkdir(parents=True, exist_ok=True)
        self._columns = {str(place): columns.roles() for place, columns in enumerate(models)}
        self._by = tuple(by)
        self._scanned = repr((self._columns, self._by, hive))

    def checksum(self, path: Path) -> str:
        """Return a checksum of a file as it is now, and of what is scanned."""
        about = path.stat()
        known = f"{path.resolve()}\0{about.st_size}\0{about.st_mtime_ns}\0{self._scanned}"
        return hashlib.sha256(known.encode(errors="surrogateescape")).hexdigest()

    def read(self, checksum: str) -> Part | None:
        """Return what was found in a file, or None if it is to be scanned."""
        try:
            kept = SketchFile.read(self._path(checksum))
        except (FileNotFoundError, SketchFormatError):
            return None
        if kept.checkpoint is None or kept.checkpoint["source"] != checksum:
            return None
        states = {}
        for (model, segment), sketch in kept.sketches.items():
            labels = segment if len(self._by) > 1 else (segment,) if self._by else ()
            states[int(model), *labels] = sketch.state
        broken = {(model, rule): count for model, rule, count in kept.checkpoint["broken"]}
        examples = {(model, rule): example for model, rule, example in kept.checkpoint["examples"]}
        return Part(states, broken, examples)

    def write(self, checksum: str, part: Part) -> None:
        """Keep what was found in a file, all of it or nothing."""
        sketches = {
            (str(model), *labels): UCCSketch((state,)) for (model, *labels), state in part.states.items()
        }
        about = {
            "source": checksum,
            "broken": [(*which, count) for which, count in part.broken.items()],
            "examples": [(*which, example) for which, example in part.examples.items()],
        }
        kept = replace(SketchFile.of(sketches, self._by, self._columns), checkpoint=about)
        kept.write(self._path(checksum))

    def _path(self, checksum: str) -> Path:
        return self.folder / f"{checksum[:32]}.state"
