"""Data sets: what is drawn, what is read, and what happens on the way from the network."""

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
import threading
import time
import zipfile
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import numpy as np
import pytest

from uccurve import datasets
from uccurve import exceptions as ex
from uccurve.datasets import _download, _metro, _unpacked, fetch_metro_traffic, make_gap

HEADER = "holiday,temp,rain_1h,snow_1h,clouds_all,weather_main,weather_description,date_time,traffic_volume"
GZ, CSV, ZIP = "Metro_Interstate_Traffic_Volume.csv.gz", "Metro_Interstate_Traffic_Volume.csv", "metro.zip"


def written():
    """A file with the quirks of the real one: hours twice, hours missing, 0 K, a flood, holidays at hour 0."""
    rng = np.random.default_rng(0)
    steps = [0, 0, *rng.choice([0, 1, 1, 1, 2, 30], 398)]
    hours = np.datetime64("2012-12-25T00", "s") + np.cumsum(steps) * 3600
    lines = [HEADER]
    for row, hour in enumerate(hours):
        clock = str(hour).replace("T", " ")
        christmas = clock[5:] == "12-25 00:00:00"
        temp = 0.0 if row in (7, 8) else round(rng.uniform(240, 310), 2)
        rain = 9831.3 if row == 30 else 0.0
        sky = rng.choice(["Clouds,scattered clouds", 'Rain,"rain, light"', "Clear,sky is clear"])
        lines.append(
            f"{'Christmas Day' if christmas else 'None'},{temp},{rain},0.0,{rng.integers(101)},{sky},{clock},{hour.astype(int) // 3600 % 7000}"
        )
    return "\r\n".join([*lines, ""]).encode()


def zipped(content, name=GZ):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return stream.getvalue()


TABLE = written()
PACKED = {
    "csv": TABLE,
    "csv with LF": TABLE.replace(b"\r\n", b"\n"),
    "csv.gz": gzip.compress(TABLE, mtime=0),
    "zip of csv.gz": zipped(gzip.compress(TABLE, mtime=0)),
    "zip of csv": zipped(TABLE, "folder/data.CSV"),
}
SUMS = {"CRLF": hashlib.sha256(TABLE).hexdigest(), "LF": hashlib.sha256(PACKED["csv with LF"]).hexdigest()}
ARCHIVE = PACKED["zip of csv.gz"]


class Handler(BaseHTTPRequestHandler):
    """Serves one file as its site says, and writes down what it was asked for."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        site = self.server.site
        begin, condition = self.headers["Range"], self.headers["If-Range"]
        site.asked.append((self.path, begin, condition))
        if site.missing in self.path:
            self.send_error(404)
            return
        body, start = site.content, 0
        if begin and site.ranges and (condition in (None, site.tag, site.changed) or site.careless):
            start = int(begin.removeprefix("bytes=").removesuffix("-"))
            if start >= len(body):
                self.send_error(416)
                return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start + site.shift}-{len(body) - 1}/{len(body)}")
        if site.measured:
            self.send_header("Content-Length", str(len(body) - start))
        if site.chunked:
            self.send_header("Transfer-Encoding", "chunked")
        for name, value in (("ETag", site.tag), ("Last-Modified", site.changed)):
            if value:
                self.send_header(name, value)
        self.end_headers()
        cut = site.cut.pop(0) if site.cut else None
        before, after = (b"%x\r\n" % (len(body) - start), b"\r\n0\r\n\r\n") if site.chunked else (b"", b"")
        self.wfile.write(before + body[start:cut] + (after if cut is None else b""))
        if cut is not None and site.wait:
            site.wait.wait(60)


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A server on this machine in the place of the archive, the small file in that of the large one."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    base = f"http://127.0.0.1:{server.server_port}"
    server.site = SimpleNamespace(
        asked=[],
        content=ARCHIVE,
        tag='"v1"',
        changed=None,
        cut=[],
        wait=None,
        ranges=True,
        careless=False,
        measured=True,
        chunked=False,
        missing="nowhere",
        shift=0,
        addresses=(f"{base}/new/metro.zip", f"{base}/old/{GZ}"),
        folder=tmp_path / "data",
    )
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setattr(_metro, "ADDRESSES", server.site.addresses)
    monkeypatch.setattr(_metro, "NAMES", (GZ, CSV, ZIP))
    monkeypatch.setattr(_metro, "SHA256", SUMS)
    monkeypatch.setenv("UCCURVE_DATA", str(server.site.folder))
    monkeypatch.setenv("no_proxy", "*")
    yield server.site
    server.shutdown()
    server.server_close()
    thread.join()


def same(found):
    """Whether the table is the whole one."""
    return found.n == 400 and int(found.traffic_volume.sum()) == int(expected().traffic_volume.sum())


def expected():
    columns = _metro._cells.read(TABLE, _metro.COLUMNS, "the file")
    return datasets.MetroTraffic(**columns)


def kept(site):
    return sorted(file.name for file in site.folder.iterdir())


def broken_off(site, at=1000):
    """Leave a part of the first address behind, of so many bytes."""
    site.cut, site.missing = [at], "old"
    with pytest.raises(ex.DownloadError):
        fetch_metro_traffic()
    site.missing = "nowhere"
    site.asked.clear()
    assert kept(site) == ["metro.zip.part"]


# -- what is drawn ---------------------------------------------------------------------------------


def test_training_inputs_leave_the_gap_that_test_inputs_fill():
    """Otherwise there is nothing that a model should be unsure about."""
    data = make_gap(4000, 2000, rng=0)
    assert np.abs(data.x_train).min() >= 1
    assert np.abs(data.x_train).max() <= 3
    assert abs(np.mean(data.x_train > 0) - 0.5) < 0.05
    assert 0.25 < np.mean(np.abs(data.x) < 1) < 0.42
    assert (np.diff(data.x) >= 0).all()


def test_the_truth_about_a_gap_is_the_truth():
    """Mean and noise are what the observations scatter about, and with."""
    data = make_gap(5000, 5000, noise=0.5, function=np.square, rng=1)
    np.testing.assert_array_equal(data.y_mean, data.x**2)
    np.testing.assert_array_equal(data.std, 0.5)
    assert abs(np.std(data.y_true - data.y_mean) - 0.5) < 0.02
    assert abs(np.std(data.y_train - data.x_train**2) - 0.5) < 0.02
    exact = make_gap(noise=0, rng=2)
    np.testing.assert_array_equal(exact.y_true, np.cos(2 * exact.x))


def test_a_gap_may_lie_anywhere_in_the_domain():
    """Also at its edge, which leaves one side."""
    data = make_gap(3000, gap=(0, 0.1), domain=(0, 0.3), rng=0)
    assert 0.1 <= data.x_train.min() < 0.11
    assert 0.29 < data.x_train.max() <= 0.3
    data = make_gap(3000, gap=(-0.7, 0.1), domain=(-0.9, 1e6), rng=0)
    assert not ((data.x_train > -0.7) & (data.x_train < 0.1)).any()


def test_a_seed_draws_the_same_gap_again():
    """Randomness is an argument, and a function that writes into its input changes nothing."""

    def spoiling(x):
        x *= 2
        return np.cos(x)

    one, two = make_gap(rng=3), make_gap(function=spoiling, rng=3)
    np.testing.assert_array_equal(one.x_train, two.x_train)
    np.testing.assert_array_equal(one.y_true, two.y_true)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"n_train": 0}, ex.ArgumentError, "`n_train` must fulfil 1 <= n_train, got 0."),
        ({"n_test": 2.5}, ex.ArgumentError, "`n_test` must be a whole number, got 2.5."),
        ({"noise": -1}, ex.ArgumentError, "`noise` must fulfil 0 <= noise, got -1."),
        ({"function": 3}, ex.ArgumentError, "`function` must be callable with an array, got int."),
        ({"gap": 1}, ex.ArgumentError, "`gap` must be a pair of numbers, got 1."),
        ({"gap": (1, -1)}, ex.ArgumentError, "`gap` must fulfil gap[0] < gap[1], got (1, -1)."),
        ({"n_test": 10**20}, ex.ArgumentError, f"`n_test` must be at most 2**53, got {10**20}."),
        (
            {"noise": float("inf")},
            ex.ArgumentError,
            "`noise` must be finite and fulfil 0 <= noise, got inf.",
        ),
        ({"gap": {-1: 0, 1: 0}}, ex.ArgumentError, "`gap` must be a pair of numbers, got {-1: 0, 1: 0}."),
        ({"gap": {-1, 1}}, ex.ArgumentError, f"`gap` must be a pair of numbers, got { {-1, 1}!r}."),
        (
            {"domain": (-1e308, 1e308)},
            ex.ArgumentError,
            "`domain` must have a length within float64, got (-1e+308, 1e+308).",
        ),
        (
            {"noise": 1e308, "n_train": 3},
            ex.UnitOverflowError,
            (
                "function(x) + `noise` * N(0, 1) must stay within float64: rescale the units, "
                "but 1 of 3 rows does not; first at row 2: function(x)=0.819089943834, y_train=-inf."
            ),
        ),
        (
            {"domain": (1e308, 1.5e308), "gap": (1e308, 1.2e308), "n_test": 3},
            ex.NonFiniteError,
            (
                "`function(x)` must be finite, but 3 of 3 rows are not; "
                "first at row 0: x=1.16093469554e+308, function(x)=nan."
            ),
        ),
        ({"domain": (0, float("inf"))}, ex.ArgumentError, "`domain[1]` must be finite, got inf."),
        (
            {"gap": (-4, 1)},
            ex.ArgumentError,
            "`gap` must lie inside `domain` and leave some of it, got (-4, 1) in (-3.0, 3.0).",
        ),
        (
            {"gap": (-3, 3)},
            ex.ArgumentError,
            "`gap` must lie inside `domain` and leave some of it, got (-3, 3) in (-3.0, 3.0).",
        ),
        (
            {"function": lambda _: 0.0},
            ex.ShapeError,
            "`function(x)` must have the shape (1000,), as `x` implies, got ().",
        ),
        (
            {
                "function": lambda x: np.where(x > 3, np.nan, x),
                "n_test": 3,
                "domain": (2, 4),
                "gap": (2, 3),
            },
            ex.NonFiniteError,
            "`function(x)` must be finite, but 2 of 3 rows are not; first at row 1: x=3.14305966146, function(x)=nan.",
        ),
    ],
)
def test_a_gap_that_cannot_be_drawn_is_refused(options, error, message):
    """The text names argument and rule."""
    with pytest.raises(error) as caught:
        make_gap(rng=0, **options)
    assert str(caught.value) == message


# -- what is read ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", PACKED)
def test_a_copy_is_known_by_its_content(site, tmp_path, kind):
    """Browsers unpack and rename what they download."""
    path = tmp_path / "download.dat"
    path.write_bytes(PACKED[kind])
    found = fetch_metro_traffic(path)
    assert same(found)
    assert found.holiday.dtype.kind == "U"
    assert not site.asked
    assert not site.folder.exists()


def test_nothing_is_repaired():
    """Quirks are the user's to see: the same rows, in the same order, with the same values."""
    found = expected()
    np.testing.assert_array_equal(np.flatnonzero(found.temp == 0), [7, 8])
    assert found.rain_1h.max() == 9831.3
    steps = np.diff(found.date_time).astype(int) // 3600
    assert {0, 1, 2, 30} == set(steps.tolist())
    holidays = found.holiday != "None"
    assert set(found.holiday.tolist()) == {"None", "Christmas Day"}
    assert (found.date_time[holidays] == np.datetime64("2012-12-25T00")).all()
    assert "rain, light" in found.weather_description
    assert found.date_time.dtype == "M8[s]"
    assert found.traffic_volume.dtype == found.clouds_all.dtype == np.int64
    assert len(found) == found.n == 400
    assert repr(found).startswith("MetroTraffic(n=400, 2012-12-25T00:00 to 201")


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_rows_come_as_a_frame_of_any_library(backend):
    """Not every library counts time in seconds; the times are the same."""
    frame = expected().frame(backend)
    assert frame.shape == (400, 9)
    times = np.asarray(frame["date_time"]).astype("M8[s]")
    np.testing.assert_array_equal(times, expected().date_time)
    np.testing.assert_array_equal(np.asarray(frame["holiday"]).astype(str), expected().holiday)


@pytest.mark.usefixtures("site")
def test_another_file_is_refused_with_both_sums(tmp_path):
    """A changed cell changes results, and nobody would know."""
    path = tmp_path / "data.csv"
    path.write_bytes(TABLE.replace(b"9831.3", b"9831.4"))
    with pytest.raises(ex.FileFormatError) as caught:
        fetch_metro_traffic(path)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    assert str(caught.value) == (
        f"{path} must have, unpacked, the sha256 {SUMS['CRLF']} (with CRLF) or {SUMS['LF']} (with LF), "
        f"got {found}. Give verify=False to read an extract of your own."
    )
    assert fetch_metro_traffic(path, verify=False).rain_1h.max() == 9831.4


def test_an_extract_may_order_its_columns_and_add_some(tmp_path):
    """Columns go by name; a byte order mark and an empty line are what editors leave."""
    names = [*reversed(HEADER.split(",")), "mine"]
    cells = ["5545.0", "2012-10-02T09:00:00", "few clouds", "Clouds", "40", "0", "0", "288.28", "", "x"]
    path = tmp_path / "extract.csv"
    path.write_text("\n".join([",".join(names), ",".join(cells), "", ""]), encoding="utf-8-sig")
    found = fetch_metro_traffic(path, verify=False)
    assert (found.traffic_volume.tolist(), found.temp.tolist(), found.holiday.tolist()) == (
        [5545],
        [288.28],
        [""],
    )


ROW = "None,288.28,0.0,0.0,40,Clouds,scattered clouds,2012-10-02 09:00:00,5545"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            [HEADER, ROW, "", ROW.replace("288.28", "warm"), ROW.replace("288.28", "nan")],
            ex.CellError,
            "{}: `temp` must be a finite number, but 2 of 3 rows are not; first at row 1 (line 4): temp='warm'.",
        ),
        (
            [HEADER, ROW.replace("5545", "5545.5")],
            ex.CellError,
            (
                "{}: `traffic_volume` must be a whole number, but 1 of 1 row is not; "
                "first at row 0 (line 2): traffic_volume='5545.5'."
            ),
        ),
        (
            [HEADER, ROW.replace("09:00:00", "09:00+01")],
            ex.CellError,
            (
                "{}: `date_time` must be a time like 2012-10-02 09:00:00, but 1 of 1 row is not; "
                "first at row 0 (line 2): date_time='2012-10-02 09:00+01'."
            ),
        ),
        (
            [HEADER, ROW.replace("2012-10-02", "2012-02-30")],
            ex.CellError,
            (
                "{}: `date_time` must be a time like 2012-10-02 09:00:00, but 1 of 1 row is not; "
                "first at row 0 (line 2): date_time='2012-02-30 09:00:00'."
            ),
        ),
        (
            [HEADER, ROW, ROW + ",1", ROW.partition(",")[2]],
            ex.CellError,
            "{}: each row must have 9 cells, but 2 of 3 rows do not; first at row 1 (line 3): 10 cells.",
        ),
        (
            [HEADER.replace("temp", "Temp").replace("snow_1h,", ""), ROW],
            ex.MissingColumnError,
            (
                "{} must have the columns 'temp', 'snow_1h'; it has 'holiday', 'Temp', 'rain_1h', 'clouds_all', "
                "'weather_main', 'weather_description', 'date_time', 'traffic_volume'."
            ),
        ),
        (
            ["a,b", "1,2"],
            ex.MissingColumnError,
            f"{{}} must have the columns {', '.join(map(repr, HEADER.split(',')))}; it has 'a', 'b'.",
        ),
        (
            [HEADER.replace("temp,", ""), ROW],
            ex.MissingColumnError,
            (
                "{} must have the column 'temp'; it has 'holiday', 'rain_1h', 'snow_1h', 'clouds_all', "
                "'weather_main', 'weather_description', 'date_time', 'traffic_volume'."
            ),
        ),
        (
            [HEADER + ",temp", ROW + ",1"],
            ex.FileFormatError,
            "{} must have the column 'temp' once, got 2.",
        ),
        ([HEADER, ""], ex.EmptyInputError, "{} must have a header and at least one row."),
        (
            [HEADER, ROW, '"' + ROW],
            ex.FileFormatError,
            "{} is no CSV file: line 3, unexpected end of data.",
        ),
    ],
)
def test_a_table_that_cannot_be_read_says_where(tmp_path, text, error, message):
    """File, column, rule, how many rows, and the line to look at in an editor."""
    path = tmp_path / "extract.csv"
    path.write_text("\n".join(text))
    with pytest.raises(error) as caught:
        fetch_metro_traffic(path, verify=False)
    assert str(caught.value) == message.format(path)


@pytest.mark.parametrize(
    "cell", ["2_88.28", "٢٨٨", " 288.28", "288.28 ", "0x1p3", "1e999", "-", ".", "1e", ""]
)
def test_only_plain_numbers_are_numbers(tmp_path, cell):
    """What Python reads on top of them, other readers of the same file do not."""
    path = tmp_path / "extract.csv"
    path.write_text("\n".join([HEADER, ROW.replace("288.28", cell)]), encoding="utf-8")
    with pytest.raises(ex.CellError, match="`temp` must be a finite number, but 1 of 1 row is not") as caught:
        fetch_metro_traffic(path, verify=False)
    assert str(caught.value).endswith(f"temp={cell!r}.")


@pytest.mark.parametrize("cell", ["9007199254740993", "-9007199254740993", "٥٥٤٥", "5_545"])
def test_a_whole_number_is_the_one_that_was_written(tmp_path, cell):
    """A float would make another one of it."""
    path = tmp_path / "extract.csv"
    path.write_text("\n".join([HEADER, ROW.replace("5545", cell)]), encoding="utf-8")
    with pytest.raises(ex.CellError, match="`traffic_volume` must be a whole number"):
        fetch_metro_traffic(path, verify=False)


@pytest.mark.parametrize("cell", ["288", "+288.", "2.88e2", "2880E-1", "28800e-02"])
def test_plain_numbers_have_several_forms(tmp_path, cell):
    """Programs write numbers in their own ways."""
    path = tmp_path / "extract.csv"
    path.write_text("\n".join([HEADER, ROW.replace("288.28", cell).replace("0.0", ".5", 1)]))
    found = fetch_metro_traffic(path, verify=False)
    assert (found.temp.tolist(), found.rain_1h.tolist()) == ([288], [0.5])


def test_a_table_in_another_encoding_is_refused(tmp_path):
    """Guessing one would change names silently."""
    path = tmp_path / "extract.csv"
    path.write_bytes("\n".join([HEADER, ROW, ROW.replace("None", "Fête")]).encode("latin-1"))
    with pytest.raises(ex.FileFormatError) as caught:
        fetch_metro_traffic(path, verify=False)
    assert str(caught.value) == f"{path} must be text in UTF-8, but line 3 is not."


def test_the_rows_of_a_bad_table_can_be_asked_for(tmp_path):
    """And they survive the way between processes."""
    path = tmp_path / "extract.csv"
    path.write_text("\n".join([HEADER, ROW, *[ROW.replace("40", "")] * 300]))
    with pytest.raises(ex.CellError) as caught:
        fetch_metro_traffic(path, verify=False)
    error = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert (error.argument, error.count, error.rows) == ("clouds_all", 300, tuple(range(1, 101)))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            PACKED["csv.gz"][:900],
            (
                "{} is a gzip file that cannot be unpacked: "
                "Compressed file ended before the end-of-stream marker was reached."
            ),
        ),
        (gzip.compress(bytes(200_000)), "{} must have, unpacked, at most 100,000 bytes, got more."),
        (zipped(bytes(200_000), "data.csv"), "{} must have, unpacked, at most 100,000 bytes, got more."),
        (
            zipped(gzip.compress(bytes(200_000)), "data.csv.gz"),
            "{} must have, unpacked, at most 100,000 bytes, got more.",
        ),
        (
            zipped(TABLE, "../../data.csv"),
            "{} is a zip archive with a file that would leave its folder: '../../data.csv'.",
        ),
        (
            zipped(TABLE, "/data.csv"),
            "{} is a zip archive with a file that would leave its folder: '/data.csv'.",
        ),
        (
            zipped(TABLE, "data.txt"),
            "{} is a zip archive that must hold one csv or csv.gz file, got 0: 'data.txt'.",
        ),
        (ARCHIVE[:-30], "{} is a zip archive that cannot be unpacked: File is not a zip file."),
        (
            b"PK\5\6" + bytes(18),
            "{} is a zip archive that must hold one csv or csv.gz file, got 0: nothing.",
        ),
        (
            PACKED["csv.gz"][:-8] + bytes(4) + PACKED["csv.gz"][-4:],
            "{} is a gzip file that cannot be unpacked: CRC check failed",
        ),
        (
            PACKED["csv.gz"] + b"junk",
            "{} is a gzip file that cannot be unpacked: Not a gzipped file (b'ju').",
        ),
    ],
)
@pytest.mark.parametrize("verify", [True, False])
def test_a_file_that_cannot_be_unpacked_is_refused(tmp_path, monkeypatch, data, message, verify):
    """Neither a damaged file nor a hostile one gets further than memory, and little of that."""
    monkeypatch.setattr(_unpacked, "LARGEST", 100_000)
    path = tmp_path / "download"
    path.write_bytes(data)
    with pytest.raises(ex.FileFormatError) as caught:
        fetch_metro_traffic(path, verify=verify)
    assert str(caught.value).startswith(message.format(path))
    assert "verify=False" not in str(caught.value)  # which would end the same way
    assert [file.name for file in tmp_path.iterdir()] == ["download"]


@pytest.mark.parametrize("data", [b"", gzip.compress(b"", mtime=0)])
def test_an_empty_file_is_called_empty(tmp_path, data):
    """Two sums that differ would say nothing."""
    path = tmp_path / "data.csv"
    path.write_bytes(data)
    with pytest.raises(ex.FileFormatError) as caught:
        fetch_metro_traffic(path)
    assert str(caught.value) == f"{path} is empty."


def test_an_archive_of_a_mac_has_one_table(site, tmp_path):
    """Its shadow files are named like tables."""
    path = tmp_path / "archive.zip"
    path.write_bytes(ARCHIVE)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(f"__MACOSX/._{GZ}", b"\0")
    assert same(fetch_metro_traffic(path))
    assert not site.asked


def test_a_place_that_is_none_is_refused(tmp_path):
    """Python takes the number 0 for its standard input."""
    with pytest.raises(ex.ArgumentError, match=r"^`path` must be a path, got int\.$"):
        fetch_metro_traffic(0)
    with pytest.raises(ex.ArgumentError) as caught:
        fetch_metro_traffic("a\0b")
    assert str(caught.value) == r"`path` must be a path, got 'a\x00b': embedded null byte."
    with pytest.raises(FileNotFoundError):
        fetch_metro_traffic(tmp_path / "none.csv")
    for timeout in (0, 1e300, float("inf"), float("nan")):
        with pytest.raises(ex.ArgumentError) as caught:
            fetch_metro_traffic(timeout=timeout)
        assert str(caught.value) == f"`timeout` must fulfil 0 < timeout < 86400, got {timeout}."
    with pytest.raises(ex.ArgumentError, match=r"^`verify` must be True without `path`"):
        fetch_metro_traffic(verify=False)


# -- what comes from the network -------------------------------------------------------------------


def test_the_second_call_needs_no_network(site):
    """A verified copy is kept, and nothing else."""
    assert same(fetch_metro_traffic())
    assert [path for path, *_ in site.asked] == ["/new/metro.zip"]
    assert kept(site) == [GZ]
    assert gzip.decompress((site.folder / GZ).read_bytes()) == TABLE
    site.missing = ""
    assert same(fetch_metro_traffic())
    assert len(site.asked) == 1


def test_the_older_address_serves_where_the_newer_fails(site):
    """Addresses move."""
    site.missing, site.content = "new", PACKED["csv.gz"]
    assert same(fetch_metro_traffic())
    assert [path for path, *_ in site.asked] == ["/new/metro.zip", f"/old/{GZ}"]
    assert kept(site) == [GZ]


@pytest.mark.parametrize(
    "stamp", [{"tag": '"v1"'}, {"tag": 'W/"v1"', "changed": "Tue, 15 Nov 1994 12:45:26 GMT"}]
)
def test_a_download_goes_on_where_it_broke_off(site, stamp):
    """With the condition that the file is still the same; a weak tag cannot promise that."""
    vars(site).update(stamp)
    broken_off(site, at=1000)
    assert same(fetch_metro_traffic())
    assert site.asked == [("/new/metro.zip", "bytes=1000-", list(stamp.values())[-1])]
    assert kept(site) == [GZ]


def test_a_download_may_break_off_again_and_again(site):
    """Each call gets further."""
    broken_off(site, at=10)
    for cut in (20, 30):
        broken_off(site, at=cut)
    assert same(fetch_metro_traffic())
    assert site.asked[0][1] == "bytes=30-"


def test_a_server_that_knows_no_ranges_begins_anew(site):
    """Its answer is the whole file, not the rest."""
    broken_off(site)
    site.ranges = False
    assert same(fetch_metro_traffic())
    assert len(site.asked) == 1


def test_a_whole_part_is_taken_as_it_is(site):
    """A process can be killed between the last byte and the check."""
    broken_off(site)
    part = site.folder / "metro.zip.part"
    part.write_bytes(part.read_bytes().split(b"\n", 1)[0] + b"\n" + ARCHIVE)
    assert same(fetch_metro_traffic())
    assert [begin for _, begin, _ in site.asked] == [f"bytes={len(ARCHIVE)}-"]


def test_a_part_longer_than_the_file_is_discarded(site):
    """Nothing of it can be right."""
    broken_off(site)
    with (site.folder / "metro.zip.part").open("ab") as part:
        part.write(bytes(len(ARCHIVE)))
    assert same(fetch_metro_traffic())
    assert [begin for _, begin, _ in site.asked] == [f"bytes={1000 + len(ARCHIVE)}-", None]


@pytest.mark.parametrize(
    ("first", "second", "asked"),
    [
        ({"tag": '"v0"'}, {"tag": '"v1"'}, ["bytes=1000-"]),
        ({"tag": '"v0"'}, {"tag": '"v1"', "careless": True}, ["bytes=1000-", None]),
        ({"tag": None}, {}, ["bytes=1000-", None]),
        ({"tag": '"v1"'}, {"shift": 1}, ["bytes=1000-", None]),
    ],
    ids=["told by the server", "told by the tag", "told by the sum", "told by the range"],
)
def test_two_versions_are_never_glued_together(site, first, second, asked):
    """Half an old file and half a new one are no file."""
    vars(site).update(first)
    site.content = bytes(len(ARCHIVE))
    broken_off(site)
    vars(site).update(second)
    site.content = ARCHIVE
    assert same(fetch_metro_traffic())
    assert [begin for _, begin, _ in site.asked] == asked
    assert kept(site) == [GZ]


@pytest.mark.parametrize("rubbish", [b"", b"no line end", b"http://elsewhere/file.zip \nhalf", bytes(99)])
def test_a_part_of_something_else_is_not_used(site, rubbish):
    """Whatever lies there."""
    site.folder.mkdir()
    (site.folder / "metro.zip.part").write_bytes(rubbish)
    assert same(fetch_metro_traffic())
    assert site.asked == [("/new/metro.zip", None, None)]


def test_wrong_content_is_not_kept(site):
    """Portals answer everything with a page of their own; asking the same server again is no use."""
    site.content = b"<html>Please log in</html>"
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic()
    found = hashlib.sha256(site.content).hexdigest()
    sums = f"{SUMS['CRLF']} (with CRLF) or {SUMS['LF']} (with LF), got {found}."
    assert set(caught.value.reasons.values()) == {f"the answer must have, unpacked, the sha256 {sums}"}
    assert len(site.asked) == 2
    assert kept(site) == []


@pytest.mark.parametrize("measured", [True, False])
def test_an_endless_answer_is_cut_short(site, monkeypatch, measured):
    """It may neither fill the disk nor come back as a part."""
    monkeypatch.setattr(_download, "LARGEST", 5000)
    site.content, site.measured = bytes(500_000), measured
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic()
    assert set(caught.value.reasons.values()) == {"the answer has more than 5,000 bytes"}
    assert kept(site) == []


@pytest.mark.parametrize("chunked", [True, False])
def test_an_answer_without_a_length_may_be_whole(site, chunked):
    """The sum tells."""
    site.measured, site.chunked = False, chunked
    assert same(fetch_metro_traffic())


def test_an_answer_in_chunks_goes_on_where_it_broke_off(site):
    """Many servers send no length."""
    site.measured, site.chunked = False, True
    broken_off(site)
    assert same(fetch_metro_traffic())
    assert [begin for _, begin, _ in site.asked] == ["bytes=1000-"]


def test_a_silent_server_is_given_up(site):
    """A call ends, and what had come is kept."""
    site.wait, site.cut, site.missing = threading.Event(), [1000], "old"
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic(timeout=1)
    site.wait.set()
    assert caught.value.reasons[site.addresses[0]] == "timed out"
    assert kept(site) == ["metro.zip.part"]


def test_without_a_network_the_error_says_what_to_do(site, monkeypatch):
    """All of it: what failed where, where to get the file, where to put it, and the argument."""
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        closed = f"http://127.0.0.1:{probe.getsockname()[1]}/metro.zip"
    monkeypatch.setattr(_metro, "ADDRESSES", (closed, site.addresses[1]))
    site.missing = ""
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic()
    refused = f"[Errno {errno.ECONNREFUSED}] {os.strerror(errno.ECONNREFUSED)}"
    assert str(caught.value) == "\n".join(
        [
            f"Metro Interstate Traffic Volume is not in {site.folder} and cannot be downloaded:",
            f"  {closed}: {refused}",
            f"  {site.addresses[1]}: HTTP 404 Not Found",
            "Get it by hand from https://archive.ics.uci.edu/dataset/492 and save it, packed or unpacked, as one of",
            f"  {site.folder / GZ}",
            f"  {site.folder / CSV}",
            f"  {site.folder / ZIP}",
            "or give the file as `path`. Another folder can be set with the environment variable UCCURVE_DATA.",
        ]
    )
    assert isinstance(caught.value, OSError)
    assert kept(site) == []
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert (str(copy), copy.reasons) == (str(caught.value), caught.value.reasons)


@pytest.mark.parametrize("name", [GZ, CSV, ZIP])
@pytest.mark.parametrize("kind", PACKED)
def test_a_file_placed_by_hand_is_found(site, name, kind):
    """Under each name that the error offers, packed or not: what it is, its content tells."""
    site.folder.mkdir()
    (site.folder / name).write_bytes(PACKED[kind])
    assert same(fetch_metro_traffic())
    assert site.asked == []
    assert kept(site) == [name]


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-100], lambda data: data[:500] + b"?" + data[501:], lambda _: b""]
)
def test_a_damaged_copy_is_fetched_again(site, damage):
    """Disks and people change files."""
    fetch_metro_traffic()
    copy = site.folder / GZ
    copy.write_bytes(damage(copy.read_bytes()))
    assert same(fetch_metro_traffic())
    assert len(site.asked) == 2
    assert gzip.decompress(copy.read_bytes()) == TABLE


def test_a_damaged_copy_is_named_when_there_is_no_other(site):
    """Who put a file there wants to know why it is not taken."""
    site.folder.mkdir()
    (site.folder / ZIP).write_bytes(ARCHIVE[:-30])
    site.missing = ""
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic()
    reason = "it is a zip archive that cannot be unpacked: File is not a zip file."
    assert caught.value.reasons[str(site.folder / ZIP)] == reason
    assert (site.folder / ZIP).exists()


def full(path, data):
    """Write half of it to a disk that has no room for more."""
    with path.open("wb") as file:
        file.write(data[: len(data) // 2])
    raise OSError(errno.ENOSPC, "no space left")


def test_a_copy_appears_whole_or_not_at_all(site, monkeypatch):
    """A full disk leaves the part, which is whole, and no file that looks finished."""
    with monkeypatch.context() as patched:
        patched.setattr(_download.Path, "write_bytes", full)
        with pytest.warns(UserWarning, match="no space left"):
            assert same(fetch_metro_traffic())
    assert kept(site) == ["metro.zip.part"]
    site.asked.clear()
    assert same(fetch_metro_traffic())
    assert [begin for _, begin, _ in site.asked] == [f"bytes={len(ARCHIVE)}-"]


@pytest.fixture(params=["a file", "below a file", "no permission", "full"])
def unwritable(request, site, monkeypatch):
    """A folder in which nothing can be kept, and the words that say why."""
    if request.param == "a file":
        site.folder.write_text("")
        return "File exists"
    if request.param == "below a file":
        site.folder.write_text("")
        site.folder /= "data"
        monkeypatch.setenv("UCCURVE_DATA", str(site.folder))
        return "Not a directory"

    def refused(path, *_, **__):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    if request.param == "no permission":  # which the user root always has
        monkeypatch.setattr(_download.Path, "mkdir", refused)
        return "Permission denied"

    class Full(io.BytesIO):
        def flush(self):
            raise OSError(errno.ENOSPC, "no space left")

    opened = _download.Path.open
    monkeypatch.setattr(
        _download.Path, "open", lambda path, mode="r", *a: Full() if mode == "a+b" else opened(path, mode, *a)
    )
    monkeypatch.setattr(_download, "_locked", lambda _: True)
    monkeypatch.setattr(_download.Path, "write_bytes", full)
    return "no space left"


def test_data_that_cannot_be_kept_are_read_all_the_same(site, unwritable):
    """Containers often have no place to write to; the warning says why each call downloads."""
    with pytest.warns(UserWarning, match="Volume is not kept: ") as caught:
        assert same(fetch_metro_traffic())
    (warning,) = caught
    assert str(warning.message).startswith(
        f"Metro Interstate Traffic Volume is not kept: {site.folder} cannot be written to: [Errno "
    )
    assert unwritable in str(warning.message)
    assert str(warning.message).endswith("Set another folder with the environment variable UCCURVE_DATA.")
    assert warning.filename == __file__
    assert {path for path, *_ in site.asked} == {"/new/metro.zip"}


def test_a_folder_that_cannot_be_written_to_is_a_reason_of_its_own(site, unwritable):
    """It is no fault of an address, and no place to save a file to."""
    if unwritable == "no space left":
        site.content = b"no table"  # a disk is full when something is written to it
    else:
        site.missing = ""
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic()
    reasons = caught.value.reasons
    assert list(reasons) == [str(site.folder), *site.addresses]
    assert reasons[str(site.folder)].startswith("cannot be written to: [Errno ")
    assert unwritable in reasons[str(site.folder)]
    assert not any(unwritable in reasons[address] for address in site.addresses)
    assert str(caught.value).splitlines()[4:] == [
        "Get it by hand from https://archive.ics.uci.edu/dataset/492 and give the file as `path`,",
        "or set another folder with the environment variable UCCURVE_DATA.",
    ]


def test_a_part_of_somebody_else_is_no_obstacle(site):
    """The folder may be shared: what is downloaded into memory is kept, without a warning."""
    (site.folder / "metro.zip.part").mkdir(parents=True)  # the user root may write to any file
    assert same(fetch_metro_traffic())
    assert site.asked == [("/new/metro.zip", None, None)]
    assert kept(site) == [GZ, "metro.zip.part"]


@pytest.mark.parametrize(
    ("variables", "place"),
    [({"UCCURVE_DATA": "~nobody-of-this-name/x"}, "~nobody-of-this-name/x"), ({}, "~")],
)
def test_without_a_home_the_error_says_what_to_set(monkeypatch, variables, place):
    """A container may run as a user that its system does not know."""
    for name in ("UCCURVE_DATA", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 7)
    with pytest.raises(ex.DownloadError) as caught:
        fetch_metro_traffic()
    assert str(caught.value) == (
        f"data cannot be kept in {place}: there is no such home folder. "
        "Set a folder with the environment variable UCCURVE_DATA, or give the file as `path`."
    )
    assert caught.value.reasons == {place: "there is no such home folder"}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_kept_file_has_the_mode_of_new_files(site, monkeypatch):
    """The mask of the process is not touched: another thread could make a file in that moment."""
    before = os.umask(0o027)
    try:
        with monkeypatch.context() as patched:
            patched.setattr(os, "umask", lambda _: pytest.fail("the mask was set"))
            fetch_metro_traffic()
            copy = site.folder / GZ
            assert copy.stat().st_mode & 0o777 == 0o640
            copy.write_bytes(b"")
            copy.chmod(0o604)
            fetch_metro_traffic()
            assert copy.stat().st_mode & 0o777 == 0o604
    finally:
        os.umask(before)


SCRIPT = """
import sys
from uccurve.datasets import _metro, fetch_metro_traffic
_metro.ADDRESSES, _metro.SHA256 = tuple(sys.argv[1:3]), {"CRLF": sys.argv[3]}
print(fetch_metro_traffic().traffic_volume.sum())
"""


def another_process(site):
    command = [sys.executable, "-W", "error", "-c", SCRIPT, *site.addresses, SUMS["CRLF"]]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def until_part_has(site, size, process):
    part = site.folder / "metro.zip.part"
    while not (part.exists() and len(part.read_bytes().partition(b"\n")[2]) >= size):
        assert process.poll() is None
        time.sleep(0.01)


def test_a_killed_process_leaves_a_part_that_the_next_one_finishes(site):
    """Not even the end of the process loses what had come."""
    site.wait, site.cut = threading.Event(), [2000]
    with another_process(site) as process:
        until_part_has(site, 2000, process)
        process.send_signal(signal.SIGKILL)
    site.wait.set()
    assert process.returncode == -signal.SIGKILL
    assert kept(site) == ["metro.zip.part"]
    site.asked.clear()
    assert same(fetch_metro_traffic())
    assert site.asked == [("/new/metro.zip", "bytes=2000-", '"v1"')]
    assert kept(site) == [GZ]


def test_two_processes_at_once_do_not_disturb_each_other(site):
    """The second neither waits for the first nor touches its part, and both get the whole file."""
    site.wait, site.cut, site.tag = threading.Event(), [2000], None
    with another_process(site) as first:
        until_part_has(site, 2000, first)
        assert same(fetch_metro_traffic())
        assert [begin for _, begin, _ in site.asked] == [None, None]
        site.missing = "new"
        site.content = PACKED["csv.gz"]
        site.wait.set()
        printed, _ = first.communicate()
    assert int(printed) == int(expected().traffic_volume.sum())
    assert gzip.decompress((site.folder / GZ).read_bytes()) == TABLE
    assert same(fetch_metro_traffic())


@pytest.mark.usefixtures("site")
def test_progress_is_drawn_on_request(monkeypatch):
    """On a terminal only, and only for what is downloaded."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    fetch_metro_traffic(progress=True)
    assert sys.stderr.getvalue().endswith(f"{len(ARCHIVE):,} of {len(ARCHIVE):,}\n")


def test_data_are_kept_where_the_system_keeps_caches(monkeypatch, tmp_path):
    """Unless told otherwise; a relative path in XDG_CACHE_HOME is to be ignored, as its standard says."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("UCCURVE_DATA", "~/mine")
    assert _download.folder() == tmp_path / "mine"
    monkeypatch.delenv("UCCURVE_DATA")
    assert _download.folder() == tmp_path / ".cache" / "uccurve"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert _download.folder() == tmp_path / "cache" / "uccurve"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert _download.folder() == tmp_path / "Library" / "Caches" / "uccurve"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert _download.folder() == tmp_path / "local" / "uccurve"


def test_drawing_data_loads_nothing_of_the_network():
    """Who only wants an example does not pay for it."""
    code = "import sys, uccurve.datasets; print(*{'urllib.request', 'http.client', 'zipfile'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""
