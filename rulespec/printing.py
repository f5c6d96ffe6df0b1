"""The first stages of a sheet in a form to be read: the tree of a file, and the sheet as written."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.inheritance import scalar
from rulespec.reader import ListNode, MapNode, Node, Text
from rulespec.schema import Raw, RawSheet
from rulespec.source import Span


def tree_text(tree: MapNode) -> str:
    """Every key and value of one file with its place: `31:9   if: points of hand <= 10`, in the order written."""
    return "".join(f"{line}\n" for line in _tree_lines(tree, 0))


def _tree_lines(node: MapNode | ListNode, depth: int) -> Iterator[str]:
    indent = "  " * depth
    if isinstance(node, MapNode):
        for key, value in node.entries.items():
            yield from _entry(key.span, f"{indent}{scalar(key)}:", value, depth)
    else:
        for item in node.items:
            yield from _entry(item.span, f"{indent}-", item, depth)


def _entry(span: Span, start: str, value: Node, depth: int) -> Iterator[str]:
    place = f"{span.line}:{span.column}"
    if isinstance(value, Text):
        yield f"{place:<8}{start} {scalar(value)}"
    else:
        yield f"{place:<8}{start}"
        yield from _tree_lines(value, depth + 1)


def written_text(sheet: RawSheet) -> str:
    """Every phrase and text of a sheet and its ancestors, each with its place, in the order of the reference:
    `moves.knock.if.rule: points of hand <= 10  # carousel.yaml:31:9`."""
    return "".join(f"{path}: {scalar(text)}  # {text.span}\n" for path, text in _leaves(sheet, ()))


def _leaves(part: object, path: tuple[str, ...]) -> Iterator[tuple[str, Text]]:
    if isinstance(part, Text):
        yield ".".join(scalar(key) for key in path), part
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from _leaves(value, (*path, key))
    elif isinstance(part, Raw):
        for name, field in type(part).model_fields.items():
            inner = path if name == part.rest else (*path, field.alias or name)
            yield from _leaves(getattr(part, name), inner)
