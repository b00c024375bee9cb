"""Scans with checkpoints, between which files and states are replaced and damaged, or which are killed."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hypothesis import strategies as st

import uccurve as uc
from fuzz.search import Target

_MODELS = {"m": uc.Columns(y_true="y", y_pred="p", std="s")}
_NAMES = ("a.csv", "b.csv")
_STEPS = ("replace", "rewrite", "damage a state", "swap states", "scan")
_scripts = st.lists(
    st.tuples(st.sampled_from(_STEPS), st.sampled_from(_NAMES), st.integers(1, 9)), min_size=1, max_size=8
)


def _rows(number: int) -> str:
    return f"y,p,s\n1,0,{number}\n-2,0,{number}\n"


def _do(step: str, folder: Path, kept: Path, name: str, number: int) -> None:
    """Do to a file or to the states what others may do between two scans."""
    path, states = folder / name, sorted(kept.glob("*")) if kept.exists() else []
    if step == "replace":
        fresh = folder / "fresh"
        fresh.write_text(_rows(number))
        fresh.replace(path)
    elif step == "rewrite":
        path.write_text(_rows(number))
    elif step == "damage a state" and states:
        raw = states[number % len(states)].read_bytes()
        states[number % len(states)].write_bytes(raw[: len(raw) * number // 10] + b"\0")
    elif step == "swap states" and len(states) > 1:
        one, other = (state.read_bytes() for state in states[:2])
        states[0].write_bytes(other)
        states[1].write_bytes(one)


def _check(script: list[tuple[str, str, int]]) -> None:
    with tempfile.TemporaryDirectory() as above:
        folder, kept = Path(above) / "data", Path(above) / "kept"
        folder.mkdir()
        for name in _NAMES:
            (folder / name).write_text(_rows(1))
        _scan_alike(folder, kept)
        for step, name, number in script:
            _do(step, folder, kept, name, number)
            if step == "scan":
                _scan_alike(folder, kept)
        _scan_alike(folder, kept)


def _scan_alike(folder: Path, kept: Path) -> None:
    found, wanted = uc.scan(folder, _MODELS, checkpoint=kept), uc.scan(folder, _MODELS)
    assert found == wanted


TARGET = Target(examples=_scripts, check=_check, per_round=15)

_SCAN = (
    "import sys, uccurve as uc; "
    "uc.scan(sys.argv[1], {'m': uc.Columns(y_true='y', y_pred='p', std='s')}, checkpoint=sys.argv[2])"
)


def _check_kill(delay: float) -> None:
    """Kill a scan after some time: the next one finds states that are whole, or none."""
    with tempfile.TemporaryDirectory() as above:
        folder, kept = Path(above) / "data", Path(above) / "kept"
        folder.mkdir()
        for number in range(30):
            (folder / f"{number}.csv").write_text(_rows(number + 1))
        process = subprocess.Popen([sys.executable, "-c", _SCAN, str(folder), str(kept)])
        time.sleep(delay)
        process.kill()
        process.wait()
        _scan_alike(folder, kept)


KILLS = Target(examples=st.floats(0.1, 1.5), check=_check_kill, per_round=3)
