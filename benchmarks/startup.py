"""What the commands cost before they do anything: whole processes, beside `python -c pass`.

`python -m benchmarks.startup [TURNS]` starts each command so many times by turns (default 7) and prints the median of
its time, and of its ratio to the bare Python of the same turn.
"""

from __future__ import annotations

import subprocess
import sys
from statistics import median
from time import perf_counter

from benchmarks.machine import described

RULESPEC = "import cli; cli.main(prog_name='rulespec')"
COMMANDS = {
    "python -c pass": None,
    "rulespec --version": ["--version"],
    "rulespec --help": ["--help"],
    "rulespec list": ["list"],
    "rulespec validate gin": ["validate", "gin"],
    "rulespec validate romme-playgridia": ["validate", "romme-playgridia"],
    "rulespec test gin": ["test", "gin"],
    "rulespec simulate gin --games 1": ["simulate", "gin", "--games", "1", "--seed", "1", "--workers", "1"],
    "rulespec simulate tonk --games 1": ["simulate", "tonk", "--games", "1", "--seed", "1", "--workers", "1"],
}


def seconds(arguments: list[str] | None) -> float:
    """How long a process takes."""
    command = [sys.executable, "-c", "pass" if arguments is None else RULESPEC, *(arguments or ())]
    start = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - start


def main() -> None:
    """Measure by turns, and print a line for each command."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    for arguments in COMMANDS.values():
        seconds(arguments)  # so that all is in the caches, as for whoever uses it every day
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(turns):
        for name, arguments in COMMANDS.items():
            times[name].append(seconds(arguments))
    bare = times["python -c pass"]
    print(f"{'':<38} {'ms':>7} {'ratio':>6}")
    for name, found in times.items():
        ratio = median(one / base for one, base in zip(found, bare, strict=True))
        print(f"{name:<38} {1000 * median(found):>7.0f} {ratio:>6.1f}")
    print(described())


if __name__ == "__main__":
    main()
