"""Tables with many columns: names are looked up, not compared one by one."""

from __future__ import annotations

import pytest

from uccurve.intervals._column_detection import GivenColumns, detect_columns

N = 3000


class CountedName(str):
    """A name that counts how often it is compared with another one."""

    __slots__ = ()
    comparisons = 0

    def __eq__(self, other):
        CountedName.comparisons += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


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
