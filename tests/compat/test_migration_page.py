"""Old call and new call of docs/migration.md, for UQ360: the drop-in beside the native API."""

from __future__ import annotations

import pytest

from migration_tables import check, prepared, section

CODE, PAIRS = section("UQ360")


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.old for pair in PAIRS])
def test_both_calls_give_the_same_number(pair):
    """Exactly the same, up to rounding."""
    check(pair, prepared(CODE))


def test_all_rows_are_read():
    """A page that is laid out otherwise must not pass unread."""
    assert len(PAIRS) == 18
