"""The page says which side of the prediction has the limit."""

import pytest

from limited_rows import BOTH, LOWER, SENTENCE, UPPER, compared
from uccurve.report_page import _contents, _payload


@pytest.mark.parametrize(("side", "models"), [("upper", UPPER), ("lower", LOWER), ("both", BOTH)])
def test_the_page_is_told_the_side_and_a_sentence(side, models):
    """In the numbers that scripts read, in the line below the title, and beside the table of scores."""
    comparison = compared(models)
    view = _payload.View(title="t", unit="kWh", columns={}, rows=None)
    numbers = _payload.payload(comparison, view)
    shown = _contents.contents(comparison, numbers)
    sentence = "" if side == "both" else SENTENCE.format(side)
    assert (numbers["side"], numbers["limits"], shown["limits"]) == (side, sentence, sentence)
    assert (f" · {side} limits · " in shown["about"]) == (side != "both")
    scores = next(table for table in shown["tables"] if table["id"] == "scores")
    assert ("mean distance from the prediction to the limit" in scores["note"]) == (side != "both")
