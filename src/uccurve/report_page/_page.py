"""From numbers and tables to one self-contained HTML file. The only place that knows HTML."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from importlib import resources
from typing import TYPE_CHECKING, Any

from uccurve._base.arguments import needed

if TYPE_CHECKING:
    from collections.abc import Mapping

STYLES = ("palette", "layout", "controls", "charts", "tables", "print")
"""The page's style sheets, in the order of the cascade."""
MODULES = (
    "palette",
    "segment_curves",
    "decode",
    "curve_data",
    "row_data",
    "format",
    "number_scale",
    "captions",
    "dom",
    "short_names",
    "stacked_rows",
    "lazy",
    "tooltip",
    "swatch",
    "chart_frame",
    "coverage_axis",
    "direct_labels",
    "crosshair",
    "curves_view",
    "curves_lines",
    "curves_handles",
    "leaving_lines",
    "curves_chart",
    "ratio_chart",
    "reliability_chart",
    "rows_chart",
    "regimes_chart",
    "readout",
    "verdict",
    "live_tables",
    "segment_row",
    "rows_in_view",
    "segments_table",
    "export_keys",
    "export_figure",
    "export_files",
    "state",
    "slider_ticks",
    "constant_rows",
    "controls",
    "rows_controls",
    "hash_state",
    "theme",
    "scrolling",
    "steady_boxes",
    "print_view",
    "main",
)
"""The page's own modules, each after those it imports."""
_IMPORT = re.compile(r'^import \{([\w,\s]+)\} from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (function|const) (\w+)", re.MULTILINE)


def _folder() -> Any:
    return resources.files("uccurve.report_page")


def libraries() -> list[dict[str, str]]:
    """Return what the page contains of others: name, version, license and hash of each."""
    found: list[dict[str, str]] = json.loads((_folder() / "vendor" / "vendor.json").read_text("utf-8"))
    return found


def style() -> str:
    """Join the style sheets."""
    return "\n".join((_folder() / "css" / f"{name}.css").read_text("utf-8") for name in STYLES)


def script() -> str:
    """Join the libraries and the page's own modules to one script, each module in a scope of its own."""
    vendored = [(_folder() / "vendor" / f"{lib['package']}.min.js").read_text("utf-8") for lib in libraries()]
    own = [_wrapped(name, (_folder() / "js" / f"{name}.js").read_text("utf-8")) for name in MODULES]
    return "\n".join([*vendored, '"use strict";', "const modules = {};", *own])


def _wrapped(name: str, source: str) -> str:
    """Turn a module into a function: imports are taken from the modules before it."""
    exported = [found[1] for found in _EXPORT.findall(source)]
    body = _IMPORT.sub(r"const {\1} = modules.\2;", source)
    body = _EXPORT.sub(r"\1 \2", body)
    if re.search(r"^(import|export)\b", body, re.MULTILINE):
        raise ValueError(f"{name}.js imports or exports in a way that is not understood")
    return f"modules.{name} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def render(numbers: Mapping[str, Any], shown: Mapping[str, Any]) -> str:
    """Fill the template; whatever comes from the data is escaped."""
    with needed("jinja2", extra="report"):
        import jinja2  # noqa: PLC0415
        from markupsafe import Markup  # noqa: PLC0415 - comes with jinja2

    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string((_folder() / "page.html").read_text("utf-8"))
    code, styles = script(), style()
    policy = (
        f"default-src 'none'; script-src '{_hash(code)}'; style-src '{_hash(styles)}'; img-src data: blob:; "
        f"base-uri 'none'; form-action 'none'"
    )
    texts = ((_folder() / "vendor" / f"{lib['package']}.LICENSE").read_text("utf-8") for lib in libraries())
    return template.render(
        policy=policy,
        style=Markup(styles),  # noqa: S704 - our own files
        script=Markup(code),  # noqa: S704 - our own files
        numbers=Markup(embedded(numbers)),  # noqa: S704 - escaped for a script element
        libraries=libraries(),
        licenses=sorted(set(texts)),
        **shown,
    )


def embedded(numbers: Mapping[str, Any]) -> str:
    """Write JSON that cannot end the script element it stands in."""
    text = json.dumps(_plain(numbers), ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _plain(value: Any) -> Any:
    """Replace what JSON has no word for by null."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.item() if hasattr(value, "item") else value


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
