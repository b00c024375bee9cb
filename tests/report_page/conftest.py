"""The browser, and the page that most tests look at."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
from opened_page import Case, opened
from pictures import chromium
from playwright.sync_api import expect

import uccurve as uc

expect.set_options(timeout=60_000)  # patience for a loaded machine: what is right at once takes no longer


kept = contextlib.ExitStack()
"""What closes the browser that runs, if one does."""
running = []


@pytest.fixture(scope="module")
def browser():
    """Debian's Chromium, one for all modules of this folder; `make test` installs it where it is missing."""
    if not (running and running[0].is_connected()):
        running[:] = [kept.enter_context(chromium(light=True))]
    yield running[0]
    for context in running[0].contexts:
        context.close()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem):
    """Close the browser after the last test: Playwright keeps an event loop running, which others must not meet."""
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
        running.clear()
        kept.close()


@pytest.fixture(scope="session")
def case(tmp_path_factory):
    """Asymmetric bands, weights, ties, two ways of predicting, segments, and a column of times."""
    rng = np.random.default_rng(5)
    n = 700
    scale = rng.lognormal(sigma=0.6, size=n)
    y = 10 + np.round(scale * rng.normal(size=n), 1)
    weight = rng.integers(1, 4, size=n).astype(float)
    shape = {"sample_weight": weight}
    models = {
        "scaled": uc.Intervals.from_bands(y, np.full(n, 10.0), scale, 1.3 * scale, **shape),
        "damped": uc.Intervals.from_bands(y, np.full(n, 10.0), np.sqrt(scale), **shape),
        "other": uc.Intervals.from_bands(y, np.full(n, 10.2), np.sqrt(scale), 0.2 + scale, **shape),
    }
    segments = rng.choice(["north", "south"], size=n)
    path = tmp_path_factory.mktemp("report") / "page.html"
    times = np.datetime64("2026-01-01") + np.arange(n).astype("timedelta64[h]")
    uc.report(
        models,
        path,
        title="Loads",
        unit="kWh",
        by=segments,
        against={"scale": scale, "hour": times},
        n_resamples=49,
        rng=0,
    )
    return Case(models, segments, path)


@pytest.fixture
def page(browser, case):
    page = opened(browser, case.path)
    yield page
    assert page.troubles == []
    assert {url.partition("#")[0] for url in page.requests} == {case.path.as_uri()}
    page.tab.context.close()
