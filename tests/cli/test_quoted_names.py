"""Messages of the library in words of the command line, whatever columns are called."""

from __future__ import annotations

import shlex

import pytest
from command_runs import batch

from uccurve.cli._errors import as_option
from uccurve.exceptions import MissingColumnError

TICKS = ["`lower`", "`x='`", '`x="`', "`lower='a", "it's `std`", "\\`upper`", "a`b"]


@pytest.mark.parametrize("name", TICKS)
def test_names_of_columns_are_never_taken_for_arguments(name):
    """A backtick in a name once ended a command as a bug."""
    error = MissingColumnError(
        f"it has {name!r}", hint="Choose by `lower`.", remedy={"y_true": name, "rng": 1}
    )
    assert error.sentence(naming=as_option) == (
        f"it has {name!r}. Choose by --lower. Pass --y-true {shlex.quote(name)} and --seed 1."
    )


def test_a_file_with_such_names_is_refused_in_one_line(tmp_path):
    """With the columns that there are, and a choice that works."""
    header = ",".join('"' + name.replace('"', '""') + '"' for name in TICKS)
    (tmp_path / "f.csv").write_text(f"{header}\n1,2,3,4,5,6,7\n")
    (tmp_path / "g.csv").write_text("Y,y,lo,hi\n1,1,0,2\n3,3,1,4\n")
    none, two = batch([["score", "f.csv"], ["score", "g.csv"]], tmp_path)
    assert none[0] == two[0] == 1
    assert none[2].startswith("uccurve: f.csv: no columns have common names for intervals among '`lower`', ")
    assert two[2].endswith("several columns could be the observations: 'Y', 'y'. Pass --y-true Y.\n")
