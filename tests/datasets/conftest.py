"""A small file with the quirks of the real one, in every packing, and a server that has it."""

from __future__ import annotations

import gzip
import hashlib
import io
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import numpy as np
import pytest

from uccurve.datasets import _fetched_file

HEADER = "holiday,temp,rain_1h,snow_1h,clouds_all,weather_main,weather_description,date_time,traffic_volume"
GZ, ZIP = "Metro_Interstate_Traffic_Volume.csv.gz", "metro+interstate+traffic+volume.zip"


@pytest.fixture(scope="session")
def table():
    """400 rows: hours twice, hours missing, 0 K, a flood, holidays at hour 0."""
    rng = np.random.default_rng(0)
    steps = [0, 0, *rng.choice([0, 1, 1, 1, 2, 30], 398)]
    hours = np.datetime64("2012-12-25T00", "s") + np.cumsum(steps) * 3600
    lines = [HEADER]
    for row, hour in enumerate(hours):
        clock = str(hour).replace("T", " ")
        holiday = "Christmas Day" if clock[5:] == "12-25 00:00:00" else "None"
        temp = 0.0 if row in (7, 8) else round(rng.uniform(240, 310), 2)
        rain = 9831.3 if row == 30 else 0.0
        sky = rng.choice(["Clouds,scattered clouds", 'Rain,"rain, light"', "Clear,sky is clear"])
        volume = hour.astype(int) // 3600 % 7000
        lines.append(f"{holiday},{temp},{rain},0.0,{rng.integers(101)},{sky},{clock},{volume}")
    return "\r\n".join([*lines, ""]).encode()


@pytest.fixture(scope="session")
def zipped():
    """Pack a file into a zip archive."""

    def packed(content, name):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, content)
        return stream.getvalue()

    return packed


@pytest.fixture(scope="session")
def packings(table, zipped):
    """The same table in every form that is accepted."""
    return {
        "csv": table,
        "csv with LF": table.replace(b"\r\n", b"\n"),
        "csv.gz": gzip.compress(table, mtime=0),
        "zip of csv.gz": zipped(gzip.compress(table, mtime=0), GZ),
        "zip of csv": zipped(table, "folder/data.CSV"),
    }


class Handler(BaseHTTPRequestHandler):
    """Serves one file as its site says, and writes down what it was asked for."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        site = self.server.site
        site.asked.append(self.path)
        if site.missing in self.path:
            self.send_error(404)
            return
        if site.moved_to and "/new/" in self.path:
            self.send_response(302)
            self.send_header("Location", site.moved_to)
            self.end_headers()
            return
        content = site.content
        self.send_response(200)
        if site.measured:
            self.send_header("Content-Length", str(len(content)))
        if site.chunked:
            self.send_header("Transfer-Encoding", "chunked")
            content = b"%x\r\n%b\r\n0\r\n\r\n" % (len(content), content)
        self.end_headers()
        try:
            self.wfile.write(content[: site.cut])
        except ConnectionError:
            site.hung_up.set()
        if site.cut is not None:
            site.wait.wait(60)


@pytest.fixture
def known(monkeypatch, packings):
    """Take the small file for the published one; return its checksums."""
    sums = {
        ends: hashlib.sha256(packings[kind]).hexdigest()
        for ends, kind in (("CRLF", "csv"), ("LF", "csv with LF"))
    }
    monkeypatch.setattr(_fetched_file, "SHA256", sums)
    return sums


@pytest.fixture
def site(tmp_path, monkeypatch, packings, known):  # noqa: ARG001
    """A server on this machine that takes the place of the archive, and an empty folder for data."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    base = f"http://127.0.0.1:{server.server_port}"
    server.site = SimpleNamespace(
        asked=[],
        content=packings["zip of csv.gz"],
        missing="nowhere",
        moved_to="",
        measured=True,
        chunked=False,
        cut=None,
        wait=threading.Event(),
        hung_up=threading.Event(),
        base=base,
        addresses=(f"{base}/new/{ZIP}", f"{base}/old/{GZ}"),
        folder=tmp_path / "data",
    )
    server.site.wait.set()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setattr(_fetched_file, "ADDRESSES", server.site.addresses)
    monkeypatch.setenv("UCCURVE_DATA", str(server.site.folder))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    yield server.site
    server.site.wait.set()
    server.shutdown()
    server.server_close()
    thread.join()
