"""Running scenarios: set up a position, make the moves, compare what comes with what was expected.

A `Case` is what a case of a scenario file means for one program; texts of cards, groups and moves stay texts, each
with its place. What the questions mean is said in docs/scenarios.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from interpreter.clock import Past, run_out
from interpreter.errors import AmbiguousMove, IllegalMove, MoveSyntaxError
from interpreter.flow import apply
from interpreter.legality import can_make, judge, legal_moves, offered_names
from interpreter.meld_kinds import StandsFor
from interpreter.moves import DONE, Group, Meld, Move
from interpreter.notation import find_move, meld_text, read_group
from interpreter.pack import bits
from interpreter.position import Position, PositionError, Said, laid_out, readings, said_fully, set_up, stand_before
from interpreter.program import Env, Program
from interpreter.scenario_position import Ends, Expected, alike, compare, compare_end, pack_cards
from interpreter.scenario_report import CaseResult, Failure
from interpreter.state import NOBODY, State

T = TypeVar("T")

TIME_UP = "time-up"
UNKNOWN = "not found out within bounds"
"""Instead of "no" where a search was cut short."""
"""In place of a move: the clock of whoever is to act runs out."""

MOST_SHOWN = 2_000
"""Moves that are looked at to find what a warning may show."""


class Answer(NamedTuple, Generic[T]):
    """What was expected, and where it is written."""

    value: T
    place: str


class MoveAnswer(NamedTuple):
    """Whether something is expected of a kind of move."""

    move: str
    holds: bool
    place: str


class Shows(NamedTuple):
    """What a warning is to show: of the moves called `move` that could be made, a card, groups, and whether other
    groups are rebuilt."""

    move: str
    place: str
    card: Answer[str] | None
    groups: tuple[Said, ...] | None
    rebuilt: Answer[bool] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case: a position, a question, and the answers expected."""

    name: str
    source: str
    place: str
    program: Program
    position: Position
    group: Said | None = None
    moves: tuple[Said, ...] = ()
    """If `legal` or `because` is said the last one is judged; all others have to be legal."""
    mid_turn: bool = False
    """Whether the first move is made where the turn offers it, whatever comes before it in the turn."""
    valid: Answer[bool] | None = None
    kind: Answer[str] | None = None
    points: Answer[int] | None = None
    names: Answer[str] | None = None
    legal: Answer[bool] | None = None
    because: Answer[str] | None = None
    can: tuple[MoveAnswer, ...] = ()
    offered: Answer[tuple[str, ...]] | None = None
    warns: tuple[MoveAnswer, ...] = ()
    shows: Shows | None = None
    after: tuple[Expected, ...] = ()
    ends: Ends | None = None


class CaseRun(NamedTuple):
    """What running a case came to, and the conditions it reached: path and whether it allowed."""

    result: CaseResult
    reached: Counter[tuple[str, bool]]


def run_case(case: Case) -> CaseRun:
    """Run one case. What is wrong with the case itself is a failure too; only our own faults raise."""
    run = _Run(case)
    try:
        run.go()
    except PositionError as error:
        run.fail(error.said.place, f"the position cannot be: {error.reason}")
    result = CaseResult(case.name, case.source, case.place, run.assertions, tuple(run.failures))
    return CaseRun(result, run.reached)


def yes(holds: bool) -> str:
    """`yes` or `no`"""
    return "yes" if holds else "no"


class _Run:
    """One run of one case."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.program = case.program
        self.failures: list[Failure] = []
        self.assertions = 0
        self.reached: Counter[tuple[str, bool]] = Counter()
        self.subject = 0
        """The seat that was on turn when the case began."""
        self.books = (0, 1)
        """The dealer, and the number of the round, when the last move was made."""
        self.rounds = 0
        """How many rounds had ended before the case began."""

    def fail(self, place: str, text: str) -> None:
        self.failures.append(Failure(place, text))

    def expect(self, place: str, what: str, expected: str, got: str) -> None:
        """Count an assertion, and report it where it does not hold."""
        self.assertions += 1
        if expected != got:
            self.fail(place, f"expected {what}: {expected}, got {got}")

    def go(self) -> None:
        case = self.case
        if case.group is not None:
            self.group(case.group)
            return
        just_dealt = self.looks_at_the_deal()
        start = set_up(self.program, case.position, just_dealt)
        self.rounds = 0 if just_dealt else len(start.results)
        self.subject = max(start.mover, 0) if case.position.turn is None else case.position.turn
        self.books = (start.dealer, start.round)
        if case.mid_turn and start.frames:
            stand_before(self.program, start, self.program.move_index(case.moves[0].text.split()[0]))
        state = self.moves(start)
        if state is not None:
            self.answers(state)

    def looks_at_the_deal(self) -> bool:
        """Whether the case asks what follows from the deal itself: nobody moves, and no turn is said to have begun."""
        case = self.case
        said = case.position.turn is not None or case.position.turn_number is not None
        return not case.moves and not said and (bool(case.after) or case.ends is not None)

    # -------------------------------------------------------- a group

    def group(self, said: Said) -> None:
        """Is it one, of what kind, worth what, and if not, why not?"""
        case, program = self.case, self.program
        state = laid_out(program, case.position)
        words = said.text.split()
        named = words[0] if words and words[0] in program.kind_names else None
        text = " ".join(words[1:] if named else words)
        wanted = case.kind.value if case.kind is not None else named
        try:
            cards = pack_cards(program, text)
            kinds = {program.kind_names[m.kind] for m in read_group(program, state, text, cards)}
        except MoveSyntaxError as error:
            self.fail(said.place, f"the group cannot be read: {error}")
            return
        valid = wanted in kinds if wanted is not None else bool(kinds)
        for kind in {wanted} & kinds if wanted else kinds:
            self.reached[f"melds.{kind}", True] += 1
        if case.valid is not None:
            self.assertions += 1
            if case.valid.value != valid:
                got = "yes" if valid else f"no, it breaks {self.broken(state, text, wanted)}"
                self.fail(case.valid.place, f"expected valid: {yes(case.valid.value)}, got {got}")
        if case.kind is not None and (case.valid is None or case.valid.value):
            got = wanted if valid and wanted else " or ".join(sorted(kinds)) or "no group"
            self.expect(case.kind.place, "kind", case.kind.value, got)
        if case.because is not None:
            kind = case.because.value.split(".")[1]
            got = "a valid group" if kind in kinds else self.broken(state, text, kind)
            self.expect(case.because.place, "because", case.because.value, got)
            if kind not in kinds:
                self.reached[got, False] += 1
        if case.points is not None:
            self.expect(case.points.place, "points", str(case.points.value), self.points(state, text, wanted))
        if case.names is not None:
            self.expect(case.names.place, "names", self.faces(case.names.value), self.wild_names(state, text, wanted))

    def broken(self, state: State, text: str, kind: str | None) -> str:
        """The first condition of the kind that the group breaks; without a kind, of the nearest one."""
        number = self.program.kind_names.index(kind) if kind is not None else None
        cards, names = _as_written(self.program, text)
        return state.rules.melds.why_not(number, cards, names) or "nothing"

    def points(self, state: State, text: str, kind: str | None) -> str:
        """What the group counts, for the player on turn."""
        program = self.program
        seat = self.case.position.turn or 0
        env = Env(program, state, seat)
        melds = readings(program, state, f"{kind} {text}" if kind else text, pack_cards(program, text))
        worth = {m: state.rules.group_points(env, Group(m, seat, (seat,) * len(m.cards))) for m in melds}
        if len(set(worth.values())) > 1:
            texts = said_fully(program, worth)
            return " or ".join(f"{n} as {t}" for t, n in zip(texts, worth.values(), strict=True))
        return str(next(iter(worth.values()))) if worth else "no group"

    def wild_names(self, state: State, text: str, kind: str | None) -> str:
        """What the wild cards of the group may stand for, in the order of the deck."""
        program, rules = self.program, state.rules.melds
        found: set[int] = set()
        for meld in self.possible(state, text, kind):
            wild = rules.wild_in(meld)
            found |= {name for card, name in zip(meld.cards, meld.names, strict=True) if wild >> card & 1}
        return " ".join(program.pack.face_text(face) for face in sorted(found)) or "none"

    def possible(self, state: State, text: str, kind: str | None) -> list[Meld]:
        """The groups that can be laid with these cards; where wild cards are named, the order written says nothing."""
        program, rules = self.program, state.rules.melds
        cards = pack_cards(program, text)
        if rules.stands_for is not StandsFor.NAMED:
            return readings(program, state, f"{kind} {text}" if kind else text, cards)
        written, names = _as_written(program, text)
        said = {card: name for card, name in zip(written, names, strict=True) if name is not None}
        number = program.kind_names.index(kind) if kind else None
        return [
            meld
            for meld in rules.groups(cards, number, must=cards)
            if all(said.get(card, name) == name for card, name in zip(meld.cards, meld.names, strict=True))
        ]

    def faces(self, text: str) -> str:
        """Written names in the order of the deck."""
        pack = self.program.pack
        return " ".join(pack.face_text(face) for face in sorted({pack.parse_face(word) for word in text.split()}))

    # -------------------------------------------------------- moves

    def moves(self, state: State) -> State | None:
        """Make the moves; None where what follows cannot be looked at."""
        case = self.case
        judged = case.legal is not None or case.because is not None
        past: Past = []
        for number, said in enumerate(case.moves, start=1):
            last = judged and number == len(case.moves)
            if said.text == TIME_UP:
                state, past = run_out(self.program, past, state, deal_on=False)
                continue
            try:
                move, refused = self.read(state, said)
            except MoveSyntaxError as error:
                self.fail(said.place, f'the move "{said.text}" cannot be read: {error}')
                return None
            except AmbiguousMove as error:
                if last and not case.after and case.ends is None:
                    self.judged(None)
                    return state
                self.fail(said.place, f'the move "{said.text}" can mean {" or ".join(error.choices)}: say which')
                return None
            self.note(move, refused)
            if last:
                self.judged(refused)
            elif refused is not None:
                self.fail(said.place, f'move {number}, "{said.text}", is refused by {_why(refused)}')
            if move is None or refused is not None:
                return None
            self.books = (state.dealer, state.round)
            past.append((state, move))
            state = apply(self.program, state, move, deal_on=False)
        return state

    def read(self, state: State, said: Said) -> tuple[Move | None, IllegalMove | None]:
        """The move a text means, and why it is refused if it is. Raises MoveSyntaxError and AmbiguousMove."""
        if not state.frames:
            over = "the game is over" if state.outcome is not None else "the round is over"
            return None, IllegalMove(said.text, "phase", over)
        return find_move(self.program, state, said.text)

    def judged(self, refused: IllegalMove | None) -> None:
        """Compare what became of the last move with what was expected."""
        case = self.case
        got = "yes" if refused is None else f"no, it is refused by {_why(refused)}"
        if case.legal is not None:
            self.assertions += 1
            if case.legal.value != (refused is None):
                self.fail(case.legal.place, f"expected legal: {yes(case.legal.value)}, got {got}")
        if case.because is not None:
            self.assertions += 1
            if refused is None:
                self.fail(case.because.place, f"expected because: {case.because.value}, but the move is legal")
            elif refused.because != case.because.value:
                self.fail(case.because.place, f"expected because: {case.because.value}, got {_why(refused)}")

    def note(self, move: Move | None, refused: IllegalMove | None) -> None:
        """Remember which conditions were met on the way."""
        if refused is not None:
            self.reached[refused.because, False] += 1
        elif move is not None and move.move != DONE:
            rule = self.program.moves[move.move]
            self.reached[rule.name, True] += 1
            duties = [self.program.duties[number].path for number in rule.duties]
            for path in [check.path for check in (*rule.before, *rule.only)] + duties:
                self.reached[path, True] += 1

    # -------------------------------------------------------- the position then

    def answers(self, state: State) -> None:
        """Everything that is asked of the position after the moves."""
        case, program = self.case, self.program
        seat = state.to_act
        for asked in case.can:
            cut = state.bounds.cut
            able = bool(state.frames) and can_make(program, state, program.move_index(asked.move))
            known = able or state.bounds.cut == cut
            self.expect(asked.place, f"can {asked.move}", yes(asked.holds), yes(able) if known else UNKNOWN)
        if case.offered is not None:
            cut = state.bounds.cut
            offered = " ".join(sorted(offered_names(program, state))) or "nothing"
            wanted = " ".join(sorted(case.offered.value)) or "nothing"
            known = state.bounds.cut == cut
            self.expect(case.offered.place, "offered", wanted, offered if known else f"{offered}; more was {UNKNOWN}")
        for asked in case.warns:
            code = program.warn.get(program.move_index(asked.move))
            warned = code is not None and seat != NOBODY and bool(code(Env(program, state, seat)))
            self.expect(asked.place, f"warns {asked.move}", yes(asked.holds), yes(warned))
        if case.shows is not None:
            self.shown(state, case.shows)
        ended = len(state.results) > self.rounds
        books = self.books if ended else (state.dealer, state.round)
        for place, text in compare(program, state, case.after, self.subject, books):
            self.assertions += 1
            if text:
                self.fail(place, text)
        if case.ends is not None:
            for place, text in compare_end(program, state, case.ends, ended):
                self.assertions += 1
                if text:
                    self.fail(place, text)
        for result in state.results[self.rounds :]:
            self.reached[f"round.endings.{result.ending}", True] += 1
        for defect in state.defects:
            self.fail(case.place, f"the sheet has a defect: {defect}")

    def shown(self, state: State, shows: Shows) -> None:
        """Whether some move that the warning may show is as expected."""
        self.assertions += 1
        cut = state.bounds.cut
        hints = list(_hints(self.program, state, shows.move))
        hints = [hint for hint in hints if not hint.rebuilt] or hints
        if not any(self.fits(state, hint, shows) for hint in hints):
            texts = [hint.text(self.program, state) for hint in hints[:3]]
            got = " or ".join(texts) or "none"
            got += f"; more was {UNKNOWN}" if state.bounds.cut > cut else ""
            self.fail(shows.place, f"expected another play to be shown, got {got}")

    def fits(self, state: State, hint: _Hint, shows: Shows) -> bool:
        program = self.program
        if shows.card is not None:
            face = program.pack.parse_face(shows.card.value)
            if not program.pack.cards_of_face[face] & hint.cards:
                return False
        if shows.rebuilt is not None and shows.rebuilt.value != hint.rebuilt:
            return False
        if shows.groups is None:
            return True
        left = [state.groups[index].meld for index in hint.groups]
        for said in shows.groups:
            same = next((meld for meld in left if alike(program, state, said.text, meld)), None)
            if same is None:
                return False
            left.remove(same)
        return not left


def _as_written(program: Program, text: str) -> tuple[list[int], list[int | None]]:
    """Cards in the order written, twins one after the other, and what each is said to stand for."""
    left = pack_cards(program, text)
    cards: list[int] = []
    names: list[int | None] = []
    for word in text.split():
        card, _, name = word.partition("=")
        chosen = next(bits(program.pack.cards_of_face[program.pack.parse_face(card)] & left))
        left &= ~(1 << chosen)
        cards.append(chosen)
        names.append(program.pack.parse_face(name) if name else None)
    return cards, names


def _why(refused: IllegalMove) -> str:
    return f"{refused.because}: {refused.detail}" if refused.detail else refused.because


# ------------------------------------------------------------ what a warning shows


class _Hint(NamedTuple):
    """A move that could be made instead: cards of the hand it lays, groups of the table it changes, and whether cards
    have to leave or change their group for it."""

    cards: int
    groups: tuple[int, ...]
    rebuilt: bool

    def text(self, program: Program, state: State) -> str:
        card = program.pack.text(next(bits(self.cards)))
        groups = ", ".join(meld_text(program, state.groups[index].meld) for index in self.groups)
        return f"{card} ({groups or 'a new group'}{', rebuilt' if self.rebuilt else ''})"


def _hints(program: Program, state: State, move: str) -> Iterator[_Hint]:
    """The legal moves of a kind that lay a card, as far as they are looked at."""
    for number, candidate in enumerate(legal_moves(program, state, program.move_index(move))):
        if number == MOST_SHOWN:
            return
        env = judge(program, state, candidate)
        if env is None or env.context is None or not env.context.played_cards:
            continue
        after = [group.meld for group in env.state.groups]
        changed = tuple(index for index, group in enumerate(state.groups) if group.meld not in after)
        masks = [meld.mask for meld in after]
        rebuilt = any(not any(state.groups[index].meld.mask & ~m == 0 for m in masks) for index in changed)
        yield _Hint(env.context.played_cards, changed, rebuilt)
