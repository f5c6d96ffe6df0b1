"""What an opening asks for can be had: enough points, and enough cards for the groups of a contract."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf

from rulespec import expressions as ex
from rulespec import model
from rulespec.diagnostics import Diagnostic, Severity, counted
from rulespec.expressions import Expr
from rulespec.reasoning.hand_limit import most_in_hand
from rulespec.reasoning.known import Known, Setting, said
from rulespec.reasoning.numbers import exactly
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import conjuncts, disjuncts, reached

ROUNDS = 12


def check_openings(study: Study) -> list[Diagnostic]:
    """Compares what the `only` of laying moves asks for with the best hand of every table in every round."""
    sheet = study.sheet
    asked = [
        part
        for move in sheet.moves
        if any(isinstance(action, model.LayMelds) for action in move.does)
        for condition in move.only
        for part in conjuncts(condition.expr)
    ]
    found: dict[object, Diagnostic] = {}
    read = (tuple(asked), sheet.deal, sheet.deck, sheet.values)
    by_round = any(fact.name == "round" for fact in reached(sheet, read, ex.Fact))
    for setting in study.tables(*read) if asked else ():
        for known in _rounds(study, setting) if by_round else (setting.known(),):
            for diagnostic in (*_points(study, asked, setting, known), *_contract(study, asked, setting, known)):
                found.setdefault((diagnostic.code, diagnostic.span), diagnostic)
    return list(found.values())


def _rounds(study: Study, setting: Setting) -> Iterator[Known]:
    known = setting.known()
    for number in range(1, int(min(study.rounds(known).high, ROUNDS)) + 1):
        yield replace(known, round=exactly(number))


def _with(setting: Setting, known: Known) -> str:
    options = "".join(f", {name} = {said(value)}" for name, value in setting.options.items())
    round_ = known.round.exact
    players = counted(setting.players, "player")
    return f" (with {players}{options}{f', in round {round_}' if round_ and round_ > 1 else ''})"


# ------------------------------------------------------------ points


def _points(study: Study, asked: list[Expr], setting: Setting, known: Known) -> Iterator[Diagnostic]:
    for whole in asked:
        for part in disjuncts(whole):
            if isinstance(part, ex.Compare) and _is_played_points(part):
                yield from _too_many(study, part, whole is part, setting, known)


def _too_many(study: Study, part: ex.Compare, alone: bool, setting: Setting, known: Known) -> Iterator[Diagnostic]:
    """Whether the points are out of reach; a warning where the sheet has another way to open."""
    wanted = study.judge.number(part.right, known).low + (part.op == ">")
    best = _best_points(study, known)
    if wanted > best:
        message = f"{int(wanted)} points can never be reached: the best hand is worth {int(best)}"
        severity: Severity = "error" if alone else "warning"
        help = "ask for fewer points, or deal more cards"
        yield Diagnostic("opening-out-of-reach", severity, message + _with(setting, known), part.span, help)


def _is_played_points(part: Expr) -> bool:
    """`points of played >= N`"""
    if not isinstance(part, ex.Compare) or part.op not in (">=", ">", "="):
        return False
    return isinstance(part.left, ex.Points) and isinstance(part.left.of, ex.Played)


def _best_points(study: Study, known: Known) -> float:
    """What the dearest cards of the deck are worth in groups, as many of them as a hand can hold."""
    return study.judge.worth.most("melds", most_in_hand(study.sheet, study.judge, known), known)


# ------------------------------------------------------------ contracts


def _contract(study: Study, asked: list[Expr], setting: Setting, known: Known) -> Iterator[Diagnostic]:
    needed = 0.0
    groups: list[str] = []
    spans = []
    for part in asked:
        kind = _kind_counted(part)
        if kind is None:
            continue
        assert isinstance(part, ex.Compare)
        wanted = max(study.judge.number(part.right, known).low + (part.op == ">"), 0)
        size = next((k.cards.low for k in study.sheet.melds if k.name == kind), 0)
        needed += wanted * size
        groups += [f"{int(wanted)} {kind}{'' if wanted == 1 else 's'}"] if wanted else []
        spans.append(part.span)
    most = most_in_hand(study.sheet, study.judge, known) if groups else inf
    if needed > most:
        message = f"{' and '.join(groups)} take {int(needed)} cards, but a hand has {int(most)} at most"
        help = "ask for less, or deal more cards"
        yield Diagnostic("opening-out-of-reach", "error", message + _with(setting, known), spans[0], help)


def _kind_counted(part: Expr) -> str | None:
    """The kind in `number of KINDs in played = N`."""
    match part:
        case ex.Compare(
            op="=" | ">=" | ">",
            left=ex.Count(of=ex.Select(things=ex.GroupsIn(of=ex.Played()), condition=ex.IsKind(of=ex.It(), kind=kind))),
        ):
            return kind
    return None
