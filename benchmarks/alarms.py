"""False alarms of `rulespec compare`: a rule compared with itself must call a difference clear in about 5 of 100 cases.

`python -m benchmarks.alarms [COMPARISONS] [DEALS] [SHEET]` (default 200, 60, gin-one-deal) plays each comparison on
deals of its own, and the second side on other deals than the first, as the same deals would be the same games. It
prints how many comparisons raised an alarm, and for how many measures alone the 95% interval left nought out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from interpreter.comparison import Totals, differences
from interpreter.compiler import compile_sheet
from interpreter.figures import wilson
from interpreter.measures import Part, measured
from interpreter.program import Program
from interpreter.watch import begun, play_on
from rulespec.loader import load


def games(program: Program, first: int, count: int) -> Iterator[dict[str, Part]]:
    """What games give to each measure."""
    for index in range(first, first + count):
        facts = begun(program, "alarms", index)
        play_on(facts, ("greedy",) * program.players)
        yield measured(facts)


def main() -> None:
    """Play what the command line says."""
    comparisons, deals = (int(word) for word in (*sys.argv[1:3], "200", "60")[:2])
    sheet = load(sys.argv[3] if len(sys.argv) > 3 else "gin-one-deal")
    program = compile_sheet(sheet, sheet.players.low)
    alarms = single = looked_at = 0
    for number in range(comparisons):
        counted = Totals.none(2)
        start = 2 * number * deals
        for one, two in zip(games(program, start, deals), games(program, start + deals, deals), strict=True):
            counted.add([one, two], [False, False])
        found = differences(counted.paired[0])
        alarms += any(difference.clear for difference in found.values())
        told = [d.estimate for d in found.values() if d.estimate.high > d.estimate.low]
        single += sum(estimate.low > 0 or estimate.high < 0 for estimate in told)
        looked_at += len(told)
    low, high = wilson(alarms, comparisons)
    print(f"{sheet.id}: {alarms} of {comparisons} comparisons of {deals} deals raised an alarm,")
    print(f"  {100 * alarms / comparisons:.1f}% (95% interval {100 * low:.1f}-{100 * high:.1f}%)")
    print(f"  single intervals that leave nought out: {100 * single / looked_at:.1f}%")


if __name__ == "__main__":
    main()
