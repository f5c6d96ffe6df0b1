"""The story of a round seen from far away: every position it can come to, and what can be done there.

Places of the turn times positions (`position.py`), from the deal on, through turns, windows and extra turns, until no
new position is found. It takes in too much rather than too little: what is not found here cannot happen; but where it
says that a move is certainly refused in a position, every game in that position agrees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from math import inf
from typing import Literal, NamedTuple

from rulespec import expressions as ex
from rulespec import model
from rulespec.model import Condition, Ending, MoveRule, Rulesheet
from rulespec.reasoning.dealt import deck_size, in_hand, on_zone
from rulespec.reasoning.effects import LAYING, Effects, State
from rulespec.reasoning.judge import Judge, every
from rulespec.reasoning.known import Known
from rulespec.reasoning.numbers import ONE_OR_MORE, Between, exactly
from rulespec.reasoning.places import END, MANY, Guard, Turn, Way, times_made, turn_of
from rulespec.reasoning.position import FEWS, NOTHING_DONE, SIZES, Done, Few, Piles, Position, Seat, known_in
from rulespec.reasoning.walk import inside, reached

Moment = Literal["deal", "move", "turn"]
Verdict = Literal["never", "chance", "open"]
"""Of a move in a position: refused for certain; legal only with cards that fit; anything else."""
START: frozenset[int] = frozenset()
MOST_ASKED = 700_000
"""So many judgements the stories of one sheet may take; the largest games there are take less than two thirds."""

STEP = 10
"""For so many judgements counts a move that is looked at."""


class TooBroad(Exception):
    """There are more positions to look at than can be."""


class Node(NamedTuple):
    """A moment at which somebody is to move. `turn` is "" or the name of an extra turn; `at` are the places of the
    last move, none at the beginning of the turn."""

    turn: str
    at: frozenset[int]
    position: Position


@dataclass(frozen=True, slots=True)
class Made:
    """What a move does in a position: `refused` are conditions that certainly fail, `after` what may come of it."""

    verdict: Verdict
    after: frozenset[State] = frozenset()
    refused: tuple[Condition, ...] = ()
    doubts: tuple[Condition, ...] = ()
    """Conditions about the worth of cards, which some hands meet."""


@dataclass(frozen=True, slots=True)
class Step:
    """A move that is offered."""

    move: str
    places: frozenset[int]
    verdict: Verdict
    refused: tuple[Condition, ...]
    outcomes: frozenset[Node]
    over: bool
    """Whether the round or the turn may be over with it."""
    endings: frozenset[str]
    """Those that may hold after it."""
    doubts: tuple[Condition, ...]
    """Conditions about the worth of cards, which some hands meet; none if it takes luck anyway."""


@dataclass(slots=True)
class Stand:
    """What can be done at a node."""

    steps: list[Step] = field(default_factory=list)
    may_stop: bool = False
    endings: tuple[str, ...] = ()
    """Those that may hold if the turn stops here."""


@dataclass(slots=True)
class Story:
    """Everything found. `holding` says of endings when they may hold, `together` which may hold at the same moment."""

    turns: dict[str, Turn]
    stands: dict[Node, Stand] = field(default_factory=dict)
    beginnings: set[Node] = field(default_factory=set)
    holding: dict[str, set[Moment]] = field(default_factory=dict)
    together: set[tuple[str, str]] = field(default_factory=set)
    at_once: set[str] = field(default_factory=set)
    """Endings that certainly hold after the deal."""
    masked: dict[str, set[str]] = field(default_factory=dict)
    """Endings that may hold where one before them certainly does, which."""
    made: set[tuple[str, int]] = field(default_factory=set)
    """Turn and place of every move that may be made."""
    refused: dict[tuple[str, int], set[Condition]] = field(default_factory=dict)
    """Turn and place of every move that is offered, with the conditions that refuse it somewhere."""


def in_order(node: Node) -> tuple[object, ...]:
    """Nodes sorted by this are in the same order in every run."""
    position = node.position
    return (node.turn, sorted(node.at), position.piles, position.mover, position.asked or (), sorted(position.over))


def tell(sheet: Rulesheet, judge: Judge, base: Known, turns: Between = ONE_OR_MORE) -> Story:
    """The story of a round of this sheet with these players and options; `turns` are the numbers its turns have. Raises
    TooBroad."""
    teller = _Teller(sheet, judge, replace(base, turn_number=turns))
    while True:
        known = {turn: set(seats) for turn, seats in teller.rested.items()}
        story = teller.from_deal()
        if teller.rested == known:
            return story


def moment_of(sheet: Rulesheet, ending: Ending) -> Moment:
    """When an ending is recognised: with `… is over` and `idle-turns` when a turn is over, else after a move."""
    for part in reached(sheet, ending.when, ex.Expr):
        match part:
            case ex.TurnIsOver() | ex.ExtraTurnsAreOver() | ex.Fact(name="idle-turns"):
                return "turn"
    return "move"


class _Teller:
    def __init__(self, sheet: Rulesheet, judge: Judge, base: Known) -> None:
        self.sheet, self.judge, self.base = sheet, judge, base
        self.effects = Effects(sheet, judge, base)
        self.moves = {move.name: move for move in sheet.moves}
        self.extras = {extra.name: extra for extra in sheet.round.extra_turns}
        self.turns = {"": turn_of(sheet.turn), **{name: turn_of(extra.turn) for name, extra in self.extras.items()}}
        self.moments = {ending.name: moment_of(sheet, ending) for ending in sheet.round.endings}
        self.early = {  # extra turns that are only taken after the deal: each player then holds what he was dealt
            name for name, extra in self.extras.items() if self._only_after_deal(extra)
        }
        sides = self.sheet.sides
        self.together = not (isinstance(sides, ex.Fact) and sides.name == "players")
        """Whether a partner may have opened for a player."""
        self.rested: dict[str, set[Seat]] = {turn: set() for turn in self.turns}
        """How players may stand after turns of each kind, all found so far."""
        self.results: dict[tuple[object, ...], Made] = {}
        self.alone: dict[tuple[State, Done, bool], set[State]] = {}
        self.facts: dict[tuple[object, ...], list[Known]] = {}
        self.masked: dict[str, set[str]] = {}
        self.of_worth: dict[Condition, bool] = {}
        self.holding: dict[tuple[object, ...], list[tuple[str, bool]]] = {}
        self.guards: dict[tuple[int, Piles, Seat | None, Done, bool], bool | None] = {}
        self.counted = sorted({times.move for times in inside(sheet, ex.Times) if times.scope == "turn"})
        self.counts = {name: times_made(turn, self.counted) for name, turn in self.turns.items()}
        """By turn and place: how often each of them may have been made."""
        self.dones: dict[tuple[str, frozenset[int]], Done] = {}

    # -------------------------------------------------------- the round

    def _only_after_deal(self, extra: model.ExtraTurns) -> bool:
        return self.judge.truth(extra.when, replace(self.base, turn_over=True)) is False

    def _seats(self, turn: str) -> set[Seat]:
        """How a player may stand when somebody's turn of this kind begins or goes on."""
        kinds = self.early if turn in self.early else set(self.turns)
        seats = self.dealt.union(*(self.rested[kind] for kind in kinds))
        if self.together:
            seats |= {seat._replace(opened=other.opened) for seat in seats for other in seats}
        return seats

    def from_deal(self) -> Story:
        self.story = Story(self.turns, masked=self.masked)
        self.dealt = self._dealt_seats()
        self.todo: list[Node] = []
        for piles in self._dealt_piles():
            self._after_deal(piles)
        while self.todo:
            self._explore(self.todo.pop())
        return self.story

    def _dealt_seats(self) -> set[Seat]:
        hand = in_hand(self.sheet, self.judge, self.base)
        dealt = {Seat(few) for few in _fews(hand) if few or hand.high <= 0}
        return {
            seat for _, seat in self._automatic({(Piles("cards", 0), seat) for seat in dealt}, NOTHING_DONE, False)
        } | dealt

    def _dealt_piles(self) -> set[Piles]:
        left = deck_size(self.sheet, self.judge, self.base).high - in_hand(self.sheet, self.judge, self.base).low
        stock: Literal["cards", "dry"] = "cards" if left > 0 else "dry"
        discards = _fews(on_zone(self.sheet, self.judge, "discards", self.base))
        dealt = {(Piles(stock, few), seat) for few in discards for seat in self.dealt}
        return {piles._replace(stock=stock) for piles, _ in self._automatic(dealt, NOTHING_DONE, False)}

    def _after_deal(self, piles: Piles) -> None:
        over: frozenset[str] = frozenset()
        may = [self._may_hold(Position(piles, seat), NOTHING_DONE, "deal") for seat in sorted(self.dealt)]
        over_at_once = [self._round_is_over(endings, "deal") for endings in may]
        if all(over_at_once):
            self.story.at_once |= {endings[-1][0] for endings in may}
            return
        self._next_turn(piles, over, self._at(Position(piles, min(self.dealt)), NOTHING_DONE, "deal"))

    def _next_turn(self, piles: Piles, over: frozenset[str], known: list[Known]) -> None:
        """Extra turns that are due, else an ordinary turn."""
        for name, extra in self.extras.items():
            if name in over:
                continue
            due = self._truth([extra.when], known)
            if due is not False:
                self._begin(name, piles, over)
            if due:
                return
        self._begin("", piles, over)

    def _begin(self, turn: str, piles: Piles, over: frozenset[str]) -> None:
        for seat in self.dealt if turn in self.early else self._seats(turn):
            node = Node(turn, START, Position(piles, seat, None, over))
            self.story.beginnings.add(node)
            self._visit(node)

    def _visit(self, node: Node) -> None:
        if node not in self.story.stands:
            self.story.stands[node] = Stand()
            self.todo.append(node)

    def _turn_over(self, turn: str, position: Position, done: Done) -> tuple[str, ...]:
        """Goes on after a turn; the endings that may hold at its end."""
        self.rested[turn].add(position.mover.at_rest())
        if position.asked is not None:
            self.rested[turn].add(position.asked.at_rest())
        position = position._replace(asked=None)
        may = self._may_hold(position, done, "turn")
        if self._round_is_over(may, "turn"):
            return tuple(name for name, _ in may)
        if turn:
            self._begin(turn, position.piles, position.over)
            position = position._replace(over=position.over | {turn})
            if self._round_is_over(self._may_hold(position, done, "turn"), "turn"):
                return tuple(name for name, _ in may)
        self._next_turn(position.piles, position.over, self._at(position, done, "turn"))
        return tuple(name for name, _ in may)

    def _at(self, position: Position, done: Done, moment: Moment) -> list[Known]:
        known = self._known(position, done)
        match moment:
            case "deal":
                return [replace(way, turn_number=exactly(0)) for way in known]
            case "turn":
                return [replace(way, turn_over=True) for way in known]
        return known

    def _may_hold(self, position: Position, done: Done, moment: Moment) -> list[tuple[str, bool]]:
        key = (moment, position.piles, position.you, position.asked is None, done, position.over)
        if key not in self.holding:
            self.holding[key] = self._endings(self._at(position, done, moment), moment)
        return self.holding[key]

    def _round_is_over(self, may: list[tuple[str, bool]], moment: Moment) -> bool:
        """Whether an ending certainly holds; notes all that may."""
        for number, (ending, _) in enumerate(may):
            self.story.holding.setdefault(ending, set()).add(moment)
            self.story.together |= {(other, ending) for other, _ in may[:number]}
        return bool(may) and may[-1][1]

    def _endings(self, known: list[Known], moment: Moment) -> list[tuple[str, bool]]:
        """The endings that may hold, in their order, up to one that certainly does (True)."""
        may: list[tuple[str, bool]] = []
        for ending in self.sheet.round.endings:
            if moment != "deal" and self.moments[ending.name] != moment:
                continue
            holds = self._truth([condition.expr for condition in ending.when], known)
            if holds is False:
                continue
            if may and may[-1][1]:
                self.masked.setdefault(ending.name, set()).add(may[-1][0])
            else:
                may.append((ending.name, holds is True))
        return may

    # -------------------------------------------------------- the turn

    def _explore(self, node: Node) -> None:
        stand = self.story.stands[node]
        turn = self.turns[node.turn]
        ways = [way for at in node.at for way in turn.ways[at]] if node.at else list(turn.starts)
        offered: dict[tuple[str, int, bool], set[int]] = {}
        for way in ways:
            if any(self._guard(guard, way, node) is False for guard in way.guards):
                continue
            if way.target == END:
                stand.may_stop = True
            else:
                place = turn.places[way.target]
                offered.setdefault((place.move, place.window, way.seat), set()).add(way.target)
        for (move, window, seat), places in offered.items():
            for position in self._acting(node, window, seat):
                stand.steps.append(self._step(node, move, frozenset(places), position))
        if stand.may_stop:
            stand.endings = self._turn_over(node.turn, node.position, self._done(node))

    def _acting(self, node: Node, window: int, new_seat: bool) -> Iterator[Position]:
        """The position with the one who is to move."""
        position = node.position
        if not window:
            yield position._replace(asked=None)
        elif new_seat or position.asked is None:
            yield from (position._replace(asked=seat) for seat in self._seats(node.turn))
        else:
            yield position

    def _step(self, node: Node, move: str, places: frozenset[int], position: Position) -> Step:
        self.judge.asked += STEP
        if self.judge.asked > MOST_ASKED:
            raise TooBroad
        done = self._done_at(node.turn, places)
        if position.asked != node.position.asked and node.position.asked is not None:
            self.rested[node.turn].add(node.position.asked.at_rest())
        made = self._made(move, position, self._done(node), done)
        for place in places:
            self.story.refused.setdefault((node.turn, place), set()).update(made.refused)
        outcomes: set[Node] = set()
        over = False
        endings: set[str] = set()
        for piles, seat in made.after:
            self.story.made |= {(node.turn, place) for place in places}
            after = position.with_you(piles, seat)
            may = self._may_hold(after, done, "move")
            endings |= {name for name, _ in may}
            if self._round_is_over(may, "move"):
                over = True
            elif any(isinstance(action, model.Fold) for action in self.moves[move].does):
                self._turn_over(node.turn, after, done)
                over = True
            else:
                outcome = Node(node.turn, places, after)
                outcomes.add(outcome)
                self._visit(outcome)
        return Step(
            move, places, made.verdict, made.refused, frozenset(outcomes), over, frozenset(endings), made.doubts
        )

    def _done(self, node: Node) -> Done:
        return self._done_at(node.turn, node.at)

    def _done_at(self, turn: str, at: frozenset[int]) -> Done:
        if not at:
            return NOTHING_DONE
        key = (turn, at)
        if key not in self.dones:
            last = next(self.turns[turn].places[place].move for place in at)
            counts = sorted(set().union(*(self.counts[turn][place] for place in at)))
            ways = tuple(tuple(zip(self.counted, map(_as_bounds, count), strict=True)) for count in counts)
            self.dones[key] = Done(last, ways or ((),))
        return self.dones[key]

    def _made(self, name: str, position: Position, before: Done, done: Done) -> Made:
        key = (name, position.piles, position.you, position.asked is None, before, done, position.over)
        if key not in self.results:
            self.results[key] = self._judged(self.moves[name], position, before, done)
        return self.results[key]

    def _judged(self, move: MoveRule, position: Position, before: Done, done: Done) -> Made:
        """What comes of a move; `before` and `done` are what has been done without it and with it."""
        refused = self._failing(move.before, self._known(position, before))
        if refused:
            return Made("never", refused=refused)
        states = self.effects.settled(self.effects.of_chain(move.does, {(position.piles, position.you)}))
        legal: set[State] = set()
        failing: list[Condition] = []
        for piles, seat in states:
            refused = self._failing(move.only, self._known(position.with_you(piles, seat), done))
            failing += refused
            if not refused:
                legal.add((piles, seat))
        if not legal:
            return Made("never", refused=tuple(dict.fromkeys(failing)))
        after = frozenset(self._automatic(legal, done, position.asked is not None))
        if needs_luck(move):
            return Made("chance", after)
        doubts = [c for c in move.before if self._doubted(c, self._known(position, before))]
        for piles, seat in legal:
            known = self._known(position.with_you(piles, seat), done)
            doubts += [c for c in move.only if self._doubted(c, known)]
        doubts = list(dict.fromkeys(doubts))
        return Made("chance" if doubts else "open", after, doubts=tuple(doubts))

    def _doubted(self, condition: Condition, known: list[Known]) -> bool:
        """Whether it depends on what cards are worth that a player holds."""
        if condition not in self.of_worth:
            self.of_worth[condition] = any(True for _ in reached(self.sheet, condition.expr, ex.Points))
        return self.of_worth[condition] and self._truth([condition.expr], known) is None

    def _failing(self, conditions: Iterable[Condition], known: list[Known]) -> tuple[Condition, ...]:
        return tuple(c for c in conditions if self._truth([c.expr], known) is False)

    def _automatic(self, states: set[State], done: Done, in_window: bool) -> set[State]:
        """With what may happen of itself, to the one who moved or to others."""
        if not self.sheet.automatic:
            return states
        found, todo = set(states), list(states)
        while todo:
            for after in self._of_itself(todo.pop(), done, in_window) - found:
                found.add(after)
                todo.append(after)
        return found

    def _of_itself(self, state: State, done: Done, in_window: bool) -> set[State]:
        """What one automatic move may lead to. A class of cards that is laid out at once never makes up a whole hand:
        the cards that came before are of other classes."""
        key = (state, done, in_window)
        if key not in self.alone:
            found: set[State] = set()
            known = known_in(self.base, *state, done, in_window)
            for rule in self.sheet.automatic:
                if self._truth([rule.when], known) is False:
                    continue
                after = self.effects.settled(self.effects.of_chain(rule.does, {state}))
                if any(isinstance(action, model.PutEvery) for action in rule.does):
                    after = {(table, left) for table, left in after if left.hand or not state[1].hand}
                found |= after
            self.alone[key] = found
        return self.alone[key]

    # -------------------------------------------------------- what is known

    def _truth(self, conditions: list[ex.Expr], ways: list[Known]) -> bool | None:
        """Whether conditions hold together, whichever way the position came about."""
        found = {every(self.judge.truth(condition, known) for condition in conditions) for known in ways}
        return found.pop() if len(found) == 1 else None

    def _known(self, position: Position, done: Done) -> list[Known]:
        key = (position.piles, position.you, position.asked is None, done, position.over)
        if key not in self.facts:
            over = self._over(position.over)
            ways = known_in(self.base, position.piles, position.you, done, position.asked is not None)
            self.facts[key] = [replace(known, turn_over=False, over=over) for known in ways]
        return self.facts[key]

    def _over(self, names: frozenset[str]) -> dict[str, bool]:
        return {name: name in names for name in self.extras}

    def _guard(self, guard: Guard, way: Way, node: Node) -> bool | None:
        """Whether the turn goes this way at a step's `if`."""
        position, done = node.position, self._done(node)
        if not guard.window:
            seat: Seat | None = position.mover
        else:
            seat = None if way.seat else position.asked
        key = (id(guard.condition), position.piles, seat, done, bool(guard.window))
        if key not in self.guards:
            ways = known_in(self.base, position.piles, seat, done, bool(guard.window))
            self.guards[key] = self._truth([guard.condition], [replace(known, turn_over=False) for known in ways])
        holds = self.guards[key]
        return None if holds is None else holds == guard.holds


def needs_luck(move: MoveRule) -> bool:
    """Whether it takes cards that fit to make it."""
    return bool(move.duties) or any(
        isinstance(action, LAYING) and not (isinstance(action, model.LayMelds) and action.least == 0)
        for action in move.does
    )


def _as_bounds(times: int) -> Between:
    """What a count of `times_made` stands for."""
    return Between(times, inf if times >= MANY else times)


def _fews(number: Between) -> set[Few]:
    return {few for few in FEWS if SIZES[few].meet(number)}
