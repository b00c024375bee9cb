"""Options of a figure: the points it marks, and its size."""

from typing import Annotated

from cyclopts import validators

from uccurve.cli._errors import UsageError
from uccurve.cli._options import METHOD, OUTPUT, option, rate, repeatable

_inches = validators.Number(gte=1, lte=20)

Points = Annotated[
    tuple[str, ...],
    repeatable("Mark the points of these coverages, such as 0.9,0.95; repeatable.", METHOD, "SHARES"),
]
Width = Annotated[
    float | None,
    option(
        "Width of the figure in inches; one column of a paper is 3.3. Default: 6.4.", OUTPUT, "IN", _inches
    ),
]
Height = Annotated[
    float | None,
    option("Height of the figure in inches. Default: it suits the width.", OUTPUT, "IN", _inches),
]


def chosen_points(texts: tuple[str, ...]) -> list[float] | None:
    """Read coverages, separated by commas or given one by one; None if there are none."""
    return [_share(part.strip(), text) for text in texts for part in text.split(",")] or None


def _share(part: str, text: str) -> float:
    try:
        value = float(part)
    except ValueError as error:
        raise UsageError(f"--points {text}: write coverages such as 0.9,0.95.") from error
    try:
        rate(float, value)
    except ValueError as error:
        raise UsageError(f"--points {text}: {error}") from error
    return value
