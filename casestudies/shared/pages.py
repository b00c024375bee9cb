"""Documentation pages: a template with the words, `results.json` with the numbers."""

from __future__ import annotations

import io
import json
import math
import platform
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import jinja2

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from matplotlib.figure import Figure

DIGITS = 6
"""Significant digits of the numbers in `results.json`."""


def write_results(results: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Write results as JSON, one line per record, and return them as they will be read."""
    text = one_line_per_record(_rounded(results)) + "\n"
    write(text, path)
    read: dict[str, Any] = json.loads(text)
    return read


def one_line_per_record(value: Any, indent: str = "") -> str:
    """Return JSON in which every item of a list of mappings has a line of its own.

    Mappings around such a list are spread over lines as well. Everything else stays on one line.
    """
    inner = indent + " "
    if _is_list_of_records(value):
        lines = [inner + _one_line(record) for record in value]
        opening, closing = "[", "]"
    elif _holds_records(value):
        lines = [
            f"{inner}{_one_line(name)}: {one_line_per_record(item, inner)}" for name, item in value.items()
        ]
        opening, closing = "{", "}"
    else:
        return _one_line(value)
    return "\n".join([opening, ",\n".join(lines), indent + closing])


def write(content: str | bytes, path: Path) -> None:
    """Write a file whole or not at all: under another name first, then renamed."""
    unfinished = path.with_name(f".{path.name}.part")
    try:
        unfinished.write_bytes(content.encode() if isinstance(content, str) else content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def write_figure(figure: Figure, path: Path) -> None:
    """Write a picture without its date, so that the same figure makes the same file."""
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=150, metadata={"Software": None})
    write(picture.getvalue(), path)


def versions(*libraries: str) -> dict[str, str]:
    """Return the versions of Python and of the libraries that made the numbers."""
    return {"python": platform.python_version()} | {name: version(name) for name in libraries}


def rendered(template: Path, results: Mapping[str, Any]) -> str:
    """Return the page; a number that is missing from the results is an error, not a hole."""
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701, Markdown from numbers and names of our own
    )
    environment.filters |= {
        "percent": percent,
        "number": number,
        "interval": interval,
        "spread": spread,
        "range": range_,
        "points": points,
        "p_value": p_value,
        "over_own_area": over_own_area,
        "over_reference": over_reference,
    }
    environment.globals["best_of"] = best_of
    return environment.from_string(template.read_text(encoding="utf-8")).render(**results)


def percent(share: float, digits: int = 1) -> str:
    """Return a share in percent, with a typographic minus sign."""
    return number(100 * share, digits) + "%"


def number(value: float | None, digits: int = 2) -> str:
    """Return a number with this many digits after the point, and a dash where there is none."""
    if value is None:
        return "–"
    text = f"{value:,.{digits}f}".replace("-", "−").replace(",", "\N{NO-BREAK SPACE}")
    return text.removeprefix("−") if not float(f"{value:.{digits}f}") else text


def interval(measure: Mapping[str, float] | None, digits: int = 1, *, share: bool = True) -> str:
    """Return a number with its interval, and a dash where there is none."""
    if measure is None:
        return "–"
    factor, unit = (100, "%") if share else (1, "")
    value, low, high = (number(factor * measure[name], digits) for name in ("value", "low", "high"))
    return f"{value}{unit} [{low}, {high}]"


def spread(over_seeds: Mapping[str, float] | None, digits: int = 1, *, share: bool = True) -> str:
    """Return mean and standard deviation over the seeds, and a dash where there is no number."""
    if over_seeds is None:
        return "–"
    factor, unit = (100, "%") if share else (1, "")
    mean, sd = (number(factor * over_seeds[name], digits) for name in ("mean", "sd"))
    return f"{mean} ± {sd}{unit}"


def range_(over_seeds: Mapping[str, float] | None, digits: int = 1, *, share: bool = True) -> str:
    """Return the smallest and the largest value over the seeds, and a dash where there is none."""
    if over_seeds is None:
        return "–"
    factor, unit = (100, "%") if share else (1, "")
    low, high = (number(factor * over_seeds[name], digits) for name in ("low", "high"))
    return f"{low} to {high}{unit}"


def points(over_sets: Mapping[str, float], share: bool = True) -> str:
    """Return a difference in percentage points, with its sign and standard deviation."""
    factor = 100 if share else 1
    mean, sd = number(factor * over_sets["mean"], 2), number(factor * over_sets["sd"], 2)
    return f"{mean} ± {sd}" if mean.startswith("−") else f"+{mean} ± {sd}"


def best_of(by_name: Mapping[str, Any], measure: str, *besides: str) -> str:
    """Return the name with the largest mean over seeds."""
    means = {n: one["spread"][measure]["mean"] for n, one in by_name.items() if n not in besides}
    return max(means, key=lambda name: means[name])


def p_value(p: float) -> str:
    """Return a p-value with two digits."""
    return f"{p:.2g}"


def over_own_area(gain: float) -> float:
    """Return a gain g as a share of the model's own area, as UQ360 has it: g/(1 - g)."""
    return gain / (1 - gain)


def over_reference(gain: float) -> float:
    """Return such a share g of the model's own area as a share of the reference's: g/(1 + g)."""
    return gain / (1 + gain)


def _rounded(value: Any) -> Any:
    """Return plain values with numbers rounded to `DIGITS`: what comes after them is noise."""
    if isinstance(value, dict):
        return {str(name): _rounded(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(item) for item in value]
    if isinstance(value, bool) or value is None or isinstance(value, (str, int)):
        return value
    value = float(value)
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


def _is_list_of_records(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def _holds_records(value: Any) -> bool:
    return isinstance(value, dict) and any(
        _is_list_of_records(item) or _holds_records(item) for item in value.values()
    )


def _one_line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
