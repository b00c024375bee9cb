"""Messages of the library in words of the command line, whatever columns are called."""

from __future__ import annotations

import pytest
from command_runs import batch

from uccurve.cli._errors import as_options

TICKS = ["`lower`", "`x='`", '`x="`', "`lower='a", "it's `std`", "\\`upper`", "a`b"]


@pytest.mark.parametrize("name", TICKS)
def test_names_of_columns_are_never_taken_for_arguments(name):
    """A backtick in a name once ended a command as a bug."""
    message = f"Prophet's {name!r}, 'b': choose with `y_true={name!r}` or `lower`; `rng` and `level` stay."
    told = as_options(message)
    assert told.startswith(f"Prophet's {name!r}, 'b': choose with --y-true ")
    assert told.endswith(" or --lower; --seed and --level stay.")


def test_a_file_with_such_names_is_refused_in_one_line(tmp_path):
    """With the columns that there are, and a choice that works."""
    header = ",".join('"' + name.replace('"', '""') + '"' for name in TICKS)
    (tmp_path / "f.csv").write_text(f"{header}\n1,2,3,4,5,6,7\n")
    (tmp_path / "g.csv").write_text("Y,y,lo,hi\n1,1,0,2\n3,3,1,4\n")
    none, two = batch([["score", "f.csv"], ["score", "g.csv"]], tmp_path)
    assert none[0] == two[0] == 1
    assert none[2].startswith("uccurve: f.csv: no columns have common names for intervals among '`lower`', ")
    assert two[2].endswith("several columns could be the observations: 'Y', 'y'; choose with --y-true Y.\n")
