"""A report page in the browser, and what tests read off it."""

from __future__ import annotations

import base64
import csv
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest


@dataclass
class Opened:
    """A page in the browser, and whatever it complained about or asked for."""

    tab: object
    troubles: list = field(default_factory=list)
    requests: list = field(default_factory=list)

    def saved(self, target, kind):
        """Save a chart or a table as a reader would; return the name of the file, and the file."""
        with self.tab.expect_download() as download:
            self.tab.locator(f'[data-target="{target}"][data-export="{kind}"]').click()
        return download.value.suggested_filename, Path(download.value.path())

    def table(self, target):
        """Save a table; return its rows."""
        return list(csv.DictReader(self.saved(target, "csv")[1].read_text("utf-8").splitlines()))

    def choose(self, coverage):
        """Choose a coverage in percent, by its field."""
        field_ = self.tab.locator("input.coverage").first
        field_.fill(str(coverage))
        field_.dispatch_event("change")

    @property
    def coverage(self):
        """The chosen coverage in percent, as the slider says it."""
        return float(self.tab.get_by_role("slider").get_attribute("aria-valuenow"))

    def texts(self, selector):
        return self.tab.locator(selector).all_text_contents()

    def close(self):
        assert self.troubles == []
        self.tab.context.close()


DRAWN_AT_ONCE = "window.requestAnimationFrame = (draw) => queueMicrotask(() => draw(performance.now()));"
"""Whatever an event changed is drawn before the next event: what a test reads does not depend on the clock."""


def opened(browser, path, choices="", **context):
    """Open a page with choices in its address."""
    tab = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **context}).new_page()
    tab.set_default_timeout(120_000)  # patience for a loaded machine
    tab.add_init_script(DRAWN_AT_ONCE)
    page = Opened(tab)
    tab.on("console", lambda message: page.troubles.append(message.text))
    tab.on("pageerror", lambda error: page.troubles.append(str(error)))
    tab.on("request", lambda request: page.requests.append(request.url.partition("#")[0]))
    tab.goto(path.as_uri() + choices)
    tab.wait_for_selector("body.ready")
    tab.wait_for_selector("#strip text", state="attached")  # hidden beside reliability
    return page


def numbers_of(path):
    """Return what the scripts of a page read."""
    return json.loads(re.search(r'id="numbers">(.*?)</script>', path.read_text("utf-8")).group(1))


def unpacked(value):
    """Return an array of the page."""
    ((kind, text),) = value.items()
    return np.frombuffer(base64.b64decode(text), dtype=f"<{kind}")


def near(value):
    return pytest.approx(value, rel=1e-9, abs=1e-12)
