"""Assemble the fragments of changelog.d into the notes of a release: `make release-notes VERSION=0.2.0`.

Prints them. With --write they go into CHANGELOG.md, and the fragments are removed.
"""

from __future__ import annotations

import argparse
import re
import sys
from datetime import UTC, date, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
KINDS = {"added": "Added", "changed": "Changed", "fixed": "Fixed", "removed": "Removed"}
WHERE = "<!-- releases, the newest first -->\n"


def fragments(folder: Path) -> dict[str, list[Path]]:
    """Return the fragments of each kind, in the order of their names."""
    found: dict[str, list[Path]] = {kind: [] for kind in KINDS}
    for path in sorted(folder.glob("*.md")):
        if path.name == "README.md":
            continue
        kind = path.name.removesuffix(".md").rpartition(".")[2]
        if kind not in found:
            sys.exit(f"{path.name} must end in .{', .'.join(f'{name}.md' for name in KINDS)}.")
        found[kind].append(path)
    return found


def entry(text: str) -> str:
    """Return a fragment as an item of a list; its paragraphs and code stay together."""
    lines = text.strip().splitlines()
    return "\n".join([f"* {lines[0]}", *(f"  {line}".rstrip() for line in lines[1:])])


def notes(heading: str, found: dict[str, list[Path]]) -> str:
    """Return the notes of one release under a heading, by kind."""
    parts = [f"## {heading}"]
    for kind, title in KINDS.items():
        if found[kind]:
            parts += [f"### {title}", "\n".join(entry(path.read_text()) for path in found[kind])]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Print the notes, or move them into the changelog."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    parser.add_argument("--date", type=date.fromisoformat, default=datetime.now(UTC).date())
    parser.add_argument("--write", action="store_true", help="move the fragments into CHANGELOG.md")
    parser.add_argument("--root", type=Path, default=ROOT, help="the folder of changelog.d and CHANGELOG.md")
    given = parser.parse_args()
    if not re.fullmatch(r"\d+\.\d+\.\d+", given.version):
        sys.exit(f"The version must have the form 1.2.3, got {given.version!r}.")
    found = fragments(given.root / "changelog.d")
    if not any(found.values()):
        sys.exit("There is no fragment in changelog.d: nothing changed since the last release.")
    text = notes(f"{given.version} ({given.date.isoformat()})", found)
    if not given.write:
        print(text, end="")
        return
    changelog = given.root / "CHANGELOG.md"
    before, mark, after = changelog.read_text().partition(WHERE)
    if not mark:
        sys.exit(f"CHANGELOG.md must hold the line {WHERE.strip()!r}.")
    temporary = changelog.with_suffix(".new")
    temporary.write_text(f"{before}{mark}\n{text}{after}")
    temporary.replace(changelog)
    for path in (path for paths in found.values() for path in paths):
        path.unlink()
    print(f"{sum(map(len, found.values()))} fragments moved into CHANGELOG.md")


if __name__ == "__main__":
    main()
