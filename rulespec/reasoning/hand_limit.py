"""How many cards a player can hold in his turn at most."""

from __future__ import annotations

from math import inf

from rulespec import model
from rulespec.model import Action, MoveRule, Phase, Rulesheet
from rulespec.reasoning.dealt import in_hand
from rulespec.reasoning.judge import Judge
from rulespec.reasoning.known import Known
from rulespec.reasoning.places import END, Turn, turn_of
from rulespec.reasoning.walk import inside


def most_in_hand(sheet: Rulesheet, judge: Judge, known: Known) -> float:
    """The cards dealt and what a turn can bring; infinite where a turn can leave a hand larger than it was."""
    dealt = in_hand(sheet, judge, known).high
    phases: list[Phase] = [sheet.turn, *(extra.turn for extra in sheet.round.extra_turns)]
    outside = any(True for phase in phases for _ in inside(phase, model.Window)) or bool(sheet.automatic)
    if outside or sheet.round.before_deal is not None:
        return inf
    moves = {move.name: move for move in sheet.moves}
    most = 0.0
    for phase in phases:
        during, after = _gains(turn_of(phase), {name: _gain(judge, move, known) for name, move in moves.items()})
        if after > 0:
            return inf
        most = max(most, during)
    return dealt + most


def _gain(judge: Judge, move: MoveRule, known: Known) -> float:
    return sum(_of(judge, action, known) for action in move.does)


def _of(judge: Judge, action: Action, known: Known) -> float:
    """How many cards an action brings to the hand at most."""
    match action:
        case model.Draw():
            return max(judge.number(action.count, known).high, 0)
        case model.Take():
            return action.count if action.what == "top" else 1 if action.what == "any" else inf
        case model.Put() if isinstance(action.count, int):
            return -action.count
        case model.Return():
            return -1
        case model.LayMelds(least=least) if least:
            return -1
        case model.LayOff() | model.Rearrange():
            return -1
    return 0


def _gains(turn: Turn, gain: dict[str, float]) -> tuple[float, float]:
    """The most cards gained at some moment of a turn, and at its end."""
    best = dict.fromkeys(range(len(turn.places)), -inf)
    for way in turn.starts:
        if way.target != END:
            best[way.target] = gain[turn.places[way.target].move]
    for number in range(len(turn.places) + 1):
        changed = False
        for place, ways in enumerate(turn.ways):
            for way in ways:
                if way.target == END:
                    continue
                sum_ = best[place] + gain[turn.places[way.target].move]
                if sum_ > best[way.target]:
                    best[way.target] = inf if number == len(turn.places) else sum_
                    changed = True
        if not changed:
            break
    stops = [best[place] for place, ways in enumerate(turn.ways) if any(way.target == END for way in ways)]
    stops += [0.0 for way in turn.starts if way.target == END]
    return max([0.0, *best.values()]), max([0.0, *stops]) if stops else 0.0
