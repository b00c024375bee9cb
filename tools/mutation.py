"""Change the kernels, one place at a time, and see whether a test notices.

    python tools/mutation.py [module ...]

Each change, a *mutant*, is made in memory: a fork of this process gets the changed code, and runs the tests that
call the function, the quickest first. Results are kept in build/mutation while neither the function nor its tests
change. Mutants that no test notices must be explained in tools/mutants.toml: the command fails if one is not.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import hashlib
import importlib
import json
import os
import resource
import signal
import sys
import time
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from mutants import CONSTANTS, Mutant, functions, mutants_of
from mutation_page import report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ROOT = Path(__file__).parents[1]
KERNELS = ROOT / "src/uccurve/_kernels"
BUILD = ROOT / "build/mutation"
KNOWN = tomllib.loads((ROOT / "tools/mutants.toml").read_text())
"""The tests of each module, and what explains survivors."""
MEMORY = 4 << 30
"""Bytes of address space that a mutant may take beyond what it was given."""
SECONDS = 2
"""CPU seconds that a mutant may take beyond three times those of its tests."""


class Kernel:
    """A module of formulas: its syntax tree, its functions, and the tests that judge them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tests = [f"tests/{test}" for test in KNOWN["tests"][name]]
        self.tree = ast.parse((KERNELS / f"{name}.py").read_text())
        self.functions = functions(self.tree)

    def fingerprint(self, function: str) -> str:
        """Return a digest of a function, of all files that judge it, and of the changes that are made."""
        digest = hashlib.sha256(ast.dump(self.functions[function]).encode())
        helpers = (ROOT / "tests").glob("*.py")
        for file in [ROOT / "tools/mutants.py", *sorted(helpers), *(ROOT / test for test in self.tests)]:
            digest.update(file.read_bytes())
        return digest.hexdigest()[:16]

    def install(self, names: Iterable[str]) -> None:
        """Give imported functions the code that the syntax tree has now."""
        module = vars(importlib.import_module(f"uccurve._kernels.{self.name}"))
        fresh = {"__name__": module["__name__"], "__package__": module["__package__"]}
        exec(compile(ast.fix_missing_locations(self.tree), f"{self.name}.py", "exec"), fresh)  # noqa: S102
        for name in names:
            if name == CONSTANTS:
                _replace_constants(module, fresh)
                continue
            old, new = _function(module, name), _function(fresh, name)
            for part in ("__code__", "__defaults__", "__kwdefaults__"):
                setattr(old, part, getattr(new, part))


def _function(module: dict[str, Any], name: str) -> Any:
    """Return a function or method, also one behind a cached property."""
    first, *others = name.split(".")
    found = module[first]
    for part in others:
        found = vars(found)[part]
    return getattr(found, "func", found)


def _replace_constants(module: dict[str, Any], fresh: dict[str, Any]) -> None:
    """Replace constants that differ, also where other modules imported them."""
    changed = {
        name: (module[name], new)
        for name, new in fresh.items()
        if name.strip("_").isupper() and repr(module[name]) != repr(new)
    }
    for loaded in map(vars, list(sys.modules.values())):
        for name, (old, new) in changed.items():
            if loaded.get(name) is old:
                loaded[name] = new


class Server:
    """A plugin of pytest that collects tests once, and runs them many times."""

    def __init__(self, work: Callable[[Server, list[pytest.Item]], None]) -> None:
        self.work = work
        self.failed = False

    def pytest_collection(self) -> None:
        """Let Hypothesis stop at the first failure, without a search for a smaller one."""
        settings.register_profile(
            "mutation",
            deadline=None,
            derandomize=True,
            database=None,
            phases=(Phase.explicit, Phase.generate),
            suppress_health_check=list(HealthCheck),
        )
        settings.load_profile("mutation")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do the work instead of running each test once."""
        self.work(self, session.items)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember a failure."""
        self.failed = self.failed or report.failed

    def passes(self, item: pytest.Item) -> bool:
        """Run a test in this process."""
        self.failed = False
        item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
        return not self.failed


def in_fork(work: Callable[[], bool], seconds: float) -> str:
    """Run a function in a fork, within limits: survived if it returns True, else killed or timeout."""
    child = os.fork()
    if child == 0:
        passed = False
        with contextlib.suppress(BaseException):
            _limit(seconds)
            passed = work()
        os._exit(0 if passed else 1)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in {signal.SIGXCPU, signal.SIGALRM}:
        return "timeout"
    return "killed" if status else "survived"


def _limit(seconds: float) -> None:
    """Bound time and memory, and print nothing."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
    signal.alarm(int(20 * seconds) + 1)  # of the clock: other programs may have the processor
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY,) * 2)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
        os.dup2(nowhere.fileno(), sys.stderr.fileno())


def seconds_by_function(server: Server, items: list[pytest.Item]) -> dict[str, dict[str, float]]:
    """Run each test once, unchanged; return the functions that it calls with the seconds that it takes."""
    file = BUILD / "calls.json"

    def run() -> bool:
        called: set[str] = set()
        vars(builtins)["_called"] = called.add
        for kernel in map(Kernel, KNOWN["tests"]):
            names = [name for name in kernel.functions if name != CONSTANTS]
            for name in names:
                note = ast.parse(f"_called('{kernel.name}.{name}')").body
                kernel.functions[name].body[:0] = note  # type: ignore[attr-defined]
            kernel.install(names)
        found: dict[str, dict[str, float]] = {}
        for item in items:
            called.clear()
            begin = time.process_time()
            if not server.passes(item):
                file.write_text(json.dumps(item.nodeid))
                return False
            took = time.process_time() - begin
            for function in called | {f"{name.split('.')[0]}.{CONSTANTS}" for name in called}:
                found.setdefault(function, {})[item.nodeid] = took
        file.write_text(json.dumps(found))
        return True

    file.write_text('"none"')
    outcome, said = in_fork(run, 3600), json.loads(file.read_text())
    if outcome != "survived":
        pytest.exit(f"A test fails although nothing is changed: {said}", returncode=1)
    return dict(said)


def judge(
    server: Server, kernel: Kernel, function: str, mutant: Mutant, tests: dict[pytest.Item, float]
) -> str:
    """Run the tests of a function on a mutant of it, up to the first that fails."""

    def run() -> bool:
        mutant.apply()
        kernel.install([function])
        return all(map(server.passes, tests))

    return in_fork(run, SECONDS + 3 * sum(tests.values()))


def main() -> None:
    """Judge what is not known yet, write the page, and fail on a survivor without explanation."""
    kernels = [Kernel(name) for name in sys.argv[1:] or KNOWN["tests"]]
    BUILD.mkdir(parents=True, exist_ok=True)
    stored = BUILD / "results.json"
    results = json.loads(stored.read_text()) if stored.exists() else {}
    wanted = {
        f"{kernel.name}.{function}": (kernel, function, kernel.fingerprint(function))
        for kernel in kernels
        for function in kernel.functions
    }
    unknown = {name: what for name, what in wanted.items() if results.get(name, {}).get("of") != what[2]}

    def work(server: Server, items: list[pytest.Item]) -> None:
        calls = seconds_by_function(server, items)
        for name, (kernel, function, fingerprint) in unknown.items():
            seconds = {item: calls.get(name, {}).get(item.nodeid) for item in items}
            quickest = sorted(
                (took, place) for place, took in enumerate(seconds.values()) if took is not None
            )
            tests = {
                items[place]: took
                for took, place in quickest
                if items[place].nodeid.split("::")[0] in kernel.tests
            }
            mutants = mutants_of(kernel.functions[function])
            outcomes = {mutant.text: judge(server, kernel, function, mutant, tests) for mutant in mutants}
            results[name] = {"of": fingerprint, "outcomes": outcomes}
            stored.write_text(json.dumps(results, indent=1, ensure_ascii=False))
            print(f"{name}, {len(tests)} tests: {dict(Counter(outcomes.values()))}", flush=True)

    if unknown:
        files = sorted({test for kernel, _, _ in unknown.values() for test in kernel.tests})
        options = ["-q", "-s", "--tb=no", "--assert=plain", "-p", "no:cacheprovider"]
        if pytest.main([*options, *files], plugins=[Server(work)]) != pytest.ExitCode.OK:
            sys.exit("The tests did not run to their end: no further mutant is judged.")
    outcomes = {name: results[name]["outcomes"] for name in wanted}
    sys.exit(report(BUILD / "mutation.md", outcomes, KNOWN["survivors"]))


if __name__ == "__main__":
    main()
