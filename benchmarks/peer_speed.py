"""Uniform random play of gin rummy beside OpenSpiel and RLCard (the extra `peers`), on one core.

    python -m benchmarks.peer_speed [--seconds S] [--turns N]

The engines play by turns, S seconds of processor time each (default 3), N turns (default 5), in one process. A line for
each way to play: games and decisions a second, decisions a game, and the ratio to our engine: the median over the turns
of its decisions a second by ours of the same turn. All play one deal, knocking at ten, without what `gin` adds.

- *rulespec, list and play*: `Game`, all legal moves listed at each decision, any of them played.
- *rulespec, random player*: the same by the computer player `random`, which sees a view, as `simulate` plays it.
- *OpenSpiel, C++ loop*: `evaluate_bots` with two uniform random bots of OpenSpiel.
- *OpenSpiel, Python loop*: `legal_actions` and `apply_action` from Python, on a clone of the first position.
- *RLCard*: `env.run` with two random agents; its gin asks for less (no offer of the first card, no laying off).

The collector of cycles is set as `simulate` sets it while games are played, for all engines alike.
Decisions are those of players; chance and choices without an alternative count where an engine asks for them.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from benchmarks.machine import described
from interpreter.bots import BOTS
from interpreter.collector import collected_seldom
from interpreter.compiler import compile_sheet
from interpreter.game import Game
from interpreter.program import Program
from rulespec.loader import check_file


class Part(NamedTuple):
    """Games and decisions played in so many seconds."""

    games: int
    decisions: int
    seconds: float


Play = Callable[[int], int]
"""Plays the game of a number to its end; the number of decisions."""


def program() -> Program:
    """The sheet that plays what OpenSpiel plays."""
    sheet = check_file("gin-one-deal").sheet
    assert sheet is not None
    return compile_sheet(sheet, 2)


def listing(rules: Program) -> Play:
    """Any of all legal moves."""

    random = Random("speed")

    def play(index: int) -> int:
        game, decisions = Game(rules, "speed", index), 0
        while game.to_act is not None:
            moves = list(game.legal_moves)
            game.play(moves[int(random.random() * len(moves))])
            decisions += 1
        return decisions

    return play


def by_player(rules: Program) -> Play:
    """The computer player `random`."""

    def play(index: int) -> int:
        game, decisions = Game(rules, "speed", index), 0
        bots = [BOTS["random"](Random(f"{index}/{seat}")) for seat in range(2)]
        while game.to_act is not None:
            game.play(bots[game.to_act].choose(game.view(game.to_act)))
            decisions += 1
        return decisions

    return play


def openspiel_loop(spiel: Any) -> Play:
    """OpenSpiel, asked from Python."""
    root = spiel.load_game("gin_rummy").new_initial_state()
    random = Random("speed")

    def play(_: int) -> int:
        state, decisions = root.clone(), 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            actions = state.legal_actions()
            state.apply_action(actions[int(random.random() * len(actions))])
        return decisions

    return play


def openspiel_bots(spiel: Any) -> Play:
    """OpenSpiel's own loop in C++. It does not tell how many decisions there were: those of the loop from Python are
    taken, which plays the same way."""
    root = spiel.load_game("gin_rummy").new_initial_state()
    bots = [spiel.make_uniform_random_bot(seat, 7 + seat) for seat in range(2)]

    def play(index: int) -> int:
        spiel.evaluate_bots(root.clone(), bots, index)
        return 0

    return play


def rlcard_run(rlcard: Any) -> Play:
    """RLCard's environment with its random agents."""
    agents = importlib.import_module("rlcard.agents")
    env = rlcard.make("gin-rummy", config={"seed": 1})
    env.set_agents([agents.RandomAgent(num_actions=env.num_actions) for _ in range(2)])

    def play(_: int) -> int:
        before = env.timestep
        env.run(is_training=True)
        return int(env.timestep - before)

    return play


def measured(play: Play, first: int, seconds: float) -> Part:
    """Games from a number on, for so many seconds of the processor."""
    games = decisions = 0
    with collected_seldom():
        start = process_time()
        while process_time() - start < seconds:
            decisions += play(first + games)
            games += 1
        return Part(games, decisions, process_time() - start)


def players() -> dict[str, Play]:
    """Every way to play that is installed; ours first."""
    rules = program()
    found = {"rulespec, list and play": listing(rules), "rulespec, random player": by_player(rules)}
    for package, ways in (
        ("pyspiel", {"OpenSpiel, C++ loop": openspiel_bots, "OpenSpiel, Python loop": openspiel_loop}),
        ("rlcard", {"RLCard, env.run": rlcard_run}),
    ):
        try:
            library = importlib.import_module(package)
        except ImportError:
            print(f"{package} is not installed (pip install 'rulespec[peers]')")
            continue
        found |= {name: make(library) for name, make in ways.items()}
    return found


def main() -> None:
    """Play by turns, and print a line for each."""
    parser = argparse.ArgumentParser(description="gin rummy beside other engines")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--turns", type=int, default=5)
    chosen = parser.parse_args()
    ways = players()
    parts: dict[str, list[Part]] = {name: [] for name in ways}
    for turn in range(chosen.turns):
        for name, play in ways.items():
            parts[name].append(measured(play, 100_000 * turn, chosen.seconds))
    print(f"{'':<26} {'games/s':>9} {'decisions/s':>12} {'a game':>7} {'ratio':>7} {'from':>7} {'to':>7}")
    each = {name: sum(p.decisions for p in found) / sum(p.games for p in found) for name, found in parts.items()}
    each["OpenSpiel, C++ loop"] = each.get("OpenSpiel, Python loop", 0.0)
    rates = {name: [p.games * each[name] / p.seconds for p in found] for name, found in parts.items()}
    ours = rates["rulespec, list and play"]
    for name, found in parts.items():
        ratios = [rate / our for rate, our in zip(rates[name], ours, strict=True)]
        games = median(p.games / p.seconds for p in found)
        print(
            f"{name:<26} {games:>9.1f} {median(rates[name]):>12.0f} {each[name]:>7.1f} {median(ratios):>7.2f} "
            f"{min(ratios):>7.2f} {max(ratios):>7.2f}"
        )
    print(described("open_spiel", "rlcard"))


if __name__ == "__main__":
    main()
