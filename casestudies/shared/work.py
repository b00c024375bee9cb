"""Independent pieces of work in processes of their own, one thread each, with a bar for every one."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

_channel: Any = None
"""Where a worker process tells how far it is."""


class Told:
    """Tells how much of a piece of work is done; called with a share between 0 and 1."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, share: float) -> None:
        """Tell it to whoever listens."""
        if _channel is not None:
            _channel.put((self.name, share))


def cores() -> int:
    """Return how many processes can run at a time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_processes(
    pieces: Mapping[str, tuple[Callable[..., Any], tuple[Any, ...]]], workers: int | None = None
) -> dict[str, Any]:
    """Call each function with `Told` and its arguments; return the answers by name.

    A piece that fails ends the whole, with its name: half of the seeds are no result. So does an
    interrupt. Workers end with this process, however that ends. With no workers the pieces are done here,
    one after the other.
    """
    if workers == 0:
        return {name: function(Told(name), *given) for name, (function, given) in pieces.items()}
    context = multiprocessing.get_context("spawn")
    messages = context.SimpleQueue()
    with _environment(dict.fromkeys(ONE_THREAD, "1")), _interruptible(), _bars() as bars:
        pool = ProcessPoolExecutor(
            workers or cores(), mp_context=context, initializer=_begin, initargs=(messages,)
        )
        try:
            waiting = {
                pool.submit(function, Told(name), *given): name for name, (function, given) in pieces.items()
            }
            answers = _collect(waiting, messages, bars)
        except BaseException:
            _abandon(pool)
            raise
        pool.shutdown()
    return {name: answers[name] for name in pieces}


def _collect(waiting: dict[Any, str], messages: Any, bars: Progress) -> dict[str, Any]:
    """Wait for all answers, and show how far the pieces are."""
    whole = bars.add_task("all", total=len(waiting))
    tasks: dict[str, Any] = {}
    answers: dict[str, Any] = {}
    while waiting:
        done, _ = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
        while not messages.empty():
            name, share = messages.get()
            if name not in tasks:
                tasks[name] = bars.add_task(name, total=1.0)
            bars.update(tasks[name], completed=share)
        for future in done:
            name = waiting.pop(future)
            try:
                answers[name] = future.result()
            except Exception as error:
                raise RuntimeError(f"{name} failed: {type(error).__name__}: {error}") from error
            if name in tasks:
                bars.remove_task(tasks[name])
            bars.console.print(f"{name}: done")
            bars.advance(whole)
    return answers


def _bars() -> Progress:
    columns = (TextColumn("{task.description:<24}"), BarColumn(), TextColumn("{task.percentage:3.0f} %"))
    return Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True))


def _begin(messages: Any) -> None:
    """Prepare a worker: it tells how far it is, leaves interrupts to its parent, and ends with it."""
    global _channel  # noqa: PLW0603
    _channel = messages
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def _abandon(pool: ProcessPoolExecutor) -> None:
    """End the workers where they are."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()


@contextmanager
def _environment(wanted: dict[str, str]) -> Iterator[None]:
    """Set variables for the processes that are started here."""
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let a polite request to end arrive as an exception, so that workers are ended, too."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_number: int, _frame: Any) -> None:
        raise SystemExit(128 + signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
