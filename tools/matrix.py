"""Try the built wheel in fresh environments: `make matrix`.

Every Python from 3.11 on that is installed here: with the newest dependencies; with the command line and nothing else, which
runs the demo; and with the base alone, where every name works or says which extra it needs. The oldest Python is also
tried with the lowest declared dependencies. Prints one row per environment, and writes build/matrix/matrix.md.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "matrix"
VERSIONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
TESTS = (
    "array-api-strict>=2.2",
    "hypothesis>=6.100",
    "pandas>=2.2",
    "polars>=1.0",
    "pyarrow>=16",
    "pytest>=8.2",
    "scoringrules>=0.10",
)
TRIED = (
    "tests/curve",
    "tests/intervals",
    "tests/metrics",
    "tests/calibration",
    "tests/sketch",
    "tests/inference",
)
INTRODUCTION = """# Environments

Written by `make matrix`: the wheel, built twice with the same bytes, in fresh environments.

* **newest**: all extras and the newest versions of everything; the quick tests of the rooms that users meet first.
* **lowest**: the lowest versions that are declared, and the same tests.
* **command line**: `pip install "uccurve[cli]"` and nothing else; `uccurve demo` writes its report.
* **base only**: `pip install uccurve`; every public name works, or says which extra it needs.
"""
LARGE = re.compile(r"^(?:import|from) (?:torch|jax|pyspark|dask|playwright)\b", re.MULTILINE)
"""What tests import that is too large for every environment: such modules are left to `make test`."""
BASE_ONLY = FOLDER / "base_only.py"

BASE_PROGRAM = '''
"""Use every public name without an extra: it works, or says which extra it needs."""
import subprocess
import sys
from pathlib import Path

import numpy as np

import uccurve as uc

rng = np.random.default_rng(0)
rows = uc.Intervals.from_std(rng.normal(size=50), np.zeros(50), rng.uniform(1, 2, size=50))
curve = uc.UCC(rows)
assert 0 < curve.area() < 2
uc.compare({"a": rows, "b": rows.constant()}, n_resamples=99, rng=0).summary()
uc.UCCSketch.from_bytes(rows.sketch().to_bytes()).curve().gain()
uc.ConformalScaler(coverage=0.9).fit(rows)
Path(__file__ + ".csv").write_text("y,l,u\\n1,0,2\\n")
needs = {
    "plot": lambda: curve.plot(),
    "report": lambda: uc.report({"a": rows}, "page.html"),
    "polars": lambda: uc.scan(__file__ + ".csv", {"m": uc.Columns(y_true="y", lower="l", upper="u")}),
    "sklearn": lambda: __import__("uccurve.sklearn"),
    "torch": lambda: __import__("uccurve.torch"),
}
for extra, use in needs.items():
    try:
        use()
    except ImportError as error:
        assert f"uccurve[{extra}]" in str(error), (extra, str(error))
    else:
        raise AssertionError(f"{extra} is installed")
for name in uc.__all__:
    try:
        getattr(uc, name)
    except ImportError as error:
        assert "uccurve[" in str(error), (name, str(error))
command = subprocess.run([Path(sys.executable).with_name("uccurve"), "demo"], capture_output=True, text=True)
assert command.returncode == 4, command
assert "uccurve[cli]" in command.stderr, command
print(len(uc.__all__), "public names; uccurve demo asks for uccurve[cli]")
'''


def interpreters() -> dict[str, str]:
    """Return the Pythons that run here, by version."""
    found = {}
    for version in VERSIONS:
        candidates = [shutil.which(f"python{version}")]
        candidates += map(
            str,
            sorted(
                Path(os.environ.get("PYENV_ROOT", "~/.pyenv"))
                .expanduser()
                .glob(f"versions/{version}.*/bin/python")
            ),
        )
        for candidate in filter(None, candidates):
            run = subprocess.run(
                [candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
                capture_output=True,
                text=True,
                check=False,
            )
            if run.stdout.strip() == version:
                found[version] = candidate
                break
    return found


def lowest() -> list[str]:
    """Return the declared dependencies at their lowest versions."""
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    return [re.sub(r">=", "==", dependency) for dependency in dependencies]


def tests() -> tuple[str, ...]:
    """Return the command that runs the quick tests of the rooms that users meet first."""
    modules = (path for folder in TRIED for path in sorted((ROOT / folder).glob("test_*.py")))
    chosen = [str(path.relative_to(ROOT)) for path in modules if not LARGE.search(path.read_text())]
    return ("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not slow", *chosen)


def build() -> Path:
    """Build the wheel twice, and insist that both are the same to the byte."""
    wheels = []
    for number in (1, 2):
        target = FOLDER / f"wheel-{number}"
        shutil.rmtree(target, ignore_errors=True)
        subprocess.run(
            [sys.executable, "-m", "build", "--outdir", str(target), str(ROOT)],
            check=True,
            capture_output=True,
        )
        wheels.append(sorted(target.iterdir()))
    for first, second in zip(*wheels, strict=True):
        if first.read_bytes() != second.read_bytes():
            sys.exit(f"{first.name} differs between two builds of the same sources.")
    print(f"built twice, the same to the byte: {', '.join(path.name for path in wheels[0])}", flush=True)
    return next(path for path in wheels[0] if path.suffix == ".whl")


def environment(name: str, python: str, requirements: list[str]) -> Path:
    """Make a fresh environment, and return its interpreter."""
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    inside = folder / "bin" / "python"
    subprocess.run([str(inside), "-m", "pip", "install", "--quiet", *requirements], check=True)
    return inside


def tried(inside: Path, *command: str) -> tuple[bool, str]:
    """Run a command in an environment, outside of the source tree's own package; return its last line."""
    done = subprocess.run(
        [str(inside), *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": ""},
    )
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return done.returncode == 0, lines[-1].strip("= ") if lines else ""


def versions(inside: Path) -> str:
    """Return the versions of the base dependencies in an environment."""
    program = "from importlib.metadata import version as v; print(', '.join(f'{n} {v(n)}' for n in ('numpy', 'scipy', 'narwhals', 'array-api-compat')))"
    return subprocess.run(
        [str(inside), "-c", program], capture_output=True, text=True, check=True
    ).stdout.strip()


def page(rows: list[str], missing: str) -> str:
    """Return the page of the documentation."""
    lines = [INTRODUCTION, "| environment | versions | passed | last line |", "|---|---|---|---|", *rows]
    if missing:
        lines += ["", f"Not installed where this was run: {missing}."]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Build, try everywhere, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", help="Python versions to try")
    given = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    BASE_ONLY.write_text(BASE_PROGRAM)
    wheel = build()
    pythons = {key: path for key, path in interpreters().items() if not given.only or key in given.only}
    oldest = min(pythons, key=lambda version: tuple(map(int, version.split("."))))
    plans: list[tuple[str, str, list[str], tuple[str, ...]]] = [
        (f"{version}, newest", path, [f"{wheel}[all]", *TESTS], tests()) for version, path in pythons.items()
    ]
    plans += [(f"{oldest}, lowest", pythons[oldest], [str(wheel), *lowest(), *TESTS], tests())]
    demo = ("-m", "uccurve.cli", "demo", "--output", str((FOLDER / "demo.html").relative_to(ROOT)))
    plans += [
        (f"{version}, {what}", path, [requirement], command)
        for version, path in pythons.items()
        for what, requirement, command in (
            ("command line", f"{wheel}[cli]", demo),
            ("base only", str(wheel), (str(BASE_ONLY),)),
        )
    ]
    rows, failed = [], []
    for name, python, requirements, command in plans:
        inside = environment(name.replace(", ", "-").replace(" ", "-"), python, requirements)
        passed, line = tried(inside, *command)
        rows.append(f"| {name} | {versions(inside)} | {'yes' if passed else 'NO'} | {line} |")
        print(rows[-1], flush=True)
        if not passed:
            failed.append(name)
    missing = ", ".join(version for version in VERSIONS[:4] if version not in pythons)
    (FOLDER / "matrix.md").write_text(page(rows, missing))
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
