"""Name functions, methods, classes and imports of the library that nothing uses: `make lint` fails on one.

Used means: called by the library, an example, a benchmark or a study, or shown to users in the documentation or in the example of a
docstring. A test alone does not keep code alive.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from vulture import Vulture

ROOT = Path(__file__).parents[1]
CODE = ("src", "examples", "bench", "casestudies", "simulations", "tools", "docs/conf.py")
KINDS = ("function", "method", "class", "property", "import")  # fields of records are data, not code
CALLED_BY_OTHERS = {
    "on_broken_pipe": "rich calls it",
    "set_params": "scikit-learn calls it",
    "deep": "scikit-learn passes it",
    "get_metadata_routing": "scikit-learn calls it",
    "_accept_sample_weight": "scikit-learn calls it",
    "get_n_splits": "scikit-learn calls it",
    "plotdata_for_scale": "old notebooks on UQ360 read it",
    "plotdata_for_bias": "old notebooks on UQ360 read it",
}


def shown() -> set[str]:
    """Return the words of the documentation's code, and of docstring examples."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    code = [
        part for page in pages for part in re.findall(r"```.*?```|`[^`\n]+`", page.read_text(), re.DOTALL)
    ]
    for module in (ROOT / "src").rglob("*.py"):
        code += re.findall(r"^\s*(?:>>>|\.\.\.) .*$", module.read_text(), re.MULTILINE)
    return set(re.findall(r"\w+", " ".join(code)))


def main() -> None:
    """Print what is dead, and fail if there is any."""
    finder = Vulture(ignore_names=["__*__", *CALLED_BY_OTHERS])
    finder.scavenge([str(ROOT / part) for part in CODE])
    known = shown()
    dead = [
        item
        for item in finder.get_unused_code(min_confidence=60)
        if item.typ in KINDS and item.filename.is_relative_to(ROOT / "src") and item.name not in known
    ]
    for item in dead:
        print(f"{item.filename.relative_to(ROOT)}:{item.first_lineno}: {item.typ} {item.name} is never used")
    sys.exit(1 if dead else 0)


if __name__ == "__main__":
    main()
