"""The notes of a release: every fragment once, under its kind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def project(tmp_path):
    (tmp_path / "changelog.d").mkdir()
    fragments = {
        "README.md": "How to write them.",
        "b.added.md": "A new door.\nIt opens.\n",
        "a.fixed.md": "The window\n\n    shuts\n",
    }
    for name, text in fragments.items():
        (tmp_path / "changelog.d" / name).write_text(text)
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n<!-- releases, the newest first -->\n\n## 0.1.0\n")
    return tmp_path


def noted(project, *options):
    command = [
        sys.executable,
        "tools/release_notes.py",
        "0.2.0",
        "--date",
        "2026-01-02",
        "--root",
        str(project),
    ]
    return subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, check=False)


EXPECTED = """## 0.2.0 (2026-01-02)

### Added

* A new door.
  It opens.

### Fixed

* The window

      shuts
"""


def test_notes_are_printed_and_nothing_is_touched(project):
    """A look before the release."""
    assert noted(project).stdout == EXPECTED
    assert len(list((project / "changelog.d").iterdir())) == 3


def test_written_notes_stand_above_the_last_release(project):
    """And the fragments are gone, so that no change is announced twice."""
    assert noted(project, "--write").stdout == "2 fragments moved into CHANGELOG.md\n"
    text = (project / "CHANGELOG.md").read_text()
    assert text == f"# Changes\n\n<!-- releases, the newest first -->\n\n{EXPECTED}\n## 0.1.0\n"
    assert [path.name for path in (project / "changelog.d").iterdir()] == ["README.md"]
    assert "nothing changed" in noted(project).stderr


def test_a_fragment_without_a_kind_is_refused(project):
    """It would be left out of the notes otherwise."""
    (project / "changelog.d" / "c.improved.md").write_text("x")
    done = noted(project, "--write")
    assert done.returncode == 1
    assert "c.improved.md must end in .added.md" in done.stderr
    assert "0.2.0" not in (project / "CHANGELOG.md").read_text()


def test_fragments_of_this_repository_have_kinds():
    """All of them can be released."""
    done = subprocess.run(
        [sys.executable, "tools/release_notes.py", "9.9.9"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("## 9.9.9")
