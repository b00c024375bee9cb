"""Wrong usage in one line: what was wrong, what may have been meant, and where the help is."""

from __future__ import annotations

import re
from typing import Any

from cyclopts.exceptions import CoercionError, UnknownOptionError

from uccurve.columns import nearest_name

_CLOSE = 0.75
_SHORTEST = 3


def explained(error: Any) -> str:
    """Say what is wrong with the options, and point to the help of the command."""
    command = " ".join(["uccurve", *(error.command_chain or ())])
    text = str(error)
    if isinstance(error, UnknownOptionError):
        text = _unknown(error)
    elif isinstance(error, CoercionError) and error.token is not None:
        text += _number_hint(error.token.keyword or "", error.token.value)
    return f"{text} See {command} --help."


def _unknown(error: UnknownOptionError) -> str:
    """Name an unknown option, and one that is close; cyclopts names one that is far off as well."""
    given = (error.token.keyword or error.token.value).partition("=")[0]
    known = {
        name.strip("-"): name
        for argument in error.argument_collection
        if argument.parse
        for name in argument.names
    }
    bare = given.strip("-").replace("_", "-")
    longer = [name for name in known if len(bare) >= _SHORTEST and _begins_or_ends(name, bare)]
    close = longer[0] if longer else nearest_name(bare, list(known), _CLOSE)
    return f"Unknown option: {given}." + (f" Did you mean {known[close]}?" if close else "")


def _begins_or_ends(name: str, part: str) -> bool:
    """Whether a name begins with a part, as output with out, or ends with a word, as miss-rate with rate."""
    return name.startswith(part) or name.endswith(f"-{part}")


def _number_hint(option: str, value: str) -> str:
    """Say how a number is to be written, if that is clear."""
    match = re.fullmatch(r"(\d+(?:[.,]\d+)?)\s*(%?)", value.strip())
    if not match or not ("," in value or match[2]):
        return ""
    number = float(match[1].replace(",", "."))
    if match[2] and option != "--level":
        number /= 100
    return f" Write {number:.10g}."
