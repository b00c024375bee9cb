"""The page on mutants of the kernels: how many there are, which survive, and why."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

HEAD = """# Mutation testing of the kernels

How much would the tests notice? A *mutant* is a kernel with one small mistake: `<` for `<=`, `+` for `-`, `min` for
`max`, a number that is one larger, a bound of a slice one further, a statement left out. `make mutation` makes every
such mistake in `src/uccurve/_kernels`, one at a time, and runs the tests of `tests/kernels` that call the function.
A mutant that makes a test fail is *killed*. One that makes a test run on for ever is noticed as well. One that changes
nothing that a test sees *survives*: either a test is missing, or the change makes no difference. Each survivor is
explained below, and the command fails on one that is not.

The mistakes are made by `tools/mutants.py`. General tools, such as mutmut, leave out those that are most likely in
numerical code: `min` for `max`, the other side of a search, a slice that is one off, another constant of a module.

The table and the lists are written by the command. Explanations are kept in `tools/mutants.toml`, by function and by
the text of the change, so that they outlast changes elsewhere in the file. Results are kept as well: only functions
that changed, or whose tests did, are judged again.

{counts}

{total}

## Survivors

A change is shown in the statement that it is made in, as ⟦what was → what is⟧. A change to `pass` leaves the
statement out. `constants` are what a module assigns outside of functions.
"""


def report(page: Path, results: Mapping[str, Mapping[str, str]], explained: Iterable[dict[str, str]]) -> int:
    """Write the page, name what does not fit together, and return 1 if a survivor is not explained."""
    survivors = {
        f"{function}: {text}": None
        for function, outcomes in results.items()
        for text, outcome in outcomes.items()
        if outcome == "survived"
    }
    sections, known = [], set()
    for group in explained:
        mutants = [line.strip() for line in group["mutants"].splitlines() if line.strip()]
        known.update(mutants)
        listed = "\n".join(mutant for mutant in mutants if mutant in survivors)
        if listed:
            sections.append(f"{group['reason'].strip()}\n\n```text\n{listed}\n```\n")
    page.write_text("\n".join([HEAD.format(counts=_counts(results), total=_total(results)), *sections]))
    judged = {function.split(".")[0] for function in results}
    for mutant in sorted(known - set(survivors)):
        if mutant.split(".")[0] in judged:
            print(f"Explained, but does not survive: {mutant}")
    missing = [mutant for mutant in survivors if mutant not in known]
    for mutant in missing:
        print(f"Survives without explanation: {mutant}")
    print(_total(results))
    return 1 if missing else 0


def _counts(results: Mapping[str, Mapping[str, str]]) -> str:
    """Return a table with a row for each module."""
    modules: dict[str, Counter[str]] = {}
    for function, outcomes in results.items():
        modules.setdefault(function.split(".")[0], Counter()).update(outcomes.values())
    rows = [
        f"| `{module}` | {counts.total()} | {counts['killed']} | {counts['timeout']} | {counts['survived']} |"
        for module, counts in sorted(modules.items())
    ]
    return "\n".join(
        ["| module | mutants | killed | out of time | survive |", "|---|--:|--:|--:|--:|", *rows]
    )


def _total(results: Mapping[str, Mapping[str, str]]) -> str:
    counts = Counter(outcome for outcomes in results.values() for outcome in outcomes.values())
    noticed = counts["killed"] + counts["timeout"]
    return f"Tests notice {noticed} of {counts.total()} mutants, {noticed / counts.total():.1%}."
