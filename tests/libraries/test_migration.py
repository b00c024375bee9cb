"""Old call and new call of docs/migration.md, beside the libraries themselves."""

from __future__ import annotations

import pytest

from migration_tables import check, prepared, section

LIBRARIES = {name: section(name) for name in ("uncertainty-toolbox", "MAPIE", "sktime", "scores")}
PAIRS = [(name, pair) for name, (_, pairs) in LIBRARIES.items() for pair in pairs]


@pytest.mark.parametrize(("library", "pair"), PAIRS, ids=[f"{name}: {pair.old}" for name, pair in PAIRS])
def test_both_calls_give_the_same_number(library, pair):
    """Or differ by no more than the page says."""
    check(pair, prepared(LIBRARIES[library][0]))


def test_every_library_has_pairs():
    """A page that is laid out otherwise must not pass unread."""
    assert {name: len(pairs) for name, (_, pairs) in LIBRARIES.items()} == {
        "uncertainty-toolbox": 7,
        "MAPIE": 5,
        "sktime": 4,
        "scores": 6,
    }
