"""Every move of a turn can be made somewhere, and the turn comes to every move."""

from __future__ import annotations

from rulespec.diagnostics import Diagnostic
from rulespec.model import Condition, MoveItem
from rulespec.reasoning.study import Study
from rulespec.source import Span


def check_never_legal(study: Study) -> list[Diagnostic]:
    """Looks for moves of the phrases that no story makes.

    Options of one value are taken as open. A turn with a dead end is left out, because it is cut short there.
    """
    found: list[Diagnostic] = []
    stories = [told.story for told in study.loose_stories]
    if not all(story.beginnings for story in stories):
        return []
    stuck = {node.turn for told in (*study.stories, *study.loose_stories) for node in told.stuck}
    for turn, automaton in stories[0].turns.items():
        if turn in stuck:
            continue
        if not any(node.turn == turn for story in stories for node in story.beginnings):
            if not stuck and study.own(automaton.phase.span):
                message = "no such turn is ever taken: the round is over before, or its condition never holds"
                found.append(Diagnostic("never-legal", "error", message, automaton.phase.span))
            continue
        items: dict[Span, MoveItem] = {}
        made: set[Span] = set()
        refused: dict[Span, set[Condition]] = {}
        for number, place in enumerate(automaton.places):
            span = place.item.span
            items[span] = place.item
            for story in stories:
                if (turn, number) in story.made:
                    made.add(span)
                if (turn, number) in story.refused:
                    refused.setdefault(span, set()).update(story.refused[turn, number])
        found += _never(study, [item for span, item in items.items() if span not in made], refused)
    return found


def _never(study: Study, items: list[MoveItem], refused: dict[Span, set[Condition]]) -> list[Diagnostic]:
    """What refuses moves that are offered is told; else that nothing comes to them."""
    offered = [item for item in items if item.span in refused]
    found: list[Diagnostic] = []
    for item in offered or items:
        why = sorted(refused.get(item.span, ()), key=lambda c: (c.span.file, c.span.line, c.span.column))
        if not study.own(item.span, *(condition.span for condition in why)):
            continue
        notes = tuple((condition.span, f"refuses it: {condition.path}") for condition in why)
        if not offered:
            message = f'the turn never comes to "{item.name}"'
            help = "the `if` of the step before it never holds, or a move before it is never legal"
            found.append(Diagnostic("never-legal", "error", message, item.span, help))
        elif len(why) == 1:
            message = f'"{item.name}" is never legal: in every position the turn can come to this fails'
            notes = ((item.span, "offered here"),)
            found.append(Diagnostic("never-legal", "error", message, why[0].span, "", notes))
        elif why:
            message = f'"{item.name}" is never legal here: in every position the turn can come to it is refused'
            found.append(Diagnostic("never-legal", "error", message, item.span, "", notes))
        else:
            message = f'"{item.name}" is never legal here: there are never the cards for it'
            found.append(Diagnostic("never-legal", "error", message, item.span))
    return found
