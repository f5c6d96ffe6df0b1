"""How long the exact solver takes for a whole table: 420 positions, "any play" and "best play".

    python benchmarks/rearrangement.py [--naive N] [FILE]

Prints median, 95th percentile and worst in milliseconds, and for the first N positions the ratio to a plain exact-cover
search in the same run. Every position must give the proven number of cards; the exit status is 1 if one does not.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from interpreter.meld_kinds import Kind, StandsFor
from interpreter.melds import MeldRules
from interpreter.pack import Pack
from interpreter.table_cover import cover
from interpreter.table_question import Answer, Judge, Question
from interpreter.table_solver import best, some

POSITIONS = Path(__file__).parents[1] / "tests" / "data" / "rearrangement-positions.jsonl"
LOW = ("A", *(str(number) for number in range(2, 11)), "J", "Q", "K")
ORDERS = {"low": LOW, "high": (*LOW[1:], "A"), "either": (*LOW, "A")}
ANY = 99


def rules_for(ace: str, jokers: int) -> MeldRules:
    """Sets of three or four, runs of three or more, in two packs."""
    pack = Pack(ORDERS[ace], False, ("S", "H", "D", "C"), 2, jokers)
    sets = Kind(0, "set", (3, 4), (1, ANY), (0, ANY), frozenset({"rank"}), frozenset({"suit"}), False, None, None, ())
    runs = Kind(1, "run", (3, 13), (1, ANY), (0, ANY), frozenset({"suit"}), frozenset(), True, None, None, ())
    return MeldRules(pack, [sets, runs], pack.cards_of_face[pack.joker_face], StandsFor.NAMED)


def question_of(position: dict[str, Any]) -> Question:
    """A position as a question; every table is legal, so that wild cards may be renamed at will."""
    jokers = sum(card == "JK" for group in (*position["table"], position["hand"]) for card in group)
    rules = rules_for(position["ace"], jokers)
    free = rules.pack.all_cards

    def take(text: str) -> int:
        nonlocal free
        mask = rules.pack.cards_of_face[rules.pack.parse_face(text)] & free
        card = (mask & -mask).bit_length() - 1
        free &= ~(1 << card)
        return card

    table = []
    for group in position["table"]:
        cards = [take(text) for text in group]
        table.append(rules.readings(cards, [None] * len(cards))[0])
    hand = sum(1 << take(text) for text in position["hand"])
    judge = Judge(lambda _: True, lambda _: True)
    return Question(rules, tuple(table), hand, 0, [1] * rules.pack.size, judge)


def _timed(ask: Callable[[], Answer]) -> tuple[float, Answer]:
    start = time.process_time()
    answer = ask()
    return (time.process_time() - start) * 1000, answer


def _line(name: str, times: list[float]) -> str:
    ordered = sorted(times)
    at = [ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)], ordered[-1]]
    return f"{name:<12} median {at[0]:9.2f} ms   p95 {at[1]:9.2f} ms   worst {at[2]:9.2f} ms"


def main() -> int:
    """Run the benchmark; 1 where a position does not give what is proven."""
    parser = argparse.ArgumentParser(description="times of the table solver")
    parser.add_argument("file", nargs="?", type=Path, default=POSITIONS)
    parser.add_argument("--naive", type=int, default=0, help="positions that the plain search is timed on too")
    chosen = parser.parse_args()
    positions = [json.loads(line) for line in chosen.file.read_text(encoding="utf-8").splitlines()]
    any_times: list[float] = []
    best_times: list[float] = []
    naive_times: list[float] = []
    wrong = 0
    for number, position in enumerate(positions):
        question = question_of(position)
        spent, found = _timed(lambda question=question: some(question))  # type: ignore[misc]
        any_times.append(spent)
        spent, most = _timed(lambda question=question: best(question))  # type: ignore[misc]
        best_times.append(spent)
        if most.worth != position["max_cards"] or (found.table is not None) != (most.worth > 0) or not most.exact:
            wrong += 1
            print(f"{position['id']}: {most.worth} cards, {position['max_cards']} are proven")
        if number < chosen.naive:
            naive_times.append(_timed(lambda question=question: cover(question))[0])  # type: ignore[misc]
    print(f"{len(positions)} positions, {wrong} wrong")
    print(_line("any play", any_times))
    print(_line("best play", best_times))
    if naive_times:
        print(_line("plain search", naive_times))
        ratio = sorted(naive / own for naive, own in zip(naive_times, best_times, strict=False))
        print(f"plain search / best play: median {ratio[len(ratio) // 2]:.1f} times")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
