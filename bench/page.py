"""Size of large report pages, how long a browser takes to open them, and what moving a slider costs."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import uccurve as uc

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from pictures import chromium

ROWS = 100_000
MOVES = 60
DRAGS = 11
SETTLED = 800
"""Milliseconds after which a page that was scrolled is at rest."""
LIMITS = {"megabytes": 1.5, "seconds": 2.0, "milliseconds": 16}


def models(number: int, rows: int) -> dict[str, uc.Intervals]:
    """Models that predict differently, with asymmetric bands: what makes a page largest."""
    rng = np.random.default_rng(0)
    y, scale = rng.normal(size=rows), rng.lognormal(sigma=0.5, size=rows)
    return {
        f"model {i}": uc.Intervals.from_bands(y * scale, rng.normal(size=rows) / 5, scale ** (i / 2), scale)
        for i in range(number)
    }


def opened(browser: Any, page: Path) -> tuple[Any, float]:
    """Open a page, and return it with the time that took."""
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    start = time.perf_counter()
    tab.goto(page.as_uri())
    tab.wait_for_selector("body.ready")
    return tab, time.perf_counter() - start


def main_thread_per_move(tab: Any) -> list[float]:
    """Drag the coverage slider from end to end and back; return milliseconds of the main thread per move, by drag.

    Events go straight to the browser: Playwright's own mouse runs two scripts in the page with every move of a drag,
    which cost a millisecond and are no part of the page.
    """
    session = tab.context.new_cdp_session(tab)
    session.send(
        "Performance.enable", {"timeDomain": "threadTicks"}
    )  # time of the processor, not of the clock

    def busy() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

    def mouse(kind: str, x: float, y: float) -> None:
        event = {"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
        session.send("Input.dispatchMouseEvent", event)

    spent = []
    for drag in range(DRAGS):
        box = tab.locator(
            "#coverage"
        ).bounding_box()  # it stays in sight, but moves when the verdict above it changes
        y = box["y"] + box["height"] / 2
        places = np.linspace(box["x"] + 20, box["x"] + box["width"] - 20, MOVES + 1)
        start, *others = places[:: -1 if drag % 2 else 1].tolist()
        mouse("mousePressed", start, y)
        before = busy()
        for x in others:
            mouse("mouseMoved", x, y)
        spent.append(1000 * (busy() - before) / MOVES)
        mouse("mouseReleased", others[-1], y)
        tab.wait_for_timeout(SETTLED)
    session.detach()
    return spent


def report_moves(tab: Any, situation: str) -> None:
    """Drag the slider several times, and print what a move costs."""
    tab.wait_for_timeout(SETTLED)
    spent = main_thread_per_move(tab)
    middle, high = statistics.median(spent), float(np.quantile(spent, 0.9))
    print(
        f"dragging the slider with {situation}: {middle:.1f} ms per move, median of {DRAGS} drags; "
        f"90% of them take at most {high:.1f} (less than {LIMITS['milliseconds']})"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        page = uc.report(models(3, ROWS), Path(folder) / "page.html", n_resamples=99, rng=0)
        size = page.stat().st_size / 1e6
        times = []
        for _ in range(5):
            tab, seconds = opened(browser, page)
            times.append(seconds)
            tab.close()
        print(f"report page of 3 models and {ROWS:,} rows: {size:.2f} MB (at most {LIMITS['megabytes']})")
        print(f"opened in {statistics.median(times):.2f} s, median of 5 (less than {LIMITS['seconds']:g})")
        labels = np.random.default_rng(1).integers(0, 40, 8000)
        page = uc.report(models(6, 8000), Path(folder) / "many.html", by=labels, n_resamples=19, rng=0)
        tab, seconds = opened(browser, page)
        print(f"report page of 6 models and 40 segments: {page.stat().st_size / 1e6:.2f} MB")
        print(f"opened in {seconds:.2f} s")
        for place in ("verdict", "curves", "segments"):
            tab.locator(f"#{place}-title").evaluate("n => n.scrollIntoView({ behavior: 'instant' })")
            report_moves(tab, f"the {place} in view")
        tab.select_option("#segment-sort", "coverage")
        report_moves(tab, "the segments in view, sorted by coverage")


if __name__ == "__main__":
    main()
