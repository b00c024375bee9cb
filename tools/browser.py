"""Debian's Chromium, driven by Playwright: for tests and pictures of the report page."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator

# No sandbox, since tests may run as root; no background traffic, so that whatever is asked for is the page's.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium(*, light: bool = False) -> Iterator[Any]:
    """Start the browser and close it at the end; a light one, where installed, is the same without windows."""
    path = (shutil.which("chromium-headless-shell") if light else None) or shutil.which("chromium")
    if path is None:
        raise FileNotFoundError("chromium is not installed: run make browser")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()
