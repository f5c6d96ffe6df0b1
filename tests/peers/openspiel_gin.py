"""`gin-one-deal` beside `gin_rummy` of OpenSpiel: the same deals, every decision and every return.

`python -m benchmarks.peer_rules games` plays many. How they are played: `tests.peers.gin_players`; other rules than the
common ones: `RULES`.

At each decision both engines list what is legal, and the lists have to be the same under a mapping that is one to one:

- The hands, the top discard, the size of the stock and who is to act are the same.
- The first card, draw or take, discards, whether a knock is possible, the last discard at two stock cards: the lists
  themselves.
- A knock is one move here and a chain there. All chains are followed; the card put away and the groups laid have to be
  the same set. A run of more than five cards is two runs there: of such knocks the cards are compared.
- The answer to a knock: the lay-offs and the groups are the same lists, but for one thing: the third card in a row at
  one end of a run is a lay-off here and not there; it is counted, and changes nothing that can be reached, as three
  such cards are a run. For all ways to answer are followed in both, and the hands they leave have to be the same set.

With a limit below ten a knock may be missing there: whether one is offered is decided by the points of one arrangement
of eleven cards, less its dearest loose card, and another arrangement can leave less. Such knocks are counted; for each
of them OpenSpiel itself finds a card to put away that leaves few enough points.

In every other game the choices are made from our list and carried over to theirs, in the others from theirs to ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import chain
from random import Random
from typing import Any

import pyspiel

from interpreter.flow import apply
from interpreter.game import Game
from interpreter.legality import legal_moves
from interpreter.moves import DONE, LaidOff, Meld, Move
from interpreter.program import Program
from interpreter.state import State
from tests.peers.gin_moves import Showing, groups_of, laid_off, put_away, showing_of, union
from tests.peers.gin_players import KNOCK as KNOCKING
from tests.peers.gin_players import Option, Player
from tests.peers.openspiel import DRAW, FIRST_MELD, KNOCK, LONGEST, PASS, TAKE, Cards, Deal, Phase
from tests.peers.sheet import Lines, program_of

NAMES: dict[Any, dict[int, str]] = {
    Phase.FIRST_UPCARD: {TAKE: "take", PASS: "refuse", DRAW: "draw"},
    Phase.DRAW: {TAKE: "take", DRAW: "draw"},
    Phase.DISCARD: {KNOCK: "knock"},
    Phase.WALL: {PASS: "done", KNOCK: "take"},
}
"""What an action that is no card is called here, by phase."""
RULES: dict[str, tuple[dict[str, Any], Lines]] = {
    "common": ({}, ()),
    "oklahoma": (
        {"oklahoma": True},
        (("define.round.knock-limit", "0 if upcard is A else points of upcard"),),
    ),
    "strict": (
        {"knock_card": 4, "gin_bonus": 20, "undercut_bonus": 10},
        (
            ("define.round.knock-limit", "4"),
            ("round.endings.knocked.scores.ender to winners", "10"),
            ("round.endings.gin.scores.losers to winners", "differences + 20"),
        ),
    ),
}
"""Parameters of OpenSpiel, and the lines of a sheet that extends ours."""
KEPT = 5
"""Differences that are printed in full."""


@dataclass
class Counts:
    """What was compared."""

    games: int = 0
    decisions: int = 0
    sets: Counter[str] = field(default_factory=Counter)
    """Lists of legal moves, by what is decided; `moves` the moves in them."""
    moves: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    returns: int = 0
    third_cards: int = 0
    """Lay-offs that are listed here only: a third card in a row."""
    hidden_knocks: int = 0
    """Knocks below ten that OpenSpiel does not offer, because it counts one arrangement of several."""
    differences: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def report(self) -> str:
        """All of it as text."""
        lines = [
            f"{self.games} games, {self.decisions} decisions, {sum(self.sets.values())} lists of legal moves with "
            f"{sum(self.moves.values())} moves, {self.returns} returns",
            "ends: " + ", ".join(f"{name} {count}" for name, count in self.ends.most_common()),
            *(f"{name}: {count} lists, {self.moves[name]} moves" for name, count in self.sets.most_common()),
            f"third cards in a row, listed here only: {self.third_cards}",
            f"knocks below ten, listed here only: {self.hidden_knocks}",
            f"differences: {sum(self.differences.values())}",
            *(f"  {kind}: {count}" for kind, count in self.differences.most_common()),
            *self.examples,
        ]
        return "\n".join(lines)


class Differ(Exception):
    """The engines differ: in what, and how."""

    def __init__(self, kind: str, theirs: object, ours: object) -> None:
        super().__init__(kind, f"theirs {theirs}, ours {ours}")


class Pair:
    """One deal in both engines."""

    def __init__(self, program: Program, peer: Any, cards: Cards, counts: Counts, index: int, players: str) -> None:
        self.program = program
        self.counts = counts
        self.random = Random(f"peers/{index}")
        self.ours_chooses = index % 2 == 1
        self.player = Player(players, self.random)
        order = list(range(52))
        self.random.shuffle(order)
        self.deal = Deal(peer, cards, order)
        around = [*chain.from_iterable(zip(order[:10], order[10:20], strict=True)), *order[20:]]
        self.game = Game(program, shuffles=(tuple(cards.ours[card] for card in reversed(around)),))
        self.cards = cards

    def play(self) -> None:
        """Play it to the end. Raises Differ."""
        while self.game.to_act is not None and not self.deal.state.is_terminal():
            self._same_position()
            self._decide()
        self._same("over", self.deal.state.is_terminal(), self.game.to_act is None)
        self._same("bounded", 0, self.game.bounded)
        outcome = self.game.outcome
        assert outcome is not None
        self.counts.ends[self.game.rounds[0].ending] += 1
        self._same("returns", tuple(self.deal.state.returns()), tuple(map(float, outcome.scores)))
        self.counts.returns += len(outcome.scores)

    # -------------------------------------------------------- comparing

    def _same(self, kind: str, theirs: Hashable, ours: Hashable) -> None:
        if theirs != ours:
            raise Differ(kind, theirs, ours)

    def _same_set(self, kind: str, theirs: set[Any], ours: set[Any]) -> None:
        self.counts.sets[kind] += 1
        self.counts.moves[kind] += len(theirs)
        if theirs != ours:
            raise Differ(kind, f"only {sorted(theirs - ours, key=repr)}", f"only {sorted(ours - theirs, key=repr)}")

    def _same_position(self) -> None:
        state, peer = self.game.state, self.deal.state
        stock, discards = self._pile("stock"), self._pile("discards")
        self._same("hands", tuple(self.deal.hands()), tuple(state.hands))
        self._same("stock", peer.stock_size(), len(stock))
        self._same("to act", peer.current_player(), self.game.to_act)
        upcard = peer.upcard()
        if upcard is not None:
            self._same("top discard", self.cards.ours[upcard], discards[-1])

    def _pile(self, name: str) -> tuple[int, ...]:
        slot = next(zone.slot for zone in self.program.zones if zone.name == name)
        return self.game.state.piles[slot]

    # -------------------------------------------------------- decisions before a knock

    def _decide(self) -> None:
        phase = self.deal.phase
        actions = {self._option(phase, action): action for action in self.deal.actions()}
        moves: dict[Option, Move] = {}
        for move in self.game.legal_moves:
            moves.setdefault(self._option_of(move), move)
        knock = ("take", -1) if phase == Phase.WALL else KNOCKING
        if knock in moves and knock not in actions and self.deal.hides_knock():
            self.counts.hidden_knocks += 1
            del moves[knock]
        self._same_set(phase.name, set(actions), set(moves))
        self.counts.decisions += 1
        if KNOCKING in actions:
            self._same_knocks()
        option = self.player.choose(sorted(moves if self.ours_chooses else actions), self.game)
        self.deal.play(actions[option])
        if option != KNOCKING:
            self.game.play(moves[option])
        if self.deal.phase == Phase.KNOCK:
            self._show()

    def _option(self, phase: Any, action: int) -> Option:
        named = NAMES[phase].get(action)
        return (named, -1) if named else ("discard", self.cards.ours[action])

    def _option_of(self, move: Move) -> Option:
        name = "done" if move.move == DONE else self.program.moves[move.move].name
        return (name, put_away(move) if name == "discard" else -1)

    # -------------------------------------------------------- a knock

    def _same_knocks(self) -> None:
        """That all ways to knock are the same, without doing it."""
        state = self.deal.state
        self.deal.state = state.clone()
        self.deal.play(KNOCK)
        self._knocks()
        self.deal.state = state

    def _knocks(self) -> tuple[dict[Showing, list[int]], dict[Showing, Move]]:
        theirs = self.deal.knocks()
        knock = self.program.move_index("knock")
        ours = {showing_of(move): move for move in self.game.legal_moves.of(knock)}
        short = {showing for showing in ours if all(group.bit_count() <= LONGEST for group in showing.groups)}
        self._same_set("KNOCK", set(theirs), short)
        self._same_set("KNOCK, cards", {each.cards for each in theirs}, {each.cards for each in ours})
        return theirs, ours

    def _show(self) -> None:
        """Knock, one way of all there are, and let the other player answer."""
        theirs, ours = self._knocks()
        self.counts.decisions += 1
        if self.ours_chooses:
            chosen = self.random.choice(list(ours))
            same = [each for each in theirs if _is_made_of(each, chosen)]
            path = theirs[self.random.choice(same)]
        else:
            showing = self.random.choice(list(theirs))
            path = theirs[showing]
            chosen = showing
        self.game.play(ours[chosen])
        for action in path:
            self.deal.play(action)
        self._answer()

    # -------------------------------------------------------- the answer to it

    def _answer(self) -> None:
        seat = self.deal.state.current_player()
        answers = self.deal.answers()
        self._same_set("answers", set(answers), left_by_answers(self.program, self.game.state, seat))
        laid = tuple(group.meld for group in self.game.state.groups)
        if self.ours_chooses:
            while self.game.to_act == seat:
                self.counts.decisions += 1
                self.game.play(self.random.choice(list(self.game.legal_moves)))
            for action in answers[self.game.state.hands[seat]]:
                self.deal.play(action)
            return
        while self.deal.phase == Phase.LAYOFF:
            self._same_answers(laid)
            self.counts.decisions += 1
            action = self.random.choice(self.deal.actions())
            last = action == PASS and self.deal.state.finished_layoffs()
            self.deal.play(action)
            if action != PASS:
                self.game.play(self._answer_of(action))
            elif last and self.game.to_act == seat:
                self.game.play("done")

    def _same_answers(self, laid: tuple[Meld, ...]) -> None:
        """That the lay-offs listed, or the groups, are the same."""
        actions = set(self.deal.actions()) - {PASS}
        moves = list(self.game.legal_moves)
        if self.deal.state.finished_layoffs():
            groups = {union(meld.mask for meld in groups_of(move)) for move in moves if len(groups_of(move)) == 1}
            short = {group for group in groups if group.bit_count() <= LONGEST}
            self._same_set("LAYOFF, groups", {self.cards.group[action] for action in actions}, short)
            return
        listed: set[int] = set()
        for move in moves:
            added = laid_off(move)
            if added is not None:
                (card,) = added.cards
                listed.add(card)
        theirs = {self.cards.ours[action] for action in actions}
        third = {
            card
            for card in listed - theirs
            if all(_is_third(a, laid) for a in map(laid_off, moves) if a and card in a.cards)
        }
        self.counts.third_cards += len(third)
        self._same_set("LAYOFF, cards", theirs, listed - third)

    def _answer_of(self, action: int) -> Move:
        """Our move for an action of the answer; a card that fits a set and a run goes to the run."""
        moves = list(self.game.legal_moves)
        if action >= FIRST_MELD:
            wanted = self.cards.group[action]
            return next(m for m in moves if [meld.mask for meld in groups_of(m)] == [wanted])
        card = self.cards.ours[action]
        fitting = [
            (added.meld.start, m) for m in moves if (added := laid_off(m)) is not None and added.cards == (card,)
        ]
        return max(fitting)[1]


def left_by_answers(program: Program, start: State, seat: int) -> set[int]:
    """All hands that a seat can be left with once it has answered."""
    found: set[int] = set()
    seen: set[tuple[object, ...]] = set()
    waiting = [start]
    while waiting:
        state = waiting.pop()
        key = (state.hands[seat], state.groups, bool(state.frames))
        if key in seen:
            continue
        seen.add(key)
        if not state.frames:
            found.add(state.hands[seat])
        else:
            waiting += [apply(program, state, move) for move in legal_moves(program, state)]
    return found


def _is_made_of(parts: Showing, whole: Showing) -> bool:
    """Whether two knocks are one, but for runs that are laid in parts."""
    return parts.cards == whole.cards and all(any(not part & ~group for group in whole.groups) for part in parts.groups)


def _is_third(added: LaidOff, laid: tuple[Meld, ...]) -> bool:
    """Whether a card is laid off beyond two others at the end of a run."""
    before = laid[added.group].mask
    cards = added.meld.cards
    (card,) = added.cards
    inner = cards[1:3] if cards[0] == card else cards[-3:-1]
    return added.meld.start >= 0 and not any(before >> each & 1 for each in inner)


# ------------------------------------------------------------ many games


def compare(indices: range, players: str = "uniform", rules: str = "common") -> Counts:
    """Play games of these numbers in both engines."""
    parameters, lines = RULES[rules]
    program, peer = program_of(lines), pyspiel.load_game("gin_rummy", parameters)
    cards = Cards(program.pack)
    counts = Counts()
    for index in indices:
        pair = Pair(program, peer, cards, counts, index, players)
        counts.games += 1
        try:
            pair.play()
        except Differ as found:
            kind, text = found.args
            counts.differences[kind] += 1
            if len(counts.examples) < KEPT:
                counts.examples.append(f"game {index}: {kind}: {text}\n  {' / '.join(pair.game.move_texts())}")
    return counts
