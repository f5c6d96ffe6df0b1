"""A game comes to an end, at the right side of the scores, also when it is tied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf

from rulespec import expressions as ex
from rulespec.diagnostics import Diagnostic
from rulespec.expressions import Expr
from rulespec.reasoning.known import Known, Setting, said
from rulespec.reasoning.numbers import Between
from rulespec.reasoning.scores import given, reads_score, score_bounds
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import inside, reached


def check_game_end(study: Study) -> list[Diagnostic]:
    """Judges `game.ends` by the bounds of scores, with every choice of the options it reads."""
    game = study.sheet.game
    found: dict[str, Diagnostic] = {}
    for setting in study.tables(game.ends, game.wins, game.leaves):
        known = setting.known()
        known = replace(known, score=score_bounds(study.sheet, study.judge, known))
        leaves = game.leaves
        known = replace(known, leaving=leaves is not None and study.judge.truth(leaves, known) is not False)
        for diagnostic in (*_ending(study, setting, known), *_tie(study, setting, known), *_side(study, known)):
            found.setdefault(diagnostic.code, diagnostic)
    return [*found.values(), *_open_ended(study), *_idle_tie(study)]


def _ending(study: Study, setting: Setting, known: Known) -> Iterator[Diagnostic]:
    ends = study.sheet.game.ends
    holds = study.judge.truth(ends, known)
    if holds is False:
        message = f"the game never ends{_with(setting)}: this never holds"
        yield Diagnostic("game-never-ends", "error", message, ends.span, _scores(known) if reads_score(ends) else "")
    if holds and reads_score(ends):
        message = f"the game ends after its first round{_with(setting)}: this always holds"
        yield Diagnostic("game-ends-at-once", "warning", message, ends.span, _scores(known))


def _with(setting: Setting) -> str:
    options = [f"{name} = {said(value)}" for name, value in setting.options.items()]
    return f" with {' and '.join(options)}" if options else ""


def _scores(known: Known) -> str:
    """What scores there can be, in words."""
    score = known.score
    if score is None or (score.low == -inf and score.high == inf):
        return ""
    if score == Between(0, 0):
        return "no line of `scores` ever gives a point: every score stays 0"
    if score.high == inf:
        return f"no score is ever below {int(score.low)}"
    return f"no score is ever above {int(score.high)}"


def _tie(study: Study, setting: Setting, known: Known) -> Iterator[Diagnostic]:
    """Whether another round after a tie leaves a game that has passed its last round."""
    if study.sheet.game.tie != "another round":
        return
    last = study.last_round(known)
    if last == inf:
        return
    later = replace(known, round=Between(last + 1, inf), score=None)
    ends = study.sheet.game.ends
    if study.judge.truth(ends, later) is False:
        message = f"after a tie in round {int(last)} the game never ends{_with(setting)}: this holds in no later round"
        notes = ((study.key("game", "tie"), "a tie means another round"),)
        yield Diagnostic("tie-never-ends", "error", message, ends.span, f"write `round >= {int(last)}`", notes)


# ------------------------------------------------------------ the right side


def _side(study: Study, known: Known) -> Iterator[Diagnostic]:
    """Whether the points only ever go to those whom `game.wins` makes lose."""
    best = _best(study, known)
    if best is None:
        return
    gifts = [gift for gift in given(study.sheet, study.judge, known) if gift.points != Between(0, 0)]
    if not gifts or any(gift.paid or gift.points.low < 0 for gift in gifts):
        return
    to_losers = all(_are(gift.line.players, "losers") for gift in gifts)
    to_winners = all(_are(gift.line.players, "winners") for gift in gifts)
    notes = ((gifts[0].line.players.span, "points are given here"),)
    if best.most and to_losers:
        message = "only losers of a round are given points, but the most points win the game"
        yield Diagnostic("wrong-side", "warning", message, best.span, "should it be `with least score`?", notes)
    if not best.most and to_winners:
        message = "only winners of a round are given points, but the least points win the game"
        yield Diagnostic("wrong-side", "warning", message, best.span, "should it be `with most score`?", notes)


def _best(study: Study, known: Known) -> ex.Ranked | None:
    """`everyone with most score`, where that is what wins the game."""
    wins: Expr = study.chosen(study.sheet.game.wins, known)
    if isinstance(wins, ex.Ranked) and isinstance(wins.by, ex.PlayerFact) and wins.by.name == "score":
        return wins
    return None


def _are(players: Expr, role: str) -> bool:
    match players:
        case ex.People():
            return players.role == role
        case ex.Person(role="ender"):
            return role == "winners"
        case ex.Select(things=things) | ex.Except(players=things):
            return _are(things, role)
    return False


# ------------------------------------------------------------ questions


def _open_ended(study: Study) -> Iterator[Diagnostic]:
    ends = study.sheet.game.ends
    for fact in inside(ends, ex.Fact):
        if fact.name == "stopped" and study.own(ends.span):
            message = "the game goes on until the table stops it: is that meant?"
            help = "a simulation then plays a number of rounds that it is told"
            yield Diagnostic("open-ended", "question", message, fact.span, help)


def _idle_tie(study: Study) -> Iterator[Diagnostic]:
    """Asks for what a tie rule of a round is there, where nothing reads who won it."""
    sheet = study.sheet
    lines = [(line.players, line.to, line.amounts) for ending in sheet.round.endings for line in ending.scores]
    bonus = [(line.players, line.to, line.amounts) for line in sheet.game.bonus]
    parts = (lines, bonus, sheet.round.next_dealer, sheet.round.starts, sheet.game)
    readers = (tuple(lines), tuple(bonus), *parts[2:], tuple(ending.does for ending in sheet.round.endings))
    if any(people.role in ("winners", "losers") for people in reached(sheet, readers, ex.People)):
        return
    if any(fact.name == "rounds-won" for fact in reached(sheet, readers, ex.PlayerFact)):
        return
    told: set[object] = set()
    for ending in sheet.round.endings:
        wins = ending.wins
        if isinstance(wins, ex.Ranked) and wins.ties and study.own(wins.span) and wins.span not in told:
            told.add(wins.span)
            message = "this tie rule changes nothing: no score, bonus or winner of the game reads who won the round"
            yield Diagnostic("idle-tie", "question", message, wins.span, "is `game.tie` or `game.wins` meant?")
