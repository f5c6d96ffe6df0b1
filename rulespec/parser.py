"""One phrase of a sheet to its parse tree, or to a diagnostic at the very character where it stops making sense."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternStr

from rulespec.characters import plain_letters
from rulespec.diagnostics import Diagnostic, differ_by_one, is_it_one_of, nearest
from rulespec.foreign import first_foreign, in_english
from rulespec.hints import NUMBERS, QUOTES, RANKS, in_ranks, meant_card, rank_of, said_otherwise, surely_said_otherwise
from rulespec.reader import Text
from rulespec.vocabulary import ARTICLES, BARE, RESERVED

Start: TypeAlias = Literal[
    "phase",
    "does",
    "duty",
    "expr",
    "players",
    "line",
    "cardclass",
    "options",
    "range",
    "order",
    "suits",
    "tablekey",
    "tablerow",
    "dealt",
    "numbers",
    "attributes",
    "stockrule",
    "name",
]
STARTS: tuple[Start, ...] = Start.__args__  # type: ignore[attr-defined]
"""The kinds of phrase, each the start rule of its own in the grammar."""

ParseTree: TypeAlias = Tree[Token]

MAX_LENGTH = 500
MAX_DEPTH = 20
MAX_TRIES = 8
"""So many words before a mistake are tried as misspelt ones."""

KIND: dict[Start, str] = {
    "phase": "the course of a turn",
    "does": "what a move does",
    "duty": "a duty",
    "expr": "an expression",
    "players": "players",
    "line": "players, or players to players",
    "cardclass": "a kind of card",
    "options": "the values of an option",
    "range": "a number or a range",
    "order": "an order of ranks",
    "suits": "suits",
    "tablekey": "the head of a table",
    "tablerow": "a row of a table",
    "dealt": "a number of cards",
    "numbers": "numbers",
    "attributes": "rank, suit or colour",
    "stockrule": "what happens to an empty stock",
    "name": "a name",
}

EXAMPLES: dict[Start, str] = {
    "phase": "draw then any number of meld then discard",
    "does": "put 1 on discards",
    "duty": "taken is on the table before discard",
    "options": "5 or 10",
    "range": "3, 3-4, 3+",
    "order": "A 2-10 J Q K",
    "suits": "S H D C",
    "tablekey": "cards-each by players",
    "tablerow": "3, 2-4, 5+, below 0",
    "numbers": "3, 3, 3, 1",
    "attributes": "rank, suit",
    "stockrule": "reshuffle discards except top, at most 2 times",
}

ACTION_IF = 'an action has no "if", but its number may: "add (1 if opened else 0) to fines"'
SLIPS = {
    "<>": '"different" is written "!="',
    "==": '"equal" is written "="',
    "=<": 'write "<="',
    "=>": 'write ">="',
    "&": 'write "and"',
    "|": 'write "or"',
    "!": 'write "not"',
    "≤": 'write "<="',
    "≥": 'write ">="',
    "≠": 'write "!="',
    "\N{MULTIPLICATION SIGN}": 'write "*"',
    "÷": 'write "/"',
    "\N{MINUS SIGN}": 'minus is written "-"',
    "\N{EN DASH}": 'ranges and minus are written with "-"',
    "_": "names are joined by hyphens",
    ":": "a phrase holds no colon",
    "[": 'use "(" and ")"',
    "{": 'use "(" and ")"',
    "%": "there are no percentages",
    **dict.fromkeys(QUOTES, "names are written without quotes"),
    ".": "a phrase holds no full stop, and numbers are whole",
}
CAPITAL = re.compile(r"\b[A-Z][A-Za-z-]+")
JOINING = frozenset(("and", "else", "except", "if", "of", "or", "then", "unless", "whose", "with"))
OPERATORS = frozenset(("+", "-", "*", "/", "=", "!=", "<", "<=", ">", ">="))


@cache
def _parser() -> Lark:
    grammar = files("rulespec").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", propagate_positions=True, start=list(STARTS))


@cache
def keywords() -> frozenset[str]:
    """The words that are written out in the grammar."""
    values = (t.pattern.value for t in _parser().terminals if isinstance(t.pattern, PatternStr))
    return frozenset(value for value in values if value[0].isalpha())


def parse(text: Text, start: Start) -> ParseTree | Diagnostic:
    """The parse tree of a phrase, its positions counted in characters of the phrase; or why there is none."""
    if len(text) > MAX_LENGTH:
        message = f"a phrase has at most {MAX_LENGTH} characters, this one has {len(text)}"
        return _diagnostic("phrase-too-long", message, text, 0, len(text), "give parts of it a name in `define`")
    deep = _first_too_deep(text)
    if deep is not None:
        return _diagnostic("phrase-too-long", "too many brackets inside one another", text, deep, deep + 1)
    odd = surely_said_otherwise(text, start)
    if odd is not None:
        help_ = _rewritten(text, start) or 'numbers are compared by "=", "!=", "<", "<=", ">" and ">="'
        return _diagnostic("phrase-syntax", f'"{text[slice(*odd)]}" means nothing here', text, *odd, help_)
    try:
        tree = _parser().parse(text, start=start)
    except UnexpectedInput as error:
        return _explain(error, text, start)
    if _depth(tree) > 3 * MAX_DEPTH:
        return _diagnostic("phrase-too-long", "too many parts inside one another", text, 0, len(text))
    return _misplaced_article(tree, text) or tree


def _misplaced_article(tree: ParseTree, text: Text) -> Diagnostic | None:
    """What is wrong with an article that does not stand before a thing, in front of all its other words."""
    behind_article = {id(tail.children[-1]) for tail in tree.find_data("contains")}
    for words in tree.find_data("words"):
        said = [word for word in words.children if word is not None]
        for number, word in enumerate(said):
            stray = number > 0 or len(said) == 1 or said[-1] in BARE or id(words) in behind_article
            if stray and isinstance(word, Token) and word in ARTICLES:
                at = word.start_pos or 0
                message = f'"{word}" means nothing here'
                help_ = 'take it away; "the" and "a" stand before a thing: "on the table", "contain a run"'
                return _diagnostic("phrase-syntax", message, text, at, at + len(word), help_)
    return None


def _diagnostic(code: str, message: str, text: Text, start: int, end: int, help_: str = "") -> Diagnostic:
    return Diagnostic(code, "error", message, text.within(start, end), help_)


def _first_too_deep(text: str) -> int | None:
    depth = 0
    for index, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth > MAX_DEPTH:
            return index
    return None


def _depth(tree: ParseTree) -> int:
    deepest, todo = 0, [(tree, 1)]
    while todo:
        node, depth = todo.pop()
        deepest = max(deepest, depth)
        todo += [(child, depth + 1) for child in node.children if isinstance(child, Tree)]
    return deepest


# ------------------------------------------------------------ saying what is wrong


def _explain(error: UnexpectedInput, text: Text, start: Start) -> Diagnostic:
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        at = error.token.start_pos or 0
        found = str(error.token)
    elif isinstance(error, UnexpectedCharacters):
        at = error.pos_in_stream or 0
        found = (re.match(r"[^\W_][\w-]*|.", text[at:]) or [text[at : at + 1]])[0]
    else:
        at, found = len(text), ""
    foreign = first_foreign(text[: at + len(found)])
    if foreign is not None:
        message = f'"{foreign[0]}" does not fit here'
        help_ = _rewritten(text, start) or f'the words of a phrase are English: "{in_english(foreign[0])}"'
        return _diagnostic("phrase-syntax", message, text, *foreign.span(), help_)
    slip = _misspelt(text, start, at + len(found))
    if slip is not None:
        return slip
    accepted = _accepted(error)
    wanted = _in_words(accepted, start)
    if not text.strip():
        message = f"expected {KIND[start]}, not an empty phrase"
    elif not found:
        message = f"the phrase ends too early: expected {wanted}"
    else:
        message = f'expected {wanted}, not "{found}"'
    help_ = _hint(text, start, at, found, accepted) or (f"for example: {EXAMPLES[start]}" if start in EXAMPLES else "")
    return _diagnostic("phrase-syntax", message, text, at, at + max(len(found), 1), help_)


def _misspelt(text: Text, start: Start, end: int) -> Diagnostic | None:
    """The last word before `end` that is nearly a word of the grammar with which the phrase could be read."""
    words = list(re.finditer(r"[a-z][a-z0-9-]*", text[:end]))
    for word in reversed(words[-MAX_TRIES:]):
        for keyword in _alike(word[0]):
            if can_be_read(text[: word.start()] + keyword + text[word.end() :], start):
                message = f'"{word[0]}" does not fit here'
                return _diagnostic("phrase-syntax", message, text, word.start(), word.end(), is_it_one_of([keyword]))
    return None


def _alike(word: str) -> list[str]:
    """Words of the grammar that differ from this one by a letter, then those that are near it.

    None for a word of the language: it may be misplaced, but it is spelt as it should be.
    """
    if word in keywords() or word in RESERVED:
        return []
    one_off = [known for known in sorted(keywords()) if differ_by_one(word, known)]
    return list(dict.fromkeys([*one_off, *nearest(word, keywords(), 2)]))


def can_be_read(words: str, start: Start) -> bool:
    """Whether this is a phrase, whatever its names mean."""
    try:
        _parser().parse(words, start=start)
    except UnexpectedInput:
        return False
    return True


def _accepted(error: UnexpectedInput) -> set[str]:
    """What could stand there: words and signs as written, classes of words by the name of their terminal."""
    interactive = getattr(error, "interactive_parser", None)
    names = interactive.accepts() if interactive is not None else set()
    patterns = {t.name: t.pattern for t in _parser().terminals}
    accepted = set()
    for name in names:
        pattern = patterns.get(name)
        accepted.add(pattern.value if isinstance(pattern, PatternStr) else name)
    return accepted


def _in_words(accepted: set[str], start: Start) -> str:
    words: list[str] = []
    if not accepted:
        return "the end"
    if "$END" in accepted or ")" in accepted:
        words = [f'"{word}"' for word in sorted(accepted) if word in JOINING]
        words += ["an operator"] if accepted & OPERATORS else []
        words += [f'"{sign}"' for sign in (",", ")") if sign in accepted]
        words += ["the end"] if "$END" in accepted else []
        return _listed(words)
    if {"NAME", "NUMBER"} <= accepted:
        words.append("a number or a name" if start != "phase" or "(" not in accepted else "a move")
    elif "NAME" in accepted:
        words.append("a move" if start == "phase" else "a name")
    elif "NUMBER" in accepted:
        words.append("a number")
    elif "FACE" in accepted:
        words.append("a rank")
    else:
        words = [f'"{word}"' for word in sorted(accepted) if word.isalpha() and word.islower()][:6]
        words += [f'"{sign}"' for sign in ("(", ",") if sign in accepted]
    return _listed(words) if words else KIND[start]


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _one_capital(text: str, found: str) -> bool:
    """Whether this word, and no other, is written with a capital."""
    return CAPITAL.findall(text) == [found]


def _rewritten(text: str, start: Start) -> str:
    """A help line with the phrase as the language writes it, where its turns of speech are known."""
    for phrase in said_otherwise(text, start):
        if can_be_read(phrase, start):
            return f'write "{in_ranks(phrase) if start == "cardclass" else phrase}"'
    return ""


def _whole(text: str, at: int) -> str:
    """The word in which `at` stands, without signs of the language beside it."""
    return next((word[0] for word in re.finditer(r"[^\s(),]+", text) if word.start() <= at < word.end()), "")


def _in_brackets(text: str, at: int) -> str:
    """The step whose `if` begins before `at`, its whole condition in brackets; empty if that cannot be read."""
    step, joined, condition = text[:at].rpartition(" if ")
    begun = re.split(r" then |[(]", step)[-1]
    for end in re.finditer(r" then |[)]|$", text[at:]):
        guarded = f"{begun} if ({condition}{text[at : at + end.start()]})"
        if joined and can_be_read(guarded, "phase"):
            return guarded
    return ""


def _bracketed(text: str, start: Start, begin: int, at: int) -> str:
    """The shortest piece of a phrase, from `begin` to beyond `at`, that can be read in brackets; empty if none can."""
    for end in re.finditer(r"(?=[\s)]|$)", text[at:]):
        piece = text[begin : at + end.start()]
        if can_be_read(f"{text[:begin]}({piece}){text[begin + len(piece) :]}", start):
            return piece
    return ""


def _more_of_players(text: str, start: Start, at: int) -> str:
    """A help line where more is said of players from `at` on than may be said there; empty if it is not of players."""
    told = re.match(r"whose |except |with (?:most|least) ", text[at:])
    named = re.search(r"(?:(?:left|right) of )*[\w-]+ $", text[:at])
    if told is None or named is None or start not in ("does", "duty", "expr"):
        return ""
    people = f"({named[0]}{told[0]}\u2026)"
    if _bracketed(text, start, named.start(), at):
        return f'put this in brackets: "{people}"'
    if start == "does":
        return 'an action names players by words alone, such as "winners" or "left of you"'
    return f'players are chosen behind "over": "total over {people} of points of hand"'


def _if_in_action(text: str, at: int) -> str:
    """A help line for an `if` at `at` in a chain of actions: it belongs to a number, in brackets."""
    number = [place.end() for place in re.finditer(r"\b(?:add|draw|off|to) ", text[:at])]
    piece = _bracketed(text, "does", number[-1], at) if number else ""
    return f'put this in brackets: "({piece})"' if piece else ACTION_IF


def _hint(text: str, start: Start, at: int, found: str, accepted: set[str]) -> str:
    ranks = [rank_of(part) or in_english(part) for part in found.split("-")]
    rank = "-".join(ranks) if set(ranks) <= {*RANKS.values(), "joker"} else ""
    if found[:1].isupper() and rank:
        return f'{"jokers are" if rank == "joker" else "the rank is"} written "{rank}"'
    if in_english(found):
        return f'say "{in_english(found)}"'
    if found in NUMBERS:
        return f'numbers are written in digits: "{NUMBERS[found]}"'
    if found == "per":
        return "say how many there are, all together"
    if start == "phase" and found == "of":
        return 'write "or" between moves of which one is made'
    word = _whole(text, at)
    if start not in ("suits", "order") and (card := meant_card(word)):
        return card
    if not word.isascii() and re.fullmatch("[a-z0-9-]+", plain := plain_letters(word)):
        return f'names are written with the letters a to z: "{plain}"'
    if re.fullmatch(r"[BEGILMNOPRTUVWXYZ]", found):
        return "the ranks are A, 2-10, J, Q and K, whatever stands on your cards; suits are S H D C"
    if "_" in found:
        return f'names are joined by hyphens: "{word.replace("_", "-")}"'
    if at == 0 and found == "if" and start != "phase":
        return 'the condition stands alone behind the key, without "if"'
    if _one_capital(text, found):
        return f'names are written in lower case: "{found.lower()}"'
    if start == "phase" and found in ("and", "or", "unless") and (guarded := _in_brackets(text, at)):
        return f'put brackets round the condition: "{guarded}"'
    if start == "does" and found == "if":
        return _if_in_action(text, at)
    if more := _more_of_players(text, start, at):
        return more
    written = _rewritten(text, start)
    if written:
        return written
    for slip, help_ in SLIPS.items():
        if slip in text[max(at - 1, 0) : at + len(slip)]:
            return help_
    if text.count("(") > text.count(")"):
        return 'a ")" is missing'
    if text.count(")") > text.count("("):
        return 'there is one ")" too many'
    if start in ("phase", "does") and found[:1].islower() and "then" in accepted:
        between = '"then" or "or"' if start == "phase" else '"then"'
        return f'is {between} missing before "{found}"?'
    if not found and "else" in accepted:
        return 'an "if" between values needs an "else"'
    if start == "duty" and not found:
        return 'a duty ends with its deadline: "before MOVE", "by MOVE", "at once" or "before turn ends"'
    if found in ("<", "<=", ">", ">=", "=", "!="):
        return 'compare two things at a time and join the comparisons by "and"'
    return ""
