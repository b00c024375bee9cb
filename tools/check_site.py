"""Run axe-core on pages of the site that `make docs` has built: `python tools/check_site.py build/site`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from pictures import chromium

LOOKS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
}
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], "resultTypes": ["violations"]}


def main(site: Path) -> None:
    """Print what axe finds in each look, on pages of each kind, and fail if it finds anything."""
    kinds = (
        "index.html",
        "[aw]*.html",
        "*/index.html",
        "howto/c*.html",
        "libraries/m*.html",
        "*/*/*compare.html",
    )
    pages, failed = [page for kind in kinds for page in site.glob(kind)], 0
    with chromium(light=True) as browser:
        for look, options in LOOKS.items():
            tab = browser.new_context(**options).new_page()
            for page in pages:
                tab.goto(page.absolute().as_uri())
                if (found := Axe().run(tab, options=RULES)).violations_count:
                    failed += found.violations_count
                    print(f"{page}, {look}: {found.generate_report()}")
    print(f"{len(pages)} pages in {len(LOOKS)} looks: {failed or 'no'} violations")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
