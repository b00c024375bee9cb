"""Shared settings of the tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

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

from traced_beginning import traced_beginning  # noqa: E402 - found in a folder that was named above

settings.register_profile(
    "repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)
settings.register_profile("search", deadline=None, max_examples=2000)
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
        "comparison/test_ties.py",
        "comparison/test_verdict.py",
        "engines/test_engines.py",  # every engine
        "engines/test_hostile_batches.py",  # every engine on this machine, in three ways
        "engines/test_hostile_frames.py",  # hundreds of files
        "engines/test_row_batches.py",  # as above
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

# Tests that share what is dear to make: a browser and its pages, networks, compiled functions, processes, a JVM.
TOGETHER = {
    f"tests/{folder}/": folder
    for folder in ("casestudies", "jax_room", "kernels", "report_page", "torch_room")
} | {"[dask]": "dask", "[pyspark]": "pyspark", "::test_exact_enumeration_equals_brute_force[": "exchanges"}


def pytest_addoption(parser):
    """Let `make check` choose."""
    parser.addoption("--quick", action="store_true", help="run what is quick, with few examples of each law")


@pytest.hookimpl(optionalhook=True)  # environments without pytest-xdist run one test after the other
def pytest_xdist_make_scheduler(config, log):
    """Give tests that stay together to one worker; the groups of pytest-xdist need an earlier pytest."""
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return next((group for part, group in TOGETHER.items() if part in nodeid), nodeid)

    return Together(config, log)


def pytest_ignore_collect(collection_path, config):
    """Leave slow folders out of quick runs: importing their tests takes seconds as well."""
    left_out = SLOW_FOLDERS if config.option.markexpr == "not slow" else set()
    if config.option.quick:
        left_out = SLOW_FOLDERS | NOT_QUICK
    return True if collection_path in left_out else None


def pytest_collection_modifyitems(items, config):
    """Mark the tests of slow folders, and those that need a slow fixture; ask few examples in quick runs."""
    for item in items:
        if config.option.quick:
            ask_few_examples(item)
        fixtures = set(getattr(item, "fixturenames", ()))
        if SLOW_FOLDERS & set(item.path.parents) or SLOW_FIXTURES & fixtures:
            item.add_marker(pytest.mark.slow)


def ask_few_examples(item):
    """Let Hypothesis draw fewer examples for a law than its own settings say."""
    law = getattr(item, "obj", None)
    if hasattr(law, "hypothesis"):
        asked = getattr(law, "_hypothesis_internal_use_settings", settings.default)
        few = settings(asked, max_examples=min(asked.max_examples, QUICK_EXAMPLES))
        law._hypothesis_internal_use_settings = few


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Measure the coverage of the beginning of each test."""
    with traced_beginning((item.path, getattr(item, "originalname", item.name))):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    """Measure that of the beginning of what it needs."""
    with traced_beginning((item.path, getattr(item, "originalname", item.name), "needs")):
        return (yield)
