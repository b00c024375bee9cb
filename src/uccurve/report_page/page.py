"""From numbers and words to one self-contained HTML file. The only place that knows HTML."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arguments import needed

if TYPE_CHECKING:
    from collections.abc import Mapping


def render(numbers: Mapping[str, Any], shown: Mapping[str, Any]) -> str:
    """Fill the template; whatever comes from the data is escaped."""
    with needed("jinja2", extra="report"):
        import jinja2  # noqa: PLC0415
        from markupsafe import Markup  # noqa: PLC0415 - comes with jinja2

    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    code, styles = read("page.min.js"), read("page.min.css")
    policy = (
        f"default-src 'none'; script-src '{_hash(code)}'; style-src '{_hash(styles)}'; img-src data: blob:; "
        f"base-uri 'none'; form-action 'none'"
    )
    return environment.from_string(read("page.html")).render(
        policy=policy,
        style=Markup(styles),  # noqa: S704 - our own files
        script=Markup(code),  # noqa: S704 - our own files
        numbers=Markup(embed(numbers)),  # noqa: S704 - escaped for a script element
        licenses=read("licenses.txt"),
        **shown,
    )


def read(name: str) -> str:
    """Read a file of the page; what is bundled was made by tools/bundle.mjs."""
    return (resources.files("uccurve.report_page") / "web" / name).read_text("utf-8")


def embed(numbers: Mapping[str, Any]) -> str:
    """Write JSON that cannot end the script element it stands in."""
    text = json.dumps(_plain(numbers), ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _plain(value: Any) -> Any:
    """Replace what JSON has no word for: arrays by base64 of their bytes, flags by 0 and 1, NaN by null."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, np.ndarray):
        if value.dtype == bool:
            return "".join("1" if flag else "0" for flag in value)
        kind = value.dtype.str[1:]  # f4 or f8
        return {kind: base64.b64encode(value.astype(f"<{kind}").tobytes()).decode("ascii")}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.item() if hasattr(value, "item") else value


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
