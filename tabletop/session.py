"""A game between one person and computer players, in words: what is asked, answered and shown, line by line.

Nothing here reads a keyboard or colours a text; a `Table` does that for whoever sits there, a script as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice
from typing import Protocol

from interpreter.bots import Bot
from interpreter.errors import AmbiguousMove, IllegalMove, MoveSyntaxError
from interpreter.game import Game
from interpreter.moves import DONE, Move
from interpreter.notation import card_text, cards_text, hand_order
from interpreter.plays import hint
from interpreter.program import DIG, LAY_MELDS, LAY_OFF, PUT, REARRANGE, SWAP, TAKE_ANY, Env, MoveProgram
from interpreter.proposals import rearranges_only
from interpreter.working_copy import WorkingCopy
from tabletop.picture import columns, picture, with_letters
from tabletop.rebuilding import HELP as COPY_HELP
from tabletop.rebuilding import CopyError, Rebuilding
from tabletop.telling import clock_text, round_text, score_sheet, seen, side_names, told

LISTED = 12
"""Legal moves of each kind that are listed, except those of one card each, which are short."""
MOST_LISTED = 200
"""Legal moves of one kind that are looked at."""
HELP = """\
  1, 2, …         make the move of that number
  discard KD      make a move as it is written; a part of it will do if only one move fits
  play            begin to rebuild the table, where the game lets you
  moves           list what you can do; `moves discard` lists one kind in full
  table           show everything again
  sort rank       show your hand by rank from now on; `sort suit` by suit
  hint            what a computer player would do, or which card can be laid
  undo            take your last move back, if nobody has seen a new card by it
  score           the score after every round
  save FILE       keep the game, to go on later with --load FILE; `save` alone keeps it there again
  quit            leave the game"""


WORDS = tuple(line.split()[0] for line in HELP.splitlines()[2:])
"""What can be said besides moves."""
NEAREST = 3
"""Legal moves that are shown beside one that is refused."""


class TimeUp(Exception):
    """The person's time for the turn is over."""


class Table(Protocol):
    """The person's side of the table."""

    def ask(self, prompt: str, words: tuple[str, ...], seconds: float | None = None) -> str | None:
        """What the person says; None if nobody is there any more. `words` are what can be said, line by line; what
        stands behind an ellipsis (`… to`) can come behind other words too. Raises TimeUp, where the terminal can wait
        no longer than `seconds`."""
        ...

    def tell(self, text: str) -> None:
        """Show a text, of one line or several."""
        ...

    def save(self, path: str, game: Game) -> str:
        """Keep a game in a file, or where it was kept before if `path` is empty; says what became of it."""
        ...


@dataclass
class Session:
    """One person's game. `bots` sit at the other seats; `say` has names of moves, zones, groups and endings for people;
    `rule_text` gives the line of the sheet for the name of a rule that refused a move."""

    game: Game
    seat: int
    bots: Mapping[int, Bot]
    table: Table
    say: Mapping[str, str] = field(default_factory=dict)
    rule_text: Callable[[str], str] = lambda because: because
    width: int = 80
    clock: Callable[[], float] | None = None
    """Seconds since some moment, by which the time for a turn is kept; None where nobody's time is kept."""
    by_rank: bool = False
    """Whether the hand, and the moves of one card each, are shown by rank, not by suit."""
    _shown: tuple[Move, ...] = ()
    _texts: tuple[str, ...] = ()
    """The legal moves that were found when they were listed last, as they are written."""
    _turn_until: tuple[tuple[int, int], float | None] | None = None
    """A turn, and when the time for it is over; None for a turn in which no time is counted any more."""
    _warned: Move | None = None
    """The move that was asked about, and is made if it is said again."""

    def run(self) -> bool:
        """Play until the game is over (True) or the person leaves (False)."""
        self._tell(f"you sit at seat {self.seat + 1}; `help` shows what you can say")
        known = 0
        while self.game.to_act is not None:
            known = self._tell_rounds(known)
            if self.game.to_act != self.seat:
                self._let_play(self.game.to_act)
            elif not self._turn():
                return False
        self._tell_rounds(known)
        self._tell(self._outcome())
        return True

    # -------------------------------------------------------- others

    def _let_play(self, seat: int) -> None:
        view = self.game.view(seat)
        move = self.bots[seat].choose(view)
        text = seen(self.game, move)
        self.game.play(move)
        self._tell(f"{self._name(seat)}: {text}")

    # -------------------------------------------------------- the person

    def _turn(self) -> bool:
        """One decision of the person; False if he leaves."""
        self._start_clock()
        try:
            self._show()
            return self._decide()
        except TimeUp:
            self._time_up()
            return True

    def _decide(self) -> bool:
        while True:
            said = self._ask("> ", (*self.game.offered(), *self._texts, *WORDS))
            if said is None:
                return False
            words = said.strip().split()
            match words:
                case []:
                    continue
                case ["quit" | "exit" | "q"]:
                    return False
                case ["help" | "?"]:
                    self._tell(HELP)
                case ["table"]:
                    self._show()
                case ["sort", *by]:
                    self._sort(" ".join(by))
                case ["moves", *kind]:
                    self._list(kind[0] if kind else None)
                case ["hint"]:
                    self._tell(self._hint())
                case ["score"]:
                    self._tell(score_sheet(self.game, self._sides(), self.say, self.width))
                case ["save", *_]:
                    self._tell(self.table.save(said.strip().removeprefix("save").strip(), self.game))
                case ["undo"]:
                    if self._undo():
                        return True
                case _:
                    move = self._move(said.strip())
                    if move is not None and self._sure(move):
                        self._play(move)
                        return True

    # -------------------------------------------------------- the clock

    def _start_clock(self) -> None:
        """Give the person the time of the sheet, once in each turn."""
        state, code = self.game.state, self.game.program.clock
        turn = (len(state.results), state.turn_number)
        if self.clock is None or code is None or (self._turn_until is not None and self._turn_until[0] == turn):
            return
        self._turn_until = turn, self.clock() + code(Env(self.game.program, state, self.seat))

    def _left(self) -> float | None:
        """Seconds the person has; None if nobody counts them."""
        until = None if self._turn_until is None else self._turn_until[1]
        return None if self.clock is None or until is None else until - self.clock()

    def _ask(self, prompt: str, words: tuple[str, ...]) -> str | None:
        """What the person says in time, else TimeUp."""
        left = self._left()
        if left is not None and left <= 0:
            raise TimeUp
        said = self.table.ask(prompt, words, left)
        left = self._left()
        if said is not None and left is not None and left <= 0:
            raise TimeUp
        return said

    def _time_up(self) -> None:
        """What the sheet does for somebody whose time is over."""
        made = self.game.time_up()
        self._tell("your time is over" + (f"; made for you: {', then '.join(made)}" if made else ""))
        if self._turn_until is not None and self.game.to_act == self.seat:  # the sheet leaves him the move
            self._turn_until = self._turn_until[0], None

    # -------------------------------------------------------- a move

    def _play(self, move: Move) -> None:
        """Make the person's move, and say which cards came to the hand."""
        before, rounds = self.game.view(self.seat).hand, len(self.game.rounds)
        self.game.play(move)
        self._warned = None
        new = self.game.view(self.seat).hand & ~before
        if new and len(self.game.rounds) == rounds:
            self._tell(f"new in your hand: {cards_text(self.game.program, new, self.by_rank)}")

    def _show(self) -> None:
        view = self.game.view(self.seat)
        names = {seat: self._name(seat) for seat in range(self.game.program.players)}
        self._tell("\n".join(["", *picture(view, names, self.say, self.width, self.by_rank)]))
        left = self._left()
        if left is not None:
            self._tell(clock_text(left))
        self._list(None)

    def _sort(self, by: str) -> None:
        """Show the hand in another order from now on."""
        if by not in ("rank", "suit"):
            self._tell("say `sort rank` or `sort suit`")
            return
        self.by_rank = by == "rank"
        self._show()

    def _list(self, kind: str | None) -> None:
        """Number the legal moves; a kind alone is listed in full, as far as that goes."""
        program = self.game.program
        lines: list[str] = []
        shown: list[Move] = []
        texts: list[str] = []
        for name in self.game.offered():
            if kind is not None and name != kind:
                continue
            index = DONE if name == "done" else program.move_index(name)
            found = sorted(islice(self.game.legal_moves.of(index), MOST_LISTED), key=self._by_card)
            listed = found[: None if kind or _of_one_card(found) else LISTED]
            entries = [f"  {len(shown) + n:>3}  {self._listed(move)}" for n, move in enumerate(listed, 1)]
            shown += listed
            texts += [self.game.text(move) for move in found]
            lines += columns(entries, self.width) if _of_one_card(found) else entries
            if len(found) > len(listed):
                lines.append(f"       … more: moves {name}")
        if not lines:
            self._tell(f'there is no legal "{kind}" now')
            return
        self._shown = tuple(shown)
        self._texts = tuple(texts)
        self._tell("\n".join(["you can:", *lines]))

    def _listed(self, move: Move) -> str:
        """A move in the list; to do nothing, when others have the turn, is said to be that."""
        text = told(self.game, move)
        return f"{text}   (leave it)" if move.move == DONE and self.game.state.mover != self.seat else text

    def _by_card(self, move: Move) -> list[tuple[int, int, int]]:
        """Moves of cards in the order in which a hand is shown, others as they came."""
        return [hand_order(self.game.program.pack, card, self.by_rank) for card in _cards(move) or ()]

    def _move(self, said: str) -> Move | None:
        """The move that is meant; None after having told why there is none."""
        if said.isdecimal():
            number = int(said) if len(said) < 6 else 0
            if 1 <= number <= len(self._shown):
                return self._shown[number - 1]
            self._tell(f"there is no move {said} in the list")
            return None
        listed = [move for move in self._shown if _as_said(told(self.game, move)) == _as_said(said)]
        if len(listed) == 1:
            return listed[0]
        rule = next((rule for rule in self.game.program.moves if rule.name == said), None)
        if rule is not None and rearranges_only(rule) and rule.name in self.game.offered():
            return self._rebuild(rule.index)
        if rule is not None and _takes_choice(rule):
            self._list(rule.name)
            return None
        try:
            return self.game.parse(said)
        except AmbiguousMove as error:
            self._tell("\n".join(["this can mean:", *(f"  {choice}" for choice in error.choices[:LISTED])]))
        except MoveSyntaxError as error:
            self._tell(f"{self._meant(said) or error}; `moves` lists what you can do")
        except IllegalMove as error:
            self._tell(self._refusal(error))
        return None

    def _meant(self, said: str) -> str:
        """What to say where the first word is a known one misspelt."""
        first = said.split(maxsplit=1)[0]
        known = [*WORDS, *self.game.offered()]
        near = [] if first in known else get_close_matches(first, known, n=1)
        return f'"{first[:40]}" is no word here; did you mean "{near[0]}"?' if near else ""

    def _refusal(self, error: IllegalMove) -> str:
        """Why a move is refused, by the line of the sheet, and what is legal that is most like it."""
        rule = self.rule_text(error.because)
        phrase, _, place = rule.rpartition("   (")
        if phrase and phrase in error.detail:
            lines = [f"not allowed: {error.detail}   ({place}"]
        elif rule == error.because and error.detail:  # no line of the sheet: the action cannot be done so
            lines = [f"not allowed: {error.detail}"]
        else:
            lines = [f"not allowed: {rule}"]
            lines += [f"  {error.detail}"] if error.detail and error.because != "phase" else []
        near = self._nearest(error.move)
        lines.append(f"  you could: {', '.join(near)}" if near else f"  now you can: {', '.join(self.game.offered())}")
        return "\n".join(lines)

    def _nearest(self, said: str) -> list[str]:
        """Legal moves of the same kind, those most like what was said first."""
        words = said.split()
        rule = next((rule for rule in self.game.program.moves if rule.name == words[0]), None)
        if rule is None:
            return []
        texts = [self.game.text(move) for move in islice(self.game.legal_moves.of(rule.index), LISTED)]
        return get_close_matches(with_letters(said), texts, n=NEAREST, cutoff=0.0)

    def _sure(self, move: Move) -> bool:
        """Whether a move may be made at once: what the sheet warns of, or wants confirmed, must be said twice."""
        program = self.game.program
        code = program.warn.get(move.move)
        warned = code is not None and bool(code(Env(program, self.game.state, self.seat)))
        if move == self._warned or not (warned or (program.confirm == move.move and move.move != DONE)):
            return True
        self._warned = move
        text = self._laying_hint() if warned else "are you sure?"
        self._tell(f"{text or 'you could lay cards'}; say it again to do it all the same")
        return False

    def _undo(self) -> bool:
        if not self.game.can_undo():
            self._tell("your last move cannot be taken back")
            return False
        self.game.undo()
        return True

    # -------------------------------------------------------- rebuilding the table

    def _rebuild(self, index: int) -> Move | None:
        """Let the person rebuild a copy of the table; the play he makes, if he makes one."""
        program = self.game.program
        rebuilding = Rebuilding(WorkingCopy(program, self.game.state, index), self.by_rank)
        self._tell(COPY_HELP)
        self._tell("\n".join(rebuilding.lines()))
        while True:
            said = self._ask("rebuild> ", rebuilding.words())
            said = "drop" if said is None else said.strip()
            if not said:
                continue
            if said == "drop":
                return self._dropped(rebuilding.copy)
            if said == "help":
                self._tell(COPY_HELP)
                continue
            try:
                finished = rebuilding.say(said)
            except CopyError as error:
                self._tell(str(error))
                continue
            if finished is None:
                self._tell("\n".join(rebuilding.lines()))
            elif finished.refused is not None:
                refused = finished.refused
                self._tell(f"not allowed: {refused.text or self.rule_text(refused.because)} ({refused.because})")
            elif len(finished.moves) == 1:
                return finished.moves[0]
            else:
                chosen = self._choose(finished.moves)
                if chosen is not None:
                    return chosen

    def _dropped(self, copy: WorkingCopy) -> Move | None:
        """What dropping a copy comes to: nothing, or the move the sheet has in its place once a card was moved."""
        program = self.game.program
        if copy.touched and program.undo >= 0:
            instead = next(self.game.legal_moves.of(program.undo), None)
            if instead is not None:
                self._tell(f'a copy that was begun is given up by "{program.moves[program.undo].name}"')
                return instead
        self._tell("everything lies as it did")
        return None

    def _choose(self, moves: tuple[Move, ...]) -> Move | None:
        """Ask which of several plays is meant: they differ by what wild cards stand for."""
        self._tell("which of these?")
        self._tell("\n".join(f"  {number}  {self.game.text(move)}" for number, move in enumerate(moves, 1)))
        said = self._ask("number> ", ())
        if said is not None and said.strip().isdecimal() and 1 <= int(said.strip()[:5]) <= len(moves):
            return moves[int(said.strip()[:5]) - 1]
        return None

    # -------------------------------------------------------- what is told

    def _hint(self) -> str:
        text = self._laying_hint()
        if text is not None:
            return text
        adviser = next(iter(self.bots.values()), None)
        if adviser is None:
            return "nobody here can give a hint"
        return f"a computer player would: {told(self.game, adviser.choose(self.game.view(self.seat)))}"

    def _laying_hint(self) -> str | None:
        """A card that can be laid where the table may be rebuilt."""
        program, state = self.game.program, self.game.state
        cut = state.bounds.cut
        for rule in program.moves:
            if rearranges_only(rule):
                found = hint(program, state, rule.index).hint
                if found is not None:
                    card = card_text(program, found.card)
                    groups = ", ".join(str(group + 1) for group in found.changed)
                    how = "the table must be rebuilt for it" if found.rebuilds else "nothing need be rebuilt for it"
                    return f"{card} can be laid" + (f", with group {groups}" if groups else "") + f"; {how}"
        return "whether a card can be laid was not found out" if state.bounds.cut > cut else None

    def _tell_rounds(self, known: int) -> int:
        for result in self.game.rounds[known:]:
            winners = " and ".join(self._name(seat) for seat in result.winners)
            self._tell(round_text(result, self._sides(), self._said(result.ending), winners))
        return len(self.game.rounds)

    def _outcome(self) -> str:
        outcome = self.game.outcome
        assert outcome is not None, "the game is over"
        who = " and ".join(self._name(seat) for seat in outcome.winners)
        verb = "win" if "you" in who else "wins" if len(outcome.winners) == 1 else "win"
        how = f"{who} {verb} the game" if who else "nobody wins the game"
        scores = (f"{side} {score}" for side, score in zip(self._sides(), outcome.scores, strict=True))
        return f"{how}; scores: {', '.join(scores)}"

    def _name(self, seat: int) -> str:
        return "you" if seat == self.seat else f"player {seat + 1}"

    def _sides(self) -> list[str]:
        return side_names(self.game, self._name)

    def _said(self, name: str) -> str:
        return self.say.get(name, name)

    def _tell(self, text: str) -> None:
        self.table.tell(text)


def _takes_choice(rule: MoveProgram) -> bool:
    """Whether a move is more than its name."""
    return any(action.kind in (PUT, TAKE_ANY, DIG, LAY_MELDS, LAY_OFF, SWAP, REARRANGE) for action in rule.actions)


def _of_one_card(moves: list[Move]) -> bool:
    """Whether each move is to choose one card and nothing else."""
    return len(moves) > 1 and all(len(move.choices) == 1 and _cards(move) is not None for move in moves)


def _cards(move: Move) -> tuple[int, ...] | None:
    """The cards a move chooses one by one; None if it chooses anything else."""
    cards: list[int] = []
    for choice in move.choices:
        parts = choice if type(choice) is tuple else (choice,)
        for part in parts:
            if type(part) is not int:
                return None
            cards.append(part)
    return tuple(cards)


def _as_said(text: str) -> str:
    """A move without what is only told beside it, and without regard to symbols and capitals."""
    return " ".join(with_letters(text).partition("   (")[0].casefold().split())
