"""Options that commands share, as they appear in their help."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter, validators

COLUMNS = Group.create_ordered(
    "Columns", help="Columns are detected from common names; the choice is printed."
)
_INPUT = Group.create_ordered("Input")
METHOD = Group.create_ordered("Method")
OUTPUT = Group.create_ordered("Output")

_PATHS = frozenset({"FILE", "DIR"})
"""What options are called whose values are names of files."""
_between = validators.Number(gt=0, lt=1)


def rate(type_: Any, value: Any) -> None:
    """Check a number between 0 and 1, and say how a percentage is written."""
    try:
        _between(type_, value)
    except ValueError as error:
        hint = f" For {value:g}% write {value / 100:g}." if 1 < value < 100 else ""  # noqa: PLR2004
        hint = " It is 100%; for 1% write 0.01." if value == 1 else hint
        raise ValueError(f"{error}{hint}") from error


def coverage_share(type_: Any, value: Any) -> None:
    """Check a target coverage, and say why it cannot be all rows."""
    if value in (1, 100):
        raise ValueError(
            "A coverage of 100% cannot be asked for: rows to come may lie outside of any finite bounds. "
            "Ask for less, such as 0.99."
        )
    rate(type_, value)


def text(_: Any, value: Any) -> None:
    """Refuse bytes that are no text: they can be part of a file's name, but not of what is written."""
    for part in value if isinstance(value, tuple) else (value,):
        if isinstance(part, str) and not part.isascii() and part.encode(errors="replace").decode() != part:
            raise ValueError("It is not text in UTF-8.")


def option(
    help_: str,
    group: Group = METHOD,
    metavar: str | None = None,
    check: Callable[[Any, Any], None] | None = None,
) -> Parameter:
    """Describe one option."""
    checks = [*([] if check is None else [check]), *([] if metavar in _PATHS else [text])]
    return Parameter(group=group, help=help_, metavar=metavar, negative="", validator=checks)


def repeatable(help_: str, group: Group, metavar: str) -> Parameter:
    """Describe an option that may be given several times."""
    return Parameter(
        group=group, help=help_, metavar=metavar, negative="", show_default=False, validator=text
    )


def _files(help_: str) -> Parameter:
    return Parameter(help=help_, name="FILE", metavar="FILE", negative="")


def _flag(help_: str, *names: str) -> Parameter:
    return Parameter(name=names or None, group=OUTPUT, help=help_, negative="", show_default=False)


File = Annotated[
    str, Parameter(help="CSV, Parquet, Arrow/Feather or JSON lines; - reads standard input.", metavar="FILE")
]
Files = Annotated[
    tuple[str, ...],
    _files(
        "CSV, Parquet, Arrow/Feather or JSON lines; - reads standard input; sketch files (.ucc) "
        "are added up. With --engine: several files, folders and quoted patterns."
    ),
]
DataFiles = Annotated[
    tuple[str, ...],
    _files("CSV, Parquet, Arrow/Feather or JSON lines: files, folders, or quoted patterns."),
]
SketchFiles = Annotated[tuple[str, ...], _files("Sketch files, or quoted patterns.")]
Output = Annotated[
    str, Parameter(name=["--output", "-o"], help="The file to write.", group=OUTPUT, metavar="FILE")
]
SampleWeight = Annotated[str | None, option("Row weights, 0 or more.", COLUMNS, "COL")]
By = Annotated[str | None, option("Segments; each is also judged on its own.", COLUMNS, "COL")]
Title = Annotated[str | None, option("Title of the page or figure.", OUTPUT, "TEXT")]
Unit = Annotated[str | None, option("Unit of the observations, for labels.", OUTPUT, "TEXT")]
Coverage = Annotated[
    float | None,
    option("Target coverage; default: what all models claim, else 0.9.", METHOD, "SHARE", coverage_share),
]
MissRate = Annotated[
    float | None, option("The target as a miss rate, such as 0.1 for 90% coverage.", METHOD, "RATE", rate)
]
RankBy = Annotated[
    Literal["interval_score", "bandwidth"],
    option("Rank models by half-width plus priced misses, or by half-width alone.", METHOD),
]
X = Annotated[Literal["bandwidth", "excess"], option("Cost of wide intervals.")]
Y = Annotated[Literal["miss_rate", "deficit"], option("Cost of misses.")]
Vary = Annotated[
    Literal["scale", "shift", "level"],
    option("Multiply bands, add to them, or move through all levels: Model-lo-50, Model-lo-90."),
]
NResamples = Annotated[
    int | None,
    option(
        "Resamples per test; fewer are faster. By default enough for the number of tests.",
        METHOD,
        "N",
        validators.Number(gte=2),
    ),
]
Seed = Annotated[int, option("Seed of the random numbers.", METHOD, "N", validators.Number(gte=0))]
Invalid = Annotated[
    Literal["raise", "drop"], option("Rows that break a rule: refuse the file, or drop the rows.", _INPUT)
]
Engine = Annotated[Literal["auto", "polars", "duckdb"], option("Library that reads the files.", _INPUT)]
Checkpoint = Annotated[
    str | None,
    option("Folder that remembers finished files; an interrupted scan resumes there.", _INPUT, "DIR"),
]

Hive = Annotated[
    bool,
    Parameter(
        group=_INPUT,
        help="Scan, and take labels from names of folders too: region=north/ is a column for --by.",
        negative="",
        show_default=False,
    ),
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
            "One of several models, as PRED,LOWER,UPPER or PRED,STD; repeatable.", COLUMNS, "NAME=COLS"
        ),
    ] = ()
    level: Annotated[
        float | None,
        option("Which of Model-lo-90, Model-lo-80, … to use; default: the widest.", COLUMNS, "PERCENT"),
    ] = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, slots=True)
class ReadingOptions:
    """How a file is read."""

    format: Annotated[
        Literal["csv", "parquet", "arrow", "jsonl"] | None,
        option("File format; default: from the name, else from the first bytes.", _INPUT),
    ] = None
    decimal: Annotated[
        Literal[".", ","],
        Parameter(
            group=_INPUT,
            help="Decimal mark of numbers in text: a point or a comma.",
            metavar="MARK",
            show_choices=False,
        ),
    ] = "."
    encoding: Annotated[str, option("Encoding of a CSV file, such as cp1252 (Windows).", _INPUT, "NAME")] = (
        "utf-8"
    )
    crossed: Annotated[
        Literal["raise", "sort"],
        option("Bounds or quantiles that are not in order: see --invalid, or sort them.", _INPUT),
    ] = "raise"
    invalid: Invalid = "raise"


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, slots=True)
class ScanOptions:
    """Whether files are scanned in one pass, since they may be too large for memory."""

    engine: Annotated[
        Literal["auto", "polars", "duckdb"] | None,
        option("Scan files of any size with this engine; default: read all rows into memory.", _INPUT),
    ] = None
    checkpoint: Checkpoint = None
    hive: Hive = False


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, slots=True)
class DataOptions:
    """What the rows of a file mean, and how they are read."""

    columns: ColumnOptions = ColumnOptions()
    sample_weight: SampleWeight = None
    reading: ReadingOptions = ReadingOptions()
    scanning: ScanOptions = ScanOptions()


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, slots=True)
class MethodOptions:
    """How models are compared."""

    x: X = "bandwidth"
    y: Y = "miss_rate"
    vary: Vary = "scale"
    coverage: Coverage = None
    miss_rate: MissRate = None
    rank_by: RankBy = "interval_score"
    n_resamples: NResamples = None
    blocks: Annotated[
        tuple[str, ...],
        repeatable(
            "Rows that depend on each other: N consecutive rows, or rows with one value in a column; "
            "repeatable: in all of these columns.",
            METHOD,
            "N|COL",
        ),
    ] = ()
    confidence_level: Annotated[
        float, option("Level of the confidence intervals.", METHOD, "LEVEL", rate)
    ] = 0.95
    seed: Seed = 0


AllTables = Annotated[
    bool,
    _flag("Also print constant width, scores, tests, ranges, segments and all findings.", "--all"),
]
AllScores = Annotated[bool, _flag("Also print areas, gains, excess and deficit.", "--all")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, slots=True)
class MessageOptions:
    """What a command prints."""

    json: Annotated[bool, _flag("Print one JSON document with all numbers instead of tables.")] = False
    quiet: Annotated[bool, _flag("Print no notes and no progress.", "--quiet", "-q")] = False
    debug: Annotated[bool, _flag("Show the traceback of an error.")] = False

    @property
    def chatty(self) -> bool:
        """Whether notes and progress are shown."""
        return not (self.quiet or self.json)


FLAGS = frozenset({"--all", "--hive", "--json", "--quiet", "-q", "--debug", "--help", "-h", "--version"})
"""Options without a value."""
VALUED = frozenset({"-o"})
"""Options of one letter with a value."""

DEFAULT_COLUMNS, DEFAULT_READING, DEFAULT_DATA = ColumnOptions(), ReadingOptions(), DataOptions()
DEFAULT_METHOD, DEFAULT_MESSAGES = MethodOptions(), MessageOptions()
"""What holds where no option is given."""
