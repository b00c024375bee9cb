"""Metrics of several processes are those of one: rows in unequal parts, and one process without any."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from made_rows import fill, made_rows, made_weights

import uccurve
from uccurve.torch import AUUCC, IntervalScore

HERE = Path(__file__).parent


def metrics():
    """One that keeps rows, and one that keeps sums."""
    return {"area": AUUCC(y="deficit"), "score": IntervalScore(coverage=0.9)}


DIVISIONS = [(130, 270), (400, 0), (0, 400)]


def process(rank, port):
    """Be one of two processes: for each division of the rows, add the own share, and return the values of all."""
    import torch.distributed as dist

    address, wait, values = f"tcp://127.0.0.1:{port}", timedelta(seconds=240), []
    dist.init_process_group("gloo", init_method=address, rank=rank, world_size=2, timeout=wait)
    for sizes in DIVISIONS:
        own = slice(sum(sizes[:rank]), sum(sizes[: rank + 1]))
        found = metrics()
        for metric in found.values() if sizes[rank] else ():
            metric.update(*(c[own] for c in made_rows()), sample_weight=made_weights()[own])
        numbers = {name: metric.compute().item() for name, metric in found.items()}
        values.append(numbers | {"rows": found["area"].curve().n})
    dist.destroy_process_group()
    return values


def run_two_processes():
    """Return what this process and another one find, connected by gloo; a hang is a failure."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    source = Path(uccurve.__file__).parent.parent
    paths = os.pathsep.join([str(source), str(HERE), str(HERE.parent)])
    code = f"import json, test_processes as other; print(json.dumps(other.process(1, {port})))"
    other = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1"},
    )
    try:
        mine = process(0, port)
        return mine, json.loads(other.communicate(timeout=240)[0])
    finally:
        other.kill()


@pytest.mark.filterwarnings("ignore")  # PyTorch warns of its own
def test_two_processes_give_the_values_of_one():
    """In unequal parts, and with a process that has no rows at all."""
    one = {n: fill(m, made_rows(), made_weights()).compute().item() for n, m in metrics().items()}
    for values in run_two_processes():
        for found in values:
            assert found == pytest.approx(one | {"rows": 400}, rel=1e-12)
