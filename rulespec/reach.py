"""What a sheet declares and what of it is reached from the turn, the endings, the scores and other working phrases.

What an ancestor declares and nothing reaches is dropped silently; what the sheet itself writes and nothing reaches is
a mistake, and so are two things of one name and names that are words of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from lark import Token

from rulespec.diagnostics import Diagnostic, did_you_mean, nearest
from rulespec.parser import ParseTree
from rulespec.reader import Text
from rulespec.schema import RawSheet
from rulespec.source import Span
from rulespec.vocabulary import PREDICATES, RESERVED, ZONES
from rulespec.written import Head, Parsed, Thing, Written, table_name
from rulespec.written_out import too_much

WHAT: dict[Head, str] = {
    "options": "option",
    "tables": "table",
    "zones": "zone",
    "tallies": "tally",
    "define": "definition",
    "moves": "move",
    "phases": "phase",
}
PHASE_THINGS = ("moves", "phases")
"""What only turn phrases reach."""
CHAINED = ("define", "tables", "phases")
"""What is worked out by way of others."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The declared things that are reached."""

    kept: frozenset[Thing]
    order: tuple[Thing, ...]
    """The definitions, tables and phases among them, each after those it needs."""
    circular: frozenset[Thing]
    """Those that need themselves: where such a circle is closed."""
    unreached: frozenset[str]
    """The names of everything else that is declared."""

    def names(self, head: Head) -> frozenset[str]:
        return frozenset(name for section, name in self.kept if section == head)


def reach(raw: RawSheet, parsed: Parsed) -> tuple[Reached, list[Diagnostic]]:
    """Everything reached, and what the sheet itself writes in vain.

    Nothing is called unreached where a phrase is empty that might reach it: its mistake was reported before.
    """
    declared = _declared(raw)
    by_name: dict[str, list[Thing]] = {}
    for thing in declared:
        by_name.setdefault(thing[1], []).append(thing)
    uses: dict[Thing | None, set[Thing]] = {}
    for phrase in parsed.phrases:
        found = _uses(phrase, parsed.tree(phrase.text), by_name)
        uses.setdefault(phrase.owner, set()).update(found)
    kept = _follow([*uses.get(None, ()), *(("zones", str(zone)) for zone in raw.deal.zones)], declared, uses)
    order, circular = _in_order(kept, uses)
    whole = all(phrase.text for phrase in parsed.phrases)
    meant = _follow(_perhaps_meant(raw, parsed, declared, kept), declared, uses)
    problems = _unreached(raw, parsed, declared, kept | meant) if whole else []
    problems += too_much(parsed, declared, order)
    unreached = frozenset(name for head, name in declared if (head, name) not in kept)
    return Reached(frozenset(kept), order, circular, unreached), problems


def _follow(
    first: Iterable[Thing], declared: Mapping[Thing, Text], uses: Mapping[Thing | None, set[Thing]]
) -> set[Thing]:
    """These things and all that they use, directly or by way of others."""
    found: set[Thing] = set()
    todo = list(first)
    while todo:
        thing = todo.pop()
        if thing in declared and thing not in found:
            found.add(thing)
            todo += uses.get(thing, ())
    return found


def _in_order(kept: set[Thing], uses: Mapping[Thing | None, set[Thing]]) -> tuple[tuple[Thing, ...], frozenset[Thing]]:
    """The chained things so that each comes after those it uses, and where circles were cut for it."""
    order: dict[Thing, None] = {}
    circular: set[Thing] = set()
    open_: dict[Thing, Iterator[Thing]] = {}
    for first in sorted(thing for thing in kept if thing[0] in CHAINED):
        if first not in order:
            open_[first] = _needs(first, uses)
        while open_:
            thing, rest = next(reversed(open_.items()))
            needed = next(rest, None)
            if needed is None:
                order[thing] = None
                del open_[thing]
            elif needed in open_:
                circular.add(needed)
            elif needed not in order:
                open_[needed] = _needs(needed, uses)
    return tuple(order), frozenset(circular)


def _needs(thing: Thing, uses: Mapping[Thing | None, set[Thing]]) -> Iterator[Thing]:
    return iter(sorted(needed for needed in uses.get(thing, ()) if needed[0] in CHAINED))


def _declared(raw: RawSheet) -> dict[Thing, Text]:
    """Everything that may be left unreached, with its key."""
    define = raw.define
    found: dict[Thing, Text] = {}
    for words in (define.cards, define.groups, define.layouts, define.players, define.round):
        found.update({("define", str(key)): key for key in words})
    found.update({("tables", table_name(key)): key for key in raw.tables})
    found.update({("options", str(key)): key for key in raw.options})
    found.update({("zones", str(key)): key for key in raw.zones if key not in ZONES})
    found.update({("tallies", str(key)): key for key in raw.tallies})
    found.update({("phases", str(key)): key for key in raw.phases})
    found.update({("moves", str(key)): key for key in raw.moves.named})
    return found


def words_of(text: str) -> set[str]:
    """Everything in a text that looks like a name."""
    return set(re.findall(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", text))


def _words(text: Text, tree: ParseTree | None) -> set[str]:
    """The names in a phrase; of one that could not be parsed, everything that looks like one."""
    if tree is None:
        return words_of(text)
    return {str(word) for word in tree.scan_values(lambda value: isinstance(value, Token) and value.type == "NAME")}


def _uses(phrase: Written, tree: ParseTree | None, by_name: Mapping[str, list[Thing]]) -> Iterator[Thing]:
    for word in _words(phrase.text, tree):
        for thing in by_name.get(word, ()):
            if phrase.start == "phase" or thing[0] not in PHASE_THINGS:
                yield thing


def _unreached(raw: RawSheet, parsed: Parsed, declared: Mapping[Thing, Text], kept: set[Thing]) -> list[Diagnostic]:
    own = raw.span.file
    problems = []
    for thing, key in declared.items():
        if thing in kept:
            continue
        head, name = thing
        places = [key, *(phrase.text for phrase in parsed.phrases if phrase.owner == thing)]
        mine = [place for place in places if place.span.file == own]
        if mine:
            message = f'nothing reaches {WHAT[head]} "{name}"'
            problems.append(Diagnostic("unreached", "error", message, mine[0].span, _reach_help(head, name)))
    return problems


def _reach_help(head: Head, name: str) -> str:
    if head in PHASE_THINGS:
        return f'name it in "turn" or in a phase: "… or {name}"'
    return "use it in a phrase, or take it away"


def _perhaps_meant(raw: RawSheet, parsed: Parsed, declared: Mapping[Thing, Text], kept: set[Thing]) -> set[Thing]:
    """Things that seem unreached but are nearly called like a word of a working phrase that means nothing."""
    known = {name for _, name in declared} | RESERVED | {str(key) for _, key in other_names(raw)}
    known |= {f"{kind}s" for kind in raw.melds.kinds}
    for text in raw.options.values():
        known.update(text.split(" "))
    found: set[str] = set()
    for phrase in parsed.phrases:
        if phrase.owner is None or phrase.owner in kept:
            tree = parsed.tree(phrase.text)
            found |= _words(phrase.text, tree) - known
            if tree is not None:
                found -= {str(word) for named in tree.find_data("named") for word in named.children}
    return {thing for thing in declared if thing not in kept and any(nearest(word, [thing[1]]) for word in found)}


# ------------------------------------------------------------ all names


def other_names(raw: RawSheet) -> Iterator[tuple[str, Text]]:
    """Declared names that need not be reached: what each one is, and its key."""
    for kind in raw.melds.kinds:
        yield "kind of meld", kind
    for ending in raw.round.endings:
        yield "ending", ending
    for extra in raw.round.extra_turns:
        yield "kind of extra turn", extra


def check_names(raw: RawSheet, reached: Reached, named: Mapping[str, Span]) -> list[Diagnostic]:
    """Names that are declared twice or are words of the language; `named` are the cards that `as NAME` names."""
    own = raw.span.file
    names: list[tuple[str, str, Span]] = []
    for (head, name), key in _declared(raw).items():
        if (head, name) in reached.kept or key.span.file == own:
            names.append((WHAT[head], name, key.span))
    names += [(what, str(key), key.span) for what, key in other_names(raw)]
    names += [("named card", name, span) for name, span in named.items()]
    problems = []
    seen: dict[str, tuple[str, Span]] = {}
    for what, name, span in sorted(names, key=lambda entry: (entry[2].file == own, entry[2].line, entry[2].column)):
        if name in RESERVED and not (what == "ending" and name in PREDICATES):
            message = f'"{name}" is a word of the language and cannot be the name of {_article(what)}'
            problems.append(Diagnostic("reserved-word", "error", message, span))
        elif name in seen:
            before, place = seen[name]
            message = f'"{name}" is declared twice: {_article(before)} and {_article(what)}'
            notes = ((place, f"{_article(before)} here"),)
            problems.append(Diagnostic("double-name", "error", message, span, notes=notes))
        seen.setdefault(name, (what, span))
        if what == "kind of meld":
            seen.setdefault(f"{name}s", ("kind of meld, in the plural", span))
    return problems


def _article(what: str) -> str:
    return f"an {what}" if what[0] in "aeiou" else f"a {what}"


def check_words(
    raw: RawSheet, parsed: Parsed, reached: Reached, named: Mapping[str, Span]
) -> tuple[list[str], list[Diagnostic]]:
    """The entries of `words` that call something by a name, and those of the sheet itself that do not.

    Of a name that phrases use although nothing is called so, and of what is not reached, enough has been said there.
    """
    known = {name for _, name in reached.kept} | {str(key) for _, key in other_names(raw)} | set(named) | RESERVED
    for option, text in raw.options.items():
        if ("options", str(option)) in reached.kept:
            known |= set(text.split(" ")) - {"or"}
    known |= {name for _, name in _declared(raw)}
    used = set().union(*(_words(phrase.text, parsed.tree(phrase.text)) for phrase in parsed.phrases))
    conditions = [*raw.moves.named.values(), *([raw.moves.every] if raw.moves.every else [])]
    for move in conditions:
        known |= {str(name) for part in (move.if_, move.only, move.duty) for name in part}
    for meld in [*raw.melds.kinds.values(), *([raw.melds.every] if raw.melds.every else [])]:
        known |= {str(name) for name in meld.needs}
    known |= {str(name) for name in raw.automatic}
    dropped = {name for _, name in _declared(raw)} - {name for _, name in reached.kept}
    kept, problems = [], []
    for name in raw.words:
        if name in dropped:
            continue
        if name in known:
            kept.append(str(name))
        elif name.span.file == raw.span.file and name not in used:
            message = f'words: nothing is called "{name}"'
            problems.append(Diagnostic("unknown-word", "error", message, name.span, did_you_mean(name, known)))
    return kept, problems
