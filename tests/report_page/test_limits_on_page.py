"""The page says which side of the prediction has the limit."""

import pytest

import uccurve as uc
from limited_rows import BOTH, LOWER, SENTENCE, UPPER, compared


@pytest.mark.parametrize(("side", "models"), [("upper", UPPER), ("lower", LOWER), ("both", BOTH)])
def test_the_page_is_told_the_side_and_a_sentence(side, models, tmp_path):
    """In the line below the title and in its notes, which need no script."""
    comparison = compared(models)
    page = uc.report(comparison, tmp_path / "page.html", unit="kWh").read_text()
    sentence = SENTENCE.format(side)
    assert (sentence in page) == (side != "both")
    assert (f"{side} limits" in page.partition("<main")[0]) == (side != "both")
