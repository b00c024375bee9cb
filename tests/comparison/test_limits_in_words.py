"""One-sided limits in words: a reader sees which side has the bound, and what the bandwidth is then."""

import pytest

from limited_rows import BOTH, LOWER, SENTENCE, UPPER, compared


@pytest.mark.parametrize(("side", "models"), [("upper", UPPER), ("lower", LOWER)])
def test_findings_end_with_what_the_numbers_of_limits_mean(side, models):
    """Once, behind the answers, of rows and of sketches; intervals have no such sentence."""
    for given in (models, {name: rows.sketch() for name, rows in models.items()}):
        comparison = compared(given)
        assert comparison.side == side
        assert comparison.findings[-1] == SENTENCE.format(side)
        assert sum("limit" in finding for finding in comparison.findings) == 1
    assert f"60 rows of {side} limits, areas" in repr(compared(models))
    intervals = compared(BOTH)
    assert intervals.side == "both"
    assert "limit" not in repr(intervals) + intervals.summary()
