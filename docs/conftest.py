"""The examples of the documentation run in a folder with the demo's file, a hub's, and the atlas."""

from __future__ import annotations

import shutil
from contextlib import chdir
from pathlib import Path

import pytest

from uccurve.cli import main


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run `uccurve demo --csv demo.csv` once; its report is not looked at, so few permutations will do."""
    folder = tmp_path_factory.mktemp("demo")
    others = Path("tests", "others")
    shutil.copytree(Path(__file__).parents[1] / others, folder / others)
    shutil.copy(Path(__file__).parent / "atlas" / "atlas.ucc", folder)
    with chdir(folder):
        main(["demo", "--csv", "demo.csv", "--n-resamples", "19", "--quiet"])
    return folder


@pytest.fixture(autouse=True)
def _in_demo_folder(demo_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let examples read `demo.csv`, and write files, where they are."""
    monkeypatch.chdir(demo_folder)
