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
sys.path[:0] = map(
    str,
    [
        HERE,
        *(HERE / name for name in ("report_page", "plotting", "scikit_learn", "torch_room", "libraries")),
        HERE.parent / "tools",
    ],
)  # their helpers
sys.path.append(str(HERE.parent))  # the case studies
pytest.register_assert_rewrite("opened_page")

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
settings.load_profile("repeatable")

# Slow beside the tests that are marked one by one. `-m "not slow"` leaves them out.
SLOW_FOLDERS = {HERE / "cli", HERE / "casestudies", HERE / "torch_room"}  # most of their tests start programs
SLOW_FIXTURES = {"browser"}

# What `--quick`, the choice of `make check`, leaves out beside them. It does not import them either.
NOT_QUICK = {
    HERE / name
    for name in (
        "adapters",  # models of other libraries
        "compat",  # figures and tables of UQ360's numbers
        "datasets",  # downloads from servers of its own
        "comparison/test_answers.py",  # many comparisons, as in the next ones
        "comparison/test_outputs_and_points.py",
        "comparison/test_regimes.py",
        "comparison/test_verdict.py",
        "engines/test_engines.py",  # every engine
        "engines/test_hostile_batches.py",  # every engine on this machine, in three ways
        "engines/test_hostile_frames.py",  # hundreds of files
        "engines/test_scan.py",  # files of every format
        "inference/test_studentized.py",  # a bootstrap in a bootstrap
        "jax_room",  # compiles
        "kernels",  # arrays of all libraries
        "plotting",  # draws
        "report_page",  # opens pages
        "scikit_learn",  # fits models
        "test_site.py",  # figures of the documentation
    )
}
QUICK_EXAMPLES = 10
"""So many examples each law has with `--quick`, at most: most mistakes break it at the first few."""


def pytest_addoption(parser):
    """Let `make check` choose."""
    parser.addoption("--quick", action="store_true", help="run what is quick, with few examples of each law")


def pytest_ignore_collect(collection_path, config):
    """Leave slow folders out of quick runs: importing their tests takes seconds as well."""
    left_out = SLOW_FOLDERS if config.option.markexpr == "not slow" else set()
    if config.option.quick:
        left_out = SLOW_FOLDERS | NOT_QUICK
    return True if collection_path in left_out else None


def pytest_collection_modifyitems(items, config):
    """Mark slow tests, and laws as not measured; ask few examples in quick runs."""
    for item in items:
        if hasattr(getattr(item, "obj", None), "hypothesis"):
            item.add_marker(pytest.mark.no_cover)  # hundreds of examples of the same lines, at half the speed
            if config.option.quick:
                ask_few_examples(item.obj)
        fixtures = set(getattr(item, "fixturenames", ()))
        if SLOW_FOLDERS & set(item.path.parents) or SLOW_FIXTURES & fixtures:
            item.add_marker(pytest.mark.slow)


def ask_few_examples(law):
    """Let Hypothesis draw fewer examples for a law than its own settings say."""
    asked = getattr(law, "_hypothesis_internal_use_settings", settings.default)
    few = settings(asked, max_examples=min(asked.max_examples, QUICK_EXAMPLES))
    law._hypothesis_internal_use_settings = few
