"""Pictures of the documentation: the sample report in Debian's Chromium."""

from __future__ import annotations

import io
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image
from playwright.sync_api import sync_playwright

import uccurve as uc
from uccurve.datasets import make_crossing

if TYPE_CHECKING:
    from collections.abc import Iterator

OUTPUT = Path(__file__).parents[1] / "docs" / "report"
# The README shows the answer and the chart alone.
BRIEF = (
    "header, footer, .buttons, .tools, .hint, #verdict ~ *, .card ~ .card ~ * { display: none !important }"
)
LOOKS: dict[str, dict[str, Any]] = {
    "readme": {"viewport": {"width": 1280, "height": 640}, "bypass_csp": True, "device_scale_factor": 2},
    "light": {"viewport": {"width": 1280, "height": 1215}, "color_scheme": "light", "device_scale_factor": 2},
    "dark": {"viewport": {"width": 1280, "height": 1215}, "color_scheme": "dark", "device_scale_factor": 2},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}
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
        raise FileNotFoundError("chromium is not installed: run make system")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


def write_sample_report(page: Path) -> Path:
    """Write the report page of the built-in example, which the documentation shows and links to."""
    crossing = make_crossing()
    return uc.report(
        crossing.models,
        page,
        title="Two models: one narrower, one better",
        by=crossing.segment,
        against={"x": crossing.x},
        n_resamples=1999,
        rng=0,
    )


def main() -> None:
    """Take one picture for each look: the first screen, and on the phone the whole page."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        page = write_sample_report(Path(folder) / "report.html")
        for name, look in LOOKS.items():
            tab = browser.new_context(**look).new_page()
            tab.goto(page.as_uri())
            tab.wait_for_selector("body.ready")
            if name == "readme":
                tab.add_style_tag(content=BRIEF)
            screenshot = tab.screenshot(type="png", full_page=name == "phone")
            with Image.open(io.BytesIO(screenshot)) as picture:  # with few colors it takes half of the space
                few = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
            few.save(OUTPUT / f"{name}.png", optimize=True)
            print(OUTPUT / f"{name}.png")


if __name__ == "__main__":
    main()
