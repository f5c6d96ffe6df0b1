"""The sheet as written to the checked sheet: names, types, reach, and everything laid where it belongs."""

from __future__ import annotations

from rulespec.bounds import too_many
from rulespec.diagnostics import Diagnostic, has_errors
from rulespec.elaborate import cards, rounds, turns
from rulespec.elaborate.scope import EARLY, NOBODY
from rulespec.elaborate.workshop import Workshop
from rulespec.model import Definition, LookupTable, Range, Rulesheet, TallyRule
from rulespec.reach import check_names, check_words, reach
from rulespec.reader import Text
from rulespec.schema import RawSheet
from rulespec.written import parse_sheet

MOST_PLAYERS = 100


def check(
    raw: RawSheet, ancestors: tuple[str, ...], sheet_hash: str, question: Text | None = None
) -> tuple[Rulesheet | None, list[Diagnostic]]:
    """The checked sheet, or None if it holds mistakes or is abstract (then only its phrases are parsed).

    `ancestors` and `sheet_hash` are taken over into the sheet. `question` is a phrase from outside about the end of a
    round.
    """
    large = too_many(raw)
    if large:
        return None, large
    parsed, problems = parse_sheet(raw, question)
    if raw.abstract is not None:
        return None, problems
    reached, unreached = reach(raw, parsed)
    if any(problem.code == "phrase-too-long" for problem in unreached):
        return None, problems + unreached  # to look into it would take too long
    shop = Workshop(raw, parsed, reached)
    words, unknown = check_words(raw, parsed, reached, shop.named_spans)
    sheet = _assemble(shop, words, ancestors, sheet_hash, question)
    problems += [*shop.problems, *check_names(raw, reached, shop.named_spans), *unreached, *unknown]
    if shop.lost_ways:
        problems = [problem for problem in problems if problem.code not in ("unreached", "unreached-move")]
    if shop.broken or has_errors(problems):
        return None, list(dict.fromkeys(problems))
    return sheet, problems


def _assemble(
    shop: Workshop, words: list[str], ancestors: tuple[str, ...], sheet_hash: str, question: Text | None
) -> Rulesheet:
    raw, names = shop.raw, shop.names
    return Rulesheet(
        id=str(raw.id),
        name={str(language): str(text) for language, text in raw.name.items()},
        ancestors=ancestors,
        sources=str(raw.sources or ""),
        readings=str(raw.readings or ""),
        notes=str(raw.notes or ""),
        hash=sheet_hash,
        players=_players(shop),
        sides=shop.number(raw.sides, EARLY),
        options=tuple(names.options.values()),
        tables=_tables(shop),
        tallies=_tallies(shop),
        definitions=_definitions(shop),
        deck=cards.deck(shop),
        zones=cards.zones(shop),
        deal=cards.deal(shop),
        stock=cards.stock(shop),
        wild=cards.wild(shop),
        melds=cards.melds(shop),
        values=cards.values(shop),
        moves=turns.moves(shop),
        automatic=turns.automatic(shop),
        turn=shop.phase(raw.turn),
        round=rounds.rounds(shop),
        game=rounds.game(shop),
        manners=turns.manners(shop),
        words={
            str(name): {str(language): str(text) for language, text in texts.items()}
            for name, texts in raw.words.items()
            if name in words
        },
        question=None if question is None else shop.truth(question, NOBODY),
    )


def _players(shop: Workshop) -> Range:
    """The numbers of players; every one of them is looked at, so they may not be endless."""
    text = shop.raw.players
    found = shop.range(text)
    if text is not None and not shop.broken and not 1 <= found.low <= found.high <= MOST_PLAYERS:
        message = f"a game is for 1 to {MOST_PLAYERS} players"
        help_ = 'say the least and the most, as in "2-4"'
        shop.problems.append(Diagnostic("wrong-range", "error", message, text.span, help_))
    return found


def _tables(shop: Workshop) -> tuple[LookupTable, ...]:
    found = [shop.table_of(name) for name in sorted(shop.names.tables)]
    return tuple(table for table in found if table is not None)


def _tallies(shop: Workshop) -> tuple[TallyRule, ...]:
    return tuple(
        TallyRule(str(name), shop.names.tallies[name], str(tally.for_), name.span)  # type: ignore[arg-type]
        for name, tally in shop.raw.tallies.items()
        if name in shop.names.tallies
    )


def _definitions(shop: Workshop) -> tuple[Definition, ...]:
    found = []
    for name, (subject, text) in shop.definitions().items():
        body = shop.body_of(name)
        if body is not None:
            found.append(Definition(name, subject, body, text.span))
    return tuple(found)
