"""Optional libraries that are not installed."""

from __future__ import annotations

import pickle

import pytest

from uccurve._base.arguments import needed
from uccurve.exceptions import MissingDependencyError


def test_a_missing_library_is_named_with_the_command_that_installs_it():
    """The import error stays visible as the cause."""
    with pytest.raises(MissingDependencyError) as caught, needed("no_such_library", extra="plot"):
        import no_such_library  # noqa: F401
    error = caught.value
    assert str(error) == "no_such_library is needed but not installed: pip install 'uccurve[plot]'"
    assert (error.library, error.extra) == ("no_such_library", "plot")
    assert isinstance(error.__cause__, ModuleNotFoundError)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301 - as workers send it


def test_other_errors_pass_through():
    """Only a failed import is about a missing library."""
    with pytest.raises(ZeroDivisionError), needed("math", extra="plot"):
        1 / 0  # noqa: B018
