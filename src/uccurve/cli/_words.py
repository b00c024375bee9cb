"""The words of a command line, as the parser takes them: "-" is the value of an option, or standard input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve.cli._input_files import STDIN
from uccurve.cli._options import FLAGS, VALUED

if TYPE_CHECKING:
    from collections.abc import Sequence

_PIPE, _END = "-", "--"


def parser_words(given: Sequence[str]) -> list[str]:
    """Return the words with "-" as the parser takes it, which knows it as an option without a name.

    Behind an option it is that option's value and joined to it, as in ``--suffix=-``. Elsewhere it is a
    file: standard input. A file with the name that stands for standard input is looked up in its folder.
    Files come before the options, since the parser takes them only side by side.
    """
    if not given:
        return []
    files: list[str] = []
    options: list[str] = []
    end = given.index(_END) if _END in given else len(given)
    expects_value = False
    for word in given[1:end]:
        if expects_value and word == _PIPE:
            options[-1] += f"={_PIPE}"
        elif expects_value or (word.startswith(_PIPE) and word != _PIPE):
            options.append(word)
        else:
            files.append(_as_file(word))
        expects_value = not expects_value and _takes_value(word)
    return [given[0], *files, *options, *given[end : end + 1], *map(_as_file, given[end + 1 :])]


def _as_file(word: str) -> str:
    return {_PIPE: STDIN, STDIN: f"./{STDIN}"}.get(word, word)


def _takes_value(word: str) -> bool:
    """Whether the value of an option is the next word."""
    return word in VALUED or (word.startswith(_END) and "=" not in word and word not in FLAGS)
