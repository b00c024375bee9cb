"""Search for inputs that break the library, for some time: ``python -m fuzz --seconds 600``."""

from __future__ import annotations

import argparse
import secrets
import time
from pathlib import Path

from fuzz.search import finding
from fuzz.targets import TARGETS

DATABASE = Path("build/fuzz")


def main() -> int:
    """Check targets in turn until the time is over; return how many of them have a finding."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32), help="of an earlier search")
    parser.add_argument("--target", action="append", choices=list(TARGETS), help="by default all of them")
    given = parser.parse_args()
    print(f"seed {given.seed}: python -m fuzz --seed {given.seed} draws the same examples", flush=True)
    until = time.monotonic() + given.seconds
    examples = dict.fromkeys(given.target or TARGETS, 0)
    spent = dict.fromkeys(examples, 0.0)
    findings: dict[str, str] = {}
    number = given.seed
    while time.monotonic() < until and len(findings) < len(examples):
        for name in examples:
            begin = time.monotonic()
            if name in findings or begin > until:
                continue
            target = TARGETS[name]
            found = finding(
                name, target, number=number, examples=target.per_round, until=until, database=DATABASE
            )
            examples[name] += target.per_round
            spent[name] += time.monotonic() - begin
            if found is not None:
                findings[name] = found
                print(f"\nfinding in {name}, seed {number}:\n{found}", flush=True)
        number += 1
    for name, count in examples.items():
        outcome = "A FINDING" if name in findings else "no finding"
        print(f"{name:12} {count:7} examples in {spent[name]:4.0f} s: {outcome}")
    return len(findings)


if __name__ == "__main__":
    raise SystemExit(main())
