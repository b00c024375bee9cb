"""Pictures of the documentation: the sample report in Debian's Chromium, and words for those of the gallery."""

from __future__ import annotations

import argparse
import io
import re
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib import pyplot as plt
from PIL import Image
from playwright.sync_api import sync_playwright

import uccurve as uc
from uccurve.datasets import make_crossing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OUTPUT = Path(__file__).parents[1] / "docs" / "report"
COLORS = 256
LOOKS: dict[str, dict[str, Any]] = {
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
        raise FileNotFoundError("chromium is not installed: run make browser")
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


def chart_in_words(ax: Axes) -> str:
    """Return the title of a chart, what it draws against what, and the names in its key."""
    title, across, up = (
        " ".join(text.split()) for text in (ax.get_title(), ax.get_xlabel(), ax.get_ylabel())
    )
    names = [name for name in ax.get_legend_handles_labels()[1] if name]
    drawn = f"{up} against {across}" if up and across else up or across
    key = f"with {', '.join(dict.fromkeys(names))}" if names else ""
    return "; ".join(part for part in (title, drawn, key) if part)


def figure_in_words(figure: Figure) -> str:
    """Return a sentence about each chart of a figure."""
    told = (chart_in_words(ax) for ax in figure.get_axes())
    return "Chart: " + ". ".join(dict.fromkeys(words for words in told if words))


def save_described(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Save the figures of an example of the gallery, with words in place of the name of the file.

    Those that nothing was drawn on are left out.
    """
    from sphinx_gallery.scrapers import matplotlib_scraper  # noqa: PLC0415 - only the build of the site has it

    for number in plt.get_fignums():
        if not plt.figure(number).get_axes():
            plt.close(number)
    words = iter([figure_in_words(plt.figure(number)) for number in plt.get_fignums()])
    saved: str = matplotlib_scraper(block, block_vars, gallery_conf)
    return re.sub(r"(?<=:alt: ).*", lambda _match: next(words), saved)


def save_screenshot(picture: bytes, path: Path) -> None:
    """Write a picture with few colors: it takes less than half of the space."""
    with Image.open(io.BytesIO(picture)) as whole:
        whole.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE).save(path, "png", optimize=True)


def main() -> None:
    """Take one picture for each look: the first screen, and on the phone the whole page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for the pictures")
    output = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        page = write_sample_report(Path(folder) / "report.html")
        for name, look in LOOKS.items():
            tab = browser.new_context(**look).new_page()
            tab.goto(page.as_uri())
            tab.wait_for_selector("body.ready")
            save_screenshot(tab.screenshot(type="png", full_page=name == "phone"), output / f"{name}.png")
            print(f"{output / name}.png")


if __name__ == "__main__":
    main()
