"""Traffic on an interstate highway, hour by hour: a public data set, read as it is."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments, frames
from uccurve.datasets._csv_columns import NUMBER, TEXT, TIME, WHOLE, read_columns
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    import os

_DAY = 86_400  # seconds; sockets refuse very long timeouts

COLUMNS = {
    "holiday": TEXT,
    "temp": NUMBER,
    "rain_1h": NUMBER,
    "snow_1h": NUMBER,
    "clouds_all": WHOLE,
    "weather_main": TEXT,
    "weather_description": TEXT,
    "date_time": TIME,
    "traffic_volume": WHOLE,
}


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class MetroTraffic:
    """Vehicles per hour on a highway, with holidays and weather: an array per column, rows as in the file."""

    holiday: np.ndarray
    """The holiday's name, shape (n,), text. It is set at midnight only; everywhere else it is "None"."""
    temp: np.ndarray
    """The temperature in kelvin, shape (n,)."""
    rain_1h: np.ndarray
    """Rain of that hour in millimeters, shape (n,)."""
    snow_1h: np.ndarray
    """Snow of that hour in millimeters, shape (n,)."""
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

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the rows as a frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library. By default one that is installed, in this order, else a dict of arrays.
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
    [1]_, under the license CC BY 4.0. The file is downloaded on first use (0.4 MB), verified by its sha256,
    and kept in the folder ``$UCCURVE_DATA``; without that variable in ``$XDG_CACHE_HOME/uccurve`` or
    ``~/.cache/uccurve`` (on macOS ``~/Library/Caches/uccurve``, on Windows ``%LOCALAPPDATA%\uccurve``).

    Parameters
    ----------
    path : path-like, optional
        A copy of the file: csv, csv.gz or zip, told apart by content, not by name. By default the file is
        looked up in the folder and, if it is not there, downloaded.
    verify : bool
        Check the sha256 of the file at ``path``, with CRLF or LF line ends. ``verify=False`` reads any CSV
        file with these columns, such as an extract of your own.
    timeout : float
        Seconds to wait for a silent server, less than a day.
    progress : bool
        Show a progress bar of the download on the terminal.

    Raises
    ------
    uccurve.exceptions.DownloadError
        The file is not in the folder and cannot be downloaded. The message says where to get it by hand
        and where to put it. Also raised without a home folder and ``$UCCURVE_DATA``.
    uccurve.exceptions.FileFormatError
        The file at ``path`` is not the data set, or cannot be unpacked or read as CSV.
    uccurve.exceptions.MissingColumnError, uccurve.exceptions.CellError
        An extract lacks a column, or has cells that break the rule of their column.
    OSError
        The file at ``path`` does not exist or cannot be read.

    Warns
    -----
    UserWarning
        The folder cannot be written to. The data are returned all the same, and the file is downloaded
        again next time.

    Notes
    -----
    In the folder the file may have three names: ``Metro_Interstate_Traffic_Volume.csv.gz`` (where a
    download is kept), ``Metro_Interstate_Traffic_Volume.csv`` and ``metro+interstate+traffic+volume.zip``.
    They are tried in this order, and a file with a wrong sha256 is skipped.

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
    from uccurve.datasets import _fetched_file  # noqa: PLC0415 (loads urllib)

    timeout = arguments.number("timeout", timeout, 0, _DAY, open_=True)
    if path is None:
        if not verify:
            raise ArgumentError(
                argument="verify", rule="be True without `path`", hint="Downloads are always verified."
            )
        content = _fetched_file.fetched(timeout=timeout, progress=progress)
        return MetroTraffic(**read_columns(content, COLUMNS, _fetched_file.TITLE))
    try:
        file = Path(path)
        file.stat()
    except (TypeError, ValueError) as error:
        raise ArgumentError(argument="path", rule="be a path", got=repr(path)) from error
    content = _fetched_file.read_file(file, str(file))
    if verify:
        _fetched_file.verified(content, str(file), " Pass verify=False to read an extract of your own.")
    return MetroTraffic(**read_columns(content, COLUMNS, str(file)))
