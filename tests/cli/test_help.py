"""What is written about the command line is true: its help, and its page."""

from __future__ import annotations

import contextlib
import re
import shlex
import subprocess
import sys
from inspect import cleandoc
from pathlib import Path

import polars as pl
import pytest
from command_runs import ENV, N, forecasts, good, in_this_process, intervals

import uccurve as uc
from uccurve.cli import app
from uccurve.sketch import SketchFile


def test_help_names_every_command_and_exit_code(tmp_path):
    """From there a new user must find everything."""
    printed = good("--help", cwd=tmp_path)
    commands = ("score", "compare", "report", "plot", "calibrate", "sketch", "merge", "demo")
    for word in (*commands, "--install-completion", "--version"):
        assert f" {word} " in printed
    for code in (0, 1, 2, 3, 4, 70, 130, 141, 143):
        assert re.search(rf"\b{code} ", printed)
    assert max(map(len, printed.splitlines())) <= 80
    assert good("--version", cwd=tmp_path).strip() == uc.__version__


COMMANDS = [app.calibrate, app.compare, app.demo, app.merge, app.plot, app.report, app.score, app.sketch]
EXAMPLES = [
    line.strip().split("  ")[0]
    for text in (app.app.help_epilogue, *(command.__doc__ for command in COMMANDS))
    for line in cleandoc(text).splitlines()
    if re.match(r"  (?:uccurve|cat) ", line)
]


@pytest.mark.slow
def test_the_examples_of_the_help_work(tmp_path):
    """All of them, on files that have the columns they name."""
    assert len(EXAMPLES) > 15
    assert (
        max(map(len, EXAMPLES)) <= 78
    )  # two spaces in front: a wrapped one cannot be copied from a terminal
    frame = forecasts().with_columns(
        actual="y", mean="AutoARIMA", p5="AutoARIMA-lo-90", p95="AutoARIMA-hi-90", pred_a="AutoARIMA",
        lo_a="AutoARIMA-lo-90", hi_a="AutoARIMA-hi-90", pred_b="Naive", std_b=pl.lit(1.5), sd=pl.lit(2.0),
        lower="AutoARIMA-lo-90", upper="AutoARIMA-hi-90", region="unique_id", temperature=pl.lit(3),
    )  # fmt: skip
    plain = frame.drop([name for name in forecasts().columns if name != "unique_id"])
    for name in ("f.csv", "predictions.csv", "test.csv", "validation.csv"):
        plain.write_csv(tmp_path / name)
    commands = [(["demo", "--csv", "demo.csv", "--n-resamples", "9"], "")]  # whose rows others take
    plain.write_parquet(tmp_path / "f.parquet")
    plain.write_ndjson(tmp_path / "rows.jsonl")
    (tmp_path / "parts").mkdir()
    plain.write_parquet(tmp_path / "parts" / "1.parquet")
    for name in ("all", "monday", "tuesday"):
        sketch = intervals(forecasts(), "Naive").sketch()
        SketchFile.of({"model": sketch}).write(tmp_path / f"{name}.ucc")
    (tmp_path / "excel.csv").write_bytes(plain.write_csv(separator=";").replace(".", ",").encode("cp1252"))
    forecasts().write_csv(tmp_path / "forecasts.csv")
    forecasts().write_csv(tmp_path / "hourly.csv")
    forecasts().drop("Naive", "Naive-lo-90", "Naive-hi-90").write_parquet(tmp_path / "forecasts.parquet")
    visits = forecasts().with_columns(clinic=pl.lit("c"), patient=pl.int_range(N) // 4)
    visits.write_csv(tmp_path / "visits.csv")
    for example in EXAMPLES:
        before, _, rest = example.rpartition("| ")
        command, _, file = rest.partition(" < ")
        arguments = shlex.split(command)[1:]
        if arguments[0] in ("compare", "report", "demo"):  # quicker
            place = arguments.index("--n-resamples") if "--n-resamples" in arguments else len(arguments)
            arguments[place : place + 2] = ["--n-resamples", "9"]
        commands.append((arguments, file or before.removeprefix("cat ").strip()))
    for arguments, file in commands:
        with contextlib.ExitStack() as opened:
            stdin = opened.enter_context((tmp_path / file).open("rb")) if file else ""
            good(*arguments, cwd=tmp_path, stdin=stdin)


@pytest.mark.slow
def test_the_page_about_the_command_line_is_true(tmp_path):
    """Its commands print what stands below them."""
    blocks = re.findall(
        r"```console\n(.*?)```", (Path(__file__).parents[2] / "docs" / "cli.md").read_text(), re.DOTALL
    )
    told = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part]
    assert len(told) > 5
    for part in told:
        typed, *lines = part.splitlines(keepends=True)
        while lines and lines[0].startswith("> "):
            typed += lines.pop(0).removeprefix("> ")
        printed = _typed(typed, tmp_path)
        assert printed == "".join(lines).rstrip("\n") + ("\n" if lines else ""), typed


def _typed(line, folder):
    """Run a line as a shell does, and return all that is printed; a command alone runs in this process, which is quicker."""
    if line.startswith("uccurve ") and not set("|;&<>$`") & set(line):
        return in_this_process(shlex.split(line)[1:], cwd=folder, together=True, HOME=str(folder)).stdout
    environment = {**ENV, "PATH": f"{Path(sys.executable).parent}:{ENV['PATH']}", "HOME": str(folder)}
    options = {"stdout": -1, "stderr": subprocess.STDOUT, "text": True, "env": environment}
    return subprocess.run(["/usr/bin/env", "bash", "-c", line], cwd=folder, check=False, **options).stdout
