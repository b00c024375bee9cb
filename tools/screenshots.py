"""Take the pictures of the report page that the documentation shows."""

from __future__ import annotations

import argparse
import io
import tempfile
from pathlib import Path
from typing import Any

from browser import chromium
from PIL import Image
from sample_report import write_sample_report

from uccurve._base.atomic_files import replacing

OUTPUT = Path(__file__).parents[1] / "docs" / "report"
COLORS = 256
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 1215}, "color_scheme": "light", "device_scale_factor": 2},
    "dark": {"viewport": {"width": 1280, "height": 1215}, "color_scheme": "dark", "device_scale_factor": 2},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}


def with_palette(picture: bytes) -> bytes:
    """Return the same picture with few colors: it takes less than half of the space."""
    small = io.BytesIO()
    with Image.open(io.BytesIO(picture)) as whole:
        whole.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE).save(small, "png", optimize=True)
    return small.getvalue()


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
            with replacing(output / f"{name}.png") as unfinished:
                unfinished.write_bytes(with_palette(tab.screenshot(type="png", full_page=name == "phone")))
            print(f"{output / name}.png")


if __name__ == "__main__":
    main()
