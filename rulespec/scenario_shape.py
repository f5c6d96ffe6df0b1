"""A scenario file as written: which keys a case has and what kind of thing each one holds.

Every leaf is a `Text` that knows its place. What the texts mean is not looked at here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import BaseModel, Discriminator, Field, Tag, ValidationError

from rulespec.diagnostics import Diagnostic, did_you_mean
from rulespec.reader import ListNode, MapNode, Node, Text
from rulespec.schema import Raw
from rulespec.source import Span
from rulespec.yamlwords import key_without_blank


def _shape(value: Any) -> str:
    return "map" if isinstance(value, dict) else "list" if isinstance(value, list) else "text"


_SHAPES = Discriminator(_shape)
_TAGS = ("text", "list", "map")

Map: TypeAlias = dict[Text, Text]
Texts: TypeAlias = list[Text]
BySeat: TypeAlias = Annotated[Annotated[Texts, Tag("list")] | Annotated[Map, Tag("map")], _SHAPES]
"""A text for each seat (or side) in order, or for some by their number."""
OneOrBySeat: TypeAlias = Annotated[
    Annotated[Text, Tag("text")] | Annotated[Texts, Tag("list")] | Annotated[Map, Tag("map")], _SHAPES
]
"""One text for what the table has once, else by seat."""
Groups: TypeAlias = Annotated[
    Annotated[Texts, Tag("list")]
    | Annotated[
        dict[Text, Annotated[Annotated[Text, Tag("text")] | Annotated[Texts, Tag("list")], _SHAPES]], Tag("map")
    ],
    _SHAPES,
]
"""Groups as they lie, or those of some owners by their number."""
MoveAnswer: TypeAlias = Annotated[Annotated[Text, Tag("text")] | Annotated[Map, Tag("map")], _SHAPES]
"""A move (then the answer is yes), or moves each with yes or no."""
TextOrTexts: TypeAlias = Annotated[Annotated[Text, Tag("text")] | Annotated[Texts, Tag("list")], _SHAPES]


class RawShows(Raw):
    """What a warning shows: a card of the hand, the groups it changes, whether others have to be rebuilt for it."""

    card: Text | None = None
    groups: Texts | None = None
    rebuilt: Text | None = None


class RawAfter(Raw):
    """The position once the moves are made."""

    hand: Text | None = None
    hands: BySeat | None = None
    table: Groups | None = None
    stock: Text | None = None
    discards: Text | None = None
    zones: dict[Text, OneOrBySeat] = Field(default_factory=dict)
    turn: Text | None = None
    turn_number: Text | None = None
    dealer: Text | None = None
    round: Text | None = None
    scores: BySeat | None = None
    rounds_won: BySeat | None = None
    opened: BySeat | None = None
    tallies: dict[Text, OneOrBySeat] = Field(default_factory=dict)
    renewed: Text | None = None


class RawEnds(Raw):
    """How the round ended, and the game."""

    round: Text | None = None
    winners: Texts | None = None
    scores: BySeat | None = None
    game: TextOrTexts | None = None
    totals: BySeat | None = None
    dealer: Text | None = None


class RawCase(Raw):
    """One case. `span` is its first key."""

    name: Text
    source: Text
    # the position
    options: Map = Field(default_factory=dict)
    players: Text | None = None
    seed: Text | None = None
    round: Text | None = None
    dealer: Text | None = None
    turn: Text | None = None
    turn_number: Text | None = None
    hand: Text | None = None
    hands: BySeat | None = None
    table: Groups | None = None
    stock: Text | None = None
    discards: Text | None = None
    zones: dict[Text, OneOrBySeat] = Field(default_factory=dict)
    scores: BySeat | None = None
    rounds_won: BySeat | None = None
    opened: BySeat | None = None
    tallies: dict[Text, OneOrBySeat] = Field(default_factory=dict)
    renewed: Text | None = None
    stopped: Text | None = None
    # what is asked
    group: Text | None = None
    play: Texts | None = None
    move: Text | None = None
    moves: Texts | None = None
    # what is answered
    valid: Text | None = None
    kind: Text | None = None
    points: Text | None = None
    names: Text | None = None
    legal: Text | None = None
    because: Text | None = None
    can: MoveAnswer | None = None
    offered: Texts | None = None
    warns: MoveAnswer | None = None
    shows: RawShows | None = None
    after: RawAfter | None = None
    ends: RawEnds | None = None


class RawScenarios(Raw):
    """A whole file."""

    sheet: Text
    cases: list[RawCase]


# ------------------------------------------------------------ from the tree


def shape(tree: MapNode) -> tuple[RawScenarios | None, list[Diagnostic]]:
    """The file as written: every case whose keys and shapes are right, and what is wrong with the others.

    None where the sheet is not said or `cases` is no list.
    """
    found: list[Diagnostic] = []
    if not isinstance(tree.entries.get(_key("cases"), ListNode(tree.span, ())), ListNode):
        span = tree.entries[_key("cases")].span
        return None, [Diagnostic("wrong-shape", "error", "`cases` is a list", span, "begin each case with `- name:`")]
    head = MapNode(tree.span, {k: v for k, v in tree.entries.items() if k != "cases"}, tree.flow)
    listed = tree.entries.get(_key("cases"))
    without_cases = _data(head) | ({} if listed is None else {"cases": []})
    scenarios = _validated(RawScenarios, without_cases, tree, found)
    cases: list[RawCase] = []
    for item in listed.items if isinstance(listed, ListNode) else ():
        if not isinstance(item, MapNode):
            found.append(Diagnostic("wrong-shape", "error", "a case is a map of keys", item.span))
            continue
        case = _validated(RawCase, _data(item) | {"\0": _first(item)}, item, found)
        if case is not None:
            cases.append(case)
    if scenarios is None:
        return None, found
    return scenarios.model_copy(update={"cases": cases}), found


def _key(word: str) -> Text:
    """A key to look up by; its place is of no account."""
    return Text(word, Span("", 0, 0, 0, 0))


def _data(node: Node) -> Any:
    """The node as dicts, lists and texts."""
    if isinstance(node, MapNode):
        return {key: _data(value) for key, value in node.entries.items()}
    if isinstance(node, ListNode):
        return [_data(item) for item in node.items]
    return node


def _first(node: Node) -> Span:
    """The place of the first key of a map, else that of the node."""
    return next((key.span for key in node.entries), node.span) if isinstance(node, MapNode) else node.span


M = TypeVar("M", bound=Raw)


def _validated(model: type[M], data: Any, tree: MapNode, found: list[Diagnostic]) -> M | None:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        found.extend(_problem(model, problem["type"], problem["loc"], tree) for problem in problems)
        return None


def _problem(model: type[Raw], kind: str, loc: tuple[int | str, ...], tree: MapNode) -> Diagnostic:
    """What a pydantic error says, at the place it speaks of."""
    path = [part for part in loc if part not in _TAGS and part != "[key]"]
    name = str(path[-1]) if path else ""
    if kind == "missing":
        what = "the case" if model is RawCase else "the file"
        help_ = MISSING.get(name, "")
        return Diagnostic("missing-key", "error", f"{what} has no `{name}`", _first(_find(tree, path[:-1])), help_)
    if kind == "extra_forbidden":
        owner = _model_at(model, path[:-1])
        inside = _find(tree, path[:-1])
        keys = [k for k in inside.entries if k == name] if isinstance(inside, MapNode) else []
        span = keys[0].span if keys else inside.span
        known = [field.alias or word for word, field in owner.model_fields.items() if field.alias != "\0"]
        help_ = did_you_mean(name, known) or ("" if model is RawCase else f"it may be {', '.join(known)}")
        return Diagnostic("unknown-key", "error", f'unknown key "{name}"', span, help_)
    node = _find(tree, path)
    alone = key_without_blank(node, node.span) if isinstance(node, Text) else None
    if alone is not None:
        return alone
    if path == ["ends"] and kind == "model_type":
        help_ = "write `ends: {round: NAME}`; that the game goes on is `ends: {game: no}`, that the round does, `after`"
        return Diagnostic("wrong-shape", "error", "`ends` is a map of keys: how the round ended", node.span, help_)
    key = next((f"`{part}`" for part in reversed(path) if isinstance(part, str)), "this")
    what = f"each of {key}" if path and isinstance(path[-1], int) else key
    lone = isinstance(node, Text) and kind == "list_type" and path
    help_ = f"write `{path[-1]}: [{node}]`" if lone else ""
    return Diagnostic("wrong-shape", "error", f"{what} {_EXPECTED.get(kind, 'has the wrong shape')}", node.span, help_)


MISSING = {
    "name": "say what it shows: `name: an ace below the two`",
    "source": "say where the rule comes from: `source: house rule 3`",
    "sheet": "begin with `sheet: ID`, the id of the sheet that is tested",
    "cases": "write `cases:`, and below it each case with `- name:`",
}
"""What to write for a key that has to be there."""
_EXPECTED = {
    "is_instance_of": "is one text, not a list or a map",
    "list_type": "is a list",
    "dict_type": "is a map",
    "model_type": "is a map of keys",
    "union_tag_invalid": "has the wrong shape: write a list, or a map by seat",
}


def _find(tree: Node, path: list[int | str]) -> Node:
    """The node at a path; the last one there is where the path goes on into nothing."""
    node = tree
    for part in path:
        if isinstance(node, MapNode) and isinstance(part, str):
            if _key(part) not in node.entries:
                return node
            node = node.entries[_key(part)]
        elif isinstance(node, ListNode) and isinstance(part, int) and part < len(node.items):
            node = node.items[part]
    return node


def _model_at(model: type[Raw], path: list[int | str]) -> type[BaseModel]:
    """The model that holds the keys at a path."""
    inner: type[BaseModel] = model
    for part in path:
        field = next((f for f in inner.model_fields.values() if f.alias == part), None)
        options = getattr(field.annotation, "__args__", (field.annotation,)) if field else ()
        inner = next((o for o in options if isinstance(o, type) and issubclass(o, BaseModel)), inner)
    return inner


# ------------------------------------------------------------ reading the shapes


def by_seat(value: Texts | Map | Text | None) -> Iterator[tuple[Text | int, Text]]:
    """What is said for each seat: its number (from 0) where a list is written, else the key as written."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)


def groups_of(value: Texts | dict[Text, Text | Texts] | None) -> Iterator[tuple[Text | None, Text]]:
    """The groups written, each with the number of its owner as written, if one is."""
    if isinstance(value, dict):
        for owner, groups in value.items():
            for group in [groups] if isinstance(groups, Text) else groups:
                yield owner, group
    elif value is not None:
        for group in value:
            yield None, group
