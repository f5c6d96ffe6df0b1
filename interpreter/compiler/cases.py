"""Scenario files to cases that can be run, and running them: what `rulespec test` calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from interpreter.compiler.compile import compile_sheet
from interpreter.errors import NotPlayable
from interpreter.position import Position, Said
from interpreter.program import Program
from interpreter.scenario_position import YOURS, Booked, CardsIn, Ends, Expected, OnTable
from interpreter.scenario_report import FileResult, TestReport
from interpreter.scenarios import Answer, Case, MoveAnswer, Shows, run_case
from interpreter.state import NOBODY
from rulespec.diagnostics import pretty, printed
from rulespec.expressions import Can, Number, Type
from rulespec.model import Rulesheet
from rulespec.reader import Text
from rulespec.reasoning.walk import inside
from rulespec.scenario_checks import Case as WrittenCase
from rulespec.scenario_checks import Deck, copies_in, rearranging
from rulespec.scenario_shape import Map, RawAfter, RawCase, RawEnds, RawShows, Texts, by_seat, groups_of
from rulespec.scenarios import ScenarioFile, check_scenarios, find_scenarios
from rulespec.source import Span


def run_scenarios(paths: Iterable[str] = (), progress: Callable[[FileResult], None] = lambda _: None) -> TestReport:
    """Run the scenario files that `paths` mean (see `find_scenarios`); `progress` is told of each file when it is done.

    Mistakes of files and sheets are part of the report. Raises only for our own faults.
    """
    names, wrong = find_scenarios(tuple(paths))
    results = [FileResult(d.span.file, "", problems=(pretty(d, {}),)) for d in wrong]
    reached: Counter[tuple[str, str, bool]] = Counter()
    for name in names:
        result, met = run_file(name)
        results.append(result)
        reached.update({(result.sheet, *key): count for key, count in met.items()})
        progress(result)
    return TestReport(tuple(results), reached)


def run_file(path_or_id: str) -> tuple[FileResult, Counter[tuple[str, bool]]]:
    """Run one scenario file: what came of it, and the conditions it reached."""
    checked = check_scenarios(path_or_id)
    problems = printed(checked.diagnostics, checked.sources)
    if checked.file is None:
        return FileResult(path_or_id, "", problems=tuple(problems)), Counter()
    reached: Counter[tuple[str, bool]] = Counter()
    results = []
    try:
        for case in cases_of(checked.file):
            run = run_case(case)
            results.append(run.result)
            reached += run.reached
    except NotPlayable as reason:
        problem = f'{checked.file.name}: "{checked.file.sheet.id}" cannot be played yet: {reason}'
        return FileResult(checked.file.name, checked.file.sheet.id, problems=(problem,)), reached
    return FileResult(checked.file.name, checked.file.sheet.id, tuple(results)), reached


def cases_of(file: ScenarioFile) -> list[Case]:
    """The cases of a checked file, each with its program. Raises NotPlayable."""
    programs: dict[tuple[object, ...], Program] = {}
    cases = []
    for case in file.cases:
        choices = (case.players, *sorted(case.options.items()))
        if choices not in programs:
            programs[choices] = compile_sheet(file.sheet, case.players, case.options)
        program = programs[choices]
        group = case.written.group
        if group is not None:
            packs, jokers = copies_in(group, Deck(file.sheet))
            size = (max(packs, program.pack.packs), max(jokers, program.pack.jokers))
            if size != (program.pack.packs, program.pack.jokers):
                key = (*choices, size)
                if key not in programs:
                    programs[key] = compile_sheet(_with_deck(file.sheet, *size), case.players, case.options)
                program = programs[key]
        cases.append(_Reader(file.sheet, program, case).case())
    return cases


def _with_deck(sheet: Rulesheet, packs: int, jokers: int) -> Rulesheet:
    """The sheet with more cards than it has, to judge a group it could never see."""

    def number(value: int) -> Number:
        return Number(span=sheet.deck.span, type=Type.NUMBER, value=value)

    return replace(sheet, deck=replace(sheet.deck, packs=number(packs), jokers=number(jokers)))


def _place(span: Span) -> str:
    return f"{span.file}:{span.line}"


def _said(text: Text) -> Said:
    return Said(str(text), _place(text.span))


def _number(text: Text | None) -> int | None:
    return None if text is None else int(text)


def _seat(text: Text | None) -> int | None:
    return None if text is None else int(text) - 1


def _owner(owner: Text | int) -> int:
    """Whose something is, from 0: the place in a list, or a key by seat."""
    return int(owner) - 1 if isinstance(owner, Text) else owner


def _answer(text: Text | None) -> Answer[str] | None:
    return None if text is None else Answer(str(text), _place(text.span))


def _truth(text: Text | None) -> Answer[bool] | None:
    return None if text is None else Answer(text == "yes", _place(text.span))


class _Reader:
    """Reads one case for one program."""

    def __init__(self, sheet: Rulesheet, program: Program, case: WrittenCase) -> None:
        self.sheet = sheet
        self.program = program
        self.raw = case.written

    def case(self) -> Case:
        raw = self.raw
        asked = [raw.move] if raw.move is not None else raw.moves or []
        moves = tuple(_said(text) for text in asked)
        if raw.play is not None:
            moves = (self.play(raw.play, raw.span),)
        points = None if raw.points is None else Answer(int(raw.points), _place(raw.points.span))
        return Case(
            name=str(raw.name),
            source=str(raw.source),
            place=_place(raw.name.span),
            program=self.program,
            position=self.position(),
            group=None if raw.group is None else _said(raw.group),
            moves=moves,
            mid_turn=raw.play is not None,
            valid=_truth(raw.valid),
            kind=_answer(raw.kind),
            points=points,
            names=_answer(raw.names),
            legal=_truth(raw.legal),
            because=_answer(raw.because),
            can=self.of_moves(raw.can),
            offered=None if raw.offered is None else Answer(tuple(map(str, raw.offered)), self.at(raw.offered)),
            warns=self.of_moves(raw.warns),
            shows=None if raw.shows is None else self.shows(raw.shows),
            after=() if raw.after is None else tuple(self.after(raw.after)),
            ends=None if raw.ends is None else self.ends(raw.ends),
        )

    def at(self, texts: Texts) -> str:
        """The place of a list: of its first text, else of the case."""
        return _place(texts[0].span if texts else self.raw.name.span)

    def play(self, table: Texts, span: Span) -> Said:
        """The move that leaves the table so."""
        return Said(f"{rearranging(self.sheet)} {' / '.join(table)}", _place(table[0].span if table else span))

    def of_moves(self, answer: Text | Map | None) -> tuple[MoveAnswer, ...]:
        if isinstance(answer, Text):
            return (MoveAnswer(str(answer), True, _place(answer.span)),)
        return tuple(MoveAnswer(str(k), v == "yes", _place(k.span)) for k, v in (answer or {}).items())

    def shows(self, raw: RawShows) -> Shows:
        """What the warning of the case shows; of which moves, the condition of the warning says by `can MOVE`."""
        warned = next(move for move in self.of_moves(self.raw.warns))
        conditions = [expr for name, expr in self.sheet.manners.warn if name == warned.move]
        asked = next((can.move for expr in conditions for can in inside(expr, Can)), warned.move)
        return Shows(
            asked,
            warned.place,
            _answer(raw.card),
            None if raw.groups is None else tuple(_said(text) for text in raw.groups),
            _truth(raw.rebuilt),
        )

    # -------------------------------------------------------- position

    def position(self) -> Position:
        raw = self.raw
        hands = {_owner(seat): _said(text) for seat, text in by_seat(raw.hands)}
        if raw.hand is not None:
            hands[_seat(raw.turn) or 0] = _said(raw.hand)
        return Position(
            seed=_number(raw.seed) or 0,
            round=_number(raw.round),
            dealer=_seat(raw.dealer),
            turn=_seat(raw.turn),
            turn_number=_number(raw.turn_number),
            hands=hands if raw.hand is not None or raw.hands is not None else None,
            table=None if raw.table is None else self.groups(raw.table),
            piles=self.piles(raw),
            scores={_owner(side): int(text) for side, text in by_seat(raw.scores)},
            rounds_won={_owner(side): int(text) for side, text in by_seat(raw.rounds_won)},
            opened={_owner(side): text == "yes" for side, text in by_seat(raw.opened)},
            tallies={(name, owner): int(text) for name, owner, text in self.by_owner(raw.tallies)},
            renewed=_number(raw.renewed),
            stopped=raw.stopped == "yes",
        )

    def groups(self, written: Texts | dict[Text, Text | Texts]) -> tuple[tuple[Said, int], ...]:
        return tuple((_said(text), NOBODY if owner is None else _owner(owner)) for owner, text in groups_of(written))

    def piles(self, raw: RawCase) -> dict[tuple[str, int], Said]:
        found = {(zone, owner): _said(text) for zone, owner, text in self.by_owner(raw.zones)}
        for zone, text in (("stock", raw.stock), ("discards", raw.discards)):
            if text is not None:
                found[zone, 0] = _said(text)
        return found

    def by_owner(self, written: Mapping[Text, Text | Texts | Map]) -> list[tuple[str, int, Text]]:
        """Name, owner (0 for the table) and text of everything that is said by name."""
        found: list[tuple[str, int, Text]] = []
        for name, value in written.items():
            if isinstance(value, Text):
                found.append((str(name), 0, value))
            else:
                found += [(str(name), _owner(owner), text) for owner, text in by_seat(value)]
        return found

    # -------------------------------------------------------- what is expected then

    def after(self, raw: RawAfter) -> list[Expected]:
        found: list[Expected] = []
        if raw.hand is not None:
            found.append(CardsIn("hand", YOURS, _said(raw.hand)))
        found += [CardsIn("hand", _owner(seat), _said(text)) for seat, text in by_seat(raw.hands)]
        for zone, text in (("stock", raw.stock), ("discards", raw.discards)):
            if text is not None:
                found.append(CardsIn(zone, 0, _said(text)))
        found += [CardsIn(zone, owner, _said(text)) for zone, owner, text in self.by_owner(raw.zones)]
        if raw.table is not None:
            groups = self.groups(raw.table)
            found.append(OnTable(groups, groups[0][0].place if groups else _place(self.raw.name.span)))
        for what, text, from_one in (
            ("turn", raw.turn, 1),
            ("dealer", raw.dealer, 1),
            ("turn-number", raw.turn_number, 0),
            ("round", raw.round, 0),
            ("renewed", raw.renewed, 0),
        ):
            if text is not None:
                found.append(Booked(what, 0, int(text) - from_one, _place(text.span)))
        found += self.booked("scores", raw.scores) + self.booked("rounds-won", raw.rounds_won)
        found += [
            Booked("opened", _owner(side), int(text == "yes"), _place(text.span)) for side, text in by_seat(raw.opened)
        ]
        found += [Booked(name, owner, int(text), _place(text.span)) for name, owner, text in self.by_owner(raw.tallies)]
        return found

    def booked(self, what: str, written: Texts | Map | None) -> list[Booked]:
        return [Booked(what, _owner(side), int(text), _place(text.span)) for side, text in by_seat(written)]

    def ends(self, raw: RawEnds) -> Ends:
        def seats(texts: Texts) -> tuple[int, ...]:
            return tuple(int(text) - 1 for text in texts)

        game: tuple[str | tuple[int, ...], str] | None = None
        if isinstance(raw.game, Text):
            game = (str(raw.game), _place(raw.game.span))
        elif raw.game is not None:
            game = (seats(raw.game), self.at(raw.game))
        return Ends(
            _place(self.raw.name.span),
            None if raw.round is None else _said(raw.round),
            None if raw.winners is None else (seats(raw.winners), self.at(raw.winners)),
            tuple(self.booked("scores", raw.scores)),
            game,
            tuple(self.booked("totals", raw.totals)),
            None if raw.dealer is None else (int(raw.dealer) - 1, _place(raw.dealer.span)),
        )
