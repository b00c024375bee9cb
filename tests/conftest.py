"""Shared settings of the tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

# The tests share the cores already: threads of libraries, also in processes that tests start, would wait for each other.
for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(threads, "1")

HERE = Path(__file__).parent
HELPERS = (".", "report_page", "plotting", "scikit_learn", "torch_room", "libraries", "adapters", "../tools")
sys.path[:0] = [str((HERE / folder).resolve()) for folder in HELPERS]
sys.path.append(str(HERE.parent))  # the case studies
pytest.register_assert_rewrite("opened_page")

os.environ["MPLBACKEND"] = "agg"  # figures are drawn without a window


@pytest.fixture(autouse=True)
def _figures():
    """Close the figures of each test."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


settings.register_profile(
    "repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)
settings.register_profile(
    "fuzz",
    deadline=None,
    max_examples=500,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
    database=DirectoryBasedExampleDatabase(HERE.parent / "build" / "fuzz"),
)
# Most mistakes break a law at the first few examples.
settings.register_profile("quick", settings.get_profile("repeatable"), max_examples=10)
settings.load_profile("repeatable")

# Slow beside the tests that are marked one by one. `-m "not slow"` leaves them out, and does not import them either.
SLOW = {
    HERE / name
    for name in (
        "adapters",  # models of other libraries
        "casestudies",  # programs
        "cli",  # programs
        "compat",  # figures and tables of UQ360's numbers
        "comparison/test_answers.py",  # many comparisons, as in the next ones
        "comparison/test_one_truth.py",
        "comparison/test_outputs_and_points.py",
        "comparison/test_regimes.py",
        "comparison/test_verdict.py",
        "datasets",
        "engines/test_any_table.py",  # made tables, several engines
        "engines/test_engines.py",  # every engine
        "engines/test_hostile_frames.py",  # hundreds of files
        "engines/test_scan.py",  # files of every format
        "formulas/test_namespaces.py",  # loads PyTorch, and compiles
        "inference/test_studentized.py",  # a bootstrap in a bootstrap
        "jax_room",  # compiles
        "plotting",  # draws
        "report_page",  # opens pages
        "scikit_learn",  # fits models
        "test_site.py",  # figures of the documentation
        "torch_room",
    )
}


def pytest_ignore_collect(collection_path, config):
    """Leave slow files out of quick runs: importing their tests takes seconds as well."""
    return True if config.option.markexpr == "not slow" and collection_path in SLOW else None


def pytest_collection_modifyitems(items, config):
    """Mark slow tests, and laws as not measured; ask few examples in quick runs."""
    for item in items:
        law = getattr(item, "obj", None)
        if hasattr(law, "hypothesis"):
            item.add_marker(pytest.mark.no_cover)  # hundreds of examples of the same lines, at half the speed
            if config.getoption("--hypothesis-profile") == "quick":  # also where a law asks for more
                asked = getattr(law, "_hypothesis_internal_use_settings", settings.default)
                few = min(asked.max_examples, settings.get_profile("quick").max_examples)
                law._hypothesis_internal_use_settings = settings(asked, max_examples=few)
        if SLOW & {item.path, *item.path.parents} or "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
