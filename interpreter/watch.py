"""What is counted of a game while computer players play it: which moves, when, by how much choice, and who led."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from interpreter.bots import BOTS
from interpreter.game import Game
from interpreter.moves import DONE, LaidOff, Meld, Move, Swapped, melds_of
from interpreter.program import Program
from interpreter.state import State

CHOICES_EVERY = 20
"""In one game of so many the legal moves of every decision are counted; it takes long."""
MOST_CHOICES = 50
"""Legal moves of a decision that are counted; more count as so many."""


@dataclass(slots=True)
class Uses:
    """How often what of the sheet was used. Moves are numbers of the program, or DONE."""

    moves: Counter[int] = field(default_factory=Counter)
    """How often each kind of move was made."""
    rounds_with: Counter[int] = field(default_factory=Counter)
    """Rounds in which a kind of move was made at all."""
    turns_of: Counter[int] = field(default_factory=Counter)
    """The turn numbers of all moves of a kind, added up."""
    kinds: Counter[int] = field(default_factory=Counter)
    """How often a group of each kind of meld was laid anew."""

    def counters(self) -> tuple[Counter[int], ...]:
        """All counts, in a fixed order."""
        return (self.moves, self.rounds_with, self.turns_of, self.kinds)

    def update(self, other: Uses) -> None:
        """Count the uses of other games too."""
        for mine, more in zip(self.counters(), other.counters(), strict=True):
            mine.update(more)


@dataclass(slots=True)
class Facts:
    """What was counted of one game. Void rounds count like others."""

    game: Game
    decisions: int = 0
    uses: Uses = field(default_factory=Uses)
    openings: int = 0
    """Sides that laid their first card of a round; `opening_turns` adds up the turn numbers of that."""
    opening_turns: int = 0
    starters: list[int] = field(default_factory=list)
    """The seat that had the first turn, for each round that had one; else -1."""
    counted: int = 0
    """Decisions whose legal moves were counted; `choices` adds those up."""
    choices: int = 0
    plays: int = 0
    """Moves that may rebuild the table; `rebuilt` are those that took a card out of a group that lay there."""
    rebuilt: int = 0


def begun(program: Program, seed: int | str, index: int) -> Facts:
    """Game `index` of a seed, dealt, with nothing counted yet."""
    game = Game(program, seed=seed, index=index)
    return Facts(game, starters=[-1] * len(game.rounds))


def play_on(facts: Facts, bots: tuple[str, ...]) -> None:
    """Play a game to its end and count; `bots` are names of BOTS, one a seat. After an error the game stands where it
    came up."""
    game = facts.game
    players = [BOTS[name](Random(f"{game.seed}/{game.index}/bot{seat}")) for seat, name in enumerate(bots)]
    counting = game.index % CHOICES_EVERY == 0
    this_round: set[int] = set()
    starter = -1
    while game.to_act is not None:
        before, seat = game.state, game.to_act
        view = game.view(seat)
        if counting:
            facts.counted += 1
            facts.choices += sum(1 for _ in islice(view.legal_moves, MOST_CHOICES))
        if before.turn_number == 1 and starter < 0:
            starter = before.mover
        move = players[seat].choose(view)
        game.play(move)
        _note(facts, before, seat, move)
        this_round.add(move.move)
        if len(game.rounds) > len(before.results):
            facts.uses.rounds_with.update(this_round)
            facts.starters += [starter, *[-1] * (len(game.rounds) - len(before.results) - 1)]
            this_round, starter = set(), -1


def _note(facts: Facts, before: State, seat: int, move: Move) -> None:
    """Count one decision."""
    facts.decisions += 1
    uses = facts.uses
    uses.moves[move.move] += 1
    uses.turns_of[move.move] += before.turn_number
    if move.move == DONE:
        return
    melds = melds_of(move)
    if melds:  # a rearrangement's choice is the whole table
        lying = {group.meld for group in before.groups}
        if facts.game.program.moves[move.move].rearranges:
            facts.plays += 1
            facts.rebuilt += rebuilds(lying, melds)
        uses.kinds.update(meld.kind for meld in melds if meld not in lying)
    side = facts.game.program.side_of(seat)
    brings = bool(melds) or any(isinstance(choice, LaidOff | Swapped) for choice in move.choices)
    if brings and not before.opened >> side & 1:
        facts.openings += 1
        facts.opening_turns += before.turn_number


def rebuilds(lying: set[Meld], laid: list[Meld]) -> bool:
    """Whether groups that lay on the table lose a card to others; one that stays whole may grow."""
    used = 0
    for meld in laid:
        used |= meld.mask
    return any(old.mask & used and all(old.mask & ~new.mask for new in laid) for old in lying)
