"""How much a phrase comes to once every definition, table and phase in it is written out: so much is worked out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lark import Token, Tree

from rulespec.diagnostics import Diagnostic
from rulespec.parser import ParseTree
from rulespec.reader import Text
from rulespec.written import Parsed, Thing, Written

MAX_CHAIN = 20
"""So many definitions, tables or phases may stand one within another."""
MAX_NAMES = 2000
"""So many names may stand in a phrase that is written out."""
MAX_LOOPS = 4
"""So often may one thing after another be looked at for each of many."""
LOOPS = frozenset(("aggregate", "card_whose", "count_of", "players_have", "quantified", "ranked", "whose"))


@dataclass(frozen=True, slots=True)
class Extent:
    """Of something written out: how many names it holds, how long its longest chain and how deep its loops are."""

    names: int = 1
    chain: int = 0
    loops: int = 0


def too_much(parsed: Parsed, declared: Mapping[Thing, Text], order: Sequence[Thing]) -> list[Diagnostic]:
    """What comes to more than the limits; the first such thing only, for those that use it come to more still.

    `order` are the definitions, tables and phases, each after those it needs.
    """
    by_owner: dict[Thing | None, list[Written]] = {}
    for phrase in parsed.phrases:
        by_owner.setdefault(phrase.owner, []).append(phrase)
    known: dict[Thing, Extent] = {}
    for thing in order:
        parts = [_extent(phrase, parsed.tree(phrase.text), known) for phrase in by_owner.get(thing, ())]
        known[thing] = Extent(
            sum(part.names for part in parts),
            1 + max((part.chain for part in parts), default=0),
            max((part.loops for part in parts), default=0),
        )
        message = _excess(known[thing], f'"{thing[1]}"')
        if message:
            return [Diagnostic("phrase-too-long", "error", message, declared[thing].span)]
    for phrase in parsed.phrases:
        if phrase.owner not in known:
            message = _excess(_extent(phrase, parsed.tree(phrase.text), known), "the phrase")
            if message:
                return [Diagnostic("phrase-too-long", "error", message, phrase.text.span)]
    return []


def _excess(extent: Extent, what: str) -> str:
    if extent.chain > MAX_CHAIN + 1:
        return f"{what} needs more than {MAX_CHAIN} others, one within another"
    if extent.names > MAX_NAMES:
        return f"{what} comes to more than {MAX_NAMES} names when those it needs are written out"
    if extent.loops > MAX_LOOPS:
        return f"{what} goes through things one by one more than {MAX_LOOPS} deep, names written out"
    return ""


def _extent(phrase: Written, tree: ParseTree | None, known: Mapping[Thing, Extent]) -> Extent:
    names = chain = loops = 0
    for word, depth in _words(tree):
        loops = max(loops, depth)
        heads = ("phases",) if phrase.start == "phase" else ()
        for thing in ((head, word) for head in (*heads, "define", "tables")):
            part = known.get(thing, Extent(0))
            names, chain, loops = names + part.names, max(chain, part.chain), max(loops, depth + part.loops)
        names += 1
    return Extent(names, chain, loops)


def _words(tree: ParseTree | None) -> Iterator[tuple[str, int]]:
    """The names in a phrase, each with the loops around it."""
    todo: list[tuple[ParseTree, int]] = [] if tree is None else [(tree, 0)]
    while todo:
        node, depth = todo.pop()
        depth += node.data in LOOPS
        for child in node.children:
            if isinstance(child, Tree):
                todo.append((child, depth))
            elif isinstance(child, Token) and child.type == "NAME":
                yield str(child), depth
