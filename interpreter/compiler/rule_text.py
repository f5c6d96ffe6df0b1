"""What people are told of a sheet: the line of a rule that refuses a move or was never used, names in a language."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.model import Condition, Ending, MeldKind, MoveRule, Rulesheet


def rule_lines(sheet: Rulesheet) -> dict[str, str]:
    """By the name of a rule, as refusals give it, the phrase of the sheet and its place."""
    return {rule.path: f"{rule.text}   ({rule.span.file}:{rule.span.line})" for rule in _rules(sheet)} | {
        "unfinished": "the turn could not be finished after it",
        "phase": "not at this point of the turn",
        "over": "the game is over",
    }


def _rules(sheet: Rulesheet) -> Iterator[Condition]:
    for move in sheet.moves:
        yield from move.before
        yield from move.only
        yield from (duty.condition for duty in move.duties)
    for kind in sheet.melds:
        yield from kind.needs


def places(sheet: Rulesheet) -> dict[str, str]:
    """By `moves.NAME`, `melds.NAME` and `endings.NAME`, the file and line where the sheet says it."""
    families: dict[str, tuple[MoveRule | MeldKind | Ending, ...]] = {
        "moves": sheet.moves,
        "melds": sheet.melds,
        "endings": sheet.round.endings,
    }
    return {
        f"{family}.{rule.name}": f"{rule.span.file}:{rule.span.line}"
        for family, rules in families.items()
        for rule in rules
    }


def names_for_people(sheet: Rulesheet, language: str) -> dict[str, str]:
    """Names of the sheet and what people of a language call them, where `words` says it."""
    return {name: texts[language] for name, texts in sheet.words.items() if language in texts}
