"""The facts at the top of the page: what was compared, when, how, and what to be careful about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import uccurve
from uccurve._base.arrays import to_numpy
from uccurve._base.text import limits, printable
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from uccurve.comparison import Comparison

COMMAND = "command"
"""The fact that stands on a line of its own."""


def checked_facts(about: Any, seed: Any) -> dict[str, str]:
    """Check what the caller wants at the top of the page, and add the seed where it is a number."""
    if not isinstance(about, Mapping | None):
        raise ArgumentError(argument="about", rule="map names to texts", got=type(about).__name__)
    facts = {printable(str(name)): printable(str(text)) for name, text in (about or {}).items()}
    if isinstance(seed, int) and not isinstance(seed, bool):
        facts.setdefault("seed", str(seed))
    return facts


def checked_notes(notes: Any) -> tuple[str, ...]:
    """Check the warnings that the page repeats."""
    if isinstance(notes, str) or not isinstance(notes, Sequence):
        raise ArgumentError(argument="notes", rule="be a sequence of texts", got=type(notes).__name__)
    return tuple(printable(str(note)) for note in notes)


def facts(comparison: Comparison, numbers: Mapping[str, Any], about: Mapping[str, str]) -> list[str]:
    """Return the facts in the order in which they are read."""
    options, models = comparison.options, len(comparison.models)
    given = [f"{name} {text}" for name, text in about.items() if name != COMMAND]
    found = [
        f"{count(numbers['n'])} rows{_dropped(comparison)}",
        f"{numbers['outputs']} outputs of each, pooled" if numbers["outputs"] > 1 else "",
        f"{models} model{'s' if models > 1 else ''}",
        limits(comparison.side),
        {"scale": "", "shift": "bands are shifted", "level": "quantiles move the coverage"}[options.vary],
        f"y in {numbers['unit']}" if numbers["unit"] else "",
        "dependent rows in blocks" if numbers["blocks"] else "",
        "from sketches: exact at thousands of points, without tests" if numbers["sketched"] else "",
        *given,
        f"uccurve {uccurve.__version__}",
    ]
    return [fact for fact in found if fact]


def _dropped(comparison: Comparison) -> str:
    """Say that rows were dropped, and how many at least: those before the last one that was kept."""
    rows = next(iter(comparison.models.values())).source
    if rows is None or rows.kept is None:
        return ""
    gone = int(to_numpy(rows.kept)[-1]) + 1 - rows.n
    return f" kept, {count(gone)} or more dropped as invalid" if gone else " kept, others dropped as invalid"


def count(number: int) -> str:
    """Show a whole number with thin spaces between its thousands."""
    return f"{number:,}".replace(",", "\u202f")
