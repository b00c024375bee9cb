"""Options that commands share, as they appear in their help."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter, validators

from uccurve._base import type_aliases
from uccurve._base.text import whole_percent

COLUMNS = Group.create_ordered("Columns", help="Detected from common names unless given.")
INPUT = Group.create_ordered("Input")
METHOD = Group.create_ordered("Method")
OUTPUT = Group.create_ordered("Output")
CONFIDENCE = ["--confidence-level", "--confidence"]
_PERCENT = 100
# A number below it may be meant as a share.
_LEAST_PERCENT = 5


def read_share(_: Any, tokens: Sequence[Any]) -> float:
    """Read a share between 0 and 1: 0.9, 90 and 90% mean the same."""
    return parse_share(tokens[0].value)


def parse_share(text: str) -> float:
    """Return the share that a text means."""
    try:
        value = float(text.strip().removesuffix("%"))
    except ValueError as error:
        raise ValueError("write a share such as 0.9, or a percentage such as 90%") from error
    is_percent = text.strip().endswith("%")
    if not is_percent and 1 < value < _LEAST_PERCENT:
        raise ValueError(f"write {text}% or {value / _PERCENT:g}, got {text}")
    if is_percent or value > 1:
        value = round(value / _PERCENT, 12)
    if not 0 < value < 1:
        raise ValueError(f"must lie between 0 and 100%, got {text}")
    return value


def read_shares(_: Any, tokens: Sequence[Any]) -> tuple[float, ...]:
    """Read shares that are separated by commas, or given one by one."""
    return tuple(parse_share(part) for token in tokens for part in token.value.split(","))


def read_help(text: str | None) -> dict[str, Any]:
    """Return what a docstring says above the options of a command, and the examples below them."""
    about, _, examples = cleandoc(text or "").partition("\n\nExamples\n--------\n")
    paragraphs = [re.sub(r"\n(?=\S)", " ", paragraph) for paragraph in about.split("\n\n")]
    return {"help": "\n\n".join(paragraphs), "help_epilogue": f"Examples\n{examples.rstrip()}"}


def option(help_: str, group: Group = METHOD, metavar: str | None = None, **more: Any) -> Parameter:
    """Describe one option."""
    return Parameter(
        group=group, help=help_, metavar=metavar, negative="", show_default=more.pop("show", None), **more
    )


def share(help_: str, metavar: str = "SHARE", **more: Any) -> Parameter:
    """Describe an option that is a share: 0.9, 90 or 90%."""
    return option(help_, metavar=metavar, **{"converter": read_share, **more})


def repeatable(help_: str, group: Group, metavar: str) -> Parameter:
    """Describe an option that may be given several times."""
    return option(help_, group, metavar, show=False)


def flag(help_: str, *names: str, group: Group = OUTPUT) -> Parameter:
    """Describe an option without a value."""
    return Parameter(name=names or None, group=group, help=help_, negative="", show_default=False)


def _file(help_: str) -> Parameter:
    return Parameter(help=help_, name="FILE", metavar="FILE", negative="")


_FORMATS = "CSV, Parquet, Arrow/Feather or JSON lines"
_READ = f"{_FORMATS}, also compressed (.gz, .zst) or a URL; - is standard input."
_SCANNED = "with --scan also folders and patterns."
File = Annotated[str, _file(_READ)]
FileOrFolder = Annotated[str, _file(f"{_READ} Also a sketch file (.ucc); {_SCANNED}")]
Files = Annotated[tuple[str, ...], _file(f"{_READ} Sketch files (.ucc) are added up; {_SCANNED}")]
DataFiles = Annotated[tuple[str, ...], _file(f"{_FORMATS}: files, folders, or quoted patterns.")]
SketchFiles = Annotated[tuple[str, ...], _file("Sketch files, or quoted patterns.")]
Output = Annotated[str, option("The file to write.", OUTPUT, "FILE", name=["--output", "-o"])]
By = Annotated[str | None, option("Segments: also score each on its own.", COLUMNS, "COL")]
FitBy = Annotated[str | None, option("Segments: fit each on its own.", COLUMNS, "COL")]
SketchBy = Annotated[str | None, option("Segments: also keep a sketch of each.", COLUMNS, "COL")]
Title = Annotated[str | None, option("Title, shown at the top.", OUTPUT, "TEXT")]
Unit = Annotated[str | None, option("Unit of the observations, for labels.", OUTPUT, "TEXT")]
Coverage = Annotated[
    float | None, share("Target coverage, such as 90%; default: what all models claim, else 90%.")
]
MissRate = Annotated[float | None, share("The target as a miss rate: 10% for 90% coverage.", "RATE")]
Vary = Annotated[
    type_aliases.Vary,
    option("Scale intervals, shift them, or move through levels such as Model-lo-50 and Model-lo-90."),
]
X = Annotated[
    type_aliases.X, option("Axis of curves, areas and gains: the cost of width. The ranking does not use it.")
]
Y = Annotated[type_aliases.Y, option("The other axis: the cost of misses. The ranking does not use it.")]
NResamples = Annotated[
    int | None,
    option(
        "Number of permutations per test; the default is large enough for the number of tests.",
        METHOD,
        "N",
        validator=validators.Number(gte=2),
    ),
]
Seed = Annotated[int, option("Random seed.", METHOD, "N", validator=validators.Number(gte=0))]
Invalid = Annotated[
    Literal["raise", "drop"], option("Invalid rows: refuse the file, or drop the rows.", INPUT)
]


Checkpoint = Annotated[
    str | None,
    option("Scan, and save progress in this folder: an interrupted scan resumes there.", INPUT, "DIR"),
]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, slots=True)
class ColumnOptions:
    """Which columns of the file mean what."""

    y_true: Annotated[str | None, option("Observations.", COLUMNS, "COL")] = None
    y_pred: Annotated[
        str | None, option("Predictions; default: the median or the midpoints.", COLUMNS, "COL")
    ] = None
    lower: Annotated[str | None, option("Lower bounds.", COLUMNS, "COL")] = None
    upper: Annotated[str | None, option("Upper bounds.", COLUMNS, "COL")] = None
    std: Annotated[str | None, option("Standard deviations, instead of bounds.", COLUMNS, "COL")] = None
    model: Annotated[
        tuple[str, ...],
        repeatable(
            "NAME=PRED,LOWER,UPPER or NAME=PRED,STD for one of several models; repeatable. Or the column "
            "that names each row's model.",
            COLUMNS,
            "NAME=COLS|COL",
        ),
    ] = ()
    nominal: Annotated[
        float | None,
        share(
            "Coverage that the bounds claim. If names have several, as in Model-lo-80 and Model-lo-90, the "
            "one to use; default: the widest.",
            group=COLUMNS,
            name=["--nominal", "--level"],
        ),
    ] = None
    sample_weight: Annotated[str | None, option("Row weights, 0 or more.", COLUMNS, "COL")] = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, slots=True)
class ReadingOptions:
    """How a file is read."""

    format: Annotated[
        Literal["csv", "parquet", "arrow", "jsonl"] | None,
        option("File format; default: from the name, else from the first bytes.", INPUT),
    ] = None
    decimal: Annotated[
        Literal[".", ","],
        option("Decimal mark of numbers in text: a point or a comma.", INPUT, "MARK", show_choices=False),
    ] = "."
    encoding: Annotated[str, option("Encoding of a CSV file, such as cp1252 (Windows).", INPUT, "NAME")] = (
        "utf-8"
    )
    crossed: Annotated[
        Literal["raise", "sort"],
        option("Crossed bounds or quantiles: follow --invalid, or sort them.", INPUT),
    ] = "raise"
    invalid: Invalid = "raise"


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, slots=True)
class DataOptions:
    """What the rows of a file mean, and how they are read."""

    columns: ColumnOptions = ColumnOptions()
    reading: ReadingOptions = ReadingOptions()
    scan: Annotated[bool, flag("Read files of any size in one pass, without tests.", group=INPUT)] = False
    checkpoint: Checkpoint = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, slots=True)
class MethodOptions:
    """How models are compared; names and values are those of `uccurve.compare`."""

    x: X = "bandwidth"
    y: Y = "miss_rate"
    vary: Vary = "scale"
    coverage: Coverage = None
    miss_rate: MissRate = None
    rank_by: Annotated[
        Literal["interval_score", "bandwidth"],
        option("Rank models by interval score, or by half-width alone."),
    ] = "interval_score"
    n_resamples: NResamples = None
    confidence_level: Annotated[
        float, share("Level of confidence intervals (CIs).", "LEVEL", name=CONFIDENCE, show=whole_percent)
    ] = 0.95
    seed: Seed = 0


Blocks = Annotated[
    tuple[str, ...],
    repeatable(
        "Rows that depend on each other: N consecutive rows, or rows with equal values in a column; "
        "repeatable for rows with equal values in several columns.",
        METHOD,
        "N|COL",
    ),
]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, slots=True)
class MessageOptions:
    """What a command prints."""

    json: Annotated[bool, flag("Print one JSON document with all numbers instead of tables.")] = False
    quiet: Annotated[bool, flag("Print no notes and no progress.", "--quiet", "-q")] = False
    verbose: Annotated[bool, flag("Print notes in full.")] = False
    debug: Annotated[bool, flag("Show the traceback of an error.")] = False

    @property
    def chatty(self) -> bool:
        """Whether notes and progress are shown."""
        return not (self.quiet or self.json)


# What holds where no option is given.
DEFAULT_DATA, DEFAULT_METHOD, DEFAULT_MESSAGES = DataOptions(), MethodOptions(), MessageOptions()
