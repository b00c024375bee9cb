"""Bytes with damage: flipped, cut out, doubled, inserted, or overwritten with numbers that are no numbers."""

from __future__ import annotations

import struct
from collections.abc import Callable

from hypothesis import strategies as st

Change = Callable[[bytes], bytes]
_place = st.floats(0, 1, exclude_max=True)
_NUMBERS = (float("nan"), float("inf"), -1.0, 0.0, 5e-324, 1.7e308, -0.0)


def _flipped(at: float, bit: int) -> Change:
    def change(raw: bytes) -> bytes:
        place = int(at * len(raw))
        return raw[:place] + bytes([raw[place] ^ (1 << bit)]) + raw[place + 1 :] if raw else raw

    return change


def _replaced(at: float, length: int, by: bytes) -> Change:
    def change(raw: bytes) -> bytes:
        place = int(at * len(raw))
        return raw[:place] + by + raw[place + length :]

    return change


def _overwritten(at: float, number: float) -> Change:
    """Put a number in the place of one of the eight bytes before it, counted from the start."""
    written = struct.pack("<d", number)

    def change(raw: bytes) -> bytes:
        place = int(at * len(raw)) // 4 * 4
        return (raw[:place] + written + raw[place + 8 :])[: len(raw)]

    return change


def _doubled(at: float, length: int) -> Change:
    def change(raw: bytes) -> bytes:
        place = int(at * len(raw))
        return raw[: place + length] + raw[place:]

    return change


_changes = st.one_of(
    st.builds(_flipped, _place, st.integers(0, 7)),
    st.builds(_replaced, _place, st.integers(0, 64), st.binary(max_size=9)),
    st.builds(_replaced, _place, st.just(1 << 30), st.just(b"")),
    st.builds(_overwritten, _place, st.sampled_from(_NUMBERS)),
    st.builds(_doubled, _place, st.integers(0, 64)),
)


def damaged(raw: st.SearchStrategy[bytes], most: int = 3) -> st.SearchStrategy[bytes]:
    """Draw bytes, with up to ``most`` changes."""

    def changed(given: bytes, changes: list[Change]) -> bytes:
        for change in changes:
            given = change(given)
        return given

    return st.builds(changed, raw, st.lists(_changes, max_size=most))
