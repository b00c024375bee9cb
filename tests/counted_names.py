"""Names that count how often they are compared: work is counted, not timed."""

from __future__ import annotations


class CountedName(str):
    """A name that counts how often it is compared with another one."""

    __slots__ = ()
    comparisons = 0

    def __eq__(self, other):
        CountedName.comparisons += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__
