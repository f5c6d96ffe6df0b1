"""Rounds and games: endings with what lies under them, extra turns, scores, and how the game is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulespec.diagnostics import Diagnostic, did_you_mean
from rulespec.elaborate.moments import WINNING
from rulespec.elaborate.scope import NOBODY, SOMEBODY
from rulespec.elaborate.walk import walk
from rulespec.elaborate.workshop import Workshop
from rulespec.expressions import ExtraTurnsAreOver
from rulespec.model import Condition, Ending, ExtraTurns, GameRules, Round, ScoreLine
from rulespec.reader import Text
from rulespec.schema import RawEnding, RawExtraTurns


@dataclass(slots=True)
class _Lines:
    """What an ending says, as written, with everything that lies under it."""

    wins: Text | None = None
    scores: dict[str, tuple[Text, dict[str, tuple[Text, Text]]]] = field(default_factory=dict)
    times: dict[str, tuple[Text, Text]] = field(default_factory=dict)
    does: Text | None = None
    void: bool = False

    def under(self, ending: RawEnding) -> _Lines:
        """An ending laid over these lines: lines merge by the words of their key, entries by their name."""
        scores = {words: (key, dict(entries)) for words, (key, entries) in self.scores.items()}
        _lay(scores, ending.scores)
        times = self.times | {str(name): (name, text) for name, text in ending.times.items()}
        does = ending.does if ending.does is not None else self.does
        wins = ending.wins if ending.wins is not None else self.wins
        return _Lines(wins, scores, times, does, self.void or ending.void is not None)


def _lay(
    scores: dict[str, tuple[Text, dict[str, tuple[Text, Text]]]], over: Mapping[Text, Mapping[Text, Text]]
) -> None:
    for key, entries in over.items():
        line = scores.setdefault(" ".join(key.split()), (key, {}))
        line[1].update({str(name): (name, text) for name, text in entries.items()})


def rounds(shop: Workshop) -> Round:
    raw = shop.raw.round
    starts = shop.players(raw.starts, NOBODY)
    shop.known_at(starts, shop.deal_moment("before the first turn"))
    return Round(
        starts=starts,
        next=shop.players(raw.next, SOMEBODY),
        next_dealer=shop.players(raw.next_dealer, NOBODY),
        before_deal=shop.maybe_phase(raw.before_deal),
        endings=_endings(shop),
        extra_turns=tuple(_extra_turns(shop, name, extra) for name, extra in raw.extra_turns.items()),
    )


def _extra_turns(shop: Workshop, name: Text, extra: RawExtraTurns) -> ExtraTurns:
    when = shop.truth(extra.when, SOMEBODY)
    for part in walk(when):
        if isinstance(part, ExtraTurnsAreOver) and part.name == name:
            message = f'"{name}" cannot be over before they are due'
            shop.problems.append(Diagnostic("not-yet-known", "error", message, part.span))
    return ExtraTurns(str(name), when, shop.players(extra.for_, SOMEBODY), shop.phase(extra.turn), name.span)


def game(shop: Workshop) -> GameRules:
    raw = shop.raw.game
    return GameRules(
        leaves=None if raw.leaves is None else shop.truth(raw.leaves, SOMEBODY),
        after_round=shop.maybe_phase(raw.after_round),
        ends=shop.truth(raw.ends, NOBODY),
        bonus=_score_lines(shop, {key: (key, _named(entries)) for key, entries in raw.bonus.items()}),
        wins=shop.players(raw.wins, NOBODY),
        tie=str(raw.tie),  # type: ignore[arg-type]
    )


def _named(entries: Mapping[Text, Text]) -> dict[str, tuple[Text, Text]]:
    return {str(name): (name, text) for name, text in entries.items()}


def _score_lines(
    shop: Workshop, lines: Mapping[str, tuple[Text, Mapping[str, tuple[Text, Text]]]]
) -> tuple[ScoreLine, ...]:
    made = [shop.score_line(key, dict(entries.values()), NOBODY) for key, entries in lines.values()]
    return tuple(line for line in made if line is not None)


# ------------------------------------------------------------ endings


def _endings(shop: Workshop) -> tuple[Ending, ...]:
    """All endings in the order they are tried: what is within another comes right before it."""
    raw = shop.raw.round
    endings = {str(name): (name, ending) for name, ending in raw.endings.items()}
    within = {name: _within(shop, ending, endings) for name, (_, ending) in endings.items()}
    _break_circles(shop, endings, within)
    common = _Lines(raw.wins, times={str(name): (name, text) for name, text in raw.times.items()})
    _lay(common.scores, raw.scores)
    made: list[Ending] = []

    def add(name: str, under: _Lines, when: tuple[Condition, ...]) -> None:
        key, ending = endings[name]
        lines = under.under(ending)
        expr = shop.truth(ending.when, SOMEBODY)
        path = f"round.endings.{name}.when"
        when = (*when, Condition(name, path, expr, ending.when.span, str(ending.when)))
        for special, general in within.items():
            if general == name:
                add(special, lines, when)
        lost = ending.within is not None and within[name] is None
        if lines.wins is None and not lines.void and not lost:
            help_ = 'say who: "wins: ender", or "wins: nobody"'
            shop.report(key, "no-winner", f'who wins when the round ends by "{name}"?', help_)
        made.append(_ending(shop, key, within[name], lines, when))

    for name, general in within.items():
        if general is None:
            add(name, common, ())
    return tuple(made)


def _ending(shop: Workshop, name: Text, within: str | None, lines: _Lines, when: tuple[Condition, ...]) -> Ending:
    wins = None if lines.void or lines.wins is None else shop.players(lines.wins, NOBODY)
    if wins is not None:
        shop.known_at(wins, WINNING)
    return Ending(
        name=str(name),
        within=within,
        when=when,
        wins=wins,
        scores=() if lines.void else _score_lines(shop, lines.scores),
        times=shop.amounts(dict(lines.times.values()), SOMEBODY),
        does=() if lines.does is None else shop.actions(lines.does, SOMEBODY, books_only=True),
        void=lines.void,
        span=name.span,
    )


def _within(shop: Workshop, ending: RawEnding, endings: Mapping[str, tuple[Text, RawEnding]]) -> str | None:
    text = ending.within
    if text is None or not text:
        return None
    if text not in endings:
        shop.report(text, "unknown-word", f'no ending "{text}"', did_you_mean(text, endings))
        return None
    return str(text)


def _break_circles(
    shop: Workshop, endings: Mapping[str, tuple[Text, RawEnding]], within: dict[str, str | None]
) -> None:
    """Endings that stand within themselves are reported and taken for general ones."""
    for name, general in list(within.items()):
        seen, at = {name}, general
        while at is not None and at not in seen:
            seen.add(at)
            at = within[at]
        if at == name:
            key, ending = endings[name]
            place = ending.within or key
            message = f'ending "{name}" stands within itself'
            shop.problems.append(Diagnostic("ending-within-itself", "error", message, place.span))
            within[name] = None
