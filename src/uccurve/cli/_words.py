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
    """
    words: list[str] = []
    for word in given:
        is_value = bool(words) and _END not in words and _takes_value(words[-1])
        if is_value and word == _PIPE:
            words[-1] += f"={_PIPE}"
        elif is_value or not words:  # the first word is a command
            words.append(word)
        else:
            words.append({_PIPE: STDIN, STDIN: f"./{STDIN}"}.get(word, word))
    return words


def _takes_value(word: str) -> bool:
    """Whether the value of an option is the next word."""
    return word in VALUED or (word.startswith(_END) and "=" not in word and word not in FLAGS)
