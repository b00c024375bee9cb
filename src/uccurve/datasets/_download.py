"""Files from the network: resumed where a download broke off, checked, and kept in a folder.

A download grows in a file of its own (``*.part``), which begins with a line that names its address and the
version of the file there. A process that is killed leaves it behind, and the next one asks for the rest. One
that finds it in use by another process, or cannot write to it, downloads for itself, into memory. Either way
the result is checked first, and then takes its place in the folder at once, if there is one to be had.
"""

from __future__ import annotations

import gzip
import io
import os
import sys
import warnings
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import IO, TYPE_CHECKING

from uccurve._base import atomic_files
from uccurve._base.progress import bar
from uccurve.datasets._unpacked import limited
from uccurve.exceptions import DownloadError, FileFormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from http.client import HTTPResponse

LARGEST = 16 << 20  # bytes of a download

_PIECE = 1 << 16
_UNWRITABLE = "cannot be written to: {}"
_LOCKED_BYTE = 1 << 30  # beyond any content: Windows locks bytes, and nobody may read those


class _BrokenOffError(Exception):
    """No answer, or one that is no use, with the reason; an OSError is about files here."""


@dataclass(frozen=True, kw_only=True)
class Remote:
    """A file that can be had from several addresses, and how to tell that it is the right one."""

    title: str
    page: str
    """Where a person finds it."""
    addresses: tuple[str, ...]
    names: tuple[str, ...]
    """What it may be called in the folder; a download is kept, gzipped, under the first of these names."""
    checked: Callable[[bytes, str], bytes]
    """Unpack content and return it, or raise `FileFormatError`; the text says what the content is."""


def folder() -> Path:
    """Return where data are kept: ``$UCCURVE_DATA``, or the place for caches of this system."""
    chosen = os.environ.get("UCCURVE_DATA")
    if chosen:
        return _expanded(chosen).absolute()
    if sys.platform == "win32":
        variable, default = "LOCALAPPDATA", "AppData/Local"
    elif sys.platform == "darwin":
        variable, default = "XDG_CACHE_HOME", "Library/Caches"
    else:
        variable, default = "XDG_CACHE_HOME", ".cache"
    base = Path(os.environ.get(variable) or "")
    return (base if base.is_absolute() else _expanded("~") / default) / "uccurve"


def _expanded(path: str) -> Path:
    """Put the home folder in the place of ``~``; a user in a container may have none."""
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        reason = "there is no such home folder"
        advice = "Set a folder with the environment variable UCCURVE_DATA, or give the file as `path`."
        raise DownloadError(f"data cannot be kept in {path}: {reason}. {advice}", {path: reason}) from error


def fetch(remote: Remote, *, timeout: float, progress: bool) -> bytes:
    """Return the content of a file: from the folder if it is there and right, else from the network.

    Where nothing can be written to the folder, the content is returned with a warning.
    """
    place = folder()
    reasons: dict[str, str] = {}
    for copy in (place / name for name in remote.names):
        try:
            with copy.open("rb") as stream:
                return remote.checked(limited(stream, "it"), "it")
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (FileFormatError, OSError) as error:
            reasons[str(copy)] = str(error)
    parts = {address: place / f"{address.rpartition('/')[2]}.part" for address in remote.addresses}
    for address, part in parts.items():
        received = partial(_received, remote, address, timeout, remote.title if progress else "")
        try:
            try:
                with _opened(part) as file:
                    content = received(file)
            except OSError as error:
                reasons[str(place)] = _UNWRITABLE.format(error)
                content = received(io.BytesIO())
        except (FileFormatError, _BrokenOffError) as error:
            reasons[address] = str(error)
            continue
        try:
            _keep(content, place / remote.names[0], list(parts.values()))
        except OSError as error:
            reason = reasons.get(str(place), _UNWRITABLE.format(error))
            advice = "Set another folder with the environment variable UCCURVE_DATA."
            warnings.warn(f"{remote.title} is not kept: {place} {reason}. {advice}", stacklevel=3)
        return content
    raise _error(remote, place, reasons)


def _keep(content: bytes, target: Path, parts: list[Path]) -> None:
    """Write content to its place, and remove what is no longer needed then."""
    with atomic_files.replacing(target) as unfinished:
        unfinished.write_bytes(gzip.compress(content, mtime=0))
    for leftover in parts:
        with suppress(OSError):
            leftover.unlink(missing_ok=True)


def _error(remote: Remote, place: Path, reasons: dict[str, str]) -> DownloadError:
    advice = [
        f"Get it by hand from {remote.page} and save it, packed or unpacked, as one of",
        *(f"  {place / name}" for name in remote.names),
        "or give the file as `path`. Another folder can be set with the environment variable UCCURVE_DATA.",
    ]
    if str(place) in reasons:
        advice = [
            f"Get it by hand from {remote.page} and give the file as `path`,",
            "or set another folder with the environment variable UCCURVE_DATA.",
        ]
    lines = [
        f"{remote.title} is not in {place} and cannot be downloaded:",
        *(f"  {where}: {reason}" for where, reason in reasons.items()),
        *advice,
    ]
    return DownloadError("\n".join(lines), reasons)


def _received(remote: Remote, address: str, timeout: float, title: str, file: IO[bytes]) -> bytes:
    """Download and check; what was put together from two answers and is wrong gets a second try."""
    while True:
        resumed = _receive(address, file, timeout, title)
        file.seek(0)
        file.readline()
        try:
            return remote.checked(file.read(), "the answer")
        except FileFormatError:
            file.truncate(0)
            if not resumed:
                raise


@contextmanager
def _opened(part: Path) -> Iterator[IO[bytes]]:
    """Open what there is of a download, for this process alone."""
    part.parent.mkdir(parents=True, exist_ok=True)
    try:
        with part.open("a+b") as file:
            if _locked(file):
                yield file
                return
        yield io.BytesIO()
    finally:
        with suppress(OSError):
            if part.stat().st_size == 0:
                part.unlink()


def _locked(file: IO[bytes]) -> bool:
    """Claim a file, as long as it is open and the process lives; whether nobody else had."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415

            file.seek(_LOCKED_BYTE)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _receive(address: str, file: IO[bytes], timeout: float, title: str) -> bool:
    """Make a part whole, and say whether there was some of it before."""
    from http.client import HTTPException  # noqa: PLC0415
    from urllib.error import HTTPError  # noqa: PLC0415
    from urllib.request import Request, urlopen  # noqa: PLC0415

    version, held = _held(address, file)
    request = Request(address, headers={"User-Agent": "uccurve"})  # noqa: S310
    if held:
        request.add_header("Range", f"bytes={held}-")
        if version:
            request.add_header("If-Range", version)
    try:
        answer = urlopen(request, timeout=timeout)  # noqa: S310
    except HTTPError as error:
        with error:
            if held and error.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                return True  # there is no rest: it is whole, or it is wrong, which the check tells
            raise _BrokenOffError(f"HTTP {error.code} {error.reason}") from error
    except (HTTPException, OSError) as error:
        raise _broken_off(error) from error
    with answer:
        return _take(answer, address, file, version, held, title)


def _broken_off(error: Exception) -> _BrokenOffError:
    """Say what went wrong between here and a server."""
    from http.client import HTTPException  # noqa: PLC0415
    from urllib.error import URLError  # noqa: PLC0415

    if isinstance(error, HTTPException):
        return _BrokenOffError(f"the answer is incomplete, or no HTTP: {error!r}")
    return _BrokenOffError(str(error.reason if isinstance(error, URLError) else error))


def _take(answer: HTTPResponse, address: str, file: IO[bytes], version: str, held: int, title: str) -> bool:
    """Add an answer to a part, or begin anew with it; whether it was added."""
    new = _version(answer)
    if answer.status == HTTPStatus.PARTIAL_CONTENT:
        starts = answer.headers.get("Content-Range", "").startswith(f"bytes {held}-")
        if not held or not starts or (version and new and new != version):
            file.truncate(0)
            if not held:
                raise _BrokenOffError("the answer is a part of the file, which was not asked for")
            return True  # the rest of something else: nothing is left, which the check does not accept
        _append(answer, file, held, title)
        return True
    file.truncate(0)
    file.seek(0)
    file.write(f"{address} {new}\n".encode("latin-1"))
    _append(answer, file, 0, title)
    return False


def _append(answer: HTTPResponse, file: IO[bytes], held: int, title: str) -> None:
    """Write an answer to the end of a part, each piece as it comes."""
    left = answer.length
    total = held + (left or 0)
    file.seek(0, os.SEEK_END)
    while left != 0:
        piece = _piece(answer, _PIECE if left is None else min(_PIECE, left))
        if not piece:
            break
        held += len(piece)
        if max(held, total) > LARGEST:
            file.truncate(0)
            raise _BrokenOffError(f"the answer has more than {LARGEST:,} bytes")
        file.write(piece)
        file.flush()
        if left is not None:
            left -= len(piece)
            bar(title, held, total, show=bool(title))
    if left:
        raise _BrokenOffError(f"the connection closed after {held:,} of {total:,} bytes")


def _piece(answer: HTTPResponse, size: int) -> bytes:
    """Wait for the next bytes of an answer, up to so many."""
    from http.client import HTTPException  # noqa: PLC0415

    try:
        return answer.read1(size)
    except (HTTPException, OSError) as error:
        raise _broken_off(error) from error


def _held(address: str, file: IO[bytes]) -> tuple[str, int]:
    """Return the version of the file that a part belongs to, and how many bytes of it there are."""
    file.seek(0)
    line = file.readline(_PIECE)
    known, _, version = line.decode("latin-1").rstrip("\n").partition(" ")
    held = file.seek(0, os.SEEK_END) - len(line)
    if known != address or not line.endswith(b"\n") or held > LARGEST:
        return "", 0
    return version, held


def _version(answer: HTTPResponse) -> str:
    """Return what tells versions of a file apart: a strong tag, else the time of the last change."""
    tag: str = answer.headers.get("ETag", "")
    found: str = tag if tag.startswith('"') else answer.headers.get("Last-Modified", "")
    return " ".join(found.split())
