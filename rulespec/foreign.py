"""Words that German and Dutch speakers slip into a phrase, and the word of the language that says the same."""

from __future__ import annotations

import re

JOINING = {
    "and": "und en",
    "or": "oder",
    "then": "dann dan",
    "not": "nicht niet",
    "if": "wenn falls als",
    "is": "ist",
    "are": "sind zijn",
    "every": "jede jeder jedes elke",
    "some": "irgendeine irgendein",
    "no": "kein keine geen nein nee",
    "yes": "ja",
    "may": "darf kann mag kan",
    "of": "von van",
}
NAMING = {
    "draw": "ziehen trekken pakken",
    "take": "nehmen nemen",
    "discard": "ablegen abwerfen afleggen",
    "lay-off": "anlegen aanleggen",
    "meld": "auslegen melden uitleggen",
    "swap": "tauschen omruilen",
    "pass": "passen",
    "knock": "klopfen kloppen",
    "hand": "blatt",
    "stock": "stapel talon",
    "discards": "ablage ablagestapel aflegstapel",
    "cards": "karten kaarten",
    "card": "karte kaart",
    "players": "spieler spelers",
    "player": "speler",
    "points": "punkte punkten punten",
    "score": "punktestand stand",
    "winners": "gewinner winnaar winnaars",
    "losers": "verlierer verliezer verliezers",
    "round": "runde ronde",
    "number of cards": "anzahl aantal",
    "rank": "rang wert waarde",
    "suit": "farbe kleur",
    "red": "rot rood rode",
    "black": "schwarz zwart zwarte",
    "empty": "leer leeg",
    "dealer": "geber deler",
    "everyone": "alle allen iedereen",
    "A": "ass aas",
    "K": "k\u00f6nig koning heer",
    "Q": "dame vrouw",
    "J": "bube boer",
    "suit of it = suit of top of discards": "herz harten pik piek schoppen karo ruiten kreuz klaver",
}
SAME = {word: known for part in (JOINING, NAMING) for known, words in part.items() for word in words.split()}
SMALL = {word: known for known, words in JOINING.items() for word in words.split()}
"""Words that join others."""


def in_english(word: str) -> str:
    """How a German or Dutch word is said in the language; empty if it is none that is known."""
    return SAME.get(word.casefold(), "")


def first_foreign(phrase: str) -> re.Match[str] | None:
    """The first word of a phrase that joins others in German or Dutch."""
    return next((match for match in re.finditer(r"[^\W\d_][\w-]*", phrase) if match[0].casefold() in SMALL), None)
