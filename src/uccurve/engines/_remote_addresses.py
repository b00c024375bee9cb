"""Addresses such as s3://…: never fetched; what to do instead is said."""

from __future__ import annotations

import os
import re
from pathlib import PurePosixPath

from uccurve.exceptions import ArgumentError

_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE | re.ASCII)
_READERS = {
    ".csv": "scan_csv",
    ".tsv": "scan_csv",
    ".arrow": "scan_ipc",
    ".feather": "scan_ipc",
    ".ipc": "scan_ipc",
    ".jsonl": "scan_ndjson",
    ".ndjson": "scan_ndjson",
}


def address_scheme(name: str) -> str | None:
    """Return what an address begins with, such as s3; None for a path, or a file that is named so."""
    match = _ADDRESS.match(name)
    return match[1].lower() if match and not os.path.lexists(name) else None


def polars_call(name: str) -> str:
    """Return the call of Polars that opens an address as a lazy frame."""
    ending = PurePosixPath(name.partition("?")[0]).suffix.lower()
    return f"pl.{_READERS.get(ending, 'scan_parquet')}({name!r})"


def refuse_address(name: str) -> None:
    """Refuse to fetch an address, and say how to scan it."""
    scheme = address_scheme(name)
    if scheme == "file":
        raise ArgumentError(argument="source", rule="be a path, without file://", got=repr(name))
    if scheme is not None:
        raise ArgumentError(
            argument="source",
            rule="be local files",
            got=f"the address {name!r}",
            hint=(
                f"Nothing is fetched: open it with Polars, and pass uc.scan the frame {polars_call(name)}, "
                "with storage_options where needed."
            ),
        )
