"""What `compare` found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import frames
from uccurve.comparison import _readable_tables
from uccurve.comparison._records import Columns, columns_of, crossing_columns, segment_columns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve.comparison._compare_options import CompareOptions
    from uccurve.comparison._records import ModelScore, PairCrossing, PairTest, Regime, SegmentScore
    from uccurve.curve import Curve


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison:
    """Models on the same rows: records of what was found, and the same as frames.

    ``scores``, ``tests``, ``regimes``, ``crossings`` and ``segments`` are frames of the user's library
    (pandas, Polars or PyArrow), or dicts of columns where none is installed.

    Attributes
    ----------
    models : mapping of str to Curve
        The curve of each model.
    constant_bands : mapping of str to Curve
        The curve of the constant band, or of one for each way of predicting.
    own_constant_band : mapping of str to str
        The name of the constant band around the same predictions, for each model.
    options : CompareOptions
        What the comparison was made with.
    score_records : tuple of ModelScore
        One for each model and constant band.
    test_records : tuple of PairTest
        One for each pair; none for sketches.
    regime_records : tuple of Regime
        One for each range of miss rates.
    crossing_records : tuple of PairCrossing
        One for each crossing of two curves.
    segment_records : tuple of SegmentScore
        One for each segment and model, where segments were asked for.
    findings : tuple of str
        The findings in sentences.
    """

    models: Mapping[str, Curve]
    constant_bands: Mapping[str, Curve]
    own_constant_band: Mapping[str, str] = field(repr=False)
    options: CompareOptions = field(repr=False)
    score_records: tuple[ModelScore, ...] = field(repr=False)
    test_records: tuple[PairTest, ...] = field(repr=False)
    regime_records: tuple[Regime, ...] = field(repr=False)
    crossing_records: tuple[PairCrossing, ...] = field(repr=False)
    segment_records: tuple[SegmentScore, ...] = field(repr=False)
    findings: tuple[str, ...] = field(repr=False)

    @property
    def curves(self) -> dict[str, Curve]:
        """The curves of the models and of their constant bands."""
        return {**self.models, **self.constant_bands}

    @property
    def scores(self) -> Any:
        """One row per model: costs as given, area, gains with intervals and ceilings."""
        return self._frame("scores")

    @property
    def tests(self) -> Any:
        """One row per pair: difference of areas with its interval, p-value, and Holm-adjusted p-value."""
        return self._frame("tests")

    @property
    def regimes(self) -> Any:
        """One row per range of miss rates: who needs the least bandwidth, how much less, and is it chance."""
        return self._frame("regimes")

    @property
    def crossings(self) -> Any:
        """One row per crossing of two curves."""
        return self._frame("crossings")

    @property
    def segments(self) -> Any:
        """The scores of each segment, where ``by`` was given."""
        return self._frame("segments")

    def summary(self) -> str:
        """Return the findings, one sentence or two per line."""
        return "\n".join(self.findings)

    def columns(self, name: str) -> Columns:
        """Return one of the tables as columns; empty where there are no rows.

        Parameters
        ----------
        name : {"scores", "tests", "regimes", "crossings", "segments"}
            Which table.
        """
        if name == "segments":
            return segment_columns(self.segment_records)
        if name == "crossings":
            return crossing_columns(self.crossing_records, self.options)
        records = {"scores": self.score_records, "tests": self.test_records, "regimes": self.regime_records}
        return columns_of(records[name])

    def plot(self, ax: Any = None) -> Any:
        """Draw all curves on one pair of axes; needs the extra ``plot``."""
        for name, curve in self.models.items():
            ax = curve.plot(ax, x=self.options.x, y=self.options.y, label=name)
        return ax

    def __str__(self) -> str:
        return "\n\n".join(
            _readable_tables.as_text(title, table) for title, table in self._readable().items()
        )

    def _repr_html_(self) -> str:
        return "".join(_readable_tables.as_html(title, table) for title, table in self._readable().items())

    def _readable(self) -> dict[str, dict[str, list[str]]]:
        """Return the tables as people read them: shares in per cent, intervals beside their numbers."""
        titles = {
            "scores": f"Scores, areas on {self.options.axes}, bands varied by {self.options.vary}",
            "tests": "Differences of areas, paired permutation tests",
            "regimes": "Least bandwidth by miss rate",
            "segments": "Segments",
        }
        columns = {name: self.columns(name) for name in titles}
        return {titles[name]: _readable_tables.readable(table) for name, table in columns.items() if table}

    def _frame(self, name: str) -> Any:
        library = next(iter(self.models.values()))._library
        return frames.table({key: np.asarray(v) for key, v in self.columns(name).items()}, library)
