"""Nodes of a story where a turn can neither go on nor stop.

A node is *stuck* if the turn may not stop there and no move leads on: each is refused for certain, needs cards that may
not be there, or leads only to stuck nodes. A player does not walk into one knowingly, for a move after which the turn
cannot be finished is not legal. So a stuck node counts where a turn begins in it or a drawn card leads to it.
"""

from __future__ import annotations

from rulespec import model
from rulespec.expressions import And, Type
from rulespec.model import Rulesheet
from rulespec.reasoning.contradiction import contradict, opposite
from rulespec.reasoning.judge import Judge
from rulespec.reasoning.known import Known
from rulespec.reasoning.story import Node, Stand, Step, Story, in_order
from rulespec.reasoning.walk import inside


def stuck_nodes(sheet: Rulesheet, judge: Judge, story: Story) -> list[Node]:
    """The stuck nodes that a turn can come to; where moves lead on to other stuck nodes, those."""
    drawing = _drawing(sheet)
    stuck = _stuck(story, drawing, judge)
    return sorted(_roots(story, _met(story, stuck, drawing)), key=in_order)


def _drawing(sheet: Rulesheet) -> set[str]:
    """Moves that bring hidden cards."""
    return {
        move.name
        for move in sheet.moves
        if any(True for _ in inside(move.does, model.TurnUp))
        or any(d.zone == "stock" for d in inside(move.does, model.Draw))
    }


def _stuck(story: Story, drawing: set[str], judge: Judge) -> set[Node]:
    stuck: set[Node] = set()
    while True:
        new = {
            node
            for node, stand in story.stands.items()
            if node not in stuck
            and not stand.may_stop
            and not any(_leads_on(s, stuck, drawing) for s in _own(story, node, stand))
            and _may_all_fail(_own(story, node, stand), judge)
        }
        if not new:
            return stuck
        stuck |= new


def _own(story: Story, node: Node, stand: Stand) -> list[Step]:
    """The moves that decide whether the turn goes on: what others may do in a window only where nothing else can be."""
    turn = story.turns[node.turn]
    own = [step for step in stand.steps if all(turn.places[place].window == 0 for place in step.places)]
    return own or stand.steps


def _leads_on(step: Step, stuck: set[Node], drawing: set[str]) -> bool:
    if step.verdict != "open":
        return False
    return step.over or step.move in drawing or any(node not in stuck for node in step.outcomes)


def _may_all_fail(steps: list[Step], judge: Judge) -> bool:
    """Whether the conditions about the worth of cards can fail together: `points of hand <= 10` and `> 10` cannot."""
    doubted = [step.doubts for step in steps if step.doubts]
    failing = [opposite(And(span=d[0].span, type=Type.TRUTH, parts=tuple(c.expr for c in d))) for d in doubted]
    return not contradict(failing, judge, Known())


def _met(story: Story, stuck: set[Node], drawing: set[str]) -> list[Node]:
    """The stuck nodes that a turn can come to."""
    seen = set(story.beginnings)
    todo = list(story.beginnings)
    while todo:
        for step in story.stands[todo.pop()].steps:
            for node in step.outcomes:
                if node not in seen and (node not in stuck or step.move in drawing):
                    seen.add(node)
                    todo.append(node)
    return [node for node in seen if node in stuck]


def _roots(story: Story, met: list[Node]) -> set[Node]:
    """Where the stuck nodes that were met lead to, as far as a move leads on at all."""
    roots: set[Node] = set()
    seen, todo = set(met), list(met)
    while todo:
        node = todo.pop()
        steps = [step for step in _own(story, node, story.stands[node]) if step.verdict == "open"]
        if not steps:
            roots.add(node)
        for outcome in (outcome for step in steps for outcome in step.outcomes):
            if outcome not in seen:
                seen.add(outcome)
                todo.append(outcome)
    return roots
