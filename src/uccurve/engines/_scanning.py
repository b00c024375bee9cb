"""The scan itself: file by file or frame by frame; rows that break rules raise an error or a warning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uccurve._base import arguments
from uccurve._base.arguments import warn_caller
from uccurve._base.progress import StepBar
from uccurve.engines import _data_files, _polars_files, _summarized_frame
from uccurve.engines._assemble import Part, joined
from uccurve.engines._checkpoint import Checkpoint
from uccurve.engines._model_columns import Columns
from uccurve.engines._text_cells import whole_labels
from uccurve.exceptions import (
    ArgumentError,
    DroppedRowsWarning,
    EmptyInputError,
    FileFormatError,
    InvalidRowsError,
    MissingDependencyError,
    UccurveError,
    UnreadableFilesError,
)
from uccurve.intervals import rules
from uccurve.sketch import UCCSketch, label_order

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from uccurve._base.type_aliases import Invalid


def scan(
    source: Any,
    models: Mapping[str, Columns],
    by: str | Sequence[str] | None,
    *,
    engine: str,
    invalid: Invalid,
    checkpoint: str | os.PathLike[str] | None,
    progress: bool,
    hive: bool = False,
) -> dict[Any, UCCSketch]:
    """Scan as `uccurve.scan` documents."""
    names, columns = _models(models)
    labels = [by] if isinstance(by, str) else list(by) if isinstance(by, (list, tuple)) else []
    if by is not None and not (labels and all(isinstance(label, str) for label in labels)):
        raise ArgumentError(argument="by", rule="be the name of a column, or a list of names", got=repr(by))
    arguments.option("invalid", invalid, ("raise", "drop"))
    failed: dict[str, str] = {}
    paths = _data_files.paths(source)
    if paths is not None:
        kept = None if checkpoint is None else Checkpoint(Path(checkpoint), columns, labels, hive=hive)
        reader = _data_files.chosen(engine)
        alike = reader == "polars" and not (kept or progress or hive)
        together = _at_once(paths, columns, labels) if alike else None
        numbers = {name for model in columns for name in model.roles().values()}

        def summarize(path: Path) -> Part:
            tables = _data_files.opened(path, reader, numbers, labels, hive=hive)
            return joined(_summarized_frame.summarized(table, columns, labels) for table in tables)

        part = together or _over_files(paths, summarize, kept, failed, progress=progress)
    elif _summarized_frame.is_frame(source):
        part = _summarized_frame.summarized(source, columns, labels)
    elif isinstance(source, Iterable) and not isinstance(source, Mapping):
        part = joined(_summarized_frame.summarized(chunk, columns, labels) for chunk in source)
    else:
        raise ArgumentError(
            argument="source", rule="be files, a frame or chunks of one", got=type(source).__name__
        )
    _judge(part, names, columns, invalid)
    sketches = {
        (names[key[0]] if by is None else (names[key[0]], *key[1:])): UCCSketch(
            (state,), nominal=columns[key[0]].claim
        )
        for key, state in part.states.items()
    }
    if failed:
        raise UnreadableFilesError(failed, sketches)
    if not sketches:
        hint = "All rows break rules." if part.broken else ""
        raise EmptyInputError(argument="source", rule="have at least one valid row", hint=hint)
    return dict(sorted(sketches.items(), key=lambda item: _order(item[0], names)))


def _models(models: Mapping[str, Columns]) -> tuple[list[str], list[Columns]]:
    if not isinstance(models, Mapping) or not models:
        raise ArgumentError(
            argument="models", rule="be a mapping of names to Columns, with at least one model"
        )
    arguments.distinct(models)
    for name, columns in models.items():
        arguments.instance(f"models[{name!r}]", columns, Columns)
    return [str(name) for name in models], list(models.values())


def _order(key: Any, names: Sequence[str]) -> tuple[Any, ...]:
    """Sort sketches by model as given, then by label."""
    model, *labels = key if isinstance(key, tuple) else (key,)
    return names.index(model), *map(label_order, labels)


def _at_once(paths: Sequence[Path], columns: Sequence[Columns], by: Sequence[str]) -> Part | None:
    """Summarize Parquet files with one query of Polars; None if that fails, as where types differ."""
    if len(paths) < 2 or any(_data_files.kind_of(path) != "parquet" for path in paths):  # noqa: PLR2004
        return None
    try:
        return _summarized_frame.summarized(_polars_files.all_opened(paths), columns, by)
    except Exception:  # noqa: BLE001 - Polars has errors of its own; then files are read one by one
        return None


def _over_files(
    paths: Sequence[Path],
    summarize: Callable[[Path], Part],
    kept: Checkpoint | None,
    failed: dict[str, str],
    *,
    progress: bool,
) -> Part:
    """Summarize file by file; files that cannot be read are added to ``failed``."""
    parts: dict[bool, list[Part]] = {True: [], False: []}
    bar = StepBar("files", len(paths), show=progress)
    for path in paths:
        try:
            part = _over_file(path, summarize, kept)
        except FileFormatError as error:
            failed[str(path)] = str(error)
        except UccurveError as error:
            raise error.replaced(where=str(path)) from error
        except MissingDependencyError:
            raise
        except Exception as error:  # engines have errors of their own
            if type(error).__name__ == "InterruptException":  # DuckDB's own, for Ctrl-C
                raise KeyboardInterrupt from error
            lines = str(error).strip().splitlines()
            failed[str(path)] = lines[0] if lines else type(error).__name__
        else:
            parts[_data_files.kind_of(path) == "csv"].append(part)
        bar.step()
    return joined([*parts[False], whole_labels(joined(parts[True]))])


def _over_file(path: Path, summarize: Callable[[Path], Part], kept: Checkpoint | None) -> Part:
    """Summarize a file, or take what a checkpoint keeps of it."""
    if kept is None:
        return summarize(path)
    source = kept.source(path)  # before it is read: a file that changes meanwhile is read again next time
    part = kept.read(source)
    if part is None:
        part = summarize(path)
        kept.write(source, part)
    return part


def _judge(part: Part, names: Sequence[str], columns: Sequence[Columns], invalid: str) -> None:
    """Raise for rows that break rules, or warn that they were dropped."""
    if not part.broken:
        return
    counts = dict(sorted(part.broken.items()))
    if invalid == "drop":
        reasons = [_broken_rule(*key, count, names, columns) for key, count in counts.items()]
        warn_caller(DroppedRowsWarning(None, None, reasons))
        return
    (model, number), count = next(iter(counts.items()))
    rows = sum(state.totals.rows for key, state in part.states.items() if key[0] == model)
    total = int(rows) + sum(broken for (place, _), broken in counts.items() if place == model)
    more = f" {len(counts) - 1} more rules are broken." if len(counts) > 1 else ""
    raise _broken_rule(model, number, count, names, columns).replaced(
        total=total, hint=f"An example: {part.examples[model, number]}.{more}"
    )


def _broken_rule(
    model: int, number: int, count: int, names: Sequence[str], columns: Sequence[Columns]
) -> InvalidRowsError:
    """Name the model, and the rule with the model's columns."""
    rule, roles = rules.ROW_RULES[number], columns[model].roles()
    return rule.error(
        argument=rule.argument,
        rule=rule.named({role: role for role in roles}),
        count=count,
        columns=roles,
        where=names[model],
    )
