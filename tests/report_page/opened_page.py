"""A report page in the browser, and what tests read off it."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

import uccurve as uc


@dataclass
class Opened:
    """A page in the browser, and whatever it complained about or asked for."""

    tab: object
    troubles: list = field(default_factory=list)
    requests: list = field(default_factory=list)

    def number(self, table, model, column):
        """Read a number of a table in full."""
        heads = [head.partition(" (")[0] for head in self.heads(table)]
        row = self.tab.locator(f"#{table} tbody tr", has=self.tab.get_by_text(model, exact=True))
        cell = row.locator("td").nth(heads.index(column) - 1)
        return float(cell.get_attribute("data-value") or "nan")

    def heads(self, table):
        """Read the headings of a table, with their units."""
        return self.tab.locator(f"#{table} thead th").all_text_contents()

    def saved(self, target, kind):
        """Save a chart or a table as a reader would; return the file."""
        with self.tab.expect_download() as download:
            self.tab.locator(f'[data-target="{target}"][data-export="{kind}"]').click()
        return Path(download.value.path())

    def slide(self, name, value):
        """Set a slider as a reader would, by its value."""
        self.tab.locator(f"#{name}").evaluate(
            "(node, value) => { node.value = value; node.dispatchEvent(new Event('input')); }", str(value)
        )


def opened(browser, path, **context):
    tab = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context}).new_page()
    page = Opened(tab)
    tab.on("console", lambda message: page.troubles.append(message.text))
    tab.on("pageerror", lambda error: page.troubles.append(str(error)))
    tab.on("dialog", lambda dialog: (page.troubles.append(dialog.message), dialog.dismiss()))
    tab.on("request", lambda request: page.requests.append(request.url))
    tab.goto(path.as_uri())
    tab.wait_for_selector("body.ready")
    return page


@dataclass(frozen=True)
class Case:
    models: dict
    segments: np.ndarray
    path: Path

    def curve(self, name, *, standardized=False):
        rows = self.models[name]
        return (rows.standardized() if standardized else rows).ucc()


def one(unit=1.0, n=300, seed=3, **options):
    """One model with asymmetric bands."""
    rng = np.random.default_rng(seed)
    scale = unit * rng.lognormal(sigma=0.6, size=n)
    return uc.Intervals.from_bands(scale * rng.normal(size=n), np.zeros(n), scale, 1.5 * scale, **options)


def unpacked(text):
    return np.frombuffer(base64.b64decode(text), dtype="<f8")


def near(value):
    return pytest.approx(value, rel=1e-9, abs=1e-12)


def plot_of(page):
    """Return where the plot of the curves is, on the screen."""
    page.tab.locator("#ucc-chart").scroll_into_view_if_needed()
    return page.tab.locator("#ucc-chart rect.background").bounding_box()


def check_point(page, case, rate, *, standardized=False):
    for name in case.models:
        point = case.curve(name, standardized=standardized).at(miss_rate=rate)
        assert page.number("points-table", name, "bands") == near(point.parameter)
        for cost in ("miss rate", "bandwidth", "excess", "deficit"):
            assert page.number("points-table", name, cost) == near(getattr(point, cost.replace(" ", "_")))


def texts_of(drawing):
    """Return the texts of a drawing, those of lines joined."""
    return " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", drawing)).replace("\u00a0", " ")
