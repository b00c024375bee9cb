"""What the repository promises outside the library: README, demo, figures, benchmarks, metadata."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import uccurve as uc

ROOT = Path(__file__).parents[1]


def run(*command, cwd=ROOT):
    return subprocess.run(
        [sys.executable, *command], cwd=cwd, capture_output=True, text=True, check=True
    ).stdout


def test_the_readme_example_prints_what_it_says(tmp_path):
    """Ten lines at most, and the text below them is their output."""
    text = (ROOT / "README.md").read_text()
    code, output = re.search(r"```python\n(.*?)```\s*prints\s*```text\n(.*?)```", text, re.DOTALL).groups()
    assert len(code.strip().splitlines()) <= 10
    assert run("-W", "error", "-c", code, cwd=tmp_path) == output


def test_every_name_in_the_readme_exists():
    """A renamed method must not live on in the table."""
    text = (ROOT / "README.md").read_text()
    for name in re.findall(r"`uc\.([A-Za-z_]+)`", text):
        assert hasattr(uc, name), name
    for name in re.findall(r"`curve\.([a-z_]+)", text):
        assert hasattr(uc.UCC, name), name


def test_documents_link_to_files_that_exist():
    """Pictures and pages."""
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), (page.name, target)


def test_the_demo_prints_a_table_and_writes_a_picture(tmp_path):
    """And leaves nothing half-written beside it."""
    target = tmp_path / "new" / "ucc.png"
    printed = run(str(ROOT / "examples" / "demo.py"), "--output", str(target), cwd=tmp_path)
    assert re.search(r"^sharp +\d\d\.\d % +\d\.\d{3} +\d\.\d{3} +-?\d+\.\d % \[", printed, re.MULTILINE)
    assert re.search(r"^constant band .* 0\.0 % \[0\.0, 0\.0\] ", printed, re.MULTILINE)
    assert "needs the least bandwidth" in printed
    assert target.read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in target.parent.iterdir()] == ["ucc.png"]


def test_the_demo_s_findings_are_the_readme_s():
    """The picture's caption quotes the crossing."""
    low, high = re.search(
        r"below (0\.\d+), `damped` above (0\.\d+)\.", (ROOT / "README.md").read_text()
    ).groups()
    printed = run(str(ROOT / "examples" / "demo.py"), "--output", "build/test-demo/ucc.png")
    assert f"between {low} and {high}." in printed


def test_the_benchmark_runs_and_reports(tmp_path):
    """On a few rows: what it measures is not judged here."""
    target = tmp_path / "core.json"
    printed = run(
        "bench/run.py", "--rows", "2000", "--repeats", "1", "--without-peers", "--output", str(target)
    )
    found = json.loads(target.read_text())
    assert found["rows"] == 2000
    assert len(found["results"]) == 12
    for result in found["results"]:
        assert result["value"] > 0 or result["work"] == "import uccurve"
        assert result["work"] in printed
    assert target.with_suffix(".md").read_text().count("\n| ") == 14


def test_versions_agree():
    """One version, wherever it is written."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == uc.__version__
    assert f"version: {uc.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert {re.split(r"[<>=]", name)[0] for name in project["dependencies"]} == {
        "numpy",
        "narwhals",
        "array-api-compat",
    }


@pytest.fixture
def axes():
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


@pytest.mark.parametrize("x", ["bandwidth", "excess"])
@pytest.mark.parametrize("y", ["miss_rate", "deficit"])
@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_the_figure_draws_the_curve_s_own_numbers(axes, x, y, vary):
    """On given axes, without touching any other, and naming area and gain."""
    from uccurve.plotting import plot_ucc

    rng = np.random.default_rng(0)
    curve = uc.Intervals.from_bands(rng.normal(size=99), np.zeros(99), *rng.exponential(size=(2, 99))).ucc(
        vary
    )
    assert plot_ucc(curve, ax=axes, x=x, y=y, label="mine") is axes
    (line,) = [line for line in axes.lines if line.get_label().startswith("mine: ")]
    assert np.array_equal(line.get_xdata(), getattr(curve, x))
    assert np.array_equal(line.get_ydata(), getattr(curve, y))
    assert f"area {curve.area(x, y):.3g}, gain {100 * curve.gain(x, y):.1f} %" in line.get_label()
    assert axes.get_xlabel().startswith(x)
    assert axes.get_ylabel().startswith(y.replace("_", " "))


def test_a_long_curve_is_thinned_for_the_figure(axes):
    """Both ends stay, and no figure carries a million points."""
    curve = uc.Intervals.from_bands(np.random.default_rng(0).normal(size=10**5), np.zeros(10**5), 1.0).ucc()
    curve.plot(ax=axes)
    (line,) = [line for line in axes.lines if line.get_label().startswith("area")]
    assert line.get_xdata().size == 4000
    assert line.get_xdata()[[0, -1]].tolist() == curve.bandwidth[[0, -1]].tolist()
