"""How many distinct sequences of legal moves there are, to a depth: by the engine, and by the slow interpreter.

`python -m tests.slow.census SHEET PLAYERS DEPTH` prints the engine's count for each first move of the sheet's own deal,
so that a difference can be tracked down; MOVE… behind it goes on from the position after these.
"""

from __future__ import annotations

import sys
from collections import Counter
from itertools import islice

from interpreter.flow import apply
from interpreter.game import Game
from interpreter.legality import legal_moves, open_kinds
from interpreter.moves import DONE, LaidOff, Meld, Swapped
from interpreter.moves import Move as EngineMove
from interpreter.pack import Pack
from interpreter.program import Program
from interpreter.state import State
from tests.interpreter.table import program_of
from tests.slow.flow import after
from tests.slow.game import Game as SlowGame
from tests.slow.legal import legal
from tests.slow.position import Position


def told(pack: Pack, name: str, choices: tuple[object, ...], groups: tuple[Meld, ...]) -> str:
    """A move as text: what was chosen, twins not told apart."""

    def cards(found: tuple[int, ...]) -> str:
        return " ".join(sorted(pack.text(card) for card in found))

    def group(meld: Meld) -> str:
        said = [
            pack.text(card) + ("" if pack.face[card] == name else "=" + pack.face_text(name))
            for card, name in zip(meld.cards, meld.names, strict=True)
        ]
        return f"{meld.kind}:{' '.join(said if meld.start >= 0 else sorted(said))}@{meld.start}"

    words = [name]
    for choice in choices:
        match choice:
            case LaidOff():
                words.append(f"{cards(choice.cards)} on {group(groups[choice.group])} to {group(choice.meld)}")
            case Swapped():
                words.append(f"{pack.text(choice.card)} in {group(groups[choice.group])} to {group(choice.meld)}")
            case tuple() if choice and isinstance(choice[0], Meld):
                words.append(", ".join(sorted(group(meld) for meld in choice)))
            case tuple():
                words.append(cards(choice))
            case int():
                words.append(pack.text(choice))
    return " ".join(words)


Split = Counter[str]
"""How many sequences begin with each move."""


def engine_moves(program: Program, state: State) -> list[tuple[str, EngineMove]]:
    """What the engine allows, as text too; of a rearrangement of the table, one play if there is any at all."""
    groups = tuple(group.meld for group in state.groups)
    found: list[tuple[str, EngineMove]] = []
    for number in open_kinds(program, state):
        if number == DONE:
            found.append(("done", EngineMove(DONE)))
        elif program.moves[number].rearranges:
            found += [(program.moves[number].name, move) for move in islice(legal_moves(program, state, number), 1)]
        else:
            name = program.moves[number].name
            moves = legal_moves(program, state, number)
            found += [(told(program.pack, name, move.choices, groups), move) for move in moves]
    return found


def slow_moves(game: SlowGame, now: Position) -> list[tuple[str, Position | None]]:
    """What the slow interpreter allows, as text, and the position after it."""
    if not now.walks:
        return []
    groups = tuple(group.meld for group in now.groups)
    return [(told(game.pack, move.name, move.choices, groups), made) for move, made in legal(game, now)]


def engine_split(program: Program, state: State, depth: int) -> Split:
    """The sequences of so many moves that the engine allows, by their first move.

    Where the game ends sooner there is none. Of the plays that rearrange the table there are too many: one stands for
    all, and ends the sequence, however long it is.
    """
    found: Split = Counter()
    for text, move in engine_moves(program, state):
        last = depth == 1 or (move.move != DONE and program.moves[move.move].rearranges)
        found[text] += 1 if last else engine_split(program, apply(program, state, move), depth - 1).total()
    return found


def slow_split(game: SlowGame, now: Position, depth: int) -> Split:
    """The same by the slow interpreter."""
    found: Split = Counter()
    for text, made in slow_moves(game, now):
        found[text] += 1 if depth == 1 else slow_split(game, after(game, now, made), depth - 1).total()
    return found


def difference(program: Program, state: State, game: SlowGame, now: Position, depth: int) -> list[str]:
    """The moves that lead to the first position in which the two differ, and how they do; nothing if they agree."""
    engine, slow = engine_moves(program, state), slow_moves(game, now)
    one, other = Counter(text for text, _ in engine), Counter(text for text, _ in slow)
    if one != other:
        return [f"allowed by the engine alone: {dict(one - other)}", f"by the slow one alone: {dict(other - one)}"]
    ways: dict[str, list[EngineMove]] = {}
    for text, move in engine:
        ways.setdefault(text, []).append(move)
    for text, made in slow if depth > 1 else []:
        following = apply(program, state, ways[text].pop(0))
        wrong = difference(program, following, game, after(game, now, made), depth - 1)
        if wrong:
            return [text, *wrong]
    return []


def at_deal(sheet: str, players: int) -> tuple[Program, State]:
    """The first deal of a bundled sheet that the census counts from."""
    program = program_of(sheet, players)
    return program, Game(program, "census").state


def main() -> None:
    """Print what the command line asks for."""
    sheet, players, depth, *moves = sys.argv[1:]
    program, state = at_deal(sheet, int(players))
    for text in moves:
        state = apply(program, state, dict(engine_moves(program, state))[text])
    split = engine_split(program, state, int(depth))
    lines = [f"{count:8} {text}\n" for text, count in sorted(split.items())]
    sys.stdout.write("".join([*lines, f"{split.total():8} in all\n"]))


if __name__ == "__main__":
    main()
