"""The words with which a player moves cards on a private copy of the table, where a sheet lets it be rebuilt."""

from __future__ import annotations

from interpreter.errors import shown
from interpreter.notation import cards_text
from interpreter.pack import bits
from interpreter.working_copy import Finished, WorkingCopy

HELP = """\
you rebuild a copy that nobody else sees:
  7H 8H to 2      put cards, from your hand or the table, to group 2
  7H 8H new       make them a new group
  split 2 3       cut group 2 before its third card
  join 2 5        put group 5 behind group 2
  back 7H         take a card of your hand back
  undo            take the last change back
  done            that is my play
  drop            put everything back and do something else"""


class CopyError(ValueError):
    """A word that changes nothing; the text says why."""


class Rebuilding:
    """A working copy and what a player says to it."""

    def __init__(self, copy: WorkingCopy, by_rank: bool = False) -> None:
        self.copy = copy
        self.by_rank = by_rank
        """Whether the hand is shown by rank, not by suit."""

    def lines(self) -> list[str]:
        """The copy as it lies, and what is left of the hand."""
        copy = self.copy
        found = []
        for number, heap in enumerate(copy.heaps, 1):
            if heap:
                cards = " ".join(copy.program.pack.text(card) for card in heap)
                found.append(f"{number:>3}. {cards}" + ("" if copy.is_group(number - 1) else "   (no group yet)"))
        found.append(f"left in your hand: {cards_text(copy.program, copy.left, self.by_rank) or 'nothing'}")
        if copy.pile:
            found.append(f"may be used too: {cards_text(copy.program, copy.pile & ~copy.lying)}")
        return found

    def words(self) -> tuple[str, ...]:
        """What can be said; cards, and the words behind them, in any place."""
        copy = self.copy
        faces = dict.fromkeys(copy.program.pack.text(card) for card in bits(copy.left | copy.lying | copy.pile))
        behind = tuple(f"… {word}" for word in (*faces, "new", "to"))
        return ("split", "join", "back", "undo", "done", "drop", "help", *behind)

    def say(self, text: str) -> Finished | None:
        """Carry a word out; the plays that `done` can mean, else None. Raises CopyError."""
        words = text.split()
        try:
            match words:
                case ["done"]:
                    return self.copy.finish()
                case ["undo"]:
                    self.copy.undo()
                case ["split", group, card]:
                    self.copy.split(_number(group), _number(card))
                case ["join", group, other]:
                    self.copy.join(_number(group), _number(other))
                case ["back", card]:
                    self.copy.take_back(self._find(card, [], (self.copy.lying & self.copy.hand, self.copy.lying)))
                case [*cards, "new"] if cards:
                    self.copy.put(self._cards(cards))
                case [*cards, "to", group] if cards:
                    self.copy.put(self._cards(cards), _number(group))
                case _:
                    raise CopyError(f"{shown(text)} says nothing here; `help` shows what does")
        except CopyError:
            raise
        except ValueError as error:
            raise CopyError(str(error)) from None
        return None

    def _cards(self, texts: list[str]) -> list[int]:
        found: list[int] = []
        for text in texts:
            found.append(self._card(text, found))
        return found

    def _card(self, text: str, taken: list[int]) -> int:
        """A card of the hand, else of the copy, else of the pile that may be used; not one of `taken`."""
        return self._find(text, taken, (self.copy.left, self.copy.lying, self.copy.pile))

    def _find(self, text: str, taken: list[int], places: tuple[int, ...]) -> int:
        pack = self.copy.program.pack
        try:
            face = pack.parse_face(text)
        except KeyError:
            raise CopyError(f"{shown(text)} is no card of this deck") from None
        for mask in places:
            for card in bits(mask):
                if card not in taken and pack.face[card] == face:
                    return card
        raise CopyError(f"there is no {text} in your hand or on the table")


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 4 or int(text) < 1:
        raise CopyError(f'"{text}" is no number of a group or a card; they count from 1')
    return int(text) - 1
