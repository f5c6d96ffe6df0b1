"""How long the exact solver takes for a whole table: 420 positions, "any play" and "best play".

    python -m benchmarks.rearrangement [--peers] [--apart] [--naive N] [--rounds N] [FILE]

Prints median, 95th percentile and worst in milliseconds of processor time, of N rounds the quickest. With --peers the
solvers of the extra `peers` are asked about each position they can express, ours and theirs in turn, and the ratios
are printed; with --apart one solver is asked about all positions before the next one is, so that none finds the
memory near the processor full of another's. With --naive the first N positions are also given to a plain exact-cover
search. Every position must give the proven number of cards; the exit status is 1 if one of ours does not.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from interpreter import table_ranks
from interpreter.meld_kinds import Kind, StandsFor
from interpreter.melds import MeldRules
from interpreter.pack import Pack
from interpreter.table_cover import cover
from interpreter.table_question import Answer, Judge, Question
from interpreter.table_solver import best, some
from tests.interpreter.table_peers import Peer, jokers_in, peers

POSITIONS = Path(__file__).parents[1] / "tests" / "data" / "rearrangement-positions.jsonl"
LOW = ("A", *(str(number) for number in range(2, 11)), "J", "Q", "K")
ORDERS = {"low": LOW, "high": (*LOW[1:], "A"), "either": (*LOW, "A")}
ANY = 99


@cache
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


Times = dict[str, dict[str, float]]
"""By who was asked and for what, then by position: the quickest answer in milliseconds."""


def _timed(ask: Callable[[], Answer | int], times: dict[str, float], position: str) -> Answer | int:
    start = time.process_time()
    answer = ask()
    times[position] = min((time.process_time() - start) * 1000, times.get(position, float("inf")))
    return answer


def _line(name: str, times: Sequence[float], unit: str = "ms") -> str:
    ordered = sorted(times)
    median, high, worst = (ordered[min(int(len(ordered) * part), len(ordered) - 1)] for part in (0.5, 0.95, 1))
    return f"{name:<34} median {median:9.3f} {unit}   p95 {high:9.3f} {unit}   worst {worst:9.3f} {unit}"


def _ask_ours(position: dict[str, Any], times: Times) -> bool:
    """Time both questions; whether the answers are those that are proven."""
    question = question_of(position)
    some_play = _timed(lambda: some(question), times["any play"], position["id"])
    most = _timed(lambda: best(question), times["best play"], position["id"])
    assert isinstance(some_play, Answer)
    assert isinstance(most, Answer)
    if most.exact and most.worth == position["max_cards"] and (some_play.table is not None) == (most.worth > 0):
        return True
    print(f"{position['id']}: {most.worth} cards, {position['max_cards']} are proven")
    return False


def _ask_peer(peer: Peer, position: dict[str, Any], times: Times, different: Counter[str]) -> None:
    if not peer.expresses(position):
        return
    found = _timed(peer.best(position), times.setdefault(f"{peer.name}: best play", {}), position["id"])
    assert isinstance(found, int)
    if found != position["max_cards"]:
        kind = "no table" if found < 0 else "fewer cards" if found < position["max_cards"] else "more cards"
        different[f"{peer.name}: {kind}, {jokers_in(position)} jokers"] += 1
    if peer.any is not None:
        _timed(peer.any(position), times.setdefault(f"{peer.name}: any play", {}), position["id"])


def _report_ratios(times: Times) -> None:
    """How many times as long others took as the best play did, position by position."""
    ours = times["best play"]
    for name, theirs in times.items():
        if name in ("any play", "best play"):
            continue
        own = times["any play"] if name.endswith("any play") else ours
        ratios = [spent / own[position] for position, spent in theirs.items()]
        print(_line(f"{name}, ratio", ratios, "x "))


def main() -> int:
    """Run the benchmark; 1 where a position does not give what is proven."""
    parser = argparse.ArgumentParser(description="times of the table solver")
    parser.add_argument("file", nargs="?", type=Path, default=POSITIONS)
    parser.add_argument("--peers", action="store_true", help="ask other solvers too")
    parser.add_argument("--apart", action="store_true", help="ask one solver everything before the next one")
    parser.add_argument("--naive", type=int, default=0, help="positions that the plain search is timed on too")
    parser.add_argument("--rounds", type=int, default=2, help="times that every position is asked about")
    chosen = parser.parse_args()
    positions = [json.loads(line) for line in chosen.file.read_text(encoding="utf-8").splitlines()]
    others = list(peers()) if chosen.peers else []
    compiled = "compiled" if table_ranks.__file__.endswith((".so", ".pyd")) else "plain Python"
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, solver {compiled}")
    print("".join(f"{peer.name}: {peer.version}\n" for peer in others), end="")
    times: Times = {"any play": {}, "best play": {}}
    wrong: set[str] = set()
    different: Counter[str] = Counter()
    for turn in range(chosen.rounds):
        said = different if not turn else Counter[str]()
        for number, position in enumerate(positions):
            if not _ask_ours(position, times):
                wrong.add(position["id"])
            for peer in () if chosen.apart else others:
                _ask_peer(peer, position, times, said)
            if number < chosen.naive and not turn:
                question = question_of(position)
                _timed(lambda q=question: cover(q), times.setdefault("plain search", {}), position["id"])  # type: ignore[misc]
        for peer in others if chosen.apart else ():
            for position in positions:
                _ask_peer(peer, position, times, said)
    print(f"{len(positions)} positions, {len(wrong)} wrong")
    for name, each in times.items():
        print(_line(f"{name} ({len(each)})", list(each.values())))
    jokers = {position["id"]: jokers_in(position) for position in positions}
    for count in sorted(set(jokers.values())):
        for name in ("any play", "best play"):
            spent = [ms for position, ms in times[name].items() if jokers[position] == count]
            print(_line(f"{name}, {count} jokers ({len(spent)})", spent))
    _report_ratios(times)
    for kind, count in sorted(different.items()):
        print(f"different: {kind}: {count}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
