"""Write the documentation's pages from the results beside them: `python -m casestudies`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from casestudies import band_loss, bnn_gap, traffic
from casestudies.shared import pages
from casestudies.traffic import figures

DOCS = Path(__file__).parent.parent / "docs" / "cases"
INDEX = Path(__file__).with_name("index.md.jinja")


def read_results(name: str) -> dict[str, Any]:
    """Return the results of a study that are kept beside its page."""
    results: dict[str, Any] = json.loads((DOCS / name / "results.json").read_text(encoding="utf-8"))
    return results


def rendered() -> dict[str, str]:
    """Return the pages by their file names: words from the templates, numbers from the results."""
    results = {study: read_results(study.NAME) for study in (bnn_gap, traffic, band_loss)}
    studies = {f"{study.NAME}.md": pages.rendered(study.TEMPLATE, results[study]) for study in results}
    index = pages.rendered(INDEX, {"gap": results[bnn_gap], "traffic": results[traffic]})
    return studies | {"README.md": index}


def main() -> None:
    """Write each page, and the figure that needs nothing but the results."""
    for name, text in rendered().items():
        pages.write(text, DOCS / name)
    models = read_results(traffic.NAME)["models"]
    needs = figures.needs({name: model["seeds"] for name, model in models.items()})
    pages.write_figure(needs, DOCS / traffic.NAME / "needs.png")


if __name__ == "__main__":
    main()
