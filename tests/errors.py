"""Errors are checked by their class and their facts, not by their words."""

from __future__ import annotations

from contextlib import contextmanager

import pytest


@contextmanager
def raises(error, argument=None, **facts):
    """A block raises this class, about this argument, with these facts."""
    with pytest.raises(error) as caught:
        yield caught
    assert caught.value.argument == argument
    assert {name: getattr(caught.value, name) for name in facts} == facts


def check_error(action, error, argument=None):
    """An action raises this class, about this argument."""
    with raises(error, argument):
        action()
