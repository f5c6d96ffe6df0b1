"""Turn phrases: parse tree to the phases of the model, and what may not be in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from lark import Token, Tree

from rulespec.diagnostics import did_you_mean
from rulespec.elaborate.expr import want
from rulespec.elaborate.scope import Phrase, Scope, pick, token
from rulespec.expressions import Expr, Type
from rulespec.model import UNBOUNDED, Choice, MoveItem, Phase, PhaseItem, Repeat, Sequence, Window

WINDOWS = {
    "each_other": "each other",
    "first_other": "first other",
    "next_player": "next",
    "partner": "partner",
    "each_whose": "each whose",
}


class PhaseMaker:
    """Makes the phases of one phrase. `phase_of` gives what a named phase stands for: None where its phrase holds a
    mistake, and the phrase's own name where the phase would contain itself."""

    def __init__(self, p: Phrase, phase_of: Callable[[str], Phase | str | None]) -> None:
        self.p = p
        self.phase_of = phase_of

    def phase(self, tree: Tree[Token], scope: Scope) -> Phase | None:
        """None where a mistake was reported."""
        steps = []
        for step in tree.children:
            assert isinstance(step, Tree)
            body = self._alternatives(pick(step, 0), scope)
            guard = None if step.children[1] is None else want(self.p, step.children[1], scope, Type.TRUTH)
            steps.append((body, guard))
        made = tuple((body, guard) for body, guard in steps if body is not None)
        if len(made) < len(steps):
            return None
        if len(made) == 1 and made[0][1] is None:
            return made[0][0]
        return Sequence(span=self.p.span(tree), steps=made)

    def _alternatives(self, tree: Tree[Token], scope: Scope) -> Phase | None:
        items = [self._item(child, scope) for child in tree.children if isinstance(child, Tree)]
        if len(items) == 1:
            return items[0]
        for child, item in zip(tree.children, items, strict=True):
            if item is None:
                continue
            if may_be_empty(item):
                help_ = 'put "may" around the whole choice, or restrict the move by its "if"'
                self.p.report(child, "empty-alternative", 'an alternative of "or" may not be empty', help_)
            elif _begins_with_if(item):
                help_ = 'give its move an "if" instead'
                self.p.report(child, "empty-alternative", 'an alternative of "or" may not begin with an "if"', help_)
        made = tuple(item for item in items if item is not None)
        return Choice(span=self.p.span(tree), items=made) if len(made) == len(items) else None

    def _item(self, tree: Tree[Token], scope: Scope) -> Phase | None:
        if tree.data == "move":
            return self._name(token(tree, 0))
        if tree.data == "group":
            return self.phase(pick(tree, 0), scope)
        if tree.data == "by_others":
            return self._window(tree, scope)
        counts = {"may": (0, 1), "repeat": (0, UNBOUNDED)}
        if tree.data in counts:
            least, most = counts[tree.data]
        else:
            most = int(token(tree, 0))
            least = most if tree.data == "exactly" else 0
            if most == 0:
                self.p.report(token(tree, 0), "empty-alternative", '"0 times" is nothing to do')
        item = self._item(pick(tree, -1), scope)
        return None if item is None else Repeat(span=self.p.span(tree), item=item, least=least, most=most)

    def _name(self, word: Token) -> Phase | None:
        names, span = self.p.names, self.p.span(word)
        if word in names.moves:
            return MoveItem(span=span, name=str(word))
        if word not in names.phases:
            known = names.moves | names.phases | names.unreached_moves
            help_ = did_you_mean(word, known) or ('put "may" before what can be left out' if word == "nothing" else "")
            self.p.report(word, "unknown-word", f'no move or phase "{word}"', help_)
            return None
        body = self.phase_of(str(word))
        if isinstance(body, str):
            self.p.report(word, "phase-contains-itself", f'phase "{body}" contains itself')
            return None
        return None if body is None else PhaseItem(span=span, name=str(word), body=body)

    def _window(self, tree: Tree[Token], scope: Scope) -> Phase | None:
        seats = pick(tree, 0)
        asked = replace(scope, you=True, subject=True)
        whose = want(self.p, seats.children[0], asked, Type.TRUTH) if seats.data == "each_whose" else None
        item = self._item(pick(tree, 1), asked)
        if item is None:
            return None
        who = WINDOWS[seats.data]
        return Window(span=self.p.span(tree), who=who, whose=whose, item=item)  # type: ignore[arg-type]


def guards(phase: Phase) -> Iterator[Expr]:
    """The conditions of the steps and windows of a phrase, without those of phases it names."""
    match phase:
        case Sequence(steps=steps):
            for step, guard in steps:
                yield from guards(step)
                if guard is not None:
                    yield guard
        case Choice(items=items):
            for item in items:
                yield from guards(item)
        case Repeat(item=item):
            yield from guards(item)
        case Window(whose=whose, item=item):
            yield from guards(item)
            if whose is not None:
                yield whose


def may_be_empty(phase: Phase) -> bool:
    """Whether a phase can be over without a move. A window is asked of others and counts as something."""
    match phase:
        case PhaseItem(body=body):
            return may_be_empty(body)
        case Sequence(steps=steps):
            return all(guard is not None or may_be_empty(step) for step, guard in steps)
        case Choice(items=items):
            return any(may_be_empty(item) for item in items)
        case Repeat(item=item, least=least):
            return least == 0 or may_be_empty(item)
        case _:
            return False


def _begins_with_if(phase: Phase) -> bool:
    match phase:
        case PhaseItem(body=body):
            return _begins_with_if(body)
        case Sequence(steps=steps):
            return steps[0][1] is not None or _begins_with_if(steps[0][0])
        case _:
            return False
