"""Assemble the program: slots, actions, automata, endings, and the rules of each round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interpreter.compiler.aims import aims_of, calls_of
from interpreter.compiler.counted import asks_for_counts, counted_moves
from interpreter.compiler.demands import demand_of
from interpreter.compiler.doings import compile_actions
from interpreter.compiler.expressions import ExpressionCompiler
from interpreter.compiler.foresight import cards_for, is_plain, reach_of
from interpreter.compiler.outlook import Outlook
from interpreter.compiler.phases import build_automaton
from interpreter.compiler.rounds import compile_endings, compile_lines
from interpreter.compiler.slots import Slots
from interpreter.compiler.values import rules_maker
from interpreter.pack import Pack
from interpreter.program import (
    ADD,
    AT_ONCE,
    BEFORE,
    BEFORE_TURN_ENDS,
    BY,
    OLD_CARDS,
    RENEW_NOT,
    RENEW_SHUFFLED,
    RENEW_TURNED,
    SET,
    TIE_ANOTHER_ROUND,
    TIE_DRAW,
    TIE_SHARED,
    AutomaticProgram,
    Automaton,
    Check,
    DealProgram,
    DutyRule,
    ExtraProgram,
    MoveProgram,
    Nowhere,
    Program,
    TallyProgram,
    ZoneProgram,
)
from rulespec import expressions as ex
from rulespec import model
from rulespec.choices import choose_rounds, players_text

DEADLINES = {"before": BEFORE, "by": BY, "at once": AT_ONCE, "before turn ends": BEFORE_TURN_ENDS}
TIES = {"shared": TIE_SHARED, "draw": TIE_DRAW, "another round": TIE_ANOTHER_ROUND}
RENEWALS = {"nothing": RENEW_NOT, "reshuffle": RENEW_SHUFFLED, "turn over": RENEW_TURNED}


def option_values(sheet: model.Rulesheet, chosen: Mapping[str, int | bool | str]) -> dict[str, int | bool | str]:
    """Every option with its chosen or default value. Raises ValueError for an unknown option or value."""
    known = {o.name: o for o in sheet.options}
    for name, value in chosen.items():
        if name not in known:
            raise ValueError(f"{sheet.id} has no option {name!r}; it has {', '.join(known) or 'none'}")
        if not any(value == v and type(value) is type(v) for v in known[name].values):
            said = ", ".join(_say(v) for v in known[name].values)
            raise ValueError(f"option {name!r} cannot be {_say(value)!r}; it is one of {said}")
    return {o.name: chosen.get(o.name, o.values[0]) for o in sheet.options}


def _say(value: int | bool | str) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def compile_sheet(
    sheet: model.Rulesheet,
    players: int | None = None,
    options: Mapping[str, int | bool | str] | None = None,
    rounds: int | None = None,
) -> Program:
    """Compile a sheet for a table; `rounds` is when it stops, in a game that asks for it.

    Raises ValueError for players, options or rounds the sheet does not allow.
    """
    players = sheet.players.low if players is None else players
    if players not in sheet.players:
        raise ValueError(f"{sheet.id} is for {players_text(sheet)}, not {players}")
    return _Assembly(sheet, players, option_values(sheet, options or {}), choose_rounds(sheet, rounds)).program()


class _Assembly:
    def __init__(
        self, sheet: model.Rulesheet, players: int, options: dict[str, int | bool | str], stop_after: int
    ) -> None:
        self.sheet = sheet
        self.stop_after = stop_after
        self.players = players
        early = Slots(sheet, players, options, _NO_PACK, players, {}, {}, {}, {}, {}, {})
        fixed = ExpressionCompiler(early)

        def known(expr: ex.Expr) -> int:
            return int(fixed(expr)(Nowhere()))

        deck = sheet.deck
        pack = Pack(deck.places, deck.round_the_corner, deck.suits, known(deck.packs), known(deck.jokers))
        self.sides = max(1, min(players, known(sheet.sides)))
        self.slots = Slots(
            sheet,
            players,
            options,
            pack,
            self.sides,
            self.zones(),
            self.tallies(),
            {name: slot for slot, name in enumerate(self.named_cards())},
            {move.name: number for number, move in enumerate(sheet.moves)},
            {kind.name: number for number, kind in enumerate(sheet.melds)},
            {extra.name: number for number, extra in enumerate(sheet.round.extra_turns)},
        )
        self.code = ExpressionCompiler(self.slots)
        self.outlook = Outlook(self.slots, self.code)
        self.calls = calls_of(sheet)
        self.automata: list[Automaton | None] = []
        self.duties: list[DutyRule] = []

    # -------------------------------------------------------- slots

    def zones(self) -> dict[str, ZoneProgram]:
        found: dict[str, ZoneProgram] = {}
        slot = 0
        for zone in self.sheet.zones:
            if zone.name == "hand":
                found[zone.name] = ZoneProgram(zone.name, zone.of, zone.seen_by, -1)
                continue
            found[zone.name] = ZoneProgram(zone.name, zone.of, zone.seen_by, slot)
            slot += {"table": 1, "player": self.players, "side": self.sides}[zone.of]
        self.pile_count = slot
        return found

    def tallies(self) -> dict[str, TallyProgram]:
        found: dict[str, TallyProgram] = {}
        slot = 0
        for tally in self.sheet.tallies:
            size = {"table": 1, "player": self.players, "side": self.sides}[tally.of]
            found[tally.name] = TallyProgram(tally.name, tally.of, tally.lasts, slot, size)
            slot += size
        return found

    def named_cards(self) -> list[str]:
        names = [line.named for line in self.sheet.deal.lines]
        chains = [m.does for m in self.sheet.moves] + [a.does for a in self.sheet.automatic]
        names += [getattr(action, "named", None) for chain in chains for action in chain]
        return list(dict.fromkeys(n for n in names if n))

    # -------------------------------------------------------- parts

    def check(self, condition: model.Condition) -> Check:
        return Check(condition.path, self.code(condition.expr), condition.text)

    def check_of_table(self, condition: model.Condition) -> Check:
        """A condition of a rearrangement, sorted by what it asks about."""
        asks = self.outlook.asks(condition.expr)
        of_card = self.outlook.of_card(condition.expr) if asks == OLD_CARDS else None
        return replace(self.check(condition), asks=asks, of_card=of_card)

    def move(self, number: int, rule: model.MoveRule) -> MoveProgram:
        actions = compile_actions(rule.does, self.slots, self.code)
        rearranges = any(isinstance(a, model.Rearrange) for a in rule.does)
        first = len(self.duties)
        for duty in rule.duties:
            self.duties.append(
                DutyRule(
                    duty.condition.path,
                    self.code(duty.condition.expr),
                    DEADLINES[duty.deadline],
                    self.slots.moves.get(duty.move, -1),
                    tuple(self.slots.named[n] for n in duty.names if n in self.slots.named),
                    _must_lay(duty.condition.expr, self.slots),
                    duty.condition.text,
                )
            )
        return MoveProgram(
            number,
            rule.name,
            actions,
            tuple(self.check(c) for c in rule.before),
            tuple(self.check_of_table(c) if rearranges else self.check(c) for c in rule.only),
            tuple(range(first, len(self.duties))),
            any(self.hidden(a) for a in rule.does),
            any(isinstance(a, (model.LayMelds, model.LayOff, model.Swap, model.Rearrange)) for a in rule.does),
            rearranges,
            _finish_rank(rule),
            frozenset(action.kind for action in actions) - {ADD, SET},
            reach_of(actions),
            is_plain(rule, actions, self.slots),
            cards_for(rule, actions, self.slots),
            rule.name in self.calls,
            aims_of(rule, self.slots, self.code),
            demand_of(rule, self.slots, self.code),
            asks_for_counts(rule, self.slots),
            [None] * (self.slots.pack.size + 1),
        )

    def hidden(self, action: model.Action) -> bool:
        if isinstance(action, model.TurnUp):
            return True
        if isinstance(action, (model.Draw, model.Take)):
            return self.slots.zones[action.zone].seen_by in ("nobody", "top") and not (
                isinstance(action, model.Take)
                and action.what == "top"
                and action.count == 1
                and self.slots.zones[action.zone].seen_by == "top"
            )
        return False

    def phase(self, phase: model.Phase | None, name: str) -> int:
        if phase is None:
            return -1
        self.automata.append(None)
        number = len(self.automata) - 1
        self.automata[number] = build_automaton(phase, name, self.code, self.slots.moves, self.phase)
        return number

    def program(self) -> Program:
        sheet, slots, code = self.sheet, self.slots, self.code
        moves = tuple(self.move(number, rule) for number, rule in enumerate(sheet.moves))
        manners = sheet.manners
        zone_list = tuple(slots.zones.values())
        zone_number = {z.name: number for number, z in enumerate(zone_list)}
        turn = self.phase(sheet.turn, "turn")
        extras = tuple(
            ExtraProgram(
                e.name, code(e.when), code.players(e.players), self.phase(e.turn, f"round.extra-turns.{e.name}.turn")
            )
            for e in sheet.round.extra_turns
        )
        before_deal = self.phase(sheet.round.before_deal, "round.before-deal")
        after_round = self.phase(sheet.game.after_round, "game.after-round")
        time_up = self.phase(manners.time_up, "manners.time-up")
        limit = sheet.stock.at_most
        return Program(
            sheet_id=sheet.id,
            sheet_hash=sheet.hash,
            name=sheet.name,
            players=self.players,
            sides=self.sides,
            options=slots.options,
            pack=slots.pack,
            zones=zone_list,
            pile_count=self.pile_count,
            stock=slots.zones["stock"].slot,
            tallies=tuple(slots.tallies.values()),
            named=tuple(slots.named),
            named_in_deal=sum(1 << slots.named[line.named] for line in sheet.deal.lines if line.named),
            moves=moves,
            duties=tuple(self.duties),
            automatic=tuple(
                AutomaticProgram(a.name, code(a.when), compile_actions(a.does, slots, code)) for a in sheet.automatic
            ),
            automata=tuple(a for a in self.automata if a is not None),
            turn=turn,
            before_deal=before_deal,
            after_round=after_round,
            time_up=time_up,
            deal=tuple(
                DealProgram(zone_number[line.zone], code(line.count), slots.named[line.named] if line.named else -1)
                for line in sheet.deal.lines
            ),
            packets=sheet.deal.packets,
            renew=RENEWALS[sheet.stock.how],
            renew_from=slots.zones[sheet.stock.zone].slot if sheet.stock.zone in slots.zones else -1,
            renew_limit=code(limit) if limit is not None else None,
            starts=code.players(sheet.round.starts),
            next=code.players(sheet.round.next),
            next_dealer=code.players(sheet.round.next_dealer),
            endings=compile_endings(sheet.round.endings, slots, code),
            extras=extras,
            leaves=code(sheet.game.leaves) if sheet.game.leaves is not None else None,
            ends=code(sheet.game.ends),
            bonus=compile_lines(sheet.game.bonus, code),
            wins=code.players(sheet.game.wins),
            tie=TIES[sheet.game.tie],
            kind_names=tuple(k.name for k in sheet.melds),
            make_rules=rules_maker(slots, code),
            stop_after=self.stop_after,
            question=code(sheet.question) if sheet.question is not None else None,
            clock=code(manners.clock) if manners.clock is not None else None,
            warn={slots.moves[name]: code(expr) for name, expr in manners.warn if name in slots.moves},
            counted=counted_moves(slots, code),
            private=slots.moves.get(manners.private or "", -1),
            undo=slots.moves.get(manners.undo or "", -1),
            confirm=slots.moves.get(manners.confirm or "", -1),
            must=slots.moves.get(manners.must or "", -1),
            members=tuple(
                tuple(s for s in range(self.players) if s % self.sides == side) for side in range(self.sides)
            ),
        )


def _must_lay(expr: ex.Expr, slots: Slots) -> int:
    """The named card that must lie on the table, where a duty says just that."""
    if isinstance(expr, ex.IsIn) and isinstance(expr.thing, ex.Named) and isinstance(expr.container, ex.Table):
        return slots.named[expr.thing.name]
    return -1


def _finish_rank(rule: model.MoveRule) -> int:
    """Cheap and likely ways to end a turn first: putting a card away, nothing at all, a draw, then laying."""
    kinds = {type(action) for action in rule.does}
    if kinds & {model.LayMelds, model.LayOff, model.Swap, model.Rearrange}:
        return 3 if model.LayMelds not in kinds else 4
    if kinds & {model.Put}:
        return 0
    return 1 if kinds <= {model.Pass, model.Fold, model.Return} else 2


_NO_PACK: Any = None
