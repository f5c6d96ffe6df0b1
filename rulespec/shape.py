"""A resolved tree against the schema: every key and kind of value that does not belong, each with a place and advice.

What is wrong is reported, taken out or replaced by an empty text, and the rest is validated again, so one run shows
all mistakes and what is left can still be checked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeAlias, Union, get_args, get_origin

from pydantic import ValidationError

from rulespec.diagnostics import Diagnostic, did_you_mean, nearest
from rulespec.inheritance import merge, scalar, tidy
from rulespec.reader import ListNode, MapNode, Node, Text
from rulespec.schema import SPAN, Raw, RawSheet
from rulespec.source import Span
from rulespec.yamlwords import key_without_blank

Loc: TypeAlias = tuple[str, ...]
Kind: TypeAlias = Any
"""A field's type: a model, a dict of something, or `Text`; None where nothing is known."""

NEEDED: tuple[Loc, ...] = (
    *(("name",), ("players",), ("sides",), ("turn",), ("melds", "kinds"), ("deal", "zones", "hand")),
    *(("deck", "packs"), ("deck", "jokers"), ("deck", "suits"), ("deck", "order"), ("stock", "empty")),
    *(("round", "starts"), ("round", "next"), ("round", "next-dealer"), ("round", "endings")),
    *(("game", "ends"), ("game", "wins"), ("game", "tie")),
)
"""What a sheet that can be played has, in its own lines or inherited."""
EXAMPLES: dict[Loc, tuple[str, ...]] = {
    ("name",): ("name: {en: My game}",),
    ("turn",): ("turn: draw then discard",),
    ("melds", "kinds"): ("melds:", "set:", "cards: 3-4"),
    ("deal", "zones", "hand"): ("deal:", "hand: 7"),
    ("round", "endings"): ("round:", "endings:", "out: hand is empty"),
    ("game", "ends"): ("game:", "ends: some player has score >= 100"),
    ("game", "wins"): ("game:", "wins: everyone with least score"),
}
"""Lines by which it might be said, each below the one before; the prelude has the rest."""

ENDINGS: Loc = ("round", "endings")
MAX_ROUNDS = 8
MAX_ADVICE = 100
"""Mistakes after which no more advice is looked for: it takes time, and nobody reads so much."""
MAX_LISTED = 12
"""Keys that a help line lists at most."""


def check_shape(tree: MapNode, complete: bool) -> tuple[RawSheet | None, list[Diagnostic]]:
    """The sheet as written and what is wrong with its shape; None if that cannot be put aside.

    Where the tree is not `complete`, nothing is called missing.
    """
    return _Shape(tree, complete).check()


# ------------------------------------------------------------ the schema, walked


def kind_of(annotation: Any) -> Kind:
    """A field's type without `None` and without its checks."""
    if origin(annotation) is Annotated:
        return kind_of(get_args(annotation)[0])
    if origin(annotation) in (Union, UnionType):
        return next(kind_of(part) for part in get_args(annotation) if part is not type(None))
    return annotation


def origin(annotation: Any) -> Any:
    return get_origin(annotation)


def is_model(kind: Kind) -> bool:
    return isinstance(kind, type) and issubclass(kind, Raw)


def is_map(kind: Kind) -> bool:
    return is_model(kind) or origin(kind) is dict


@cache
def fields_of(model: type[Raw]) -> dict[str, Kind]:
    """The keys of a part of a sheet, as an author writes them, and what each holds."""
    return {
        info.alias or name: kind_of(info.annotation)
        for name, info in model.model_fields.items()
        if info.alias != SPAN and name != model.rest
    }


def rest_of(model: type[Raw]) -> Kind:
    """What keys hold that are names, in a part of a sheet that has both; None elsewhere."""
    return kind_of(model.model_fields[model.rest].annotation) if model.rest else None


def value_kind(kind: Kind, key: str) -> Kind:
    """What stands under `key` in something of this kind."""
    if is_model(kind):
        known = fields_of(kind).get(key)
        return known if known is not None else named_kind(kind)
    return named_kind(kind)


def named_kind(kind: Kind) -> Kind:
    """What stands under names in something of this kind; None if it has no names."""
    if is_model(kind):
        kind = rest_of(kind)
    return kind_of(get_args(kind)[1]) if origin(kind) is dict else None


@cache
def places_of_keys() -> dict[str, list[Loc]]:
    """Every key of the language and the parts it belongs to: `only` -> `moves.NAME`, `moves.every`."""
    found: dict[str, list[Loc]] = {}

    def walk(kind: Kind, path: Loc) -> None:
        if is_model(kind):
            for key, inner in fields_of(kind).items():
                found.setdefault(key, []).append(path)
                walk(inner, (*path, key))
            walk(rest_of(kind), path)
        elif origin(kind) is dict:
            walk(named_kind(kind), (*path, "NAME"))

    walk(RawSheet, ())
    return found


# ------------------------------------------------------------ one sheet


@dataclass(slots=True)
class _Entry:
    """A key and its value in the tree, and what the schema has for it."""

    key: Text
    node: Node
    path: Loc
    """As the author sees it: without the names of fields that only take the rest."""
    kind: Kind


@dataclass(slots=True)
class _Shape:
    """The check of one tree. Places in what is validated (`loc`) lead to entries of the tree."""

    tree: MapNode
    complete: bool
    entries: dict[Loc, _Entry] = field(default_factory=dict)
    found: list[Diagnostic] = field(default_factory=list)
    quiet: set[Loc] = field(default_factory=set)
    """Parts that were replaced: what they lack has been said."""
    meant: set[Loc] = field(default_factory=set)
    """Places of keys that are written elsewhere or otherwise: they are not called missing too."""

    def say(self, code: str, message: str, span: Span, help: str = "") -> None:
        self.found.append(Diagnostic(code, "error", message, span, help))

    def check(self) -> tuple[RawSheet | None, list[Diagnostic]]:
        data = self.emit(self.tree, RawSheet, self.head(), (), ())
        assert isinstance(data, dict)
        self.lift(data)
        for _ in range(MAX_ROUNDS):
            notes: list[Diagnostic] = []
            try:
                sheet = RawSheet.model_validate(data, context=notes)
            except ValidationError as error:
                self.repair_all(error, data)
            else:
                if sheet.abstract or self.need(data):
                    return sheet, self.found + notes
        return None, self.found + notes

    def lift(self, data: dict[str, Any]) -> None:
        """Report keys of an ending that stand in place of an ending's name, where a lone phrase would be its `when`;
        those that hold for all endings beside them are read as such."""
        for entry in list(self.entries.values()):
            if entry.path[:-1] != ENDINGS or entry.key not in fields_of(entry.kind):
                continue
            message = f'"{entry.key}" stands where the name of an ending belongs'
            help = "indent it further, under the name of its ending"
            del data["round"]["endings"][entry.key]
            place = ("round", str(entry.key))
            if entry.key in self.siblings(place):
                help += ', or less, beside "endings", to hold for all of them'
                node = entry.node
                if isinstance(node, MapNode):  # a lone phrase stands there as the `when` of an ending
                    node = next((value for key, value in node.entries.items() if key == "when"), node)
                if entry.key not in data["round"]:
                    kind = value_kind(self.kind(place[:1]), str(entry.key))
                    data["round"][entry.key] = self.emit(tidy(node, place), kind, entry.key.span, place, place)
            self.say("wrong-shape", message, entry.key.span, help)

    def repair_all(self, error: ValidationError, data: dict[str, Any]) -> None:
        """Unknown keys come first: one may be what another place lacks."""
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        for problem in sorted(problems, key=lambda problem: problem["type"] != "extra_forbidden"):
            self.repair(problem["type"], tuple(str(part) for part in problem["loc"]), data)

    def head(self) -> Span:
        """The first key: the place of what is missing in the sheet as a whole."""
        own = [key.span for key in self.tree.entries if key.span.file == self.tree.span.file]
        return min(own, key=lambda span: (span.line, span.column), default=self.tree.span)

    def emit(self, node: Node, kind: Kind, span: Span, loc: Loc, path: Loc) -> Any:
        """The tree as plain dicts and texts in the form the models expect."""
        if not isinstance(node, MapNode):
            return node
        out: dict[str, Any] = {SPAN: span} if is_model(kind) else {}
        for key, value in node.entries.items():
            inner = value_kind(kind, key)
            target, place = out, (*loc, str(key))
            if is_model(kind) and kind.rest and key not in fields_of(kind):
                target, place = out.setdefault(kind.rest, {}), (*loc, kind.rest, str(key))
            self.entries[place] = _Entry(key, value, (*path, str(key)), inner)
            target[key] = self.emit(value, inner, key.span, place, (*path, str(key)))
        return out

    def need(self, data: dict[str, Any]) -> bool:
        """Whether a sheet that can be played lacks nothing; what it lacks is reported and empty texts are put there."""
        whole = True
        for loc in NEEDED:
            part = data
            for depth, key in enumerate(loc[:-1]):
                span = self.span_of(loc[: depth + 1])
                inner = {SPAN: span} if is_model(self.kind(loc[: depth + 1])) else {}
                part = part.setdefault(Text(key, span, exact=False), inner)
            if loc[-1] in part:
                continue
            told = any(loc[:end] in self.meant | self.quiet for end in range(1, len(loc) + 1))
            misnamed = not is_model(self.kind(loc[:-1])) and self.misnamed(loc[-1], part, data)
            if self.complete and not told and not misnamed:
                path = ".".join(key for key in loc if key not in ("kinds", "zones"))
                message = f'"{path}" is missing: neither this sheet nor one it extends has it'
                lines = ", below it ".join(f'"{line}"' for line in EXAMPLES.get(loc, ()))
                self.say("missing-key", message, self.own_place(loc[:-1]), f"for example {lines}" if lines else "")
            span = self.span_of(loc[:-1])
            part[Text(loc[-1], span, exact=False)] = {} if is_map(self.kind(loc)) else Text("", span, exact=False)
            whole = False
        return whole

    def misnamed(self, key: str, part: dict[str, Any], data: dict[str, Any]) -> bool:
        """Whether a name that nothing declares stands there and is meant to be `key`: that is reported as unknown."""
        near = nearest(key, (name for name in part if name != SPAN), 1)
        return bool(near) and near[0] not in data.get("zones", {})

    def kind(self, loc: Loc) -> Kind:
        kind: Kind = RawSheet
        for key in loc:
            rest = is_model(kind) and key == kind.rest
            kind = rest_of(kind) if rest else value_kind(kind, key)
        return kind

    def span_of(self, loc: Loc) -> Span:
        """The key a part stands under, or the nearest one around it."""
        while loc:
            if loc in self.entries:
                return self.entries[loc].key.span
            loc = loc[:-1]
        return self.head()

    def own_place(self, loc: Loc) -> Span:
        """As `span_of`, in the sheet itself and not in one it extends."""
        span = self.span_of(loc)
        return span if span.file == self.tree.span.file else self.head()

    # -------------------------------------------------------- mistakes

    def repair(self, problem: str, loc: Loc, data: dict[str, Any]) -> None:
        """Report one mistake and change `data` so that it is none."""
        part: Any = data
        for key in loc[:-1]:
            part = part[key]
        if problem == "missing":
            if self.complete and loc not in self.meant and not any(loc[:end] in self.quiet for end in range(len(loc))):
                self.missing(loc)
            part[loc[-1]] = Text("", self.span_of(loc[:-1]), exact=False)
            return
        entry = self.entries[loc]
        if problem == "extra_forbidden":
            del part[entry.key]
            self.unknown(entry)
            if self.without_colon(entry):
                self.meant.add((*loc[:-1], entry.key.partition(" ")[0]))
            else:
                self.read_as_meant(entry, loc, part)
        elif is_map(entry.kind):
            if not (isinstance(entry.node, Text) and not entry.node):
                self.not_a_map(entry)
            if self.stands_too_far_out(entry):
                del part[loc[-1]]
            else:
                part[loc[-1]] = {SPAN: entry.key.span} if is_model(entry.kind) else {}
                self.quiet.add(loc)
        else:
            self.not_a_phrase(entry)
            part[loc[-1]] = Text("", entry.node.span, exact=False)

    def read_as_meant(self, entry: _Entry, loc: Loc, part: dict[str, Any]) -> None:
        """Read an unknown key as the likeliest one, unless the same file has that too: so its value is checked."""
        settled = entry.key in places_of_keys() or len(self.found) >= MAX_ADVICE
        likely = () if settled else nearest(entry.key, self.siblings(entry.path), 1)
        for name in likely:
            place, path = (*loc[:-1], name), (*entry.path[:-1], name)
            node, old = tidy(entry.node, path), self.entries.get(place)
            if place in self.meant or (old is not None and old.key.span.file == entry.key.span.file):
                continue
            if old is not None and isinstance(old.node, MapNode) and isinstance(node, MapNode):
                node = merge(old.node, node, ".".join(path) + ".", self.found)
            key = Text(name, entry.key.span, flow=entry.key.flow, exact=False)
            kind = value_kind(self.kind(loc[:-1]), name)
            self.meant.add(place)
            self.entries[place] = _Entry(key, node, path, kind)
            part.pop(key, None)
            part[key] = self.emit(node, kind, key.span, place, path)

    def missing(self, loc: Loc) -> None:
        parent = self.entries.get(loc[:-1])
        where = f'"{".".join(parent.path)}"' if parent else "the sheet"
        self.say("missing-key", f'{where} has no "{loc[-1]}"', self.span_of(loc[:-1]))

    def not_a_map(self, entry: _Entry) -> None:
        alone = key_without_blank(entry.node, entry.node.span) if isinstance(entry.node, Text) else None
        if alone is not None:
            self.found.append(alone)
            return
        what = "a list" if isinstance(entry.node, ListNode) else "a phrase"
        message = f'under "{entry.key}" stand keys with values, not {what}'
        if is_model(entry.kind) and entry.key in fields_of(entry.kind):
            help = (
                f'"{entry.key}" belongs under a name of "{".".join(entry.path[:-1])}": is the line indented too little?'
            )
        elif entry.path[0] in ("name", "words") and isinstance(entry.node, Text):
            help = f"one text per language: `{entry.key}: {{en: {scalar(entry.node, flow=True)}}}`"
        elif is_model(entry.kind) and not entry.kind.rest:
            help = f"its keys are {_listed(fields_of(entry.kind))}"
        else:
            help = "each on a line of its own, indented: a name, a colon, a phrase"
        self.say("wrong-shape", message, entry.node.span, help)

    def stands_too_far_out(self, entry: _Entry) -> bool:
        """Whether a key stands where a name belongs, and would be right under one."""
        return is_model(entry.kind) and entry.key in fields_of(entry.kind)

    def part_kind(self, path: Loc) -> Kind:
        kind: Kind = RawSheet
        for key in path:
            kind = value_kind(kind, key)
        return kind

    def not_a_phrase(self, entry: _Entry) -> None:
        if isinstance(entry.node, ListNode):
            words = [item for item in entry.node.items if isinstance(item, Text)]
            between = " then " if "turn" in entry.path or entry.path[0] == "phases" else ", "
            between = " or " if entry.path[0] == "options" else between
            help = f'write "{between.join(words)}"' if words and len(words) == len(entry.node.items) else ""
            self.say("wrong-shape", f'"{entry.key}" holds a phrase, not a list', entry.node.span, help)
            return
        help = "a phrase stands behind the colon on the same line"
        outer = set(self.siblings(entry.path)) - {str(entry.key)}
        astray = [key for key in entry.node.entries if key in outer] if isinstance(entry.node, MapNode) else []
        if astray:
            help = f'"{astray[0]}" belongs beside "{entry.key}": is the line indented too far?'
        self.say("wrong-shape", f'"{entry.key}" holds a phrase, not keys with values', entry.key.span, help)

    def siblings(self, path: Loc) -> list[str]:
        """The keys that may stand beside the one at `path`."""
        kind = self.part_kind(path[:-1])
        return list(fields_of(kind)) if is_model(kind) else []

    def unknown(self, entry: _Entry) -> None:
        parent = ".".join(entry.path[:-1])
        message = f'unknown key "{entry.key}"' + (f' in "{parent}"' if parent else "")
        if len(self.found) >= MAX_ADVICE:
            self.say("unknown-key", message, entry.key.span)
            return
        known = self.siblings(entry.path)
        help = (
            self.without_colon(entry)
            or self.astray(entry)
            or self.elsewhere(entry.key)
            or did_you_mean(entry.key, known)
        )
        if not help and len(known) <= MAX_LISTED:
            help = f"known here are {_listed(known)}"
        self.say("unknown-key", message, entry.key.span, help)

    def without_colon(self, entry: _Entry) -> str:
        """Advice if a key is the first word of what was read as one, for want of a colon behind it."""
        word, blank, _ = entry.key.partition(" ")
        return f'a colon is missing behind "{word}"' if blank and word in self.siblings(entry.path) else ""

    def elsewhere(self, key: str) -> str:
        """Where a key belongs that is known, but not here."""
        places = [".".join(place) for place in places_of_keys().get(key, [])]
        if "" in places:
            return f'"{key}" belongs to the sheet itself, at the left margin'
        return f'"{key}" belongs under ' + " or ".join(f'"{place}"' for place in places[:4]) if places else ""

    def astray(self, entry: _Entry) -> str:
        """Advice if the key would fit further out, or in what stands just before it."""
        for end in range(len(entry.path) - 2, -1, -1):
            kind = self.part_kind(entry.path[:end])
            if is_model(kind) and entry.key in fields_of(kind):
                self.meant.add((*entry.path[:end], str(entry.key)))
                where = f'"{".".join(entry.path[:end])}"' if end else "the sheet itself"
                return f'"{entry.key}" belongs to {where}: is the line indented too far?'
        outer = self.part_kind(entry.path[:-2])
        if is_model(named_kind(outer)) and isinstance(entry.node, MapNode):
            return f'if it is another name of "{".".join(entry.path[:-2])}", the line is indented too far'
        before = self.before(entry)
        if before is not None and is_map(before.kind):
            empty = isinstance(before.node, Text) and not before.node
            fits = entry.key in fields_of(before.kind) if is_model(before.kind) else empty
            if fits:
                return f'"{entry.key}" belongs under "{".".join(before.path)}": is the line indented too little?'
        return ""

    def before(self, entry: _Entry) -> _Entry | None:
        """The entry written just before this one in the same map."""
        beside = [
            other
            for other in self.entries.values()
            if other.path[:-1] == entry.path[:-1]
            and other.key.span.file == entry.key.span.file
            and other.key.span.line < entry.key.span.line
        ]
        return max(beside, key=lambda other: other.key.span.line, default=None)


def _listed(keys: Any) -> str:
    return ", ".join(f'"{key}"' for key in keys)
