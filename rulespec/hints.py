"""What people write who do not know the language yet, and how it is said: in other words, or in other signs."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass

from rulespec.foreign import in_english

# ------------------------------------------------------------ words

RANKS = {
    "ace": "A",
    "king": "K",
    "queen": "Q",
    "jack": "J",
    "knave": "J",
    "two": "2",
    "deuce": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
}
COURT = ("A", "K", "Q", "J")
SUITS = ("spade", "heart", "diamond", "club")
NUMBERS = {"one": "1", **{word: rank for word, rank in RANKS.items() if rank not in COURT}}
PILES = {
    "discard": "discards",
    "discard-pile": "discards",
    "discards-pile": "discards",
    "waste": "discards",
    "waste-pile": "discards",
    "pile": "discards",
    "deck": "stock",
    "stack": "stock",
    "talon": "stock",
    "draw-pile": "stock",
    "stock-pile": "stock",
    "stockpile": "stock",
}
"""What the two piles of the table are called elsewhere."""

EVERYDAY: dict[str, str] = {
    "all": 'say "every card in hand is red", or "number of cards in hand"',
    "any": 'say "some card in hand is red"',
    "each": 'say "every card in hand is red"',
    "an": 'leave "an" out',
    "my": 'leave "my" out: a bare word is yours already',
    "your": 'leave "your" out: a bare word is yours already',
    "mine": 'a bare word is yours already: "hand", "melds"; of a group say "it is in melds"',
    "player": 'say "some player has score >= 100", "everyone", "you" or "left of you"',
    "opponent": 'say "others" for all of them, "left of you" for the next one',
    "opponents": 'say "others"',
    "true": 'say "yes"',
    "always": 'say "yes"',
    "false": 'say "no"',
    "never": 'say "no"',
    "have": 'a condition stands alone: "opened", "hand is empty"',
    "when": 'the condition stands alone behind the key, without "when"',
    "size": 'say "number of cards in hand"',
    "count": 'say "number of cards in hand"',
    "amount": 'say "number of cards in hand"',
    "value": 'say "points of hand"',
    "worth": 'say "points of hand"',
    "sum": 'say "points of hand"',
    "number": 'say "number of cards in hand"; the turn is "turn-number", the round "round"',
    "double": 'write the number: "2"',
    "twice": 'write the number: "2"',
    "triple": 'write the number: "3"',
    "half": 'divide: "points of hand / 2"',
    "minus": 'write the sign close to the number or word: "-points of hand"',
    "pay": 'who pays whom stands before the colon: "losers to winners: 10"',
    "pays": 'who pays whom stands before the colon: "losers to winners: 10"',
    "first": 'say "turn-number = 1", "round = 1"',
    "first-turn": 'say "turn-number = 1", or "turn-number <= players" for the first turn of everyone',
    "last": 'of moves say "after draw"',
    "next": 'the next player is "left of you"',
    "face": 'the court cards are "J-K"',
    "picture": 'the court cards are "J-K"',
    "pictures": 'the court cards are "J-K"',
    "just": 'say "after draw"',
    "turns": 'the number of the turn is "turn-number"',
    "rounds": 'the number of the round is "round"',
    "lowest": 'say "everyone with least score"',
    "highest": 'say "everyone with most score"',
    "cannot": 'say "not can meld"',
    "between": 'say "points of hand >= 5 and points of hand <= 10"',
    "nothing": 'put "may" before what can be left out: "may meld"',
    "winner": 'say "winners"',
    "loser": 'say "losers"',
}
"""Words of everyday speech that mean nothing in a phrase, and what is said instead."""


def everyday(word: str, zones: Container[str]) -> str:
    """How a word is said that is none of the language and of no sheet; empty if nothing is known."""
    pile = meant_pile(word, zones)
    if pile:
        return pile
    if word in EVERYDAY:
        return EVERYDAY[word]
    if in_english(word):
        return f'say "{in_english(word)}"'
    rank = rank_of(word)
    if word in NUMBERS:
        also = f'; of a card say "it is {NUMBERS[word]}"' if word in RANKS else ""
        return f'numbers are written in digits: "{NUMBERS[word]}"{also}'
    return f'the rank is written "{rank}"' if rank else _suit(word)


def _suit(word: str) -> str:
    suit = word.removesuffix("s")
    return f'say "suit of it = suit of top of discards", or name cards: "Q{suit[0].upper()}"' if suit in SUITS else ""


def rank_of(word: str) -> str:
    """The rank or `joker` that a word names in everyday speech; empty if none."""
    folded = word.casefold()
    singular = "six" if folded == "sixes" else folded.removesuffix("s")
    return "joker" if folded in ("joker", "jokers", "jk", "jks") else RANKS.get(singular, "")


def in_ranks(cards: str) -> str:
    """A class of cards with the ranks that everyday words name: `joker or 2` for `jokers or twos`."""
    return re.sub(r"(?<![\w-])[a-z]+(?![\w-])", lambda word: rank_of(word[0]) or word[0], cards)


def meant_pile(word: str, zones: Container[str]) -> str:
    """A help line if a word is another name of one of the piles."""
    pile = PILES.get(word.casefold(), "")
    return f'the pile is called "{pile}"' if pile in zones else ""


SUIT_FIRST = re.compile("([SHDC])(10|[2-9AJQK])", re.IGNORECASE)
RANK_FIRST = re.compile("(10|[2-9AJQK])([SHDC])", re.IGNORECASE)
CARD_LIKE = re.compile("[A-Z]?[0-9]{1,2}[A-Z]?|[A-Z]{2}")


def meant_card(word: str) -> str:
    """A help line if a word is a card written otherwise, or nearly one; empty if not."""
    if word.islower() and not any(char.isdigit() for char in word):
        return ""
    if (turned := SUIT_FIRST.fullmatch(word)) is not None:
        return f'a card is written rank then suit: "{turned[2].upper()}{turned[1].upper()}"'
    if (small := RANK_FIRST.fullmatch(word)) is not None:
        rank = f'; the rank alone is "{small[1].upper()}"' if small[2] == "s" else ""
        return f'a card is written in capitals: "{word.upper()}"{rank}'
    if CARD_LIKE.fullmatch(word):
        return 'a card is a rank, of A 2-10 J Q K, then a suit, of S H D C: "10S"'
    return ""


# ------------------------------------------------------------ signs and turns of speech

ASKING = frozenset({"expr", "duty", "players", "line", "dealt"})
PLAYING = frozenset({"phase"})
DOING = frozenset({"does"})
CLASSES = frozenset({"cardclass"})
BOTH = PLAYING | DOING
RANGES = frozenset({"range"})
DEALING = frozenset({"dealt"})
RENEWING = frozenset({"stockrule"})
EVERYWHERE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Saying:
    """A turn of speech and how it is written. `sure`: it means nothing, even where the phrase could be read. What of it
    is shown is the group `here`, where there is one."""

    pattern: re.Pattern[str]
    written: str
    starts: frozenset[str]
    sure: bool = False


def _saying(pattern: str, written: str, starts: frozenset[str], *, sure: bool = False) -> Saying:
    return Saying(re.compile(pattern), written, starts, sure)


QUOTES = "\"'\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
QUOTES += "\N{DOUBLE LOW-9 QUOTATION MARK}\N{SINGLE LOW-9 QUOTATION MARK}"
QUOTES += "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}"
QUOTES += "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}"
DASH = "\N{EN DASH}"
LEAST = r"(?:is |are )?(?:at least|no less than|no fewer than|not less than|not fewer than)"
MOST = r"(?:is |are )?(?:at most|no more than|not more than|no greater than|not greater than|up to)"
MORE = r"(?:is |are )?(?:more|greater|bigger|higher|larger) than"
FEWER = r"(?:is |are )?(?:less|fewer|smaller|lower) than"

SAYINGS = (
    _saying(f"^[{QUOTES}]+|[{QUOTES}]+$", "", EVERYWHERE),
    _saying(r"(?<=\S)[.;]$", "", EVERYWHERE),
    _saying(r"^(?:if|when) (?!.* then )", "", ASKING),
    _saying(r"([<>!]) =", r"\1=", ASKING | PLAYING),
    _saying(r"^(.+?) (?P<here>(?:is )?between) (\d+) and (\d+)$", r"\1 >= \3 and \1 <= \4", ASKING, sure=True),
    _saying(
        r"^(?:a |any |some |the )?(?P<here>player reaches) (\d+)(?: points)?$",
        r"some player has score >= \2",
        ASKING,
        sure=True,
    ),
    _saying(r"^after (\d+) rounds?$", r"round = \1", ASKING),
    _saying(r"^(\d+) ?(?:to|bis|tot|until|or|oder|of|/) ?(\d+)$", r"\1-\2", RANGES),
    _saying(r"^(?:at least|minimum|min|mindestens|minstens|minimaal) (\d+)$", r"\1+", RANGES),
    _saying(r"^(\d+) (?:or|and|oder|of|en) (?:more|up|mehr|meer)$", r"\1+", RANGES),
    _saying(r"^(\d+) cards?(?: each| per player)?$|^(\d+) (?:each|per player)$", r"\1\2", DEALING),
    _saying(r"^(?:re)?shuffle\b.*", "reshuffle discards except top", RENEWING),
    _saying(r"^(?:turn|flip)\b.*", "turn over discards except top", RENEWING),
    _saying(r"\bover ([a-z -]+ (?:in|on) [a-z -]+?) of (?=[a-z])", r"over (\1) of ", ASKING),
    _saying(r"\bsum over(?= )", "total over", ASKING, sure=True),
    _saying(r"^(?:when )?no cards? (?:left )?in (?:the )?hand$", "hand is empty", ASKING),
    _saying(
        r"^(?:a |the |any |some )?(?:player|hand|someone|somebody|anyone|anybody) (?:has|holds) no (?:more )?cards?"
        r"(?: left)?$",
        "hand is empty",
        ASKING,
        sure=True,
    ),
    _saying(r"^(?:its |the )?face value$", "pips", ASKING, sure=True),
    _saying(
        r"\b(?:someone|somebody|anyone|anybody) (?:has|reaches) (\d+)$",
        r"some player has score >= \1",
        ASKING,
        sure=True,
    ),
    _saying(r"\b(?:someone|somebody|anyone|anybody) (?:has|reaches)(?= )", "some player has", ASKING, sure=True),
    _saying(r"\bplayer has (\d+)(?: points?)?(?: or more)?$", r"player has score >= \1", ASKING),
    _saying(
        r"^(?:the )?players? with (?:the )?(?:most|highest) (?:points|score)$",
        "everyone with most score",
        ASKING,
        sure=True,
    ),
    _saying(
        r"^(?:the )?players? with (?:the )?(?:least|fewest|lowest) (?:points|score)$",
        "everyone with least score",
        ASKING,
        sure=True,
    ),
    _saying(r"^(?:the )?player (?:who|that) [a-z ]+$", "ender", ASKING, sure=True),
    _saying(rf"{LEAST}(?= \w)", ">=", ASKING, sure=True),
    _saying(rf"{MOST}(?= \w)", "<=", ASKING, sure=True),
    _saying(rf"{MORE}(?= \w)", ">", ASKING, sure=True),
    _saying(rf"{FEWER}(?= \w)", "<", ASKING, sure=True),
    _saying(r"(?:is )?(?:above|over|exceeds)(?= \d)", ">", ASKING),
    _saying(r"(?:is )?(?:below|under)(?= \d)", "<", ASKING),
    _saying(r"\b(?:is |are )?equals?(?: to)?(?= \d)", "=", ASKING, sure=True),
    _saying(
        r"\b(?:(?:any|a|the|one) players?|some players) (?:has|have)(?= )|\bsome player have(?= )",
        "some player has",
        ASKING,
        sure=True,
    ),
    _saying(r"^players? (?:has|have)(?= )", "some player has", ASKING, sure=True),
    _saying(r"\b(?:(?:all|each) players?|every players) (?:has|have)(?= )", "every player has", ASKING, sure=True),
    _saying(r"\bno (?:players (?:has|have)|player have)(?= )", "no player has", ASKING, sure=True),
    _saying(r"\b(?:everyone|players?) with (?:the )?(?:lowest|least|fewest)(?= )", "everyone with least", ASKING),
    _saying(r"\b(?:everyone|players?) with (?:the )?(?:highest|most)(?= )", "everyone with most", ASKING),
    _saying(r"(?<=\d) points?\b", "", ASKING | DOING),
    _saying(r"n't\b", " not", ASKING),
    _saying(r"\b([a-z-]+)'s ([a-z-]+)", r"\2 of \1", ASKING),
    _saying(r"\bcan ?not (?=[a-z])", "not can ", ASKING),
    _saying(r"\bcan you (?=[a-z])", "can ", ASKING),
    _saying(r"(?<= )(?:has|have) no cards\b", "is empty", ASKING),
    _saying(r"^([a-z-]+) has (\d+) cards?$", r"number of cards in \1 = \2", ASKING),
    _saying(r"^([a-z -]+) contains? (?:an? )?([2-9AJQK]|10|joker)$", r"some card in \1 is \2", ASKING),
    _saying(r"\bcontains (?=[a-z])(?!a )", "contains a ", ASKING),
    _saying(r"\bin this (?=turn|round|game)", "this ", ASKING),
    _saying(r"\b(times [a-z-]+)(?= [<>=])", r"\1 this turn", ASKING),
    _saying(r" but (?:also )?", " and ", ASKING),
    _saying(r" except (?:if |when )?(?=.* (?:is|are) |opened|not )", " unless ", ASKING),
    _saying(r"^(?:you )?(?:has|have) (?=opened|folded)", "", ASKING),
    _saying(r"\bnumber (?=cards|jokers|groups|runs|sets)", "number of ", ASKING),
    _saying(r"\b(every|some|no) (card|joker)s?(?= (?:is|are) )", r"\1 \2 in hand", ASKING),
    _saying(r" *, *(?:and )?then ", " then ", BOTH),
    _saying(r" and then ", " then ", BOTH),
    _saying(r" *(?:->|=>|→|;|>) *", " then ", BOTH),
    _saying(r" *, *(?:and )?", " then ", BOTH),
    _saying(r"(?<! number) and ", " then ", PLAYING),
    _saying(r" and ", " then ", DOING),
    _saying(r" *[/|] *", " or ", PLAYING),
    _saying(r"\beither ", "", PLAYING),
    _saying(r"([a-z-]+) ?\*", r"any number of \1", PLAYING),
    _saying(r"([a-z-]+) ?\?", r"may \1", PLAYING),
    _saying(r"\b(?:optional|optionally|can|maybe|perhaps) (?=[a-z(])", "may ", PLAYING),
    _saying(r"\b(?:repeat|any|as many) (?=[a-z(])(?!number)", "any number of ", PLAYING),
    _saying(r"([a-z-]+) if (?:you|they|he|she|the player) (?:want|like|wish|can|may)s?", r"may \1", PLAYING, sure=True),
    _saying(r"\b0\+ (?=[a-z(])", "any number of ", PLAYING),
    _saying(r"\bat least (?:1|one) ([a-z-]+)", r"\1 then any number of \1", PLAYING),
    _saying(r"\bat most (?=\d)", "up to ", PLAYING),
    _saying(r"\b(\d+) (?=[a-z(])(?!times)", r"\1 times ", PLAYING),
    _saying(r"\blay off\b", "lay-off", PLAYING),
    _saying(r"\bput back\b", "put-back", PLAYING),
    _saying(r"(?<=[a-z]) (?:once|1 times)(?= |$)", "", PLAYING),
    _saying(r"\b(?:each|every) (?:other )?player (?!whose)", "each other player ", PLAYING),
    _saying(r"(?<=[a-z]) (?:a|one|1|the) (?:card|meld)s?(?= |$)", "", PLAYING),
    _saying(r"^(if .+?) (?:then )?([a-z-]+) then ", r"\2 \1 then ", PLAYING),
    _saying(r" then if (.+?) ([a-z-]+)(?= then |$)", r" then \2 if \1", PLAYING),
    _saying(r"(\([^()]*\)|[a-z-]+) any number of times", r"any number of \1", PLAYING),
    _saying(r"\bdiscards? pile\b", "discards", DOING | ASKING),
    _saying(r"\b(?:draw|stock) pile\b", "stock", DOING | ASKING),
    _saying(r"\b(on|from|of|under|to) the (?=[a-z])", r"\1 ", DOING),
    _saying(r"\btake the ", "take ", DOING),
    _saying(r"\b(put|draw|lay off) (?:a |one )?card\b(?! in | of )", r"\1 1", DOING, sure=True),
    _saying(r"(?<=\d) cards?\b", "", DOING),
    _saying(r"\bdraw(?= from |$)", "draw 1", DOING),
    _saying(r"\blay off(?= then |$)", "lay off 1", DOING),
    _saying(r"\b(?:pick up|draw) (?:the )?top(?: card)? (?:of|from)\b", "take top of", DOING),
    _saying(r"\btake top card (?:of|from)\b", "take top of", DOING),
    _saying(r"\btake (?:a card|1|one) from\b", "take top of", DOING),
    _saying(r"^pick up(?= \d)", "draw", DOING),
    _saying(r"\bput (\d+|any|all) (?:to|onto|in|into)\b", r"put \1 on", DOING),
    _saying(r"^discard(?: (?:a|one|1)(?: card)?)?$", "put 1 on discards", DOING),
    _saying(r"^play (?:a |one |1 )?card$", "put 1 on discards", DOING),
    _saying(r"^(?:meld|lay|lay down|play) (?:a |an |one )?[a-z-]+$", "lay a meld", DOING),
    _saying(r"^swap(?: (?:a|the))?(?: joker| card)$", "swap as freed", DOING),
    _saying(r"^(?:skip|nothing|stop)$", "pass", DOING),
    _saying(r"\b(and|or) (?=and |or )", "", ASKING),
    _saying(r" *, *(?=[a-z])", " and ", frozenset({"expr", "duty"})),
    _saying(rf"(?<=[\dAJQK]) ?(?:-|to|{DASH}) ?(?=\d|[AJQK]\b)", "-", CLASSES),
    _saying(r"(?<=\S)(?: *, *(?:and |or )?| and | *[/+] *)(?=\S)", " or ", CLASSES),
    _saying(r"(?<=[A2-9JQK0]) (?=[AJQK2-9])", " or ", CLASSES),
)
"""Tried in this order, each on what the one before made of the phrase."""


def said_otherwise(text: str, start: str) -> Iterator[str]:
    """The phrase with more and more of what is said otherwise written as the language writes it."""
    for saying in SAYINGS:
        if saying.starts and start not in saying.starts:
            continue
        changed = saying.pattern.sub(saying.written, text).strip()
        if changed != text and changed:
            text = changed
            yield text
    lowered = _small(text)
    if lowered != text:
        yield lowered
        yield from said_otherwise(lowered, start)


def _small(text: str) -> str:
    """The phrase with words in small letters, and ranks called by their names written as ranks."""

    def word(match: re.Match[str]) -> str:
        return rank_of(match[0]) or match[0].lower()

    return re.sub(r"[A-Z][A-Za-z-]*[a-z][A-Za-z-]*|[A-Z]{3,}", word, text)


def surely_said_otherwise(text: str, start: str) -> tuple[int, int] | None:
    """Where a phrase holds a turn of speech that means nothing, though it may look like a row of names."""
    for saying in SAYINGS:
        if saying.sure and start in saying.starts and (match := saying.pattern.search(text)):
            return match.span("here" if "here" in saying.pattern.groupindex else 0)
    return None
