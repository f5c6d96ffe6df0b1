"""Which moves are legal: the turn offers them, conditions hold, no duty forbids them, and the turn can be finished.

The engine never picks for the player: what can be chosen is listed in full, lazily and in a fixed order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from interpreter.attempting import attempt, own_duties, refuse_by_conditions
from interpreter.chains import is_hopeless
from interpreter.errors import IllegalMove
from interpreter.finishing import candidates, check_finish, is_sure, must_lay, sure_moves
from interpreter.moves import DONE, Move
from interpreter.native import mypyc_attr
from interpreter.program import AT_ONCE, Env, MoveProgram, Program
from interpreter.state import Bounds, State
from interpreter.walking import Ways, ways


@mypyc_attr(free_list_len=1)
class Listing:
    """The legal moves of one kind, as far as they were asked for."""

    __slots__ = ("bounds", "cut", "found", "rest")

    def __init__(self, bounds: Bounds, found: list[Move], rest: Iterator[Move] | None) -> None:
        self.bounds = bounds
        self.found = found
        self.rest = rest
        """Where the others come from; None once there are no others."""
        self.cut: dict[int, int] = {}
        """How many answers were cut short in finding a move, by its place: it is counted each time it is asked for."""

    def reaches(self, at: int) -> bool:
        """Whether there is a move in this place (from 0); the one before was asked for."""
        if at < len(self.found) or self.rest is None:
            if self.cut:
                self.bounds.cut += self.cut.get(at, 0)
            return at < len(self.found)
        before = self.bounds.cut
        move = next(self.rest, None)
        if move is None:
            self.rest = None
        else:
            self.found.append(move)
        if self.bounds.cut > before:
            self.cut[at] = self.bounds.cut - before
        return move is not None

    def is_whole(self) -> bool:
        """Whether all moves are found, and no answer was cut short in finding them."""
        return self.rest is None and not self.cut

    def has_found(self, move: Move) -> bool:
        """Whether this very move was found before, and so is legal."""
        return any(found is move for found in self.found)


@mypyc_attr(free_list_len=1)
class _Made:
    """The legal move that was tried last, and what came of it.

    An `Offer` and its lists of moves share it: these know nothing of the offer, which so is freed with its position.
    """

    __slots__ = ("env", "move")

    def __init__(self) -> None:
        self.move: Move | None = None
        self.env: Env | None = None

    def note(self, move: Move, env: Env) -> None:
        """Keep what came of a move, in place of the one before."""
        self.move, self.env = move, env

    def take(self, move: Move) -> Env | None:
        """What came of this very move, if it was the last; nothing is kept."""
        env = self.env if self.move == move else None
        self.move = self.env = None
        return env


def _tried(program: Program, state: State, rule: MoveProgram, targets: int, must: int, made: _Made) -> Iterator[Move]:
    """The legal moves of a kind, each tried."""
    for move in candidates(program, state, rule, must, finish=True):
        try:
            env = attempt(program, state, move, targets)
            check_finish(program, state, env, rule)
        except IllegalMove:
            continue
        made.note(move, env)
        yield move


@mypyc_attr(free_list_len=1)
class Offer:
    """What whoever is to act can do in a position: found out as it is asked for, each thing once.

    It holds as long as the position is not changed.
    """

    __slots__ = ("_duties", "_env", "_listings", "_made", "program", "state", "ways")

    def __init__(self, program: Program, state: State, found: Ways | None = None) -> None:
        """`found` are the ways to go on, where they are known."""
        self.program = program
        self.state = state
        self.ways = found or (ways(program, state, state.frame) if state.frames else _NO_WAYS)
        self._duties = own_duties(state) if state.frames else ()
        self._env = Env(program, state, state.to_act)
        self._listings: list[Listing | None] = [_NOT_ASKED] * len(program.moves)
        """By kind of move; None where its conditions do not hold."""
        self._made = _Made()

    # -------------------------------------------------------- all legal moves

    def kinds(self) -> list[int]:
        """The kinds of move whose edge is there and whose `if`s hold, in the order of the phrase, then DONE where it is
        legal."""
        found = [index for index, _ in self.ways.moves if self._listing(index) is not None]
        if self.may_be_done():
            found.append(DONE)
        return found

    def of(self, index: int) -> Iterator[Move]:
        """The legal moves of one kind, DONE too. Of moves that rearrange the table a selection, see `proposals`."""
        if index == DONE:
            if self.may_be_done():
                yield _DONE
            return
        listing = self._listing(index)
        if listing is None:
            return
        if listing.is_whole():
            yield from listing.found
            return
        at = 0
        while listing.reaches(at):
            yield listing.found[at]
            at += 1

    def some(self, index: int, most: int) -> list[Move]:
        """The first legal moves of one kind."""
        if index == DONE:
            return list(self.of(DONE))
        listing = self._listing(index)
        if listing is None:
            return []
        at = most if listing.is_whole() else 0
        while at < most and listing.reaches(at):
            at += 1
        return listing.found[:at]

    def has(self, index: int) -> bool:
        """Whether a legal move of this kind exists."""
        if index == DONE:
            return self.may_be_done()
        listing = self._listing(index)
        return listing is not None and listing.reaches(0)

    def all(self) -> Iterator[Move]:
        """Every legal move, `done` last."""
        known: list[Move] = []
        for index, _ in self.ways.moves:
            listing = self._listing(index)
            if listing is not None and not listing.is_whole():
                return self._all()
            if listing is not None:
                known += listing.found
        if self.may_be_done():
            known.append(_DONE)
        return iter(known)

    def _all(self) -> Iterator[Move]:
        for index, _ in self.ways.moves:
            listing = self._listing(index)
            at = 0
            while listing is not None and listing.reaches(at):
                yield listing.found[at]
                at += 1
        if self.may_be_done():
            yield _DONE

    def makes(self) -> list[int]:
        """The kinds of which a legal move exists, in the order of the phrase, then DONE where it is legal."""
        found = [index for index, _ in self.ways.moves if self.has(index)]
        if self.may_be_done():
            found.append(DONE)
        return found

    def may_be_done(self) -> bool:
        """Whether `done` is legal."""
        return self._bar_to_done() is None

    def _listing(self, index: int) -> Listing | None:
        found = self._listings[index]
        if found is _NOT_ASKED:
            found = self._listings[index] = self._begun(index)
        return found

    def _begun(self, index: int) -> Listing | None:
        program, state = self.program, self.state
        targets = self.ways.targets(index)
        rule = program.moves[index]
        if not targets or refuse_by_conditions(self._env, rule):
            return None
        if is_sure(program, state, rule, targets, self._duties):
            return Listing(state.bounds, sure_moves(self._env, rule), None)
        must = must_lay(program, self._duties, rule)
        if is_hopeless(program, state, rule, must):
            return Listing(state.bounds, [], None)
        return Listing(state.bounds, [], _tried(program, state, rule, targets, must, self._made))

    # -------------------------------------------------------- one move

    def allows(self, move: Move) -> bool:
        """Whether a move is legal."""
        try:
            env = self.judge(move)
        except IllegalMove:
            return False
        if env is not None:
            self._made.note(move, env)
        return True

    def judge(self, move: Move) -> Env | None:
        """Make a move in a copy if it is legal; the `Env` holds the copy (None for `done`). Raises IllegalMove."""
        if move.move == DONE:
            bar = self._bar_to_done()
            if bar is not None:
                raise IllegalMove("done", *bar)
            return None
        made = self._made.take(move)
        if made is not None:
            return made
        program, state = self.program, self.state
        rule = program.moves[move.move]
        targets = self.ways.targets(move.move)
        if not targets:
            raise IllegalMove(rule.name, "phase", "the turn does not offer it now")
        listing = self._listings[move.move]
        because = refuse_by_conditions(self._env, rule) if listing is None or listing is _NOT_ASKED else ""
        if because:
            raise IllegalMove(rule.name, because, _text_of(program, rule, because))
        env = attempt(program, state, move, targets)
        if listing is None or not listing.has_found(move):
            check_finish(program, state, env, rule)
        return env

    def _bar_to_done(self) -> tuple[str, str] | None:
        """Why `done` is not legal: the path and the text of the rule; None where it is."""
        offered = self.ways
        if not offered.moves or not (offered.final or offered.windows):
            return "phase", "something must still be done"
        for duty in self._duties:
            rule = self.program.duties[duty.duty]
            if rule.deadline == AT_ONCE or not offered.windows:
                return rule.path, rule.text
        return None


_NOT_ASKED: Final = Listing(Bounds(), [], None)
_NO_WAYS: Final = Ways((), (), False)
_DONE: Final = Move(DONE)


def _text_of(program: Program, rule: MoveProgram, path: str) -> str:
    for check in rule.before:
        if check.path == path:
            return f"only if {check.text}"
    return next((d.text for d in program.duties if d.path == path), "")


def offer_of(program: Program, state: State) -> Offer:
    """What whoever is to act can do; what is found out is kept with the position until a move is made in it.

    From now on the position must not be changed.
    """
    found = state.offered
    if found is None or found.program is not program:
        found = state.offered = Offer(program, state)
    return found


# ------------------------------------------------------------ positions that may still change


def judge(program: Program, state: State, move: Move) -> Env | None:
    """Make a move in a copy if it is legal; the `Env` holds the copy (None for `done`). Raises IllegalMove."""
    return Offer(program, state).judge(move)


def legal_moves(program: Program, state: State, only: int | None = None) -> Iterator[Move]:
    """Every legal move of whoever is to act (of one kind, if `only` says which), then `done` where it is legal.

    Of moves that rearrange the table a selection, see `proposals`.
    """
    offer = Offer(program, state)
    return offer.all() if only is None else offer.of(only)


def open_kinds(program: Program, state: State) -> tuple[int, ...]:
    """The kinds of move whose edge is there and whose `if`s hold, `done` (last) if it is legal."""
    return tuple(Offer(program, state).kinds())


def can_make(program: Program, state: State, move: int) -> bool:
    """Whether a legal move of this kind exists."""
    return Offer(program, state).has(move)


def offered_names(program: Program, state: State) -> tuple[str, ...]:
    """Names of the moves of which a legal one exists, in the order of the phrase."""
    return names_of(program, Offer(program, state).makes())


def names_of(program: Program, kinds: list[int]) -> tuple[str, ...]:
    """The names of kinds of moves."""
    return tuple(["done" if index == DONE else program.moves[index].name for index in kinds])
