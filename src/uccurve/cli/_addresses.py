"""Addresses such as s3://… in the place of files: refused, with the command that copies them."""

from __future__ import annotations

import shlex

from uccurve.cli._errors import FileError
from uccurve.engines._remote_addresses import address_scheme, polars_call
from uccurve.sketch import SketchFile

_COPYING = {
    "s3": "aws s3 cp {} .",
    "gs": "gcloud storage cp {} .",
    "http": "curl -O {}",
    "https": "curl -O {}",
}


def refuse_address(name: str) -> None:
    """Refuse to read an address, and say how to copy it or to scan it in Python."""
    scheme = address_scheme(name)
    if scheme == "file":
        raise FileError(f"{name}: write the path without file://.")
    if scheme is None:
        return
    command = _COPYING.get(scheme, "").format(shlex.quote(name))
    copying = f"copy it first ({command})" if command else "copy it first"
    scanning = f", or scan it in Python with uc.scan({polars_call(name)}, …)"
    if name.lower().endswith(SketchFile.SUFFIX):
        scanning = ""
    raise FileError(f"{name}: is an address, and only local files are read: {copying}{scanning}.")


def refuse_address_to_write(name: str) -> None:
    """Refuse to write to an address."""
    if address_scheme(name) is not None:
        raise FileError(
            f"{name}: is an address, and only local files are written: copy the file there later."
        )
