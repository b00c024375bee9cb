"""Traffic on an interstate highway, hour by hour: a public data set, read as it is."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments, frames
from uccurve.datasets import _cells, _download
from uccurve.datasets._unpacked import limited, unpacked
from uccurve.exceptions import ArgumentError, FileFormatError

if TYPE_CHECKING:
    import os

TITLE = "Metro Interstate Traffic Volume"
PAGE = "https://archive.ics.uci.edu/dataset/492"
ADDRESSES = (
    "https://archive.ics.uci.edu/static/public/492/metro+interstate+traffic+volume.zip",
    "https://archive.ics.uci.edu/ml/machine-learning-databases/00492/Metro_Interstate_Traffic_Volume.csv.gz",
)
NAMES = (
    "Metro_Interstate_Traffic_Volume.csv.gz",
    "Metro_Interstate_Traffic_Volume.csv",
    "metro+interstate+traffic+volume.zip",
)
SHA256 = {  # of the unpacked file, by its line ends
    "CRLF": "749c90d720360a4215bb15345526073c079ba4cc95e3fa558796d083f85fce9e",
    "LF": "0411ba6c43127a29cefa4d8f39708b9d77979d9dcf895f2d212506fe947b673c",
}
LONGEST = 86_400  # seconds to wait for a server: a system counts milliseconds, and not without end
COLUMNS = {
    "holiday": _cells.TEXT,
    "temp": _cells.NUMBER,
    "rain_1h": _cells.NUMBER,
    "snow_1h": _cells.NUMBER,
    "clouds_all": _cells.WHOLE,
    "weather_main": _cells.TEXT,
    "weather_description": _cells.TEXT,
    "date_time": _cells.TIME,
    "traffic_volume": _cells.WHOLE,
}


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class MetroTraffic:
    """Vehicles per hour on a highway, with holidays and weather: one array a column, rows as in the file."""

    holiday: np.ndarray
    """The holiday's name, shape (n,), text. It is set at midnight only; everywhere else it is "None"."""
    temp: np.ndarray
    """The temperature in kelvin, shape (n,)."""
    rain_1h: np.ndarray
    """Rain of that hour in millimetres, shape (n,)."""
    snow_1h: np.ndarray
    """Snow of that hour in millimetres, shape (n,)."""
    clouds_all: np.ndarray
    """Cloud cover in percent, shape (n,), whole numbers."""
    weather_main: np.ndarray
    """The weather in a word, shape (n,), text."""
    weather_description: np.ndarray
    """The weather in a few words, shape (n,), text."""
    date_time: np.ndarray
    """The hour, in local time, shape (n,), datetime64[s]."""
    traffic_volume: np.ndarray
    """Westbound vehicles in that hour, shape (n,), whole numbers."""

    def __repr__(self) -> str:
        first, last = (
            np.datetime_as_string(time, unit="m") for time in (self.date_time.min(), self.date_time.max())
        )
        return f"MetroTraffic(n={self.n}, {first} to {last})"

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.n

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.date_time)

    def frame(self, backend: str | None = None) -> Any:
        """Return the rows as a frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library. Without it: one that is already imported, else one that is installed, else a
            dict of arrays.
        """
        columns = {field.name: getattr(self, field.name) for field in fields(self)}
        columns["date_time"] = self.date_time.astype("M8[us]")  # not every library counts seconds
        return frames.table(columns, backend)


def fetch_metro_traffic(
    path: str | os.PathLike[str] | None = None,
    *,
    verify: bool = True,
    timeout: float = 30.0,
    progress: bool = False,
) -> MetroTraffic:
    r"""Return the Metro Interstate Traffic Volume data: 48 204 rows, from October 2012 to September 2018.

    Hourly westbound traffic on interstate 94 between Minneapolis and St Paul, with weather and holidays
    [1]_, under the licence CC BY 4.0. The file is downloaded on first use (0.4 MB), verified by its sha256,
    and kept in the folder ``$UCCURVE_DATA``; without that variable in ``$XDG_CACHE_HOME/uccurve`` or
    ``~/.cache/uccurve`` (on macOS ``~/Library/Caches/uccurve``, on Windows ``%LOCALAPPDATA%\uccurve``).

    Parameters
    ----------
    path : path-like, optional
        A copy of the file that is there already: csv, csv.gz or zip, told apart by content, not by name.
        Without it the folder is looked at, and then the network.
    verify : bool
        Check the sha256 of the file at ``path``, with CRLF or LF line ends. Without that, any CSV file
        with these columns is read, such as an extract of one's own.
    timeout : float
        Seconds to wait for a server that says nothing, less than a day.
    progress : bool
        Show a progress bar on the terminal.

    Raises
    ------
    uccurve.exceptions.DownloadError
        There is no network, or no home folder and no ``$UCCURVE_DATA``. The message says where to get the
        file by hand and where to put it.
    uccurve.exceptions.FileFormatError
        The file at ``path`` is not the data set.
    OSError
        The file at ``path`` cannot be read: there is none, or no permission.

    Warns
    -----
    UserWarning
        The file was downloaded and cannot be kept, as nothing can be written to the folder. The data are
        returned all the same, and the next call downloads them again.

    Notes
    -----
    In the folder the file may have three names: ``Metro_Interstate_Traffic_Volume.csv.gz`` (where a
    download is kept), ``Metro_Interstate_Traffic_Volume.csv`` and ``metro+interstate+traffic+volume.zip``.
    They are looked at in this order, and one whose sha256 is wrong is passed over. A download that breaks
    off leaves a file ``*.part``, and the next call asks for the rest. Processes that download at the same
    time do not wait for each other; the file appears whole, and the last one stays.

    Nothing is repaired. What to know about the rows:

    - An hour with several kinds of weather has several rows, with the same volume: there are 40 575 hours,
      and 7 629 rows repeat one.
    - Hours are missing: there are 2 588 gaps. The longest, of 7 387 hours, is from 2014-08-08 to 2015-06-11.
    - 10 rows have a temperature of 0 K, and one has 9831.3 mm of rain.
    - A holiday is named in the row of its first hour only, in 61 rows.

    References
    ----------
    .. [1] Hogue, J. (2019). Metro Interstate Traffic Volume. UCI Machine Learning Repository.
       https://doi.org/10.24432/C5X60B

    Examples
    --------
    An extract of the file:

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from uccurve.datasets import fetch_metro_traffic
    >>> extract = [
    ...     "date_time,traffic_volume,holiday,"
    ...     "temp,rain_1h,snow_1h,clouds_all,weather_main,weather_description",
    ...     "2012-10-02 09:00:00,5545,None,288.28,0.0,0.0,40,Clouds,scattered clouds",
    ...     "2012-10-02 10:00:00,4516,None,289.36,0.0,0.0,75,Clouds,broken clouds",
    ... ]
    >>> with TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "extract.csv").write_text("\n".join(extract))
    ...     data = fetch_metro_traffic(Path(folder) / "extract.csv", verify=False)
    >>> data, data.traffic_volume
    (MetroTraffic(n=2, 2012-10-02T09:00 to 2012-10-02T10:00), array([5545, 4516]))
    """
    timeout = arguments.number("timeout", timeout, 0, LONGEST, open_=True)
    if path is not None:
        return _from_file(path, verify=verify)
    if not verify:
        raise ArgumentError("`verify` must be True without `path`: what is downloaded is always verified.")
    remote = _download.Remote(title=TITLE, page=PAGE, addresses=ADDRESSES, names=NAMES, checked=_checked)
    return MetroTraffic(
        **_cells.read(_download.fetch(remote, timeout=timeout, progress=progress), COLUMNS, TITLE)
    )


def _from_file(path: str | os.PathLike[str], *, verify: bool) -> MetroTraffic:
    try:
        file = Path(path)
    except TypeError as error:
        raise ArgumentError(f"`path` must be a path, got {type(path).__name__}.") from error
    try:
        stream = file.open("rb")
    except ValueError as error:
        raise ArgumentError(f"`path` must be a path, got {path!r}: {error}.") from error
    with stream:
        data = limited(stream, str(file))
    extract = " Give verify=False to read an extract of your own."
    content = _checked(data, str(file), extract) if verify else unpacked(data, str(file))
    return MetroTraffic(**_cells.read(content, COLUMNS, str(file)))


def _checked(data: bytes, what: str, advice: str = "") -> bytes:
    """Unpack the file, which must be the one that is meant, to the last byte; advise where it is another."""
    content = unpacked(data, what)
    if not content:
        raise FileFormatError(f"{what} is empty.")
    found = hashlib.sha256(content).hexdigest()
    if found not in SHA256.values():
        wanted = " or ".join(f"{digest} (with {ends})" for ends, digest in SHA256.items())
        raise FileFormatError(f"{what} must have, unpacked, the sha256 {wanted}, got {found}.{advice}")
    return content
