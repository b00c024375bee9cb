"""The lines of the table, and a file of them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


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
