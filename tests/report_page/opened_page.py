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

    def settle(self):
        """Wait until what changed is drawn."""
        self.tab.evaluate("() => new Promise((done) => nextFrame(() => nextFrame(done)))")

    def number(self, table, model, column):
        """Read a number of a table in full."""
        self.settle()
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
        """Set a slider as a reader would; coverages by the place of their miss rate among those carried."""
        slider = {"rate": "coverage", "low": "to", "high": "from"}.get(name)
        self.tab.locator(f"#{slider or name}").evaluate(
            "(node, [value, reversed]) => {"
            " node.value = reversed ? node.max - value : value; node.dispatchEvent(new Event('input')); }",
            [value, slider is not None],
        )
        self.settle()

    @property
    def miss_rate(self):
        """The miss rate that the curves' handles stand at."""
        self.settle()
        covered = self.tab.locator("circle.handle").first.get_attribute("aria-valuenow")
        return round(1 - float(covered) / 100, 9)


WHOLE_CURVE = "#view=curve&zoom=0-100&stretched=0"
"""The characteristics curve at all coverages, on an even axis."""


DRAWN_AT_ONCE = """
window.nextFrame = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (draw) => queueMicrotask(() => draw(performance.now()));
"""
"""Whatever an event changed is drawn before the next event: what a test reads does not depend on the clock."""


def opened(browser, path, choices=WHOLE_CURVE, **context):
    """Open a page with choices in its address, and unfold what is folded."""
    tab = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context}).new_page()
    tab.set_default_timeout(120_000)  # patience for a loaded machine
    tab.add_init_script(DRAWN_AT_ONCE)
    page = Opened(tab)
    tab.on("console", lambda message: page.troubles.append(message.text))
    tab.on("pageerror", lambda error: page.troubles.append(str(error)))
    tab.on("dialog", lambda dialog: (page.troubles.append(dialog.message), dialog.dismiss()))
    tab.on("request", lambda request: page.requests.append(request.url))
    tab.goto(path.as_uri() + choices)
    tab.wait_for_selector("body.ready")
    tab.locator("#advanced").evaluate("node => { node.open = true; }")
    tab.wait_for_selector("#points-table tbody tr")
    return page


@dataclass(frozen=True)
class Case:
    models: dict
    segments: np.ndarray
    path: Path

    @property
    def leader(self):
        """The model with the best interval score at 90% coverage."""
        return min(self.models, key=lambda name: self.curve(name).score_at(coverage=0.9))

    def curve(self, name):
        return self.models[name].ucc()


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


def check_point(page, case, rate):
    for name in case.models:
        point = case.curve(name).at(miss_rate=rate)
        assert page.number("points-table", name, "scale by") == near(point.parameter)
        for cost in ("coverage", "bandwidth", "excess", "deficit"):
            assert page.number("points-table", name, cost) == near(getattr(point, cost))


def wider_by(text):
    """Read a difference in words, such as "20% narrower" or "20% better", as a share."""
    if text in ("as wide", "the same"):
        return 0.0
    number, direction = re.fullmatch(r"([\d.]+)% (narrower|wider|better|worse)", text).groups()
    return float(number) / 100 * (1 if direction in ("wider", "worse") else -1)


def texts_of(drawing):
    """Return the texts of a drawing, those of lines joined."""
    return " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", drawing)).replace("\u00a0", " ")
