"""Options that commands share, as they appear in their help."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter, validators

COLUMNS = Group.create_ordered(
    "Columns", help="Found by themselves where they have common names; what was found is said."
)
_INPUT = Group.create_ordered("Input")
METHOD = Group.create_ordered("Method")
OUTPUT = Group.create_ordered("Output")

_between = validators.Number(gt=0, lt=1)


def rate(type_: Any, value: Any) -> None:
    """Check a number between 0 and 1, and say how a percentage is written."""
    try:
        _between(type_, value)
    except ValueError as error:
        meant = f" For {value:g} % write {value / 100:g}." if 1 <= value < 100 else ""  # noqa: PLR2004
        raise ValueError(f"{error}{meant}") from error


def option(
    help_: str,
    group: Group = METHOD,
    metavar: str | None = None,
    check: Callable[[Any, Any], None] | None = None,
) -> Parameter:
    """Describe one option."""
    return Parameter(group=group, help=help_, metavar=metavar, negative="", validator=check)


def flag(help_: str, *names: str) -> Parameter:
    """Describe a switch."""
    return Parameter(name=names or None, group=OUTPUT, help=help_, negative="", show_default=False)


File = Annotated[
    str, Parameter(help="CSV, Parquet, Arrow/Feather or JSON lines; - reads standard input.", metavar="FILE")
]
Files = Annotated[
    tuple[str, ...],
    Parameter(
        help="CSV, Parquet, Arrow/Feather or JSON lines; - reads standard input; sketch files (.ucc) "
        "are added up. With --engine: several files, folders and quoted patterns.",
        name="FILE",
        metavar="FILE",
        negative="",
    ),
]
Parts = Annotated[
    tuple[str, ...],
    Parameter(
        help="CSV, Parquet, Arrow/Feather or JSON lines: files, folders, or quoted patterns.",
        name="FILE",
        metavar="FILE",
        negative="",
    ),
]
SketchFiles = Annotated[
    tuple[str, ...],
    Parameter(help="Sketch files, or quoted patterns.", name="FILE", metavar="FILE", negative=""),
]
Output = Annotated[
    str, Parameter(name=["--output", "-o"], help="The file to write.", group=OUTPUT, metavar="FILE")
]
Weight = Annotated[str | None, option("Weights of rows, 0 or more.", COLUMNS, "COL")]
By = Annotated[str | None, option("Segments, each judged on its own as well.", COLUMNS, "COL")]
Fitted = Annotated[
    str | None, option("Segments, each fitted on its own rows and given its own bounds.", COLUMNS, "COL")
]
Title = Annotated[str | None, option("Title of the page or figure.", OUTPUT, "TEXT")]
Unit = Annotated[str | None, option("Unit of the observations, for labels.", OUTPUT, "TEXT")]
MissRate = Annotated[float, option("Miss rate to be reached.", METHOD, "RATE", rate)]
CalibratedRate = Annotated[
    float | None,
    option(
        "Miss rate to be reached; without it what columns tell (Model-lo-80: 0.2), or else 0.1.",
        METHOD,
        "RATE",
        rate,
    ),
]
X = Annotated[Literal["bandwidth", "excess"], option("Cost of being wide.")]
Y = Annotated[Literal["miss_rate", "deficit"], option("Cost of missing.")]
Vary = Annotated[Literal["scale", "shift"], option("Multiply bands, or add to them.")]
Resamples = Annotated[
    int, option("Resamples of each test; fewer are faster.", METHOD, "N", validators.Number(gte=2))
]
Blocks = Annotated[
    str | None,
    option(
        "Rows that depend on each other: so many in a row, or those with one value here.", METHOD, "N|COL"
    ),
]
Invalid = Annotated[
    Literal["raise", "drop"], option("Rows that break a rule: refuse the file, or leave them out.", _INPUT)
]
Engine = Annotated[Literal["auto", "polars", "duckdb"], option("What reads the files.", _INPUT)]
Checkpoint = Annotated[
    str | None,
    option("Keep what is known of finished files there: a scan goes on where it was.", _INPUT, "DIR"),
]
Seed = Annotated[int, option("Seed of the random numbers.", METHOD, "N", validators.Number(gte=0))]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, slots=True)
class Columns:
    """Which columns of the file mean what."""

    y_true: Annotated[str | None, option("Observations.", COLUMNS, "COL")] = None
    y_pred: Annotated[str | None, option("Predictions; without any: midpoints.", COLUMNS, "COL")] = None
    lower: Annotated[str | None, option("Lower bounds.", COLUMNS, "COL")] = None
    upper: Annotated[str | None, option("Upper bounds.", COLUMNS, "COL")] = None
    std: Annotated[str | None, option("Standard deviations, in place of bounds.", COLUMNS, "COL")] = None
    model: Annotated[
        tuple[str, ...],
        Parameter(
            group=COLUMNS,
            help="One of several models, as PRED,LOWER,UPPER or PRED,STD; repeat it.",
            metavar="NAME=COLS",
            negative="",
            show_default=False,
        ),
    ] = ()
    level: Annotated[
        float | None,
        option("Which of Model-lo-90, Model-lo-80, …; without it the widest.", COLUMNS, "PERCENT"),
    ] = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """How the file is read."""

    format: Annotated[
        Literal["csv", "parquet", "arrow", "jsonl"] | None,
        option("Format; without it the name tells, or the first bytes.", _INPUT),
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
    encoding: Annotated[str, option("Encoding of a CSV file, such as cp1252 of Windows.", _INPUT, "NAME")] = (
        "utf-8"
    )
    invalid: Invalid = "raise"


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, slots=True)
class Scanning:
    """Whether files are scanned, for they may be too large for memory."""

    engine: Annotated[
        Literal["auto", "polars", "duckdb"] | None,
        option("Scan files of any size with this engine; without it rows are read into memory.", _INPUT),
    ] = None
    checkpoint: Checkpoint = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, slots=True)
class Speaking:
    """How a command talks."""

    json: Annotated[bool, flag("Print one JSON document instead of tables.")] = False
    quiet: Annotated[bool, flag("Print no notes and no progress.", "--quiet", "-q")] = False
    debug: Annotated[bool, flag("Show the traceback of an error.")] = False


NO_COLUMNS, AS_USUAL, PLAINLY, IN_MEMORY = Columns(), Reading(), Speaking(), Scanning()
"""What holds where no option is given."""
