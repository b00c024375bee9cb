"""Files of sketches: those of all models and segments in one file, with names that end with ``.ucc``.

The format, version 1, all numbers little-endian: the eight bytes ``UCCSKTCH``; the version and the length of
the header as uint32; the header, an object in JSON; the numbers of the sketches, one after the other; and a
CRC-32 of everything before it as uint32. The header has

* ``by``, the column of segments, a list of several columns, or null;
* ``columns``, for each model its columns by role;
* ``sketches``, a list of objects with ``model``, ``segment`` (null where there are none, a list where
  several columns tell segments apart; dates and the like are objects with ``kind`` and ``text``),
  ``outputs`` and, only where intervals claim a coverage, ``nominal``;
* ``checkpoint``, only in a checkpoint: what a scan keeps beside the sketches.

Each of the ``outputs`` of a sketch has its ``side`` ("both", "upper" or "lower") and the number of ``bins``
of each table. Its numbers are the totals as float64, and for each table the bins as int64, the largest number
of each bin as float64, and then each column of sums as float64.
"""

from __future__ import annotations

import datetime as dt
import json
import struct
import zlib
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from uccurve._base.files import replacing
from uccurve.exceptions import ArgumentError, SketchFormatError
from uccurve.formulas.bins import BinTable
from uccurve.sketch.sketch import UCCSketch
from uccurve.sketch.state import TABLES, State, Totals

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping


_MAGIC = b"UCCSKTCH"
_MICROSECOND = dt.timedelta(microseconds=1)
# How to read the text of labels that JSON does not know, by their kinds.
_KINDS: dict[str, Callable[[str], Any]] = {
    "date": dt.date.fromisoformat,
    "datetime": dt.datetime.fromisoformat,
    "time": dt.time.fromisoformat,
    "timedelta": lambda text: int(text) * _MICROSECOND,
    "Decimal": Decimal,
    "bytes": bytes.fromhex,
}
# To be raised with every change of the format, of the totals, of the tables, and of the bins.
_VERSION = 1
_HEAD = struct.Struct("<8sII")
_CHECK = struct.Struct("<I")

# A model and a segment.
Key = tuple[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class SketchFile:
    """The sketches of models and of their segments, as one file holds them.

    Attributes
    ----------
    sketches : dict of (str, label) to UCCSketch
        By model and segment. The segment is None where rows were not told apart, and a tuple of labels where
        several columns tell segments apart.
    by : str, tuple of str, or None
        The column of segments, or several.
    columns : dict of str to dict of str to str
        The columns of each model by role, as in ``{"mine": {"y_true": "y", "y_pred": "p", "std": "s"}}``.
    checkpoint : object that JSON knows, or None
        What a scan that is not finished keeps beside the sketches.

    See Also
    --------
    uccurve.scan : Makes the sketches.

    Examples
    --------
    >>> import tempfile
    >>> import uccurve as uc
    >>> from uccurve.sketch import SketchFile
    >>> day = uc.Intervals.from_std([1.0, 2.0, 4.0], y_pred=[1.5, 2.0, 3.0], std=[0.5, 0.5, 2.0]).sketch()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = SketchFile.of({"mine": day}).write(f"{folder}/monday.ucc")
    ...     monday = SketchFile.read(path)
    >>> week = SketchFile.merge([monday, monday])
    >>> week.whole()
    {'mine': UCCSketch(rows=6, bandwidth=1, bins=6)}
    """

    SUFFIX: ClassVar[str] = ".ucc"

    sketches: dict[Key, UCCSketch]
    by: str | tuple[str, ...] | None = None
    columns: dict[str, dict[str, str]] = field(default_factory=dict)
    checkpoint: Any = None

    @classmethod
    def of(
        cls,
        sketches: Mapping[Any, UCCSketch],
        by: str | Iterable[str] | None = None,
        columns: Mapping[str, Mapping[str, str]] | None = None,
    ) -> SketchFile:
        """Take sketches as `uccurve.scan` returns them: by model, or by tuples of a model and labels.

        Parameters
        ----------
        sketches : mapping
            Sketches by model, or by tuples of a model and labels.
        by : str or iterable of str, optional
            The columns that labels come from.
        columns : mapping, optional
            The columns of each model, by role.

        Returns
        -------
        SketchFile
            The content of a file.

        Raises
        ------
        ArgumentError
            If a key does not have a model and as many labels as ``by`` has columns.
        """
        names = (by,) if isinstance(by, str) else tuple(by or ())
        found: dict[Key, UCCSketch] = {}
        for key, sketch in sketches.items():
            model, *labels = key if isinstance(key, tuple) else (key,)
            if len(labels) != len(names):
                rule = f"have a model and {len(names)} labels as keys, as `by` says"
                raise ArgumentError(argument="sketches", rule=rule, got=repr(key))
            found[model, _segment(labels)] = sketch
        roles = {model: dict(roles) for model, roles in (columns or {}).items()}
        return cls(sketches=found, by=_segment(names), columns=roles)

    @property
    def models(self) -> list[str]:
        """The names of the models."""
        return list(dict.fromkeys(model for model, _ in self.sketches))

    @property
    def segments(self) -> list[Any]:
        """The labels of the segments: numbers by size, then the others as text."""
        labels = {segment for _, segment in self.sketches if self.by is not None}
        return sorted(labels, key=label_order)

    def whole(self) -> dict[str, UCCSketch]:
        """Return the sketch of all rows of each model.

        Returns
        -------
        dict of str to UCCSketch
            By model.
        """
        return {
            name: UCCSketch.sum(sketch for (model, _), sketch in self.sketches.items() if model == name)
            for name in self.models
        }

    @classmethod
    def merge(cls, files: Iterable[SketchFile]) -> SketchFile:
        """Add files, model by model and segment by segment.

        What is in some of the files only is taken from those. The columns of a model are those of the first
        file that has it.

        Parameters
        ----------
        files : iterable of SketchFile
            Files of parts.

        Returns
        -------
        SketchFile
            The sum of all.

        Raises
        ------
        ArgumentError
            If there is no file, or if files tell segments apart by different columns.
        """
        files = list(files)
        divisions = list(dict.fromkeys(file.by for file in files))
        if len(divisions) != 1:
            got = " and ".join(map(repr, divisions)) or "no file"
            raise ArgumentError(argument="files", rule="be files with the same `by`", got=got)
        parts: dict[Key, list[UCCSketch]] = {}
        whole = cls(sketches={}, by=divisions[0])
        for file in files:
            for key, sketch in file.sketches.items():
                parts.setdefault(key, []).append(sketch)
            for model, roles in file.columns.items():
                whole.columns.setdefault(model, roles)
        models = list(dict.fromkeys(model for model, _ in parts))
        for key in sorted(parts, key=lambda key: (models.index(key[0]), label_order(key[1]))):
            whole.sketches[key] = UCCSketch.sum(parts[key])
        return whole

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> SketchFile:
        """Read a sketch file.

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        SketchFile
            Its content.

        Raises
        ------
        OSError
            If the file is not there, or cannot be opened.
        SketchFormatError
            If the file is no sketch file, is cut short or damaged, or is of an unknown version. The message
            names the file.
        """
        content = Path(path).read_bytes()
        try:
            return cls.from_bytes(content)
        except SketchFormatError as error:
            raise error.replaced(where=str(path)) from error

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write a sketch file, which appears whole or not at all; return its path.

        Parameters
        ----------
        path : str or path
            The file, which is replaced if it exists.

        Returns
        -------
        Path
            The path.

        Raises
        ------
        OSError
            If the file cannot be written; it names the path.
        """
        with replacing(path) as unfinished:
            unfinished.write_bytes(self.to_bytes())
        return Path(path)

    def to_bytes(self) -> bytes:
        """Return the bytes of the file.

        Returns
        -------
        bytes
            What `from_bytes` reads.
        """
        sketches = []
        for (model, segment), sketch in self.sketches.items():
            outputs = [
                {"side": output.side, "bins": [table.bins.size for table in output.tables]}
                for output in sketch.outputs
            ]
            entry = {"model": model, "segment": segment, "outputs": outputs}
            sketches.append(entry if sketch.nominal is None else entry | {"nominal": sketch.nominal})
        header: dict[str, Any] = {"by": self.by, "columns": self.columns, "sketches": sketches}
        if self.checkpoint is not None:
            header["checkpoint"] = self.checkpoint
        head = json.dumps(header, default=_label_to_json).encode()
        numbers = [_numbers(output) for sketch in self.sketches.values() for output in sketch.outputs]
        body = b"".join([_HEAD.pack(_MAGIC, _VERSION, len(head)), head, *numbers])
        return body + _CHECK.pack(zlib.crc32(body))

    @classmethod
    def from_bytes(cls, content: bytes) -> SketchFile:
        """Read the bytes of a file; `SketchFormatError` says what is wrong with them.

        Parameters
        ----------
        content : bytes
            What a sketch file holds.

        Returns
        -------
        SketchFile
            Its sketches.

        Raises
        ------
        SketchFormatError
            If the bytes are not a sketch file, are cut short or damaged, or are of an unknown version.
        """
        head, numbers = _check(content)
        try:
            header = json.loads(head)
            return cls(
                sketches=_read_sketches(header["sketches"], numbers),
                by=_label_from_json(header["by"]),
                columns=header["columns"],
                checkpoint=header.get("checkpoint"),
            )
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise SketchFormatError(
                "the sketch file is damaged: its header does not describe its sketches"
            ) from error


def label_order(label: Any) -> tuple[Any, ...]:
    """Return a sort key of labels: numbers by size, then the others as text; tuples label by label."""
    if isinstance(label, tuple):
        return tuple(map(label_order, label))
    number = isinstance(label, (int, float)) and label == label  # noqa: PLR0124 - NaN has no place among numbers
    return not number, label if number else str(label)


def _segment(labels: Iterable[Any]) -> Any:
    """Return no label as None, one as it is, and several as a tuple."""
    labels = tuple(labels)
    return labels if len(labels) > 1 else labels[0] if labels else None


def _label_to_json(label: Any) -> dict[str, str]:
    """Say of what kind a label is that JSON does not know, such as a date."""
    text = label.isoformat() if hasattr(label, "isoformat") else str(label)
    if isinstance(label, dt.timedelta):
        text = str(label // _MICROSECOND)
    elif isinstance(label, bytes):
        text = label.hex()
    return {"kind": type(label).__name__, "text": text}


def _label_from_json(label: Any) -> Any:
    if isinstance(label, list):
        return tuple(map(_label_from_json, label))
    if not isinstance(label, dict):
        return label
    return _KINDS.get(label["kind"], str)(label["text"])


def _check(content: bytes) -> tuple[bytes, bytes]:
    """Return the header and the numbers, once version and checksum are what they must be."""
    if not content.startswith(_MAGIC):
        raise SketchFormatError(f"not a sketch file: it does not begin with {_MAGIC.decode()}")
    if len(content) < _HEAD.size + _CHECK.size:
        raise SketchFormatError(f"the sketch file is cut short: it ends after {len(content)} bytes")
    _, version, length = _HEAD.unpack_from(content)
    if version != _VERSION:
        raise SketchFormatError(f"the sketch file has the format {version}; this uccurve reads {_VERSION}")
    body = content[: -_CHECK.size]
    if _CHECK.unpack_from(content, len(body))[0] != zlib.crc32(body):
        raise SketchFormatError("the sketch file is cut short or damaged: its checksum does not match")
    numbers = _HEAD.size + length
    return body[_HEAD.size : numbers], body[numbers:]


def _numbers(output: State) -> bytes:
    """Return the numbers of one output as bytes."""
    parts = [np.array(output.totals)]
    for table in output.tables:
        parts += [table.bins.view(np.float64), table.largest, table.sums.reshape(-1)]
    return np.concatenate(parts).astype("<f8").tobytes()


def _read_sketches(entries: Iterable[Mapping[str, Any]], content: bytes) -> dict[Key, UCCSketch]:
    """Read the numbers of one sketch after the other; ValueError if there are too few, or too many."""
    numbers, sketches = np.frombuffer(content, dtype="<f8").astype(np.float64), {}
    heights = [2 + len(columns) for columns in TABLES.values()]
    for entry in entries:
        states = []
        for output in entry["outputs"]:
            shapes = list(zip(heights, output["bins"], strict=True))
            sizes = [len(Totals._fields), *(height * size for height, size in shapes)]
            totals, *tables, numbers = np.split(numbers, np.cumsum(sizes))
            scale, switch, error = (
                BinTable(rows[0].view(np.int64), rows[1], rows[2:])
                for rows in map(np.ndarray.reshape, tables, shapes)
            )
            states.append(State(scale, switch, error, Totals._make(totals.tolist()), output["side"]))
        key = entry["model"], _label_from_json(entry["segment"])
        sketches[key] = UCCSketch(tuple(states), nominal=entry.get("nominal"))
    if numbers.size:
        raise ValueError("more numbers than sketches")
    return sketches
