"""Files out of their wrappings, in memory and up to a size."""

from __future__ import annotations

import io
import zlib
from typing import TYPE_CHECKING

from uccurve.exceptions import FileFormatError

if TYPE_CHECKING:
    import zipfile
    from gzip import GzipFile
    from typing import IO

LARGEST = 64 << 20  # bytes of a file when unpacked

_ZIP, _GZIP = (b"PK\x03\x04", b"PK\x05\x06"), b"\x1f\x8b"  # the second zip is an empty one
_TABLES = (".csv", ".csv.gz")


def unpacked(data: bytes, what: str) -> bytes:
    """Return the table in a zip archive, in a gzip file or in both; anything else is returned as it is.

    What a file is, its first bytes tell, not its name. Nothing is written anywhere.
    """
    if data.startswith(_ZIP):
        data = _from_archive(data, what)
    if data.startswith(_GZIP):
        data = _from_gzip(data, what)
    return data


def limited(stream: IO[bytes] | GzipFile, what: str) -> bytes:
    """Read a stream to its end, unless that is too far away."""
    data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise FileFormatError(f"{what} must have, unpacked, at most {LARGEST:,} bytes, got more.")
    return data


def _from_gzip(data: bytes, what: str) -> bytes:
    import gzip  # noqa: PLC0415

    try:
        with gzip.open(io.BytesIO(data)) as stream:
            return limited(stream, what)
    except (OSError, EOFError, zlib.error) as error:
        raise FileFormatError(f"{what} is a gzip file that cannot be unpacked: {error}.") from error


def _from_archive(data: bytes, what: str) -> bytes:
    import zipfile  # noqa: PLC0415

    damage = (zipfile.BadZipFile, OSError, EOFError, zlib.error)
    unusual = (RuntimeError, NotImplementedError)  # what zipfile says about passwords and rare methods
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(_table(archive, what)) as stream:
            return limited(stream, what)
    except (*damage, *unusual) as error:
        raise FileFormatError(f"{what} is a zip archive that cannot be unpacked: {error}.") from error


def _table(archive: zipfile.ZipFile, what: str) -> zipfile.ZipInfo:
    """Find the one table of an archive."""
    files = [entry for entry in archive.infolist() if not entry.filename.startswith("__MACOSX/")]
    tables = [entry for entry in files if entry.filename.lower().endswith(_TABLES)]
    if len(tables) != 1:
        names = ", ".join(repr(entry.filename) for entry in files[:5]) or "nothing"
        raise FileFormatError(
            f"{what} is a zip archive that must hold one csv or csv.gz file, got {len(tables)}: {names}."
        )
    name = tables[0].filename
    if name.startswith("/") or ".." in name.split("/") or ":" in name:
        raise FileFormatError(f"{what} is a zip archive with a file that would leave its folder: {name!r}.")
    return tables[0]
