"""Write the documentation's pages from the results that are there: `python -m casestudies`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from casestudies import bnn_gap, traffic
from casestudies.shared import pages

DOCS = Path(__file__).parent.parent / "docs" / "cases"
INDEX = Path(__file__).with_name("index.md.jinja")


def results(name: str, docs: Path = DOCS) -> dict[str, Any]:
    """Return the results that are kept beside a page."""
    found: dict[str, Any] = json.loads((docs / name / "results.json").read_text(encoding="utf-8"))
    return found


def rendered(docs: Path = DOCS) -> dict[str, str]:
    """Return the pages by their file names: words from the templates, numbers from the results."""
    found = {study.NAME: results(study.NAME, docs) for study in (bnn_gap, traffic)}
    made = {
        f"{study.NAME}.md": pages.rendered(study.TEMPLATE, found[study.NAME]) for study in (bnn_gap, traffic)
    }
    both = {"gap": found[bnn_gap.NAME], "traffic": found[traffic.NAME]}
    return made | {"README.md": pages.rendered(INDEX, both)}


def main() -> None:
    """Write each page."""
    for name, text in rendered().items():
        pages.write(text, DOCS / name)


if __name__ == "__main__":
    main()
