"""Hold the drop-in against UQ360 0.2, in one run: the peers' interpreter asks UQ360, this one the drop-in.

Fails if an answer of ``as_published=True`` is not UQ360's, or if an exact one differs where none should.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from uq360_differences import shown_differences
from uq360_page import page
from uq360_questions import agree, answers, cases

from uccurve.compat import uq360

TOLERANCE = 1e-9
HERE = Path(__file__).parent
ALWAYS_REFUSED = {"broadcasting", "negative bands", "not a number", "unknown metric"}
"""Examples that UQ360 answers, and the drop-in refuses whatever it is asked for."""


def asked_of_uq360(peers: Path, made: dict[str, Any]) -> dict[str, Any]:
    """Ask UQ360 in its own environment."""
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder) / "cases.json", Path(folder) / "answers.json"
        given.write_text(json.dumps(made))
        subprocess.run([str(peers), str(HERE / "uq360_record.py"), str(given), str(found)], check=True)
        recorded: dict[str, Any] = json.loads(found.read_text())
    return recorded


def disagreements(recorded: dict[str, Any], case: dict[str, Any]) -> list[str]:
    """Name the questions that the drop-in, as published, answers otherwise than UQ360 did."""
    ours = answers(uq360, case, as_published=True)
    if list(ours) != list(recorded):
        raise ValueError("UQ360 was asked other questions: run make compare-uq360")
    return [key for key in ours if not agree(ours[key], recorded[key], TOLERANCE)]


def unexpected(recorded: dict[str, Any], case: dict[str, Any], name: str) -> list[str]:
    """Name the exact answers that differ from UQ360's although no difference of the table explains it.

    Areas, parts and points asked for by a value always may. Points as given or moved may differ in the excess
    of asymmetric bands, and in everything where zero bands are repaired. A least cost may only be lower.
    """
    ours, found = answers(uq360, case), []
    repaired, asymmetric = name == "zero bands", name != "symmetric"
    for key, theirs in recorded.items():
        excused = repaired or (asymmetric and "excess" in key) or key.startswith(("sticky", "auucc"))
        point = key.endswith(("moved", "as given")) or key in {"picp", "mpiw"}
        if (point and not excused and not agree(ours[key], theirs, TOLERANCE)) or (
            key.endswith(("cheapest", "plain cost")) and not repaired and _dearer(ours[key], theirs)
        ):
            found.append(key)
    metrics = ("metrics", recorded["metrics"])
    if not agree(_without_gain(ours[metrics[0]]), _without_gain(metrics[1]), TOLERANCE):
        found.append("metrics")
    return found


def _without_gain(metrics: Any) -> list[Any]:
    return list(metrics[1:])  # in alphabetical order the gain comes first


def _dearer(ours: Any, theirs: Any) -> bool:
    costs = [recipe[0::6] for recipe in (ours, theirs)]  # six entries for each model, the cost first
    return any(a > b + TOLERANCE * (1 + abs(b)) for a, b in zip(*costs, strict=True))


def miscounted(recorded: dict[str, Any], case: dict[str, Any]) -> int:
    """Count the points at which UQ360 captures another number of rows than have that critical value."""
    gt, wrong = np.asarray(case["gt"]), 0
    for family in ("scale", "bias"):
        counts = []
        for model in case["X"]:
            pred, lower, upper = np.asarray(model).T
            residual = gt - pred
            active, abs_error = np.where(residual >= 0, upper, lower), np.abs(residual)
            critical = np.sort(abs_error / active if family == "scale" else abs_error - active)
            exact = np.where(residual == 0, -np.inf, abs_error - active)
            reached = np.sort(exact) if family == "bias" else critical
            counts += np.searchsorted(reached, critical, side="right").tolist()
        wrong += int(np.sum(np.asarray(counts) != np.asarray(recorded[f"captured, {family}"])))
    return wrong


def main(arguments: list[str]) -> int:
    """Compare, print, and write the recorded numbers and the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=Path, default=Path(".venv-peers/bin/python"))
    parser.add_argument("--rows", type=int, default=500, help="rows of the larger cases")
    parser.add_argument("--output", type=Path, default=Path("build/uq360"))
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    small = cases()
    large = {f"{name}, {options.rows} rows": case for name, case in cases(options.rows).items()}
    recorded = asked_of_uq360(options.peers, small | large)
    agreement, failed = [], 0
    for name, case in (small | large).items():
        found = recorded["answers"][name]
        wrong, odd = disagreements(found, case), unexpected(found, case, name.split(",")[0])
        counted = None if name == "zero bands" else miscounted(found, case)
        points = 2 * len(case["gt"]) * len(case["X"])
        agreement.append([name, len(case["gt"]), len(found), len(found) - len(wrong), points, counted])
        failed += len(wrong) + len(odd)
        print(f"{name}: {len(found) - len(wrong)} of {len(found)} answers agree to {TOLERANCE:g}")
        for key in wrong:
            print(f"  as published differs: {key}")
        for key in odd:
            print(f"  exact differs without a reason: {key}")
    published = shown_differences(uq360, as_published=True)
    for name, theirs in recorded["differences"].items():
        if name not in ALWAYS_REFUSED and not agree(published[name], theirs, TOLERANCE):
            failed += 1
            print(f"  example differs: {name}")
    kept = {
        "cases": small,
        "answers": {name: list(recorded["answers"][name].values()) for name in small},
        "differences": recorded["differences"],
        "signatures": recorded["signatures"],
        "agreement": agreement,
    }
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "uq360_numbers.json").write_text(_as_text(kept))
    (options.output / "uq360.md").write_text(page(kept, shown_differences(uq360)))
    print(f"{failed} differences that should not be; written to {options.output}")
    return int(failed > 0)


def _as_text(kept: dict[str, Any]) -> str:
    """Write numbers with 13 digits, and data with all of them, one case a line."""
    parts = {
        name: {
            case: json.dumps(_rounded(values) if name == "answers" else values)
            for case, values in part.items()
        }
        if isinstance(part, dict)
        else json.dumps(part)
        for name, part in kept.items()
    }
    lines = []
    for name, part in parts.items():
        if isinstance(part, dict):
            inside = ",\n".join(f"  {json.dumps(case)}: {text}" for case, text in part.items())
            lines.append(f" {json.dumps(name)}: {{\n{inside}\n }}")
        else:
            lines.append(f" {json.dumps(name)}: {part}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _rounded(values: Any) -> Any:
    if isinstance(values, list):
        return [_rounded(value) for value in values]
    return float(f"{values:.13g}") if isinstance(values, float) else values


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
