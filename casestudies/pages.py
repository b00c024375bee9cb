"""Documentation pages: a template with the words, `results.json` with the numbers."""

from __future__ import annotations

import json
import platform
import re
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.figure import Figure

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs" / "cases"
STUDIES = ("bnn-gap", "traffic", "band-loss")
"""Their names; each has a page, and a folder for its results and figures."""
DIGITS = 6
"""Significant digits of the numbers in `results.json`."""


def write_study(folder: Path, results: Mapping[str, Any], figures: Mapping[str, Figure]) -> None:
    """Write results, with their numbers rounded, and figures, without a date."""
    folder.mkdir(parents=True, exist_ok=True)
    rounded = json.loads(
        json.dumps(results),
        parse_float=lambda text: float(f"{float(text):.{DIGITS}g}"),
        parse_constant=lambda _: None,  # JSON knows no NaN
    )
    text = json.dumps(rounded, ensure_ascii=False, indent=1) + "\n"
    short = re.sub(r"[\[{][^\[\]{}]*[\]}]", lambda numbers: " ".join(numbers[0].split()), text)
    (folder / "results.json").write_text(short, encoding="utf-8")
    for name, figure in figures.items():
        figure.savefig(folder / f"{name}.png", dpi=150, metadata={"Software": None})


def read_results(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the results of the studies that have some in a folder."""
    files = {name: folder / name / "results.json" for name in STUDIES}
    return {name: json.loads(file.read_text("utf-8")) for name, file in files.items() if file.exists()}


def write_pages(folder: Path) -> None:
    """Write the page of each study with results, and that of all of them."""
    for name, text in render_pages(folder).items():
        (folder / name).write_text(text, encoding="utf-8")


def render_pages(folder: Path) -> dict[str, str]:
    """Return the pages by their file names: words from the templates, numbers from the results."""
    results = read_results(folder)
    pages = {
        f"{name}.md": render(HERE / name.replace("-", "_") / "page.md.jinja", found)
        for name, found in results.items()
    }
    if set(results) == set(STUDIES):
        both = {"gap": results["bnn-gap"], "traffic": results["traffic"]}
        pages["README.md"] = render(HERE / "index.md.jinja", both)
    return pages


def render(template: Path, results: Mapping[str, Any]) -> str:
    """Return the page; a number that is missing from the results is an error, not a hole."""
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701, Markdown from numbers and names of our own
    )
    environment.filters.update(FILTERS)
    return environment.from_string(template.read_text(encoding="utf-8")).render(**results)


def versions(*libraries: str) -> dict[str, str]:
    """Return the versions of Python and of the libraries that made the numbers."""
    return {"python": platform.python_version()} | {name: version(name) for name in libraries}


def format_number(value: float | None, digits: int = 2) -> str:
    """Return a number with this many digits after the point, and a dash where there is none."""
    if value is None:
        return "–"
    text = f"{value:,.{digits}f}".replace("-", "−")
    return text.removeprefix("−") if not float(f"{value:.{digits}f}") else text


def format_percent(share: float, digits: int = 1) -> str:
    """Return a share in percent, with a typographic minus sign."""
    return format_number(100 * share, digits) + "%"


def format_record(
    pattern: str, found: Mapping[str, float] | None, digits: int = 1, *, share: bool = True
) -> str:
    """Return numbers of a record in the words of a pattern, and a dash where there is no record."""
    if found is None:
        return "–"
    factor, unit = (100, "%") if share else (1, "")
    numbers = {name: format_number(factor * value, digits) for name, value in found.items()}
    return pattern.format(unit=unit, **numbers)


FILTERS: dict[str, Callable[..., str]] = {
    "percent": format_percent,
    "number": format_number,
    "interval": partial(format_record, "{value}{unit} [{low}, {high}]"),
    "spread": partial(format_record, "{mean} ± {sd}{unit}"),
    "range": partial(format_record, "{low} to {high}{unit}"),
}
"""How templates write numbers, those with an interval, and those that vary from seed to seed."""
