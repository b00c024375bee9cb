"""List what uccurve depends on, with licenses: `make licenses` writes docs/background/licenses.md."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "background" / "licenses.md"
LONGEST = 40  # some packages put the whole text of their license into the field of its name


def name_of(requirement: str) -> str:
    """Return the name of a package, without extras and versions."""
    return re.split(r"[\[<>=!~; ]", requirement, maxsplit=1)[0]


def license_of(package: str) -> str:
    """Return what an installed package says about its license."""
    try:
        found = metadata(package)
    except PackageNotFoundError:
        sys.exit(f"{package} is not installed: its license cannot be read.")
    names = set(found)
    if "License-Expression" in names:
        return found["License-Expression"]
    text = found["License"] if "License" in names else ""
    if text and len(text) <= LONGEST:
        return text
    classifiers = [entry for entry in found.get_all("Classifier") or [] if entry.startswith("License ::")]
    return ", ".join(entry.rpartition(" :: ")[2] for entry in classifiers) or "see the package"


def main() -> None:
    """Write the table."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = {"base": project["dependencies"], **project["optional-dependencies"]}
    used: dict[str, list[str]] = {}
    for group, requirements in groups.items():
        for package in map(name_of, requirements):
            if package != project["name"]:
                used.setdefault(package, []).append(group)
    rows = [
        f"| {package} | {', '.join(groups)} | {license_of(package)} |" for package, groups in used.items()
    ]
    vendored = "The report page holds its own scripts and those listed in `src/uccurve/report_page/vendor`, with their licenses."
    head = [
        "# Licenses of dependencies",
        "",
        "uccurve is BSD-3-Clause. What it imports, and in which extra:",
        "",
    ]
    table = ["| package | needed by | license |", "|---|---|---|", *rows, "", vendored, ""]
    TARGET.write_text("\n".join([*head, *table]))
    print("\n".join(table))


if __name__ == "__main__":
    main()
