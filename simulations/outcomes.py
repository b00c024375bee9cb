"""The lines of the table, and a file of them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_LESS = 1e-5
"""Less than is printed."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One line of the table."""

    what: str
    setting: str
    share: float
    """Share of the runs in which the test rejects, or the interval covers."""
    low: float
    high: float
    """The range that the share should lie in."""

    @property
    def claimed(self) -> bool:
        """Whether anything is wanted of the share."""
        return (self.low, self.high) != (0.0, 1.0)

    @property
    def met(self) -> bool:
        """Whether it does."""
        return self.low <= self.share <= self.high


def write(path: Path, runs: int, found: list[Outcome]) -> None:
    """Keep outcomes, to lay them out again."""
    path.write_text(json.dumps({"runs": runs, "outcomes": [asdict(o) for o in found]}, indent=1))


def read(path: Path) -> tuple[int, list[Outcome]]:
    """Return how many runs there were, and the outcomes."""
    kept = json.loads(path.read_text())
    return kept["runs"], [Outcome(**line) for line in kept["outcomes"]]


def read_page(path: Path) -> list[Outcome]:
    """Return the lines of a page, to a tenth of a percent."""
    found = []
    for line in path.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or not cells[2].endswith("%"):
            continue
        what, setting, share, wanted, met = cells
        low, high = (0.0, 1.0) if wanted == "–" else map(_share, wanted.split("–"))
        outcome = Outcome(what=what, setting=setting, share=_share(share), low=low, high=high)
        if met == "NO" and outcome.met:  # rounded onto an edge
            outcome = replace(outcome, share=low - _LESS if outcome.share == low else high + _LESS)
        found.append(outcome)
    return found


def _share(text: str) -> float:
    return round(float(text.removesuffix("%")) / 100, 6)
