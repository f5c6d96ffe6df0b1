"""Checking a case against its sheet: names, numbers, seats, cards, and which keys go together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rulespec.choices import players_text, stopped_by_the_table
from rulespec.diagnostics import Diagnostic, counted, did_you_mean, is_it_one_of
from rulespec.model import Rearrange, Rulesheet
from rulespec.reader import Text
from rulespec.reasoning.judge import Judge
from rulespec.reasoning.known import Known, Setting
from rulespec.scenario_shape import MISSING, Map, RawAfter, RawCase, RawEnds, RawShows, Texts, by_seat, groups_of
from rulespec.source import Span

DONE = "done"
TIME_UP = "time-up"
"""In place of a move: the clock runs out. It is no move, so it cannot be legal or not."""
EMPTY = "empty"
OWN_RULES = ("phase", "unfinished")
"""What `because` may say besides the conditions of the sheet."""

_ANSWERS = (
    "valid", "kind", "points", "names", "because", "legal", "can", "offered", "warns", "after", "ends",
)  # fmt: skip
MOST_PLACES = 8
"""Places of a card that is written too often, which are shown."""
_NUMBER = re.compile(r"-?\d{1,9}")
_SYMBOLS = str.maketrans("♠♥♦♣", "SHDC")
_MELD_KEYS = ("cards", "natural", "wild", "same", "different", "consecutive", "of", "apart")


@dataclass(frozen=True, slots=True)
class Case:
    """One checked case: as written, with the players and the options it is played with."""

    written: RawCase
    players: int
    options: Mapping[str, int | bool | str]
    """The options the case chooses; the others have their defaults."""


class Deck:
    """The cards of a sheet by their texts."""

    def __init__(self, sheet: Rulesheet) -> None:
        self.ranks = tuple(dict.fromkeys(sheet.deck.places))
        self.suits = sheet.deck.suits
        self.jokers = Judge(sheet).number(sheet.deck.jokers, Known()).high > 0
        """Whether there may be jokers."""

    def face(self, text: str) -> str | None:
        """A card as it is always written (`10H`, `JK`), None for what is no card of this deck."""
        clean = text.upper().translate(_SYMBOLS)
        if clean in ("JK", "JOKER"):
            return "JK"
        if clean.startswith("T") and "T" not in self.ranks:
            clean = f"10{clean[1:]}"
        for suit in self.suits:
            rank = clean.removesuffix(suit.upper())
            if rank != clean and rank in self.ranks:
                return rank + suit
        return None

    def named(self, text: str) -> bool:
        """Whether a wild card can be said to stand for this: a card, or in a set a bare rank."""
        return self.face(text) not in (None, "JK") or text.upper() in (
            *self.ranks,
            *("T" for r in self.ranks if r == "10"),
        )

    def known(self) -> list[str]:
        """All faces, for suggestions."""
        return [rank + suit for suit in self.suits for rank in self.ranks] + ["JK"] * self.jokers

    def turned(self, text: str) -> str:
        """The card that is meant where the suit stands first; empty if none is."""
        clean = text.upper().translate(_SYMBOLS)
        suit = next((suit for suit in self.suits if clean.startswith(suit.upper())), "")
        return (self.face(clean[len(suit) :] + suit) or "") if suit else ""


class CaseChecker:
    """Checks the cases of one file; what is wrong goes to `found`."""

    def __init__(self, sheet: Rulesheet, found: list[Diagnostic]) -> None:
        self.sheet = sheet
        self.found = found
        self.deck = Deck(sheet)
        self.moves = {move.name for move in sheet.moves}
        self.kinds = {kind.name for kind in sheet.melds}
        self.zones = {zone.name: zone.of for zone in sheet.zones} | {"stock": "table", "discards": "table"}
        self.tallies = {tally.name: tally.of for tally in sheet.tallies}
        self.endings = {ending.name for ending in sheet.round.endings}
        self.conditions = conditions(sheet)
        self.judge = Judge(sheet)
        self.names: dict[str, Text] = {}
        self.seats = {"table": 1, "player": 1, "side": 1}
        """How many there are of what something can belong to, in the case being checked."""
        self.counted = True
        """Whether its players and options are right; else nothing is said of what depends on how many there are."""
        self.span = Span("", 0, 0, 0, 0)
        """The place of the case being checked."""
        self.side = "player"
        """What a side is called: where everybody plays alone, a player."""

    def say(self, code: str, message: str, span: Span, help_: str = "", *notes: tuple[Span, str]) -> None:
        """Report a mistake."""
        self.found.append(Diagnostic(code, "error", message, span, help_, notes))

    def check(self, raw: RawCase) -> Case | None:
        """The checked case, None if anything is wrong with it."""
        before = len(self.found)
        self.span = raw.span
        self.name(raw)
        certain = len(self.found)
        options = self.options(raw.options)
        players = self.players(raw)
        self.counted = len(self.found) == certain
        setting = Setting(players, {o.name: o.values[0] for o in self.sheet.options} | options).known()
        sides = self.judge.number(self.sheet.sides, setting).exact
        self.seats = {"table": 1, "player": players, "side": max(1, min(players, sides or players))}
        self.side = "side" if self.seats["side"] < players else "player"
        self.together(raw)
        self.position(raw)
        self.question(raw)
        self.answers(raw)
        if self.counted:
            self.copies(raw, setting)
        if len(self.found) > before:
            return None
        return Case(raw, players, options)

    # -------------------------------------------------------- head

    def name(self, raw: RawCase) -> None:
        for key, text in (("name", raw.name), ("source", raw.source)):
            if not text.strip():
                self.say("missing-key", f"the case has no `{key}`", raw.span, MISSING[key])
        if raw.name in self.names:
            first = self.names[raw.name].span
            self.say(
                "double-case", f'a case named "{raw.name}" stands here twice', raw.name.span, "", (first, "the first")
            )
        self.names.setdefault(raw.name, raw.name)

    def options(self, chosen: Map) -> dict[str, int | bool | str]:
        """The values of the options the case chooses."""
        known = {option.name: option for option in self.sheet.options}
        values: dict[str, int | bool | str] = {}
        for name, text in chosen.items():
            if name not in known:
                help_ = did_you_mean(name, known) or _listed("its options are", known)
                self.say("unknown-option", f'"{self.sheet.id}" has no option "{name}"', name.span, help_)
                continue
            by_text = {_said(value): value for value in known[name].values}
            if text not in by_text:
                self.say("unknown-option", f'"{name}" cannot be "{text}"', text.span, _listed("it is one of", by_text))
            else:
                values[name] = by_text[text]
        return values

    def players(self, raw: RawCase) -> int:
        """How many play: as written, else as many as have hands, else as few as may."""
        least, most = self.sheet.players.low, self.sheet.players.high
        if raw.players is not None:
            number = self.number(raw.players, "players")
            if number is not None and not least <= number <= most:
                self.say("wrong-number", f'"{self.sheet.id}" is for {players_text(self.sheet)}', raw.players.span)
            return least if number is None or not least <= number <= most else number
        if isinstance(raw.hands, list):
            if len(raw.hands) > most:
                text = f'there are {len(raw.hands)} hands, but "{self.sheet.id}" is for {players_text(self.sheet)}'
                self.say("wrong-number", text, raw.hands[most].span)
            return min(max(least, len(raw.hands)), most)
        return least

    # -------------------------------------------------------- which keys go together

    def together(self, raw: RawCase) -> None:
        """Report keys that do not go together, and a case that asserts nothing."""
        asked = [key for key in ("group", "play", "move", "moves") if getattr(raw, key) is not None]
        written = {key: where for key in _ANSWERS if (where := self.where(raw, key)) is not None}
        if len(asked) > 1:
            self.clash(asked[0], asked[1], raw)
        if not written:
            help_ = "say what is expected: `valid`, `legal`, `because`, `offered`, `after`, `ends` …"
            self.say("asserts-nothing", f'the case "{raw.name}" asserts nothing', raw.name.span, help_)
        moves = set(asked) & {"play", "move", "moves"}
        for key in set(written) & {"valid", "kind", "points", "names"}:
            if "group" not in asked:
                self.say("keys-together", f"`{key}` is said of a `group`", written[key])
        if "legal" in written and not moves:
            self.say("keys-together", "`legal` is said of a `move`, `moves` or `play`", written["legal"])
        if "because" in written and not asked:
            self.say("keys-together", "`because` is said of a `group`, `move`, `moves` or `play`", written["because"])
        if "group" in asked:
            for key in set(written) & {"legal", "can", "offered", "warns", "after", "ends"}:
                self.say("keys-together", f"`{key}` is not said of a `group`", written[key])
        refused = raw.legal == "no" or (raw.because is not None and bool(moves))
        for key in set(written) & {"can", "offered", "warns", "after", "ends"}:
            if refused and "group" not in asked:
                self.say("keys-together", f"a refused move changes nothing, so `{key}` cannot follow it", written[key])
        if raw.because is not None and "yes" in (raw.legal, raw.valid):
            self.say("keys-together", "`because` says why something is not so", raw.because.span)
        for key in ("points", "names"):
            if key in written and (raw.valid == "no" or raw.because is not None):
                self.say("keys-together", f"a group that is not valid has no `{key}`", written[key])
        if raw.shows is not None and raw.warns is None:
            self.say("keys-together", "`shows` says what `warns` shows", self.where(raw, "shows") or raw.span)
        if raw.hand is not None and raw.hands is not None:
            self.clash("hand", "hands", raw)

    def clash(self, first: str, second: str, raw: RawCase) -> None:
        span = self.where(raw, second) or raw.span
        self.say("keys-together", f"`{first}` and `{second}` do not go together", span)

    def where(self, raw: RawCase, key: str) -> Span | None:
        """Where the answer or question `key` stands; None if it says nothing."""
        value = getattr(raw, key)
        if isinstance(value, RawAfter | RawEnds | RawShows):
            inner = [getattr(value, word) for word in type(value).model_fields if word != "span"]
            spans = [raw.name.span if part == [] else _place(part) for part in inner]
            return next((span for span in spans if span is not None), None)
        return raw.name.span if value == [] else _place(value)

    # -------------------------------------------------------- position

    def position(self, raw: RawCase) -> None:
        for key in ("seed", "renewed"):
            self.number(getattr(raw, key), key)
        self.number(raw.round, "round", least=1)
        if raw.turn_number == "0":
            help_ = "leave `turn-number` and `moves` out, and `ends` asks about them"
            message = "`turn-number` is 0 only while the endings after the deal are looked at"
            self.say("wrong-number", message, raw.turn_number.span, help_)
        else:
            self.number(raw.turn_number, "turn-number", least=1)
        for key in ("turn", "dealer"):
            self.seat(getattr(raw, key), key)
        if raw.renewed is not None and self.sheet.stock.how == "nothing":
            self.say("keys-together", f'the stock of "{self.sheet.id}" is never renewed', raw.renewed.span)
        self.truth(raw.stopped)
        if raw.stopped is not None and not stopped_by_the_table(self.sheet):
            message = f'"{self.sheet.id}" ends by its own rule and never asks whether the table stops'
            self.say("keys-together", message, raw.stopped.span)
        for key in ("hand", "stock", "discards"):
            self.cards(getattr(raw, key))
        if raw.hand is None:
            self.whole(raw.hands, "hands")
        for seat, text in by_seat(raw.hands):
            self.owner(seat, text, "hands")
            self.cards(text)
        for owner, text in groups_of(raw.table):
            if owner is not None:
                self.owner(owner, text, "table")
            self.group(text)
        self.kept(raw)

    def kept(self, part: RawCase | RawAfter) -> None:
        """What both a position and `after` say of scores, tallies and other zones."""
        for key in ("scores", "rounds_won", "opened"):
            self.whole(getattr(part, key), key.replace("_", "-"), "side")
            for side, text in by_seat(getattr(part, key)):
                self.owner(side, text, key.replace("_", "-"), "side")
                if key == "opened":
                    self.truth(text)
                else:
                    self.number(text, key.replace("_", "-"), least=None)
        for name, value in part.zones.items():
            if self.declared(name, self.zones, "zone", value):
                for text in _texts(value):
                    self.cards(text, or_number=isinstance(part, RawAfter))
        for name, value in part.tallies.items():
            if self.declared(name, self.tallies, "tally", value):
                for text in _texts(value):
                    self.number(text, f"the tally {name}", least=None)

    def declared(self, name: Text, known: Mapping[str, str], what: str, value: Text | Texts | Map) -> bool:
        """Whether `name` is a declared thing and `value` is by seat where, and only where, it has owners."""
        if name in ("stock", "discards", "hand"):
            self.say("keys-together", f"`{name}` is a key of its own", name.span)
            return False
        if name not in known:
            help_ = did_you_mean(name, known) or _listed("it has", known)
            self.say("unknown-name", f'"{self.sheet.id}" has no {what} "{name}"', name.span, help_)
            return False
        if known[name] == "table" and not isinstance(value, Text):
            self.say("wrong-shape", f"there is one {name}, it belongs to the table", name.span)
            return False
        if known[name] != "table" and isinstance(value, Text):
            self.say("wrong-shape", f"each {known[name]} has a {name} of its own: write a list", value.span)
            return False
        self.whole(value, name, known[name])
        for owner, text in () if isinstance(value, Text) else by_seat(value):
            self.owner(owner, text, name, known[name])
        return True

    # -------------------------------------------------------- question and answers

    def question(self, raw: RawCase) -> None:
        if raw.group is not None:
            self.group(raw.group)
        for text in raw.play or ():
            self.group(text)
        if raw.play is not None and not rearranging(self.sheet):
            span = self.where(raw, "play") or raw.span
            self.say("keys-together", f'no move of "{self.sheet.id}" rearranges the table', span)
        clocked = (TIME_UP,) if self.sheet.manners.time_up is not None else ()
        if raw.moves and raw.moves[-1].strip() == TIME_UP and (raw.legal is not None or raw.because is not None):
            message = "that the clock runs out is no move that could be legal: ask `after`"
            self.say("keys-together", message, raw.moves[-1].span)
        for text in [*(raw.moves or ()), *([raw.move] if raw.move is not None else [])]:
            if text.strip():
                word = text.split()[0]
                self.move(word, text.within(text.index(word), text.index(word) + len(word)), (DONE, *clocked))
        if raw.moves is not None and not raw.moves:
            self.say("no-value", "`moves` is empty", raw.name.span)

    def answers(self, raw: RawCase) -> None:
        for key in ("valid", "legal"):
            self.truth(getattr(raw, key))
        self.number(raw.points, "points", least=None)
        self.named(raw.kind, self.kinds, "kind of group")
        for token, start in _tokens(raw.names):
            if raw.names is not None and not self.deck.named(token):
                self.no_card(token, raw.names.within(start, start + len(token)))
        if raw.because is not None:
            self.because(raw.because, raw.group is not None)
        for answer in (raw.can, raw.warns):
            for move, text in answer.items() if isinstance(answer, dict) else ():
                self.move(move, move.span)
                self.truth(text)
            if isinstance(answer, Text):
                self.move(answer, answer.span)
        for text in raw.offered or ():
            self.move(text, text.span, (DONE,))
        if raw.shows is not None:
            self.cards(raw.shows.card)
            self.truth(raw.shows.rebuilt)
            for text in raw.shows.groups or ():
                self.group(text)
        if raw.after is not None:
            self.after(raw.after)
        if raw.ends is not None:
            self.ends(raw.ends)

    def after(self, after: RawAfter) -> None:
        for key in ("hand", "stock", "discards"):
            self.cards(getattr(after, key), or_number=True)
        self.whole(after.hands, "hands")
        for seat, text in by_seat(after.hands):
            self.owner(seat, text, "hands")
            self.cards(text, or_number=True)
        for owner, text in groups_of(after.table):
            if owner is not None:
                self.owner(owner, text, "table")
            self.group(text)
        for key in ("turn", "dealer"):
            self.seat(getattr(after, key), key)
        for key in ("round", "turn_number", "renewed"):
            self.number(getattr(after, key), key.replace("_", "-"))
        self.kept(after)

    def ends(self, ends: RawEnds) -> None:
        self.named(ends.round, self.endings, "ending")
        for text in ends.winners or ():
            self.seat(text, "winners")
        self.seat(ends.dealer, "dealer")
        for key in ("scores", "totals"):
            self.whole(getattr(ends, key), key, "side")
            for side, text in by_seat(getattr(ends, key)):
                self.owner(side, text, key, "side")
                self.number(text, key, least=None)
        if isinstance(ends.game, Text) and ends.game not in ("no", "yes", "draw"):
            self.say(
                "wrong-choice", f'`game` is "no", "yes", "draw" or a list of seats, not "{ends.game}"', ends.game.span
            )
        for text in ends.game if isinstance(ends.game, list) else ():
            self.seat(text, "game")

    def because(self, text: Text, of_group: bool) -> None:
        known = {path for path in self.conditions if path.startswith("melds.")} if of_group else self.conditions
        if text not in known:
            same = sorted(path for path in known if path.endswith(f".{text}"))[:3]
            help_ = is_it_one_of(same) or did_you_mean(text, known)
            help_ = help_ or "it is said as `move.key.name`, `phase` or `unfinished`"
            self.say("unknown-name", f'"{self.sheet.id}" has no condition "{text}"', text.span, help_)

    # -------------------------------------------------------- texts

    def named(self, text: Text | None, known: Iterable[str], what: str) -> None:
        names = set(known)
        if text is not None and text not in names:
            help_ = did_you_mean(text, names) or _listed("it has", names)
            self.say("unknown-name", f'"{self.sheet.id}" has no {what} "{text}"', text.span, help_)

    def move(self, word: str, span: Span, more: tuple[str, ...] = ()) -> None:
        names = {*self.moves, *more}
        if word not in names:
            help_ = did_you_mean(word, names) or _listed("its moves are", names)
            self.say("unknown-name", f'"{self.sheet.id}" has no move "{word}"', span, help_)

    def truth(self, text: Text | None) -> None:
        if text is not None and text not in ("yes", "no"):
            self.say("wrong-choice", f'"{text}" stands where "yes" or "no" belongs', text.span)

    def number(self, text: Text | None, what: str, least: int | None = 0) -> int | None:
        """The number a text is; None, and reported, if it is none or too small."""
        if text is None:
            return None
        number = int(text) if _NUMBER.fullmatch(text) else None
        if number is None or (least is not None and number < least):
            bound = "" if least is None else f" of at least {least}"
            self.say("wrong-number", f'{what} is a whole number{bound}, not "{text}"', text.span)
            return None
        return number

    def seat(self, text: Text | None, what: str, of: str = "player") -> None:
        if text is None:
            return
        number, most = int(text) if _NUMBER.fullmatch(text) else 0, self.seats[of]
        if not 1 <= number <= most and (self.counted or number < 1):
            word = "side" if of == "side" == self.side else "seat"
            self.say("no-such-seat", f'`{what}` is a {word} from 1 to {most}, not "{text}"', text.span)

    def owner(self, owner: Text | int, text: Text, what: str, of: str = "player") -> None:
        """Check whose something is: a key by seat or side, or an item of a list."""
        if isinstance(owner, Text):
            self.seat(owner, what, of)
        elif owner >= self.seats[of] and self.counted:
            word = self.side if of == "side" else of
            self.say("no-such-seat", f"`{what}` has more entries than the {self.seats[of]} {word}s", text.span)

    def whole(self, value: Texts | Map | Text | None, what: str, of: str = "player") -> None:
        """Report a list that says nothing of some seats or sides: whose entry is left out, it does not tell."""
        if isinstance(value, list) and len(value) < self.seats[of] and self.counted:
            all_ = counted(self.seats[of], self.side if of == "side" else of)
            message = f"`{what}` is a list for {all_} and has only {len(value)}"
            span = value[-1].span if value else self.span
            self.say("wrong-number", message, span, "to speak of some of them write a map by number, `{2: …}`")

    def copies(self, raw: RawCase, setting: Known) -> None:
        """Report cards of the position that are written more often than the deck has them in this case.

        A `group` is judged by its kinds alone, whether or not the deck has so many of its cards.
        """
        packs = self.judge.number(self.sheet.deck.packs, setting).exact
        jokers = self.judge.number(self.sheet.deck.jokers, setting).exact
        if packs is not None and jokers is not None:
            self.found.extend(_too_many(_position_cards(raw), self.deck, packs, jokers))

    def cards(self, text: Text | None, *, or_number: bool = False) -> None:
        """Check a text of cards; if `or_number`, a number of cards will do."""
        if text is None or text == EMPTY or (or_number and text.isdecimal()):
            return
        for token, start in _tokens(text):
            if self.deck.face(token) is None:
                self.no_card(token, text.within(start, start + len(token)))

    def group(self, text: Text) -> None:
        """Check a group: cards, wild ones perhaps with what they stand for; its kind may stand first."""
        tokens = list(_tokens(text))
        if tokens and tokens[0][0] in self.kinds:
            tokens = tokens[1:]
        for token, start in tokens:
            card, equals, name = token.partition("=")
            if self.deck.face(card) is None:
                self.no_card(card, text.within(start, start + len(card)))
            elif equals and not self.deck.named(name):
                self.no_card(name, text.within(start + len(card) + 1, start + len(token)))

    def no_card(self, token: str, span: Span) -> None:
        turned = self.deck.turned(token)
        near = is_it_one_of([turned]) if turned else did_you_mean(token, self.deck.known())
        ranks, suits = " ".join(self.deck.ranks), " ".join(self.deck.suits)
        joker = "; a joker is JK" if self.deck.jokers else ""
        help_ = f"{near + ' ' if near else ''}a card is one of {ranks}, then one of {suits}{joker}"
        self.say("no-such-card", f'"{token}" is no card of "{self.sheet.id}"', span, help_)


def rearranging(sheet: Rulesheet) -> str:
    """The move that `play` asks about: the one of that name, else the first that rearranges the table, or none."""
    names = [move.name for move in sheet.moves if any(isinstance(action, Rearrange) for action in move.does)]
    return "play" if "play" in names else next(iter(names), "")


def conditions(sheet: Rulesheet) -> set[str]:
    """What `because` may say: every condition of a move or kind of group, and the rules of the language itself."""
    found = set(OWN_RULES)
    for move in sheet.moves:
        found.add(f"{move.name}.does")
        found |= {condition.path for condition in (*move.before, *move.only)}
        found |= {duty.condition.path for duty in move.duties}
    for kind in sheet.melds:
        found |= {f"melds.{kind.name}.{key}" for key in _MELD_KEYS if getattr(kind, key) not in (None, (), False)}
        found |= {condition.path for condition in kind.needs}
    return found


def copies_in(group: Text, deck: Deck) -> tuple[int, int]:
    """How many packs and jokers a deck needs to hold the cards of a group."""
    faces = Counter(deck.face(token.partition("=")[0]) for token, _ in _tokens(group))
    jokers = faces.pop("JK", 0)
    faces.pop(None, 0)
    return max(faces.values(), default=0), jokers


def _position_cards(raw: RawCase) -> Iterator[Text]:
    """Every text of the position that puts cards somewhere."""
    yield from (text for text in (raw.hand, raw.stock, raw.discards) if text is not None)
    yield from (text for _, text in by_seat(raw.hands))
    yield from (text for _, text in groups_of(raw.table))
    yield from (text for value in raw.zones.values() for text in _texts(value))


def _too_many(texts: Iterable[Text], deck: Deck, packs: int, jokers: int) -> Iterator[Diagnostic]:
    """A mistake for each card written once more often than the deck has it."""
    seen: dict[str, list[Span]] = {}
    for text in texts:
        for token, start in _tokens(text):
            face = deck.face(token.partition("=")[0])
            if face is not None:
                seen.setdefault(face, []).append(text.within(start, start + len(token)))
    for face, places in seen.items():
        there = jokers if face == "JK" else packs
        if len(places) > there:
            many = f"is written {len(places)} times, the deck has {there}" if there else "is not in the deck here"
            others = tuple((place, "here too") for place in places if place != places[there])[:MOST_PLACES]
            yield Diagnostic("too-many-cards", "error", f'"{face}" {many}', places[there], "", others)


def _tokens(text: Text | None) -> Iterator[tuple[str, int]]:
    """The words of a text and where each begins."""
    yield from ((match.group(), match.start()) for match in re.finditer(r"\S+", text or ""))


def _texts(value: Text | Texts | Map) -> list[Text]:
    return [value] if isinstance(value, Text) else list(value.values()) if isinstance(value, dict) else value


def _place(value: object) -> Span | None:
    """Where a value stands; None where it says nothing."""
    if isinstance(value, Text):
        return value.span
    if isinstance(value, list):
        return _place(value[0]) if value else None
    if isinstance(value, dict):
        return next((key.span for key in value), None)
    return None


def _said(value: int | bool | str) -> str:
    """The value of an option as it is written."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _listed(intro: str, names: Iterable[str]) -> str:
    words = ", ".join(f'"{name}"' for name in sorted(names))
    return f"{intro} {words}" if words else ""
