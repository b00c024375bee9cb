"""Traffic data from a file: known by content, verified, and read as they are."""

from __future__ import annotations

import gzip
import pickle
import zipfile
from contextlib import suppress

import numpy as np
import pytest

from errors import raises
from uccurve import exceptions as ex
from uccurve.datasets import _fetched_file, fetch_metro_traffic

HEADER = "holiday,temp,rain_1h,snow_1h,clouds_all,weather_main,weather_description,date_time,traffic_volume"
NAMES = HEADER.split(",")
ROW = "None,288.28,0.0,0.0,40,Clouds,scattered clouds,2012-10-02 09:00:00,5545"
KINDS = ["csv", "csv with LF", "csv.gz", "zip of csv.gz", "zip of csv"]


def extract(path, *lines, encoding="utf-8"):
    """Write lines to a file and read it."""
    path.write_text("\n".join(lines), encoding=encoding)
    return fetch_metro_traffic(path, verify=False)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "download.dat"


@pytest.fixture
def data(path, table):
    path.write_bytes(table)
    return fetch_metro_traffic(path, verify=False)


# -- the rows --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_is_known_by_its_content(site, path, packings, kind):
    """Browsers unpack and rename what they download; no packing changes a row."""
    path.write_bytes(packings[kind])
    data = fetch_metro_traffic(path)
    assert data.n == 400
    assert int(data.traffic_volume.sum()) == sum(
        int(line.rpartition(b",")[2]) for line in packings["csv"].split(b"\r\n")[1:-1]
    )
    assert site.asked == []
    assert not site.folder.exists()


def test_nothing_is_repaired(data):
    """Quirks are the user's to see: the same rows, in the same order, with the same values."""
    np.testing.assert_array_equal(np.flatnonzero(data.temp == 0), [7, 8])
    assert data.rain_1h[30] == data.rain_1h.max() == 9831.3
    assert set((np.diff(data.date_time).astype(int) // 3600).tolist()) == {0, 1, 2, 30}
    holidays = data.holiday != "None"
    assert set(data.holiday.tolist()) == {"None", "Christmas Day"}
    assert (data.date_time[holidays] == np.datetime64("2012-12-25T00")).all()
    assert "rain, light" in data.weather_description


def test_a_record_knows_its_length_types_and_period(data):
    """Whole numbers stay whole, and times are times."""
    assert len(data) == data.n == 400
    assert repr(data).startswith("MetroTraffic(n=400, 2012-12-25T00:00 to 201")
    assert data.date_time.dtype == "M8[s]"
    assert data.traffic_volume.dtype == data.clouds_all.dtype == np.int64
    assert data.temp.dtype == data.rain_1h.dtype == data.snow_1h.dtype == np.float64
    assert data.holiday.dtype.kind == data.weather_main.dtype.kind == "U"


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_rows_come_as_a_frame_of_any_library(data, backend):
    """Not every library counts time in seconds; the times are the same."""
    frame = data.to_frame(backend)
    assert frame.shape == (400, 9)
    np.testing.assert_array_equal(np.asarray(frame["date_time"]).astype("M8[s]"), data.date_time)
    np.testing.assert_array_equal(np.asarray(frame["holiday"]).astype(str), data.holiday)


# -- the checksum ----------------------------------------------------------------------------------


@pytest.mark.usefixtures("known")
def test_another_file_is_refused_with_both_sums(path, table):
    """A changed cell changes results, and nobody would know."""
    path.write_bytes(table.replace(b"9831.3", b"9831.4"))
    with pytest.raises(ex.FileFormatError):
        fetch_metro_traffic(path)
    assert fetch_metro_traffic(path, verify=False).rain_1h.max() == 9831.4


def test_the_published_file_is_told_apart_from_any_other(path, table):
    """The sums in the code are not those of this test."""
    path.write_bytes(table)
    with pytest.raises(ex.FileFormatError):
        fetch_metro_traffic(path)


@pytest.mark.parametrize("content", [b"", gzip.compress(b"", mtime=0)])
def test_an_empty_file_is_called_empty(path, content):
    """The checksum of nothing would say nothing."""
    path.write_bytes(content)
    with pytest.raises(ex.FileFormatError):
        fetch_metro_traffic(path)
    with pytest.raises(ex.EmptyInputError):
        fetch_metro_traffic(path, verify=False)


# -- packed files ----------------------------------------------------------------------------------

GZIP = gzip.compress((HEADER + "\n" + ROW).encode(), mtime=0)


@pytest.mark.parametrize(
    "content",
    [
        GZIP[:-9],
        GZIP[:-8] + bytes(4) + GZIP[-4:],
        GZIP[:12] + b"\xff\xff" + GZIP[14:],
        GZIP + b"junk",
        b"PK\5\6" + bytes(18),
        b"PK\3\4" + bytes(99),
    ],
    ids=["cut short", "wrong checksum", "wrong bits", "junk behind", "empty archive", "no archive"],
)
@pytest.mark.parametrize("verify", [True, False])
def test_a_damaged_file_is_refused(path, content, verify):
    """With the file, what is wrong with it, and no advice that would not help."""
    path.write_bytes(content)
    with pytest.raises(ex.FileFormatError):
        fetch_metro_traffic(path, verify=verify)


@pytest.mark.usefixtures("known")
def test_damage_anywhere_in_an_archive_is_one_kind_of_error(path, packings):
    """Libraries raise many; bytes that do not matter, such as dates, may change."""
    archive = packings["zip of csv"]
    refused = 0
    for position in [*range(80), *range(len(archive) - 120, len(archive))]:
        path.write_bytes(archive[:position] + bytes([archive[position] ^ 0xFF]) + archive[position + 1 :])
        with suppress(ex.FileFormatError):
            refused += 1
            assert fetch_metro_traffic(path).n == 400
            refused -= 1
    assert refused > 100


@pytest.mark.usefixtures("known")
def test_an_archive_holds_one_table(path, table, zipped):
    """Which of several is meant is not guessed; shadow files of macOS are not tables."""
    path.write_bytes(zipped(table, "data.txt"))
    with pytest.raises(ex.FileFormatError):
        fetch_metro_traffic(path)
    path.write_bytes(zipped(table, "data.csv"))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("__MACOSX/._data.csv", b"\0")
    assert fetch_metro_traffic(path).n == 400
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("more.csv", table)
    with pytest.raises(ex.FileFormatError):
        fetch_metro_traffic(path)


@pytest.mark.parametrize("verify", [True, False])
def test_a_file_that_unpacks_to_too_much_is_refused(path, monkeypatch, zipped, verify):
    """A few bytes can hold gigabytes of zeros; they never get into memory."""
    monkeypatch.setattr(_fetched_file, "LARGEST", 100_000)
    many = bytes(200_000)
    for content in (
        many,
        gzip.compress(many),
        zipped(many, "data.csv"),
        zipped(gzip.compress(many), "data.csv.gz"),
    ):
        path.write_bytes(content)
        with pytest.raises(ex.FileFormatError):
            fetch_metro_traffic(path, verify=verify)


# -- extracts --------------------------------------------------------------------------------------


def test_an_extract_may_order_its_columns_and_add_some(path):
    """Columns go by name; a byte order mark and an empty line are what editors leave."""
    header = ",".join(["PK", *reversed(NAMES), "mine"])
    row = "1,5545.0,2012-10-02T09:00:00,few clouds,Clouds,40,0,0,288.28,,x"
    data = extract(path, header, row, "", "", encoding="utf-8-sig")
    assert data.traffic_volume.tolist() == [5545]
    assert data.temp.tolist() == [288.28]
    assert data.holiday.tolist() == [""]
    assert extract(path, header, row).n == 1  # which begins like a zip archive


@pytest.mark.parametrize(
    ("lines", "error", "argument"),
    [
        (
            [HEADER, ROW, "", ROW.replace("288.28", "warm"), ROW.replace("288.28", "nan")],
            ex.CellError,
            "temp",
        ),
        ([HEADER, ROW.replace("5545", "5545.5")], ex.CellError, ("traffic_volume")),
        ([HEADER, ROW.replace("09:00:00", "09:00+01")], ex.CellError, ("date_time")),
        ([HEADER, ROW.replace("2012-10-02", "2012-02-30")], ex.CellError, ("date_time")),
        ([HEADER, ROW, ROW + ",1", ROW.partition(",")[2]], ex.FileFormatError, None),
        ([HEADER.replace("temp", "Temp").replace("snow_1h,", ""), ROW], ex.MissingColumnError, (None)),
        ([HEADER + ",temp", ROW + ",1"], ex.MissingColumnError, None),
        ([HEADER, ""], ex.EmptyInputError, None),
        ([HEADER, ROW, '"' + ROW], ex.FileFormatError, None),
    ],
)
def test_an_extract_that_cannot_be_read_says_where(path, lines, error, argument):
    """File, column, rule, how many rows, and the line to look at in an editor."""
    with raises(error, argument):
        extract(path, *lines)


@pytest.mark.parametrize(
    "cell", ["2_88.28", "٢٨٨", " 288.28", "288.28 ", "0x1p3", "1e999", "-1e999", "-", ".", "1e", "", "inf"]
)
def test_only_plain_numbers_are_numbers(path, cell):
    """What Python reads on top of them, other readers of the same file do not."""
    with raises(ex.CellError, "temp", count=1, first=0):
        extract(path, HEADER, ROW.replace("288.28", cell))


@pytest.mark.parametrize("cell", ["288", "+288.", "2.88e2", "2880E-1", "28800e-02"])
def test_plain_numbers_have_several_forms(path, cell):
    """Programs write numbers in their own ways."""
    data = extract(path, HEADER, ROW.replace("288.28", cell).replace("0.0", ".5", 1))
    assert (data.temp.tolist(), data.rain_1h.tolist()) == ([288], [0.5])


@pytest.mark.parametrize("cell", ["9007199254740993", "-9007199254740993", "٥٥٤٥", "5_545", "1e400"])
def test_a_whole_number_is_the_one_that_was_written(path, cell):
    """A float would make another one of it."""
    with raises(ex.CellError, "traffic_volume", count=1, first=0):
        extract(path, HEADER, ROW.replace("5545", cell))
    assert extract(path, HEADER, ROW.replace("5545", "-999999999999999")).traffic_volume == -(10**15) + 1


def test_a_table_in_another_encoding_is_refused(path):
    """Guessing one would change names silently."""
    with pytest.raises(ex.FileFormatError):
        extract(path, HEADER, ROW.replace("None", "Fête"), encoding="latin-1")


def test_the_rows_of_a_bad_table_can_be_asked_for(path):
    """And they survive the way between processes."""
    with raises(ex.CellError, "clouds_all") as caught:
        extract(path, HEADER, ROW, *[ROW.replace("40", "")] * 300)
    error = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert (error.argument, error.count, error.first) == ("clouds_all", 300, 1)


# -- arguments -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        {"path": 0},
        {"path": "a\0b"},
        {"verify": False},
        *({"timeout": timeout} for timeout in (0, 1e300, float("inf"), float("nan"))),
    ],
)
def test_an_argument_that_breaks_its_rule_is_refused(arguments):
    """Python takes the number 0 for its standard input, and sockets fail on endless timeouts."""
    with raises(ex.ArgumentError, *arguments):
        fetch_metro_traffic(**arguments)


def test_a_path_that_does_not_exist_is_an_error_of_the_system(path):
    """As `open` would raise it."""
    with pytest.raises(FileNotFoundError, match=r"download\.dat"):
        fetch_metro_traffic(path)
