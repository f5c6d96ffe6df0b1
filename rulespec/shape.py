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

from rulespec.diagnostics import Diagnostic, did_you_mean
from rulespec.reader import ListNode, MapNode, Node, Text
from rulespec.schema import SPAN, Raw, RawSheet
from rulespec.source import Span

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

MAX_ROUNDS = 8


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
        return known if known is not None else _named(rest_of(kind))
    return _named(kind)


def _named(kind: Kind) -> Kind:
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
            walk(_named(kind), (*path, "NAME"))

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

    def say(self, code: str, message: str, span: Span, help: str = "") -> None:
        self.found.append(Diagnostic(code, "error", message, span, help))

    def check(self) -> tuple[RawSheet | None, list[Diagnostic]]:
        data = self.emit(self.tree, RawSheet, self.head(), (), ())
        assert isinstance(data, dict)
        if data.get("abstract") != "yes":
            self.need(data)
        for _ in range(MAX_ROUNDS):
            notes: list[Diagnostic] = []
            try:
                sheet = RawSheet.model_validate(data, context=notes)
            except ValidationError as error:
                for problem in error.errors(include_url=False, include_input=False, include_context=False):
                    loc = tuple(str(part) for part in problem["loc"])
                    self.repair(problem["type"], loc, data)
            else:
                return sheet, self.found + notes
        return None, self.found + notes

    def head(self) -> Span:
        """The first key: the place of what is missing in the sheet as a whole."""
        return next((key.span for key in self.tree.entries if key.span.file == self.tree.span.file), self.tree.span)

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

    def need(self, data: dict[str, Any]) -> None:
        """Report what a sheet that can be played lacks, and put empty texts there."""
        for loc in NEEDED:
            part: Any = data
            for depth, key in enumerate(loc[:-1]):
                part = part.setdefault(key, {}) if isinstance(part, dict) else None
                if isinstance(part, dict) and is_model(self.kind(loc[: depth + 1])):
                    part.setdefault(SPAN, self.span_of(loc[: depth + 1]))
            if not isinstance(part, dict) or loc[-1] in part:
                continue
            if self.complete:
                path = ".".join(key for key in loc if key not in ("kinds", "zones"))
                message = f'"{path}" is missing: neither this sheet nor one it extends has it'
                self.say("missing-key", message, self.span_of(loc[:-1]))
            if not is_map(self.kind(loc)):
                part[loc[-1]] = Text("", self.span_of(loc[:-1]), exact=False)

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

    # -------------------------------------------------------- mistakes

    def repair(self, problem: str, loc: Loc, data: dict[str, Any]) -> None:
        """Report one mistake and change `data` so that it is none."""
        part: Any = data
        for key in loc[:-1]:
            part = part[key]
        if problem == "missing":
            if not any(loc[:end] in self.quiet for end in range(len(loc))) and self.complete:
                self.missing(loc)
            part[loc[-1]] = Text("", self.span_of(loc[:-1]), exact=False)
            return
        entry = self.entries[loc]
        if problem == "extra_forbidden":
            self.unknown(entry)
            del part[loc[-1]]
        elif is_map(entry.kind):
            if not (isinstance(entry.node, Text) and not entry.node):
                self.not_a_map(entry)
            part[loc[-1]] = {SPAN: entry.key.span} if is_model(entry.kind) else {}
            self.quiet.add(loc)
        else:
            self.not_a_phrase(entry)
            part[loc[-1]] = Text("", entry.node.span, exact=False)

    def missing(self, loc: Loc) -> None:
        parent = self.entries.get(loc[:-1])
        where = f'"{".".join(parent.path)}"' if parent else "the sheet"
        self.say("missing-key", f'{where} has no "{loc[-1]}"', self.span_of(loc[:-1]))

    def not_a_map(self, entry: _Entry) -> None:
        what = "a list" if isinstance(entry.node, ListNode) else "a phrase"
        message = f'under "{entry.key}" stand keys with values, not {what}'
        if entry.key in places_of_keys() and len(entry.path) > 1 and not is_model(self.part_kind(entry.path[:-1])):
            help = f'"{entry.key}" belongs under a name: is the line indented too little?'
        elif is_model(entry.kind):
            help = f"its keys are {_listed(fields_of(entry.kind))}"
        else:
            help = "each on a line of its own, indented: a name, a colon, a phrase"
        self.say("wrong-shape", message, entry.node.span, help)

    def part_kind(self, path: Loc) -> Kind:
        kind: Kind = RawSheet
        for key in path:
            kind = value_kind(kind, key)
        return kind

    def not_a_phrase(self, entry: _Entry) -> None:
        if isinstance(entry.node, ListNode):
            words = [item for item in entry.node.items if isinstance(item, Text)]
            help = f'write "{", ".join(words)}"' if words and len(words) == len(entry.node.items) else ""
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
        known = self.siblings(entry.path)
        help = self.astray(entry) or did_you_mean(entry.key, known)
        if not help:
            places = [".".join(place) for place in places_of_keys().get(entry.key, [])]
            if places:
                help = f'"{entry.key}" belongs under ' + " or ".join(f'"{place}"' for place in places[:3] if place)
                help = help if any(places[:3]) else f'"{entry.key}" belongs to the sheet itself, at the left margin'
            else:
                help = f"known here are {_listed(known)}"
        self.say("unknown-key", message, entry.key.span, help)

    def astray(self, entry: _Entry) -> str:
        """Advice if the key would fit one level further out, or in what stands just before it."""
        for end in range(len(entry.path) - 2, -1, -1):
            kind = self.part_kind(entry.path[:end])
            outer = fields_of(kind) if is_model(kind) else {}
            if entry.key in outer:
                where = f'"{".".join(entry.path[:end])}"' if end else "the sheet itself"
                return f'"{entry.key}" belongs to {where}: is the line indented too far?'
            if is_model(_named(kind)) and isinstance(entry.node, MapNode) and end == len(entry.path) - 2:
                return f'if it is a name of its own in "{".".join(entry.path[:end])}", the line is indented too far'
        before = self.before(entry)
        if before is not None and is_model(before.kind) and entry.key in fields_of(before.kind):
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
