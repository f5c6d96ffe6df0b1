"""No turn comes to a place where a move is due and none is legal."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.diagnostics import Diagnostic, Severity
from rulespec.reasoning.known import said
from rulespec.reasoning.position import Position
from rulespec.reasoning.story import START, Node, Step, Story
from rulespec.reasoning.study import Study, Told
from rulespec.source import Span

Where = tuple[str, frozenset[int]]

DRY, EMPTY_HAND = "when the stock is dry", "with an empty hand"
FEATURES: dict[str, Callable[[Position], bool]] = {
    DRY: lambda p: p.piles.stock == "dry",
    "with no card on the discards": lambda p: p.piles.discards == 0,
    EMPTY_HAND: lambda p: p.you.hand == 0,
    "with one card in hand": lambda p: p.you.hand == 1,
    "before opening": lambda p: p.you.opened == "no",
}


def check_dead_ends(study: Study) -> list[Diagnostic]:
    """Tells each place of the turn where a story is stuck, once."""
    found: dict[Where, Diagnostic] = {}
    for told in study.stories:
        met: dict[Where, list[Node]] = {}
        for node in told.stuck:
            met.setdefault((node.turn, node.at), []).append(node)
        for where, nodes in met.items():
            if where not in found:
                found[where] = _tell(study, told, where, nodes)
    return list(found.values())


# ------------------------------------------------------------ telling


def _tell(study: Study, told: Told, where: Where, nodes: list[Node]) -> Diagnostic:
    turn, at = where
    story = told.story
    steps = [step for node in nodes for step in story.stands[node].steps]
    names = list(dict.fromkeys(step.move for step in steps))
    refused = list(dict.fromkeys(c for step in steps if step.verdict == "never" for c in step.refused))
    luck = list(dict.fromkeys(step.move for step in steps if step.verdict == "chance"))
    when = _when(nodes, [node for node in story.stands if (node.turn, node.at) == where and node not in nodes])
    message = f"{_place(story, where)}{when} there may be no legal move: {_reasons(names, luck)}"
    notes = tuple((c.span, f"refuses it: {c.path}") for c in refused)
    options = [f"{name} = {said(value)}" for name, value in told.options.items()]
    if options and len(study.stories) > 1:
        message += f" (with {' and '.join(options)})"
    span, whole = _span(story, turn, at, steps), story.turns[turn].phase.span
    if not study.own(span) and study.own(whole):
        notes = ((span, "offered here"), *notes)
        span = whole
    severity: Severity = "warning" if any(step.doubts for step in steps) else "error"
    return Diagnostic("dead-end", severity, message, span, _help(when, luck), notes)


def _place(story: Story, where: Where) -> str:
    turn, at = where
    name = f'the extra turn "{turn}"' if turn else "a turn"
    if at == START:
        return f"where {name} begins"
    last = next(story.turns[turn].places[place].move for place in at)
    return f'after "{last}"' + (f" in {name}" if turn else "")


def _when(nodes: list[Node], others: list[Node]) -> str:
    """What is special about the positions of these nodes."""
    said: list[str] = []
    for text, holds in FEATURES.items():
        here = [holds(node.position) for node in nodes]
        if all(here) and not all(holds(node.position) for node in others):
            said.append(text)
    return (", " + " and ".join(said) + ",") if said else ""


def _reasons(names: list[str], luck: list[str]) -> str:
    if not names:
        return "nothing is offered"
    refused = [name for name in names if name not in luck]
    parts = [f"{_list(refused)} {'is' if len(refused) == 1 else 'are'} refused"] if refused else []
    parts += [f"{_list(luck)} {'needs' if len(luck) == 1 else 'need'} cards that fit"] if luck else []
    return ", ".join(parts)


def _list(names: list[str]) -> str:
    quoted = [f'"{name}"' for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _help(when: str, luck: list[str]) -> str:
    if DRY in when:
        return (
            "offer `pass` there (legal when the stock is dry), or add an ending such as `turn is over and stock is dry`"
        )
    if EMPTY_HAND in when:
        return "add an ending such as `hand is empty`"
    if luck:
        return "offer something else beside it, or put `may` before it"
    return "offer a move that is legal then, or let the turn stop there (`may`)"


def _span(story: Story, turn: str, at: frozenset[int], steps: list[Step]) -> Span:
    """The moves that are offered, else the last move, else the whole phrase."""
    automaton = story.turns[turn]
    places = [place for step in steps for place in step.places] or list(at)
    spans = sorted({automaton.places[place].item.span for place in places}, key=lambda span: (span.line, span.column))
    if not spans:
        return automaton.phase.span
    first, last = spans[0], spans[-1]
    if (first.file, first.line) == (last.file, last.line):
        return Span(first.file, first.line, first.column, last.end_line, last.end_column)
    return first
