"""The browser, and pages of every kind."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from opened_page import opened
from pages import PAGES, write_page
from pictures import chromium
from playwright.sync_api import expect

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
def pages(tmp_path_factory):
    """Return the file of a kind of page, which is written once."""
    folder, written = tmp_path_factory.mktemp("pages"), {}

    def page_of(kind):
        if kind not in written:
            models, options = PAGES[kind]()
            written[kind] = write_page(folder / f"{kind}.html", models, **options)
        return written[kind]

    return page_of


@pytest.fixture
def page(browser, pages, request):
    """The open page of a kind, by default of two models that differ; in the end nothing was complained about."""
    page = opened(browser, pages(getattr(request, "param", "differing")))
    yield page
    page.close()
