"""Whole messages: the text of an error is part of the interface."""

from __future__ import annotations

import pytest


def check_message(action, error, message):
    """An action raises exactly this class with exactly this text."""
    with pytest.raises(error) as caught:
        action()
    assert str(caught.value) == message
    assert type(caught.value) is error
