"""How large report pages are, how long a browser takes to open them, and what a move of the slider costs."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from measure import Result, describe_machine, write_page

import uccurve as uc

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from pictures import chromium, write_sample_report

MOVES, DRAGS, OPENINGS = 60, 11, 5
SETTLED = 800
"""Milliseconds after which a page that was scrolled is at rest."""
LARGE = "six models and 40 segments"


def write_large_page(path: Path) -> Path:
    """Write a page of six models that predict differently, with asymmetric bands, and of forty segments."""
    rng, rows = np.random.default_rng(0), 8000
    y, scale = rng.normal(size=rows), rng.lognormal(sigma=0.5, size=rows)
    models = {
        f"model {i}": uc.Intervals.from_bands(y * scale, rng.normal(size=rows) / 5, scale ** (i / 2), scale)
        for i in range(6)
    }
    return uc.report(models, path, by=rng.integers(0, 40, rows), n_resamples=19, rng=0)


def open_page(browser: Any, page: Path) -> tuple[Any, float]:
    """Open a page, and return it with the time that took."""
    tab = browser.new_page(viewport={"width": 1440, "height": 900})
    start = time.perf_counter()
    tab.goto(page.as_uri())
    tab.wait_for_selector("#strip text")
    return tab, time.perf_counter() - start


def line(work: str, value: float, target: float, unit: str) -> Result:
    """Hold a measurement against nothing but its target."""
    return Result(work=work, against="", value=value, target=target, unit=unit)


def opening(browser: Any, name: str, page: Path) -> Result:
    """Open a page a few times."""
    times = []
    for _ in range(OPENINGS):
        tab, seconds = open_page(browser, page)
        times.append(seconds)
        tab.close()
    return line(f"opening the page of {name}, median of {OPENINGS}", statistics.median(times), 1, " s")


def drag_slider(tab: Any) -> list[float]:
    """Drag the slider from end to end and back; return milliseconds of the main thread per move, by drag.

    Events go straight to the browser: Playwright's own mouse runs two scripts in the page with every move of a
    drag, which cost a millisecond and are no part of the page.
    """
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})  # of the processor, not of the clock

    def busy() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

    def mouse(kind: str, x: float, y: float) -> None:
        event = {"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
        session.send("Input.dispatchMouseEvent", event)

    box = tab.locator("#strip .track").bounding_box()
    places = np.linspace(box["x"] + 20, box["x"] + box["width"] - 20, MOVES + 1)
    spent = []
    for drag in range(DRAGS):
        start, *others = places[:: -1 if drag % 2 else 1].tolist()
        mouse("mousePressed", start, box["y"])
        before = busy()
        for x in others:
            mouse("mouseMoved", x, box["y"])
        spent.append(1000 * (busy() - before) / MOVES)
        mouse("mouseReleased", others[-1], box["y"])
        tab.wait_for_timeout(SETTLED)
    session.detach()
    return spent


def moving(tab: Any, place: str) -> Result:
    """Move the slider of an open page."""
    tab.wait_for_timeout(SETTLED)
    work = f"a move of the slider of {LARGE}, with the {place} in view, slowest of {DRAGS} drags"
    return line(work, max(drag_slider(tab)), 16, " ms")


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--page", type=Path, help="the page to write")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        demo = write_sample_report(Path(folder) / "demo.html")
        large = write_large_page(Path(folder) / "large.html")
        results = [line("file of the demo's page", demo.stat().st_size / 1000, 800, " kB")]
        results += [opening(browser, "the demo", demo), opening(browser, LARGE, large)]
        tab, _ = open_page(browser, large)
        results.append(moving(tab, "top of the page"))
        tab.locator("#strip").evaluate("node => node.scrollIntoView({ behavior: 'instant' })")
        results.append(moving(tab, "segments"))
        about = f"In Chromium {browser.version}, 1,440 by 900 pixels. {describe_machine()}"
    write_page(options.page, "Benchmarks of the report page", "make bench-page", about, results)


if __name__ == "__main__":
    main(sys.argv[1:])
