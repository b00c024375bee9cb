"""Independent pieces of work in parallel processes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

import joblib
from threadpoolctl import threadpool_limits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Answer = TypeVar("Answer")


def run_all(pieces: Mapping[str, Callable[[], Answer]], workers: int) -> dict[str, Answer]:
    """Run all pieces and return their answers by name, in the order of the pieces.

    Answers do not depend on the number of workers; one worker means this process. The first piece that
    fails stops the others. Finished pieces are counted on stderr.
    """
    tasks = (joblib.delayed(_run)(name, piece) for name, piece in pieces.items())
    answers: dict[str, Answer] = {}
    for name, answer in joblib.Parallel(n_jobs=workers, return_as="generator_unordered")(tasks):
        answers[name] = answer
        print(f"{len(answers)} of {len(pieces)}: {name}", file=sys.stderr)  # noqa: T201
    return {name: answers[name] for name in pieces}


def _run(name: str, piece: Callable[[], Answer]) -> tuple[str, Answer]:
    """Run one piece on one thread: sums over several threads would be rounded differently."""
    try:
        with threadpool_limits(limits=1):
            return name, piece()
    except Exception as error:
        raise RuntimeError(f"{name} failed: {type(error).__name__}: {error}") from error
