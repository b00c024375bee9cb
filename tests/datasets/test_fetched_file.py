"""The file from the network: where it is kept, and what happens on the way."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing

import pytest

from uccurve import exceptions as ex
from uccurve._base import atomic_files
from uccurve.datasets import _fetched_file, fetch_metro_traffic

GZ, CSV, ZIP = _fetched_file.NAMES
KINDS = ["csv", "csv with LF", "csv.gz", "zip of csv.gz", "zip of csv"]


def kept(site):
    return sorted(file.name for file in site.folder.iterdir()) if site.folder.exists() else []


# -- downloads -------------------------------------------------------------------------------------


def test_the_second_call_needs_no_network(site, table):
    """A verified copy is kept, and nothing else."""
    assert fetch_metro_traffic().n == 400
    assert site.asked == [f"/new/{ZIP}"]
    assert kept(site) == [GZ]
    assert gzip.decompress((site.folder / GZ).read_bytes()) == table
    site.missing = ""
    assert fetch_metro_traffic().n == 400
    assert len(site.asked) == 1


def test_the_second_address_serves_where_the_first_fails(site, packings):
    """Addresses move."""
    site.missing, site.content = "new", packings["csv.gz"]
    assert fetch_metro_traffic().n == 400
    assert site.asked == [f"/new/{ZIP}", f"/old/{GZ}"]
    assert kept(site) == [GZ]


@pytest.mark.parametrize("chunked", [True, False])
def test_an_answer_without_a_length_may_be_whole(site, chunked):
    """The checksum tells."""
    site.measured, site.chunked = False, chunked
    assert fetch_metro_traffic().n == 400


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ({}, "the connection closed after 1,000 of {:,} bytes"),
        ({"measured": False, "chunked": True}, "IncompleteRead("),
        ({"measured": False}, "the answer cannot be unpacked: File is not a zip file."),
    ],
    ids=["with a length", "in chunks", "without a length"],
)
def test_a_broken_off_answer_is_not_kept(site, form, reason):
    """However it is sent."""
    vars(site).update(cut=1000, **form)
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic()
    assert list(caught.value.reasons) == list(site.addresses)
    for text in caught.value.reasons.values():
        assert text.startswith(reason.format(len(site.content)))
    assert kept(site) == []


def test_wrong_content_is_not_kept(site, known):
    """Portals answer everything with a page of their own."""
    site.content = b"<html>Please log in</html>"
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic()
    digest = hashlib.sha256(site.content).hexdigest()
    sums = f"{known['CRLF']} (with CRLF) or {known['LF']} (with LF), got {digest}."
    reason = f"the answer must have, unpacked, the sha256 {sums}"
    assert caught.value.reasons == dict.fromkeys(site.addresses, reason)
    assert kept(site) == []


@pytest.mark.parametrize("measured", [True, False])
def test_an_endless_answer_is_cut_short(site, monkeypatch, measured):
    """It may not fill the memory: the rest is not even received."""
    monkeypatch.setattr(_fetched_file, "LARGEST", 5000)
    site.content, site.measured = bytes(32 << 20), measured
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic()
    reason = "the answer must have at most 5,000 bytes, packed and unpacked."
    assert caught.value.reasons == dict.fromkeys(site.addresses, reason)
    assert site.hung_up.wait(60)


def test_a_silent_server_is_given_up(site):
    """A call ends."""
    site.wait.clear()
    site.cut = 1000
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic(timeout=0.2)
    assert caught.value.reasons == dict.fromkeys(site.addresses, "timed out")


def test_a_redirect_within_the_web_is_followed(site):
    """Archives rearrange their files."""
    site.moved_to = f"{site.base}/moved.zip"
    assert fetch_metro_traffic().n == 400
    assert site.asked == [f"/new/{ZIP}", "/moved.zip"]


@pytest.mark.parametrize("scheme", ["ftp", "file"])
@pytest.mark.parametrize("redirected", [True, False])
def test_only_the_web_is_asked(site, monkeypatch, tmp_path, packings, scheme, redirected):
    """Neither a redirect nor a proxy for other schemes leads to files of this machine or elsewhere."""
    copy = tmp_path / "copy.zip"
    copy.write_bytes(packings["zip of csv.gz"])
    monkeypatch.setenv("ftp_proxy", site.base)
    monkeypatch.setenv("no_proxy", "")
    elsewhere = copy.as_uri() if scheme == "file" else f"ftp://host.invalid/{ZIP}"
    site.moved_to, first = (elsewhere, site.addresses[0]) if redirected else ("", elsewhere)
    monkeypatch.setattr(_fetched_file, "ADDRESSES", (first,))
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic()
    (reason,) = caught.value.reasons.values()
    if redirected:
        assert reason == f"the server redirects to {elsewhere!r}, which is neither http nor https"
    else:
        assert reason == f"unknown url type: {scheme}"
    assert len(site.asked) == redirected


@pytest.mark.parametrize("place", ["http://[::1", "ftp://[bad"])
def test_a_redirect_to_no_address_is_named(site, monkeypatch, place):
    """In one line, as every reason."""
    site.moved_to = place
    monkeypatch.setattr(_fetched_file, "ADDRESSES", site.addresses[:1])
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic()
    (reason,) = caught.value.reasons.values()
    assert reason == f"the server redirects to {place!r}, which is no address: Invalid IPv6 URL"


def test_a_redirect_in_circles_is_told_in_one_line(site, monkeypatch):
    """The system's own message has three."""
    site.moved_to = site.addresses[0]
    monkeypatch.setattr(_fetched_file, "ADDRESSES", site.addresses[:1])
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic()
    (reason,) = caught.value.reasons.values()
    assert reason.startswith("HTTP 302 ")
    assert "\n" not in reason


def test_a_proxy_of_the_web_is_used(site, monkeypatch):
    """Many networks have no other way out."""
    monkeypatch.setenv("http_proxy", site.base)
    monkeypatch.setattr(_fetched_file, "ADDRESSES", ("http://host.invalid/metro.zip",))
    assert fetch_metro_traffic().n == 400
    assert site.asked == ["http://host.invalid/metro.zip"]


def test_without_a_network_the_error_says_what_to_do(site, monkeypatch):
    """All of it: what failed where, where to get the file, where to put it, and the argument."""
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        closed = f"http://127.0.0.1:{probe.getsockname()[1]}/metro.zip"
    monkeypatch.setattr(_fetched_file, "ADDRESSES", (closed, site.addresses[1]))
    site.missing = ""
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic()
    refused = f"[Errno {errno.ECONNREFUSED}] {os.strerror(errno.ECONNREFUSED)}"
    assert str(caught.value) == "\n".join(
        [
            f"Metro Interstate Traffic Volume is not in {site.folder} and cannot be downloaded:",
            f"  {closed}: {refused}",
            f"  {site.addresses[1]}: HTTP 404 Not Found",
            "Download it by hand from https://archive.ics.uci.edu/dataset/492 and save it, packed or unpacked, as one of",
            f"  {site.folder / 'Metro_Interstate_Traffic_Volume.csv.gz'}",
            f"  {site.folder / 'Metro_Interstate_Traffic_Volume.csv'}",
            f"  {site.folder / 'metro+interstate+traffic+volume.zip'}",
            "or pass the file as `path`. Set the environment variable UCCURVE_DATA to use another folder.",
        ]
    )
    assert isinstance(caught.value, OSError)
    assert kept(site) == []
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert (str(copy), copy.reasons) == (str(caught.value), caught.value.reasons)


@pytest.mark.usefixtures("site")
def test_progress_is_drawn_on_request(monkeypatch, packings):
    """On a terminal only, and only for what is downloaded."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    fetch_metro_traffic(progress=True)
    size = len(packings["zip of csv.gz"])
    assert sys.stderr.getvalue().endswith(f"{size:,} of {size:,}\n")
    monkeypatch.setattr(sys, "stderr", Terminal())
    fetch_metro_traffic(progress=True)
    assert sys.stderr.getvalue() == ""


# -- the folder ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [GZ, CSV, ZIP])
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_placed_by_hand_is_found(site, packings, name, kind):
    """Under each name that the error offers, packed or not: what it is, its content tells."""
    site.folder.mkdir()
    (site.folder / name).write_bytes(packings[kind])
    assert fetch_metro_traffic().n == 400
    assert site.asked == []
    assert kept(site) == [name]


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-100], lambda data: data[:500] + b"?" + data[501:], lambda _: b""]
)
def test_a_damaged_copy_is_fetched_again(site, table, damage):
    """Disks and people change files."""
    fetch_metro_traffic()
    copy = site.folder / GZ
    copy.write_bytes(damage(copy.read_bytes()))
    assert fetch_metro_traffic().n == 400
    assert len(site.asked) == 2
    assert gzip.decompress(copy.read_bytes()) == table


def test_a_damaged_copy_is_named_when_there_is_no_other(site, packings):
    """Who put a file there wants to know why it is not taken."""
    site.folder.mkdir()
    (site.folder / ZIP).write_bytes(packings["zip of csv.gz"][:-30])
    site.missing = ""
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic()
    assert caught.value.reasons[str(site.folder / ZIP)] == "it cannot be unpacked: File is not a zip file."
    assert (site.folder / ZIP).exists()


SCRIPT = """
import sys
from uccurve._base import atomic_files
from uccurve.datasets import _fetched_file, fetch_metro_traffic
_fetched_file.ADDRESSES, _fetched_file.SHA256 = (sys.argv[1],), {"CRLF": sys.argv[2]}
if sys.argv[3] == "while writing":
    def fill(file, content):
        file.write(content[: len(content) // 2])
        file.flush()
        print("ready", flush=True)
        sys.stdin.read()
    atomic_files._fill = fill
else:
    print("ready", flush=True)
fetch_metro_traffic()
"""


@pytest.mark.parametrize("moment", ["while reading", "while writing"])
def test_a_killed_process_leaves_no_half_file(site, known, moment):
    """What has the name of the file is the file; the next call downloads it."""
    if moment == "while reading":
        site.wait.clear()
        site.cut = 1000
    command = [sys.executable, "-c", SCRIPT, site.addresses[0], known["CRLF"], moment]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        while not site.asked:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    site.wait.set()
    site.cut = None
    assert process.returncode == -signal.SIGKILL
    assert not (site.folder / GZ).exists()
    assert fetch_metro_traffic().n == 400
    assert GZ in kept(site)


def full(file, content):
    """Write half of it to a disk that has no room for more."""
    file.write(content[: len(content) // 2])
    raise OSError(errno.ENOSPC, "no space left")


def refused(path, *_, **__):
    raise PermissionError(errno.EACCES, "Permission denied", str(path))


@pytest.fixture(params=["a file", "below a file", "no permission", "full"])
def obstacle(request, site, monkeypatch):
    """Why nothing can be kept in the folder, in words of the system."""
    if request.param == "full":
        monkeypatch.setattr(atomic_files, "_fill", full)
        return "no space left"
    if request.param == "no permission":  # patched, as the user root always has it
        monkeypatch.setattr(_fetched_file.Path, "mkdir", refused)
        return "Permission denied"
    site.folder.write_text("")
    if request.param == "a file":
        return "File exists"
    site.folder /= "data"
    monkeypatch.setenv("UCCURVE_DATA", str(site.folder))
    return "Not a directory"


def test_data_that_cannot_be_kept_are_returned_with_a_warning(site, obstacle):
    """Containers often have no place to write to; the warning says why each call downloads."""
    with pytest.warns(UserWarning, match="is not kept") as caught:
        assert fetch_metro_traffic().n == 400
    (warning,) = caught
    text = str(warning.message)
    assert text.startswith(
        f"Metro Interstate Traffic Volume is not kept, as {site.folder} cannot be written to: [Errno "
    )
    assert obstacle in text
    assert text.endswith(". Set the environment variable UCCURVE_DATA to use another folder.")
    assert warning.filename == __file__
    assert len(site.asked) == 1
    assert not site.folder.is_dir() or kept(site) == []


def test_an_old_copy_survives_a_failed_write(site, monkeypatch, packings):
    """Whatever happens while the new one is written."""
    site.folder.mkdir()
    old = packings["csv.gz"][:-50]
    (site.folder / GZ).write_bytes(old)
    monkeypatch.setattr(atomic_files, "_fill", full)
    with pytest.warns(UserWarning, match="no space left"):
        assert fetch_metro_traffic().n == 400
    assert kept(site) == [GZ]
    assert (site.folder / GZ).read_bytes() == old


def test_data_are_kept_where_the_system_keeps_caches(monkeypatch, tmp_path):
    """Unless told otherwise; a relative path in XDG_CACHE_HOME is to be ignored, as its standard says."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("UCCURVE_DATA", "~/mine")
    assert _fetched_file.folder() == tmp_path / "mine"
    monkeypatch.delenv("UCCURVE_DATA")
    assert _fetched_file.folder() == tmp_path / ".cache" / "uccurve"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert _fetched_file.folder() == tmp_path / "cache" / "uccurve"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert _fetched_file.folder() == tmp_path / "Library" / "Caches" / "uccurve"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert _fetched_file.folder() == tmp_path / "local" / "uccurve"


@pytest.mark.parametrize("chosen", ["~nobody-of-this-name/x", ""])
def test_without_a_home_the_error_says_what_to_set(monkeypatch, chosen):
    """A container may run as a user that its system does not know."""
    for name in ("XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("UCCURVE_DATA", chosen)
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 7)
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic()
    reason = "Could not determine home directory."
    assert str(caught.value) == (
        f"Metro Interstate Traffic Volume cannot be kept: {reason} "
        "Set the environment variable UCCURVE_DATA to use another folder, or pass the file as `path`."
    )
    assert caught.value.reasons == {chosen or "~": reason}


def test_drawing_data_loads_nothing_of_the_network():
    """Who only wants an example does not pay for it."""
    code = "import sys, uccurve.datasets; print(*{'urllib.request', 'http.client', 'zipfile'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""
