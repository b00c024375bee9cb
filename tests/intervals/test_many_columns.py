"""Tables with many columns: names are looked up, not compared one by one."""

from __future__ import annotations

import pytest

from counted_names import CountedName
from uccurve.intervals._column_detection import GivenColumns, detect_columns

N = 3000


@pytest.mark.parametrize(
    "models",
    [
        ["yhat", "lower", "upper", *(f"c{i}" for i in range(N))],
        [f"m{i}{end}" for i in range(N // 3) for end in ("", "_lower", "_upper")],
        [f"m{i}{end}" for i in range(N // 3) for end in ("", "-lo-90", "-hi-90")],
    ],
    ids=["common names", "suffixes", "levels"],
)
def test_detection_compares_each_name_a_few_times(models):
    """Not each with each other: that would be millions of comparisons here."""
    names = [CountedName(name) for name in ("y", *models)]
    CountedName.comparisons = 0
    choice = detect_columns(names, GivenColumns())
    assert choice.y_true == "y"
    assert len(choice.models) in (1, N // 3)
    assert CountedName.comparisons < 100 * N
