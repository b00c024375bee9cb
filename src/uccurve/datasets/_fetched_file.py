"""The file of the traffic data: found in a folder or downloaded, unpacked, and verified."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import sys
import urllib.request
import zipfile
from http.client import HTTPException
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit

from uccurve._base import atomic_files
from uccurve._base.caller_warnings import warn_caller
from uccurve._base.progress import bar
from uccurve.exceptions import DownloadError, FileFormatError

if TYPE_CHECKING:
    from http.client import HTTPMessage

TITLE = "Metro Interstate Traffic Volume"
PAGE = "https://archive.ics.uci.edu/dataset/492"
ADDRESSES = (
    "https://archive.ics.uci.edu/static/public/492/metro+interstate+traffic+volume.zip",
    "https://archive.ics.uci.edu/ml/machine-learning-databases/00492/Metro_Interstate_Traffic_Volume.csv.gz",
)
NAMES = (  # in the folder; a download is kept under the first
    "Metro_Interstate_Traffic_Volume.csv.gz",
    "Metro_Interstate_Traffic_Volume.csv",
    "metro+interstate+traffic+volume.zip",
)
SHA256 = {  # of the unpacked file, by its line ends
    "CRLF": "749c90d720360a4215bb15345526073c079ba4cc95e3fa558796d083f85fce9e",
    "LF": "0411ba6c43127a29cefa4d8f39708b9d77979d9dcf895f2d212506fe947b673c",
}
LARGEST = 64 << 20  # bytes of a file, packed or unpacked; the real one has 0.4 and 3.2 million
_PIECE = 1 << 16
_SCHEMES = {"http", "https"}
_SET_FOLDER = "Set the environment variable UCCURVE_DATA to use another folder"


def folder() -> Path:
    """Return where the file is kept: ``$UCCURVE_DATA``, or the folder for caches of this system."""
    chosen = os.environ.get("UCCURVE_DATA")
    systems = {"win32": ("LOCALAPPDATA", "AppData/Local"), "darwin": ("XDG_CACHE_HOME", "Library/Caches")}
    variable, default = systems.get(sys.platform, ("XDG_CACHE_HOME", ".cache"))
    caches = Path(os.environ.get(variable, ""))
    try:
        if chosen:
            return Path(chosen).expanduser().absolute()
        return (caches if caches.is_absolute() else Path.home() / default) / "uccurve"
    except RuntimeError as error:  # a user of a container may have no home
        message = f"{TITLE} cannot be kept: {error} {_SET_FOLDER}, or pass the file as `path`."
        raise DownloadError(message, {chosen or "~": str(error)}) from error


def fetched(*, timeout: float, progress: bool) -> bytes:
    """Return the content of the file, from the folder if it is there and valid, else from the network."""
    target = folder()
    reasons: dict[str, str] = {}
    for copy in (target / name for name in NAMES):
        try:
            return verified(read_file(copy, "it"), "it")
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (FileFormatError, OSError) as error:
            reasons[str(copy)] = str(error)
    for address in ADDRESSES:
        try:
            answer = _downloaded(address, timeout, progress=progress)
            content = verified(_unpacked(answer, "the answer"), "the answer")
        except HTTPError as error:
            with error:
                reasons[address] = " ".join(f"HTTP {error.code} {error.reason}".split())
        except URLError as error:
            reasons[address] = str(error.reason)
        except (HTTPException, OSError, ValueError) as error:
            reasons[address] = str(error)
        else:
            _keep(content, target)
            return content
    lines = [
        f"{TITLE} is not in {target} and cannot be downloaded:",
        *(f"  {source}: {reason}" for source, reason in reasons.items()),
        f"Download it by hand from {PAGE} and save it, packed or unpacked, as one of",
        *(f"  {target / name}" for name in NAMES),
        f"or pass the file as `path`. {_SET_FOLDER}.",
    ]
    raise DownloadError("\n".join(lines), reasons)


class _WebRedirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to http and https only; the usual handler would follow those to ftp as well."""

    def http_error_302(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage
    ) -> IO[bytes] | None:
        place = headers.get("location") or headers.get("uri") or ""
        try:
            address = urljoin(req.full_url, place)
            scheme = urlsplit(address).scheme
        except ValueError as error:
            fp.close()
            raise URLError(f"the server redirects to {place!r}, which is no address: {error}") from error
        if scheme not in _SCHEMES:
            fp.close()
            raise URLError(f"the server redirects to {address!r}, which is neither http nor https")
        return super().http_error_302(req, fp, code, msg, headers)

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def _downloaded(address: str, timeout: float, *, progress: bool) -> bytes:
    """Return what a server answers; a redirect to anything but http or https is not followed."""
    proxies = urllib.request.getproxies()
    opener = urllib.request.OpenerDirector()  # build_opener would add handlers for ftp, file and data
    for handler in (
        urllib.request.ProxyHandler({scheme: proxies[scheme] for scheme in proxies.keys() & _SCHEMES}),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        _WebRedirects(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.UnknownHandler(),
    ):
        opener.add_handler(handler)
    opener.addheaders = [("User-Agent", "uccurve")]
    data = bytearray()
    with opener.open(address, timeout=timeout) as answer:
        total = answer.length or 0  # servers may leave it out
        while len(data) <= LARGEST and (piece := answer.read(_PIECE)):
            data += piece
            bar(TITLE, len(data), total, show=progress and total > 0)
    if len(data) < min(total, LARGEST):
        raise FileFormatError(f"the connection closed after {len(data):,} of {total:,} bytes")
    return _read(io.BytesIO(data), "the answer")


def _keep(content: bytes, target: Path) -> None:
    """Write the file to the folder, whole or not at all; warn if that is impossible."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        if atomic_files.open_to_others(target) == "every user":
            message = f"every user can write to {target}, where {TITLE} is kept."
            warn_caller(f"{message} {_SET_FOLDER}.", UserWarning)
        atomic_files.keep(target / NAMES[0], gzip.compress(content, mtime=0))
    except OSError as error:
        message = f"{TITLE} is not kept, as {target} cannot be written to: {error}."
        warn_caller(f"{message} {_SET_FOLDER}.", UserWarning)


def read_file(path: Path, name: str) -> bytes:
    """Return the table in a csv, csv.gz or zip file."""
    with path.open("rb") as stream:
        return _unpacked(_read(stream, name), name)


def _read(stream: IO[bytes] | gzip.GzipFile, name: str) -> bytes:
    """Read a stream, up to a size limit."""
    data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise FileFormatError(f"{name} must have at most {LARGEST:,} bytes, packed and unpacked")
    return data


def _unpacked(data: bytes, name: str) -> bytes:
    """Return the table in a zip archive, a gzip file or both; the first bytes tell which, not the name."""
    try:
        if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):  # the second is an empty archive
            with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(_table(archive)) as stream:
                data = _read(stream, name)
        if data.startswith(b"\x1f\x8b"):
            with gzip.open(io.BytesIO(data)) as packed:
                data = _read(packed, name)
    except FileFormatError:
        raise
    except Exception as error:  # damaged archives raise many kinds
        raise FileFormatError(f"{name} cannot be unpacked: {error}") from error
    return data


def _table(archive: zipfile.ZipFile) -> str:
    """Return the name of the one table in an archive; macOS adds shadow files."""
    names = [name for name in archive.namelist() if not name.startswith("__MACOSX/")]
    tables = [name for name in names if name.lower().endswith((".csv", ".csv.gz"))]
    if len(tables) != 1:
        raise ValueError(f"the archive must hold one csv or csv.gz file, got {len(tables)}")
    return tables[0]


def verified(content: bytes, name: str, advice: str = "") -> bytes:
    """Return the content of the file, which must be the published one to the last byte."""
    digest = hashlib.sha256(content).hexdigest()
    if digest in SHA256.values():
        return content
    wanted = " or ".join(f"{known} (with {ends})" for ends, known in SHA256.items())
    got = digest if content else "an empty file"
    raise FileFormatError(f"{name} must have, unpacked, the sha256 {wanted}", got=got, hint=advice)
