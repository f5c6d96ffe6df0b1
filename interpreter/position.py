"""Setting up a position: hands, table, piles and books as somebody wrote them, everything else as the sheet has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from interpreter.errors import MoveSyntaxError
from interpreter.flow import begin_round, new_game, open_round, settle
from interpreter.moves import Group, Meld
from interpreter.notation import broken_by, meld_text, read_group
from interpreter.pack import bits, mask_of
from interpreter.piles import shuffled
from interpreter.program import Env, Program, ZoneProgram
from interpreter.state import NOBODY, TURN, Chance, Frame, State
from interpreter.walking import ways

EMPTY = "empty"


class Said(NamedTuple):
    """A text as it was written, and where: `file:line`."""

    text: str
    place: str


class PositionError(ValueError):
    """A position that cannot be: `said` is the text at fault."""

    def __init__(self, said: Said, reason: str) -> None:
        super().__init__(reason)
        self.said = said
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A position as it was written; None and missing entries are not said. Seats and sides count from 0."""

    seed: int = 0
    round: int | None = None
    dealer: int | None = None
    turn: int | None = None
    turn_number: int | None = None
    hands: Mapping[int, Said] | None = None
    table: tuple[tuple[Said, int], ...] | None = None
    """Groups and their owners; NOBODY where none is said."""
    piles: Mapping[tuple[str, int], Said] = field(default_factory=dict)
    """By zone and owner (0 for the table's)."""
    scores: Mapping[int, int] = field(default_factory=dict)
    rounds_won: Mapping[int, int] = field(default_factory=dict)
    opened: Mapping[int, bool] = field(default_factory=dict)
    tallies: Mapping[tuple[str, int], int] = field(default_factory=dict)
    renewed: int | None = None
    stopped: bool = False

    @property
    def says_cards(self) -> bool:
        """Whether any card is put anywhere; otherwise the sheet's own deal is made."""
        return self.hands is not None or self.table is not None or bool(self.piles)


def set_up(program: Program, position: Position, just_dealt: bool = False) -> State:
    """The position as a state in which somebody is to act. Raises PositionError.

    `just_dealt` goes through what follows a deal (automatic moves, endings, extra turns, the first turn); otherwise
    the turn of the seat on turn has just begun, even if nothing it offers is legal.
    """
    state = new_game(program, Chance(position.seed, 0))
    _put_books(program, position, state)
    if not position.says_cards:
        begin_round(program, state)
        settle(program, state, deal_on=not just_dealt)
        _put_books(program, position, state)
        if position.turn is not None or position.turn_number is not None:
            _begin_turn(program, position, state)
        return state
    lay_out(program, position, state)
    if just_dealt:
        state.stage = TURN
        open_round(program, state)
        settle(program, state, deal_on=False)
        return state
    _begin_turn(program, position, state)
    if not ways(program, state, state.frame).moves:
        settle(program, state, deal_on=False)
    return state


def laid_out(program: Program, position: Position) -> State:
    """The cards where they belong and the books as they are written, nobody to act: enough to judge a group."""
    state = new_game(program, Chance("", 0))
    _put_books(program, position, state)
    lay_out(program, position, state)
    return state


def lay_out(program: Program, position: Position, state: State) -> None:
    """Put every card where it belongs, and work out the rules of the round. Raises PositionError."""
    _Cards(program, position, state).put()
    owners = {group.owner for group in state.groups if group.owner != NOBODY}
    for side in {program.side_of(owner) for owner in owners} - set(position.opened):
        state.opened |= 1 << side


def _put_books(program: Program, position: Position, state: State) -> None:
    """Everything that is written down during a game."""
    state.scores = _written(state.scores, position.scores)
    state.rounds_won = _written(state.rounds_won, position.rounds_won)
    for side, opened in position.opened.items():
        state.opened = state.opened | 1 << side if opened else state.opened & ~(1 << side)
    tallies = {tally.name: tally for tally in program.tallies}
    state.tallies = _written(
        state.tallies, {tallies[name].slot + owner: number for (name, owner), number in position.tallies.items()}
    )
    if position.round is not None:
        state.round = position.round
    if position.dealer is not None:
        state.dealer = position.dealer
    state.stopped = position.stopped
    if position.renewed is not None:
        state.renewed = position.renewed


def _written(counts: tuple[int, ...], said: Mapping[int, int]) -> tuple[int, ...]:
    """Counts with those that are said in place of others, by place."""
    return tuple(said.get(at, count) for at, count in enumerate(counts))


def _begin_turn(program: Program, position: Position, state: State) -> None:
    seat = position.turn if position.turn is not None else max(state.mover, 0)
    state.turn_number = position.turn_number if position.turn_number is not None else 1
    state.stage = TURN
    state.mover = seat
    state.frames = (Frame(program.turn, 1, seat),)


def stand_before(program: Program, state: State, move: int) -> None:
    """Let the turn stand where its phrase leads on to a move, if it does so anywhere and not where it stands now."""
    frame = state.frame
    if any(offered == move for offered, _ in ways(program, state, frame).moves):
        return
    automaton = program.automata[frame.automaton]
    at = sum(
        1 << position
        for position, edges in enumerate(automaton.edges)
        if any(automaton.labels[edge.target] == move for edge in edges)
    )
    state.frames = (*state.frames[:-1], frame.gone_on(at or frame.at))


class _Cards:
    """Hands out the cards of the pack: first those that are written, then the rest by chance."""

    def __init__(self, program: Program, position: Position, state: State) -> None:
        self.program = program
        self.position = position
        self.state = state
        self.free = program.pack.all_cards

    def put(self) -> None:
        """Fill the hands, the piles and the table of the state."""
        program, position, state = self.program, self.position, self.state
        state.hands = [0] * program.players
        state.piles = [()] * program.pile_count
        for seat, said in (position.hands or {}).items():
            state.hands[seat] = mask_of(self.written(said))
        for (zone, owner), said in position.piles.items():
            cards = self.written(said)
            slot = self.zone(zone).slot
            state.piles[slot + owner] = cards[::-1] if slot == program.stock else cards
        groups = [(said, owner, mask_of(self.written(said))) for said, owner in position.table or ()]
        self.deal_rest()
        state.rules = program.make_rules(program, state)
        for said, owner, mask in groups:
            meld = only_reading(program, state, said, mask)
            state.groups = (*state.groups, Group(meld, owner, (owner,) * len(meld.cards)))

    def zone(self, name: str) -> ZoneProgram:
        return next(zone for zone in self.program.zones if zone.name == name)

    def written(self, said: Said) -> tuple[int, ...]:
        """The cards of a text in their order, of twins those that are still free."""
        words = [] if said.text == EMPTY else said.text.split()
        if words and words[0] in self.program.kind_names:
            words = words[1:]
        found: list[int] = []
        for word in words:
            try:
                face = self.program.pack.parse_face(word.partition("=")[0])
            except KeyError:
                raise PositionError(said, f'"{word}" is no card of this deck') from None
            free = self.program.pack.cards_of_face[face] & self.free
            if not free:
                raise PositionError(said, f"there is no {word} left in the deck")
            card = next(bits(free))
            self.free &= ~(1 << card)
            found.append(card)
        return tuple(found)

    def deal_rest(self) -> None:
        """Hands, and zones with an owner, that are not written get what the sheet deals, the stock what is left.

        Piles of the table get cards only where neither hands nor the table are written.
        """
        program, position, state = self.program, self.position, self.state
        stock = list(shuffled(state, tuple(bits(self.free))))
        bare = position.hands is None and position.table is None
        for line in program.deal:
            zone = program.zones[line.zone]
            owners = {"table": 1, "side": program.sides, "player": program.players}[zone.of]
            for owner in range(owners):
                said = owner in (position.hands or {}) if zone.slot < 0 else (zone.name, owner) in position.piles
                wanted = line.count(Env(program, state, NOBODY if zone.of == "table" else owner))
                if not said and (zone.of != "table" or bare):
                    cards = tuple(stock.pop() for _ in range(min(wanted, len(stock))))
                    if zone.slot < 0:
                        state.hands[owner] = mask_of(cards)
                    else:
                        state.piles[zone.slot + owner] = cards
                if line.named >= 0 and zone.slot >= 0:
                    named = list(state.named)
                    named[line.named] |= mask_of(state.piles[zone.slot + owner][:wanted])
                    state.named = tuple(named)
        if ("stock", 0) not in position.piles:
            state.piles[program.stock] = tuple(stock)


# ------------------------------------------------------------ groups


def readings(program: Program, state: State, text: str, cards: int) -> list[Meld]:
    """The valid groups a text can mean with these cards: those in which as few as can be stand for others.

    Raises MoveSyntaxError for what is no text of a group.
    """
    rules = state.rules.melds
    found = read_group(program, state, text, cards)
    least = min((rules.wild_in(meld).bit_count() for meld in found), default=0)
    return [meld for meld in found if rules.wild_in(meld).bit_count() == least]


def only_reading(program: Program, state: State, said: Said, cards: int) -> Meld:
    """The one valid group a text means. Raises PositionError if there is none, or more than one."""
    try:
        found = readings(program, state, said.text, cards)
    except MoveSyntaxError as error:
        raise PositionError(said, str(error)) from None
    if not found:
        broken = broken_by(program, state, said.text, cards)
        raise PositionError(said, f'"{said.text}" is no group' + (f": it breaks {broken}" if broken else ""))
    if len(found) > 1:
        texts = " or ".join(f'"{text}"' for text in said_fully(program, found))
        raise PositionError(said, f'"{said.text}" can be read in several ways: write {texts}')
    return found[0]


def said_fully(program: Program, melds: Iterable[Meld]) -> list[str]:
    """The texts of groups, with their kinds where these differ."""
    melds = list(melds)
    kinds = len({meld.kind for meld in melds}) > 1
    return [f"{program.kind_names[m.kind]} {meld_text(program, m)}" if kinds else meld_text(program, m) for m in melds]
