"""What an import costs is counted: modules, which are the same on every machine."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

COUNT = """
import json, sys
bare = set(sys.modules)
{code}
loaded = set(sys.modules) - bare
tops = {{name.partition(".")[0] for name in loaded}} - set(sys.stdlib_module_names)
print(json.dumps([sorted(tops), sum(name.partition(".")[0] == "uccurve" for name in loaded), len(loaded)]))
"""
CURVE = "import uccurve as uc; uc.Intervals.from_bands([1.0, 2.0], [0.0, 0.0], [1.0, 3.0]).ucc().gain()"
WORK = """
import uccurve as uc
y, zero, band = [1.0, 2.0, -3.0, 0.5] * 10, [0.0] * 40, [1.0, 3.0, 2.0, 1.5] * 10
for rows in (uc.Intervals.from_bands(y, zero, band), uc.Intervals.from_bands(y, zero, band, [2.0] * 40)):
    for vary in ("scale", "shift"):
        curve = rows.ucc(vary=vary)
        curve.miss_rate, curve.bandwidth, curve.excess, curve.deficit
        curve.gain(y="deficit"), curve.area(x="excess", y="deficit"), curve.at(coverage=0.9)
    rows.sketch().curve().gain()
    uc.confidence_interval(rows, "gain", n_resamples=49, rng=0)
    uc.ConformalScaler(coverage=0.5).fit(rows).transform(rows)
    uc.compare({"a": rows, "b": rows.constant()}, n_resamples=49, rng=0).summary()
"""
VERSION = """
import io
from uccurve.cli import main
sys.stdout, shown = io.StringIO(), sys.stdout
main(["--version"])
sys.stdout = shown
"""
FRAMES = {"narwhals", "pandas", "polars", "pyarrow"}
OPTIONAL = {
    "cyclopts",
    "dask",
    "duckdb",
    "jax",
    "jinja2",
    "matplotlib",
    "pyspark",
    "rich",
    "sklearn",
    "torch",
}
EXTRAS = OPTIONAL | {"scipy"}

# Statement, packages that it may not load, most modules of ours, most modules in all. What stands behind the
# arrow was loaded when the budget was set: a budget may be raised, for a reason that the commit names.
BUDGETS = {
    "package": ("import uccurve", FRAMES | EXTRAS | {"numpy", "array_api_compat"}, 4, 30),  # → 2, 13
    "curve": (CURVE, FRAMES | EXTRAS, 90, 500),  # → 77, 400
    "work": (WORK, FRAMES | OPTIONAL, 200, 650),  # → 156, 533
    "compare": ("import uccurve; uccurve.compare", FRAMES | EXTRAS, 170, 400),  # → 153, 323
    "entry point": ("import uccurve.cli", FRAMES | EXTRAS | {"numpy"}, 12, 70),  # → 7, 32
    "version": (VERSION, (EXTRAS - {"cyclopts", "rich"}) | {"pandas", "pyarrow"}, 235, 900),  # → 206, 758
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BUDGETS)
def test_an_import_loads_what_it_needs(name):
    """In a new process; whoever adds an import at the top of a module sees here whom it burdens."""
    code, forbidden, most_of_ours, most_in_all = BUDGETS[name]
    run = [sys.executable, "-c", COUNT.format(code=code)]
    packages, ours, in_all = json.loads(subprocess.run(run, stdout=subprocess.PIPE, check=True).stdout)
    print(f"{name}: {ours} modules of uccurve, {in_all} in all, of {packages}")  # noqa: T201 - shown on failure
    assert not forbidden & set(packages)
    assert 0 < ours <= most_of_ours
    assert in_all <= most_in_all
