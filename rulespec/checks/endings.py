"""Every ending can hold, endings that may hold at once are asked about, and a round comes to an end."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import expressions as ex
from rulespec import model
from rulespec.diagnostics import Diagnostic
from rulespec.model import Ending
from rulespec.reasoning.contradiction import contradict
from rulespec.reasoning.dealt import in_hand
from rulespec.reasoning.known import Known
from rulespec.reasoning.story import Node, Story, in_order
from rulespec.reasoning.study import Study, Told
from rulespec.reasoning.walk import inside, reached
from rulespec.source import Span


def check_endings(study: Study) -> list[Diagnostic]:
    """Reads off the stories when endings may hold."""
    return [
        *_over_at_once(study),
        *_never(study),
        *_together(study),
        *_nobody(study),
        *_passing_for_ever(study),
    ]


def _over_at_once(study: Study) -> Iterator[Diagnostic]:
    nothing_dealt = in_hand(study.sheet, study.judge, Known(players=study.players)).high <= 0
    if nothing_dealt or all(told.story.beginnings for told in study.stories):
        return
    names = set().union(*(told.story.at_once for told in study.stories))
    for ending in study.sheet.round.endings:
        if ending.name in names:
            message = f'the round ends by "{ending.name}" as soon as it is dealt, before anybody plays'
            help = "say when it is recognised: `turn is over`, or after which move"
            yield Diagnostic("over-at-once", "error", message, ending.span, help)


def _never(study: Study) -> Iterator[Diagnostic]:
    held = {name for told in study.loose_stories for name in told.story.holding}
    cut_short = any(told.stuck or not told.story.beginnings for told in (*study.stories, *study.loose_stories))
    for ending in study.sheet.round.endings if not cut_short else ():
        if ending.name in held or not _own(study, ending) or _asks_for_unmade_move(study, ending):
            continue
        message, help = f'no round ever ends by "{ending.name}": no turn comes to a position in which it holds', ""
        if any(ending.name in told.story.masked for told in study.loose_stories):
            message = f'no round ever ends by "{ending.name}": where it holds, an ending before it holds too'
            help = "make it a special case by `within`, or write it before the other"
        notes = tuple((condition.span, "its condition") for condition in ending.when)
        yield Diagnostic("ending-never", "error", message, ending.span, help, notes)


def _asks_for_unmade_move(study: Study, ending: Ending) -> bool:
    """Whether it waits for a move that is never made, which is a mistake of that move."""
    made = {
        told.story.turns[turn].places[place].move for told in study.loose_stories for turn, place in told.story.made
    }
    waits = inside(tuple(condition.expr for condition in ending.when), ex.Expr)
    return any(isinstance(part, ex.After | ex.Times) and part.move not in made for part in waits)


def _own(study: Study, *endings: Ending) -> bool:
    return study.own(*(span for e in endings for span in (e.span, *(condition.span for condition in e.when))))


def _together(study: Study) -> Iterator[Diagnostic]:
    endings = {ending.name: ending for ending in study.sheet.round.endings}
    order = list(endings)
    pairs = {pair for told in study.stories for pair in told.story.together}
    held = {name for told in study.loose_stories for name in told.story.holding}
    for told in study.stories:
        pairs |= {(one, two) for two, ones in told.story.masked.items() for one in ones if two in held}
    for one, two in sorted(pairs, key=lambda pair: (order.index(pair[0]), order.index(pair[1]))):
        first, second = endings[one], endings[two]
        if first.within != second.within or not _own(study, first, second):
            continue
        if contradict([c.expr for c in (*first.when, *second.when)], study.judge, Known(loose=True)):
            continue
        message = f'can "{one}" and "{two}" hold at once? then "{one}" counts, because it stands first'
        help = "if that is right, nothing is to be done; else write the other first, or make one `within` the other"
        yield Diagnostic("endings-meet", "question", message, second.span, help, ((first.span, "stands first"),))


def _nobody(study: Study) -> Iterator[Diagnostic]:
    """Asks of nothing where winners are never read."""
    endings = [ending for ending in study.sheet.round.endings if not ending.void]
    if not endings or not all(isinstance(e.wins, ex.People) and e.wins.role == "nobody" for e in endings):
        return
    wins = study.sheet.game.wins
    if any(people.role == "winners" for people in reached(study.sheet, wins, ex.People)):
        message = "nobody ever wins: the winners of the game are those of the round, and every ending has none"
        yield Diagnostic("nobody-wins", "error", message, wins.span, "say who wins a round: `wins: ender`")


# ------------------------------------------------------------ rounds without an end

IDLE = (model.Pass, model.Add, model.SetTally)


def _passing_for_ever(study: Study) -> Iterator[Diagnostic]:
    """Whether a whole turn may be passed in a position in which no ending can then hold."""
    idle = {move.name for move in study.sheet.moves if all(isinstance(action, IDLE) for action in move.does)}
    for told in study.stories:
        for node in sorted(told.story.beginnings, key=in_order):
            moves = None if node.turn else _passed(told.story, node, idle)
            if not moves or not _passed_late(study, told, idle):
                continue
            dry = ", when the stock is dry," if node.position.piles.stock == "dry" else ""
            message = f'{dry.removeprefix(", ")} everybody may "{moves}" turn after turn, and no ending then holds'
            span = _item(told.story, moves)
            help = "add an ending: `idle-turns = players-left`, or `turn is over and stock is dry`"
            if study.own(span, *(ending.span for ending in study.sheet.round.endings)):
                yield Diagnostic("round-goes-on", "warning", message.strip(), span, help)
                return


def _passed_late(study: Study, told: Told, idle: set[str]) -> bool:
    """Whether a whole turn may still be passed after many turns."""
    late = study.late_story(told)
    return any(_passed(late, node, idle) for node in late.beginnings if not node.turn)


def _passed(story: Story, begin: Node, idle: set[str]) -> str:
    """The idle move by which a turn can be over with everything as it was, or an empty text."""
    todo: list[tuple[Node, str]] = [(begin, "")]
    seen = {begin}
    while todo:
        node, move = todo.pop()
        stand = story.stands[node]
        if move and stand.may_stop and not stand.endings:
            return move
        for step in stand.steps:
            if step.move not in idle or step.verdict == "never" or step.over or step.endings:
                continue
            for outcome in step.outcomes:
                if outcome not in seen and outcome.position == begin.position:
                    seen.add(outcome)
                    todo.append((outcome, step.move))
    return ""


def _item(story: Story, move: str) -> Span:
    return next(place.item.span for place in story.turns[""].places if place.move == move)
