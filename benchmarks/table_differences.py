"""The table solver against other solvers on positions made anew: how many answers differ, and how.

    python -m benchmarks.table_differences [--positions N] [--first SEED]

Needs the extra `peers`. Each position is put to every peer that can express it, and the most cards of the hand that can
be put down are compared. The exit status is 1 where HiGHS, whose model takes every group, differs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from benchmarks.rearrangement import question_of
from interpreter.table_solver import best, some
from tests.interpreter.table_peers import Peer, Position, jokers_in, peers, random_position


def _kind(peer: Peer, position: Position, most: int, possible: bool) -> str:
    """How a peer's answers go with ours."""
    found = peer.best(position)()
    if peer.any is not None and (peer.any(position)() == 1) != possible:
        return "differs: any play"
    if max(0, found) == most:
        return "the same"
    wild = "with jokers" if jokers_in(position) else "without jokers"
    return f"differs: {'no table' if found < 0 else 'fewer cards' if found < most else 'more cards'}, {wild}"


def main() -> int:
    """Ask, and print the counts."""
    parser = argparse.ArgumentParser(description="the table solver against others")
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--first", type=int, default=1000)
    chosen = parser.parse_args()
    others = list(peers())
    counts: Counter[tuple[str, str]] = Counter()
    for seed in range(chosen.first, chosen.first + chosen.positions):
        position = random_position(seed)
        question = question_of(position)
        answer, possible = best(question), some(question).table is not None
        counts["ours", "with a play" if possible else "without one"] += 1
        if not answer.exact or possible != (answer.worth > 0):
            counts["ours", "not exact, or in two minds"] += 1
        for peer in others:
            if peer.expresses(position):
                kind = _kind(peer, position, answer.worth, possible)
                counts[peer.name, kind] += 1
                if kind.startswith("differs"):
                    print(f"{position['id']}: {peer.name} {kind}; ours {answer.worth}")
    for (name, kind), count in sorted(counts.items()):
        print(f"{name:<28} {kind:<40} {count}")
    ours = {name for name, kind in counts if kind.startswith(("differs", "not exact"))}
    return int(any(name == "ours" or name.startswith("HiGHS") for name in ours))


if __name__ == "__main__":
    sys.exit(main())
