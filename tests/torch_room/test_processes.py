"""Metrics of several processes are those of one: rows in unequal parts, and one process without any."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from made_rows import fill, made_rows, made_weights

import uccurve
from uccurve.torch import (
    AUUCC,
    AUUCCGain,
    Bandwidth,
    IntervalScore,
    MissRate,
    UncertaintyCharacteristicsCurve,
)

HERE = Path(__file__).parent


def metrics():
    """One of each kind."""
    return {
        "area": AUUCC(y="deficit"),
        "gain": AUUCCGain(),
        "missed": MissRate(),
        "bandwidth": Bandwidth(),
        "score": IntervalScore(coverage=0.9),
        "curve": UncertaintyCharacteristicsCurve(),
    }


def values(found):
    return {
        name: [part.tolist() for part in v] if isinstance(v, tuple) else v.item() for name, v in found.items()
    }


DIVISIONS = [(130, 270), (400, 0), (0, 400)]


def process(rank, port):
    """Run one process: for each division of the rows, add its share, and print the values of all."""
    import torch.distributed as dist

    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=2)
    for sizes in DIVISIONS:
        own = slice(sum(sizes[:rank]), sum(sizes[: rank + 1]))
        found, rows = {}, AUUCC()
        for name, metric in [*metrics().items(), ("rows", rows)]:
            if sizes[rank]:
                metric.update(*(c[own] for c in made_rows()), sample_weight=made_weights()[own])
            if metric is not rows:
                found[name] = metric.compute()
        print(json.dumps(values(found) | {"rows": rows.curve().n}), flush=True)  # noqa: T201
    dist.destroy_process_group()


@pytest.fixture(scope="module")
def told():
    """What two real processes print, connected by gloo; a hang is a failure."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    source = Path(uccurve.__file__).parent.parent
    paths = os.pathsep.join([str(source), str(HERE), str(HERE.parent)])
    code = "import warnings; warnings.simplefilter('ignore'); import test_processes as t; t.process({}, {})"
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code.format(rank, port)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1"},
        )
        for rank in range(2)
    ]
    try:
        streams = [run.communicate(timeout=240) for run in runs]
    finally:
        for run in runs:
            run.kill()
    assert [run.returncode for run in runs] == [0, 0], streams
    return [[json.loads(line) for line in out.splitlines()] for out, _ in streams]


@pytest.mark.parametrize("division", range(3), ids=[str(sizes) for sizes in DIVISIONS])
@pytest.mark.parametrize("rank", [0, 1])
def test_two_processes_give_the_values_of_one(told, division, rank):
    """In unequal parts, and with a process that has no rows at all."""
    one = {n: fill(m, made_rows(), made_weights()).compute() for n, m in metrics().items()}
    expected = values(one) | {"rows": 400}
    found = told[rank][division]
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        torch.testing.assert_close(found[name], value, rtol=1e-12, atol=1e-15, msg=name)
