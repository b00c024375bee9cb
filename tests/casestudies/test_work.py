"""Pieces of work in parallel: answers, failures, and programs that are stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from casestudies.shared.work import run_all
from threadpoolctl import threadpool_info

ROOT = Path(__file__).parents[2]
PROGRAM = f"""
import os, signal, sys, time
from pathlib import Path

sys.path.append({str(ROOT)!r})
from casestudies.shared.program import run_program
from casestudies.shared.work import run_all

def sleep():
    (Path(sys.argv[1]) / str(os.getpid())).touch()
    time.sleep(600)

signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell may have switched off
run_program(lambda: run_all({{f"piece {{i}}": sleep for i in range(5)}}, 2))
"""


# Pieces are local functions: workers get their code, and need not import the tests.


def doubling(number):
    def piece():
        time.sleep(0.1 * number)
        return 2 * number

    return piece


def counting_threads():
    def piece():
        return [library["num_threads"] for library in threadpool_info()]

    return piece


def sleeping(folder):
    def piece():
        (folder / str(os.getpid())).touch()
        time.sleep(600)

    return piece


def failing(folder):
    """Return a piece that fails as soon as another one has started."""

    def piece():
        while not any(folder.iterdir()):
            time.sleep(0.05)
        raise ValueError("no such luck")

    return piece


def alive(pid):
    """Whether a process runs; one that ended and waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def eventually(test):
    """Wait for something, with patience for a loaded machine."""
    for _ in range(1200):
        if test():
            return True
        time.sleep(0.05)
    return False


def workers_in(folder):
    return [int(path.name) for path in folder.iterdir()]


def end(processes):
    """Leave nothing behind, should the test have failed."""
    for pid in filter(alive, processes):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("workers", [1, 2])
def test_answers_come_back_by_name_in_the_order_of_the_pieces(workers, capsys):
    """Whichever finishes first; each one that finishes is counted on stderr."""
    answers = run_all({str(i): doubling(i) for i in (3, 1, 2)}, workers)
    assert list(answers.items()) == [("3", 6), ("1", 2), ("2", 4)]
    lines = capsys.readouterr().err.splitlines()
    assert sorted(line.split(": ")[1] for line in lines) == ["1", "2", "3"]
    assert [line.split(": ")[0] for line in lines] == ["1 of 3", "2 of 3", "3 of 3"]


@pytest.mark.parametrize("workers", [1, 2])
def test_each_piece_runs_on_one_thread(workers):
    """Sums over several threads are rounded differently: numbers would depend on the workers."""
    for threads in run_all({"a": counting_threads(), "b": counting_threads()}, workers).values():
        assert set(threads) == {1}


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_a_piece_that_fails_is_named_and_ends_the_others(tmp_path):
    """Half of the seeds are no result, and no process may go on for nothing."""
    both = {"sleeper": sleeping(tmp_path), "the bad one": failing(tmp_path)}
    try:
        with pytest.raises(RuntimeError, match=r"^the bad one failed: ValueError: no such luck$"):
            run_all(both, 2)
        assert len(workers_in(tmp_path)) == 1
        assert eventually(lambda: not any(map(alive, workers_in(tmp_path))))
    finally:
        end(workers_in(tmp_path))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)], ids=str)
def test_a_program_that_is_stopped_takes_its_workers_along(tmp_path, sent, code):
    """Workers that sleep for ten minutes: whatever ends here was ended. Nothing is printed."""
    running = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        assert eventually(lambda: len(workers_in(tmp_path)) == 2)
        if sent == signal.SIGINT:
            os.killpg(running.pid, sent)  # as a terminal does
        else:
            running.send_signal(sent)
        assert running.wait(timeout=300) == code
        assert running.stderr.read() == b""
        assert eventually(lambda: not any(map(alive, workers_in(tmp_path))))
        assert len(workers_in(tmp_path)) == 2
    finally:
        end([running.pid, *workers_in(tmp_path)])
        running.wait(timeout=300)
        running.stderr.close()
