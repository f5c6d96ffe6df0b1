"""From one decision to the next: windows, ends of turns, extra turns, endings, scores, the next deal.

`start` deals the first round, `apply` makes a move. Both return a position in which somebody has to decide, or in which
the game is over. The order of events is that of docs/language.md, "Rounds".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from interpreter.actions import perform
from interpreter.attempting import ending_now, note_defect, run_automatic
from interpreter.legality import Offer, offer_of
from interpreter.moves import Move
from interpreter.pack import mask_of
from interpreter.piles import shuffled
from interpreter.program import (
    SIDE,
    TIE_ANOTHER_ROUND,
    TIE_DRAW,
    WHO_EACH_OTHER,
    WHO_EACH_WHOSE,
    WHO_FIRST_OTHER,
    WHO_NEXT,
    Env,
    MoveContext,
    Program,
    ScoreProgram,
    WindowRule,
)
from interpreter.state import (
    AFTER_ROUND,
    BEFORE_DEAL,
    EXTRA_TURN,
    MOST_COUNTED,
    NOBODY,
    OVER,
    ROUND_DONE,
    SCOPES,
    TURN,
    Chance,
    Frame,
    Outcome,
    RoundResult,
    State,
    bounded,
)
from interpreter.walking import ways

MAX_TURNS: Final = 10_000
"""Turns in a round, after which the sheet is held to be defective; so are as many rounds and moves in a turn:"""
MAX_ROUNDS: Final = 1_000
MAX_MOVES: Final = 1_000


def start(program: Program, chance: Chance) -> State:
    """The first position of a game: dealt, waiting for the first decision."""
    state = new_game(program, chance)
    state.stop_after = program.stop_after
    state.stage = ROUND_DONE
    state.offered = settle(program, state)
    return state


def new_game(program: Program, chance: Chance) -> State:
    """A game before its first deal; the last seat deals first, so that seat 0 begins."""
    state = State()
    state.chance = chance
    state.scores = state.rounds_won = (0,) * program.sides
    state.tallies = (0,) * sum(t.size for t in program.tallies)
    state.named = (0,) * len(program.named)
    state.times = [0] * (len(SCOPES) * len(program.moves) * program.players)
    state.dealer = program.players - 1
    return state


def apply(program: Program, state: State, move: Move, deal_on: bool = True) -> State:
    """The position after a legal move and everything that follows from it. Raises IllegalMove; `state` stays as it was.

    Without `deal_on` a finished round is left as it was scored, with nobody to act.
    """
    offer = offer_of(program, state)
    env = offer.judge(move)
    state.offered = None
    if env is None:
        after = state.copy()
        offered = offer.ways
        if offered.windows:
            _open_window(program, after, offered.windows[0])
        else:
            _end_frame(program, after)
        after.offered = settle(program, after, deal_on)
        return after
    after = env.state
    run_automatic(program, after)
    if after.capped:
        _abandon(program, after)
        return after
    env.context = env.it = None  # endings are asked of the position alone, whatever the move looked at
    ending = ending_now(env) if after.stage in (TURN, EXTRA_TURN) else NOBODY
    if ending != NOBODY:
        _finish_round(program, after, ending, env.you)
    elif after.folded >> env.you & 1:
        _end_frame(program, after)
    elif after.moves_in_turn > MAX_MOVES:
        note_defect(program, after, f"a turn of more than {MAX_MOVES} moves")
        _abandon(program, after)
        return after
    after.offered = settle(program, after, deal_on)
    return after


# ------------------------------------------------------------ until somebody decides


def settle(program: Program, state: State, deal_on: bool = True) -> Offer | None:
    """Go on with what follows by itself until somebody has to decide or the game is over; what he can do."""
    while state.stage != OVER:
        if state.stage == ROUND_DONE:
            if not deal_on:
                return None
            begin_round(program, state)
            continue
        frame = state.frame
        offered = ways(program, state, frame)
        if not offered.moves:
            if offered.windows:
                _open_window(program, state, offered.windows[0])
            else:
                if not offered.final:
                    note_defect(
                        program,
                        state,
                        f"{program.automata[frame.automaton].name}: nothing is offered and it cannot end",
                    )
                _end_frame(program, state)
            continue
        in_window = len(state.frames) > 1
        cut = state.bounds.cut
        offer = Offer(program, state, offered)
        if _some_move(program, offer) or (not (in_window and not frame.moved) and offer.may_be_done()):
            return offer
        state.lookahead = None
        if not (in_window and offered.final):
            doubt = ", as far as could be looked" if state.bounds.cut > cut else ""
            note_defect(
                program, state, f"dead end: {_names(program, offered.moves)} is offered and none is legal{doubt}"
            )
        _end_frame(program, state)
    return None


def _some_move(program: Program, offer: Offer) -> bool:
    """Whether a legal move exists, `done` left out; those kinds are asked first of which it is soon known."""
    return any(offer.has(index) for index, _ in offer.ways.soonest(program))


def _names(program: Program, moves: Iterable[tuple[int, int]]) -> str:
    return " or ".join(program.moves[index].name for index, _ in moves)


def _open_window(program: Program, state: State, position: int) -> None:
    frame = state.frame
    rule = program.automata[frame.automaton].windows[position]
    assert rule is not None
    state.frames = (*state.frames[:-1], frame.gone_on(1 << position))
    _next_in_window(program, state, rule, _asked(program, state, rule, frame.seat), position)


def _asked(program: Program, state: State, rule: WindowRule, seat: int) -> tuple[int, ...]:
    """Who is asked in a window, from the left of whoever opened it."""
    from_left = [(seat + step) % program.players for step in range(1, program.players + 1)]
    playing = [s for s in from_left if not (state.folded | state.left) >> s & 1]
    if rule.who == WHO_EACH_WHOSE:
        return tuple(playing)
    others = [s for s in playing if s != seat]
    if rule.who in (WHO_EACH_OTHER, WHO_FIRST_OTHER):
        return tuple(others)
    if rule.who == WHO_NEXT:
        return tuple(others[:1])
    return tuple(s for s in others if s % program.sides == seat % program.sides)[:1]


def _next_in_window(program: Program, state: State, rule: WindowRule, queue: tuple[int, ...], position: int) -> None:
    """Ask the next seat of a window; where nobody is left, the frame below goes on."""
    while queue:
        seat, queue = queue[0], queue[1:]
        if rule.whose is not None and not rule.whose(Env(program, state, seat)):
            continue
        state.frames = (*state.frames, Frame(rule.automaton, 1, seat, queue, position))
        return


def _end_frame(program: Program, state: State) -> None:
    """Whoever walks the last frame has come to its end: of a window, or of the turn."""
    frame = state.frame
    if len(state.frames) == 1:
        _end_turn(program, state)
        return
    depth = len(state.frames)
    state.duties = tuple(d for d in state.duties if d.depth < depth)
    state.frames = state.frames[:-1]
    rule = program.automata[state.frame.automaton].windows[frame.window]
    assert rule is not None
    queue = () if rule.who == WHO_FIRST_OTHER and frame.moved else frame.queue
    queue = tuple(s for s in queue if not (state.folded | state.left) >> s & 1)
    _next_in_window(program, state, rule, queue, frame.window)


# ------------------------------------------------------------ turns


def _end_turn(program: Program, state: State) -> None:
    if state.stage == BEFORE_DEAL:
        _deal(program, state)
        return
    if state.stage == AFTER_ROUND:
        _after_scoring(program, state)
        return
    you = state.mover
    state.frames = ()
    state.duties = ()
    state.idle_turns = 0 if state.last_changed else state.idle_turns + 1
    if _round_ends(program, state, you, turn_over=True):
        return
    if state.stage == EXTRA_TURN:
        while state.extra_queue:
            seat, state.extra_queue = state.extra_queue[0], state.extra_queue[1:]
            if not (state.folded | state.left) >> seat & 1:
                _start_turn(program, state, seat, EXTRA_TURN)
                return
        state.extra_now = NOBODY
        if _round_ends(program, state, you, turn_over=True):
            return
    else:
        state.ordinary = you
    if _extra_turns(program, state, (you,), turn_over=True):
        return
    env = Env(program, state, state.ordinary)
    env.turn_over = True
    _start_turn(program, state, _one_seat(program, state, program.next(env), state.ordinary), TURN)


def _round_ends(program: Program, state: State, you: int, turn_over: bool) -> bool:
    env = Env(program, state, you)
    env.turn_over = turn_over
    ending = ending_now(env)
    if ending == NOBODY:
        return False
    _finish_round(program, state, ending, you, turn_over)
    return True


def _extra_turns(program: Program, state: State, seats: Iterable[int], turn_over: bool) -> bool:
    """Start the extra turns that are due; whether a turn was started, or the round ended since nobody takes one."""
    for number, extra in enumerate(program.extras):
        if state.extra_done >> number & 1:
            continue
        for you in seats:
            env = Env(program, state, you)
            env.turn_over = turn_over
            if not extra.when(env):
                continue
            state.extra_done |= 1 << number
            players = {s for p in extra.players(env) for s in program.seats_of(p)}
            queue = [s for step in range(1, program.players + 1) if (s := (you + step) % program.players) in players]
            queue = [s for s in queue if not (state.folded | state.left) >> s & 1]
            if not queue:
                if _round_ends(program, state, you, turn_over):
                    return True
                break
            state.extra_now = number
            state.extra_queue = tuple(queue[1:])
            _start_turn(program, state, queue[0], EXTRA_TURN)
            return True
    return False


def _one_seat(program: Program, state: State, people: tuple[int, ...] | int, base: int) -> int:
    """One seat of those a phrase names: the first from the left of `base`, itself last; of none: the first there is.

    Seats that folded or left are passed over; NOBODY where none is left.
    """
    out = state.folded | state.left
    named = people if isinstance(people, tuple) else (people,)
    if len(named) == 1 and 0 <= named[0] < program.players and not out >> named[0] & 1:
        return named[0]
    seats = {s for p in named if p >= 0 for s in program.seats_of(p)}
    around = [(base + step) % program.players for step in range(1, program.players + 1)]
    if len(seats) == 1:
        at = around.index(next(iter(seats)))
        around = around[at:] + around[:at]
        seats = set(around)
    playing = [s for s in around if not out >> s & 1]
    return next((s for s in playing if s in seats), playing[0] if playing else NOBODY)


def _start_turn(program: Program, state: State, seat: int, stage: int) -> None:
    if seat == NOBODY:
        note_defect(program, state, "nobody is left to take a turn, and no ending says so")
        _abandon(program, state)
        return
    state.turn_number += 1
    if state.turn_number > MAX_TURNS:
        note_defect(program, state, f"a round of more than {MAX_TURNS} turns")
        _abandon(program, state)
        return
    state.stage = stage
    state.mover = seat
    _fresh(program, state, "turn")
    automaton = program.turn if stage == TURN else program.extras[state.extra_now].automaton
    state.frames = (Frame(automaton, 1, seat),)


def _fresh(program: Program, state: State, lasts: str) -> None:
    """Put back to the start what lasts for a turn, or for a round (and so for a turn)."""
    for tally in program.tallies:
        if tally.lasts == lasts or (lasts == "round" and tally.lasts == "turn"):
            end = tally.slot + tally.size
            state.tallies = (*state.tallies[: tally.slot], *(0,) * tally.size, *state.tallies[end:])
    keep = program.named_in_deal if lasts == "turn" else 0
    state.named = tuple([m if keep >> slot & 1 else 0 for slot, m in enumerate(state.named)])
    times = state.times
    for at in range(len(times) // len(SCOPES) * (1 if lasts == "turn" else 2)):
        if times[at]:
            times[at] = 0
    state.opened_this_turn = 0
    state.duties = ()
    state.last_move = NOBODY
    state.last_changed = False
    state.moves_in_turn = 0


# ------------------------------------------------------------ the deal


def begin_round(program: Program, state: State) -> None:
    """Gather and shuffle the cards; then the dealer's phase, if there is one, and the deal."""
    _fresh(program, state, "round")
    state.folded = state.opened = state.face_down = state.shown = 0
    state.renewed = state.idle_turns = state.turn_number = state.extra_done = 0
    state.extra_now = NOBODY
    state.extra_queue = ()
    state.ordinary = NOBODY
    state.groups = ()
    state.hands = [0] * program.players
    state.piles = [()] * program.pile_count
    state.piles[program.stock] = shuffled(state, tuple(range(program.pack.size)))
    state.mover = state.dealer
    if program.before_deal >= 0:
        state.stage = BEFORE_DEAL
        state.rules = program.make_rules(program, state)
        state.frames = (Frame(program.before_deal, 1, state.dealer),)
        return
    _deal(program, state)


def _deal(program: Program, state: State) -> None:
    state.frames = ()
    state.stage = TURN
    deal_cards(program, state)
    open_round(program, state)


def open_round(program: Program, state: State) -> None:
    """What follows the deal: wild cards, automatic moves, endings, extra turns, the first turn."""
    state.rules = program.make_rules(program, state)
    starter = _one_seat(program, state, program.starts(Env(program, state, NOBODY)), state.dealer)
    state.mover = starter
    run_automatic(program, state)
    seats = [s for step in range(program.players) if not state.left >> (s := (starter + step) % program.players) & 1]
    for number, ending in enumerate(program.endings):
        for seat in seats:
            env = Env(program, state, seat)
            env.ender = seat
            if all(check.code(env) for check in ending.when):
                _finish_round(program, state, number, seat)
                return
    if not _extra_turns(program, state, seats, turn_over=False):
        _start_turn(program, state, starter, TURN)


def deal_cards(program: Program, state: State) -> None:
    """Hands, then other zones with an owner, then those of the table; from the left of the dealer, from the top."""
    stock = list(state.piles[program.stock])
    around = [(state.dealer + step) % program.players for step in range(1, program.players + 1)]
    seats = [s for s in around if not state.left >> s & 1]
    for line in program.deal:
        zone = program.zones[line.zone]
        owners = (
            [NOBODY]
            if zone.of == "table"
            else list(dict.fromkeys(s % program.sides for s in seats))
            if zone.of == "side"
            else seats
        )
        wanted = [line.count(Env(program, state, owner)) for owner in owners]
        packets = program.packets if zone.slot < 0 and program.packets else (1,) * max(wanted, default=0)
        dealt: list[list[int]] = [[] for _ in owners]
        for packet in packets:
            for number in range(len(owners)):
                for _ in range(min(packet, wanted[number] - len(dealt[number]), len(stock))):
                    dealt[number].append(stock.pop())
        for owner, cards in zip(owners, dealt, strict=True):
            if zone.slot < 0:
                state.hands[owner] |= mask_of(cards)
            else:
                state.piles[zone.slot + max(owner, 0)] += tuple(cards)
            if line.named >= 0:
                named = list(state.named)
                named[line.named] |= mask_of(cards)
                state.named = tuple(named)
    state.piles[program.stock] = tuple(stock)


# ------------------------------------------------------------ the end of a round


def _finish_round(program: Program, state: State, number: int, ender: int, turn_over: bool = False) -> None:
    ending = program.endings[number]
    state.frames = ()
    state.duties = ()
    state.ender, state.ending = ender, number
    everyone = [s for s in range(program.players) if not state.left >> s & 1]
    env = Env(program, state, NOBODY)
    env.turn_over, env.ender = turn_over, ender
    winning: set[int] = set()
    if ending.wins is not None and not ending.void:
        winning = {program.side_of(p) for p in people_of(ending.wins(env))}
    state.winners = tuple(s for s in everyone if s % program.sides in winning)
    state.losers = tuple(s for s in everyone if s % program.sides not in winning)
    gained = [0] * program.sides
    if not ending.void:
        state.rounds_won = tuple([won + (side in winning) for side, won in enumerate(state.rounds_won)])
        gained = [bounded(g) for g in _lines(program, env, ending.scores)]
        env.you = env.subject = ender
        for times in ending.times:
            factor = times(env)
            gained = [bounded(g * factor) for g in gained]
        state.scores = _added(state.scores, gained)
        env.context = MoveContext(state, ender)
        for action in ending.does:
            perform(env, action, ())
    if any(abs(count) >= MOST_COUNTED for count in (*state.scores, *state.tallies)):
        note_defect(program, state, f"a score or tally beyond {MOST_COUNTED}")
    caller = state.ordinary if state.stage == EXTRA_TURN and state.ordinary != NOBODY else ender
    asked = program.question is not None and bool(program.question(Env(program, state, NOBODY)))
    result = RoundResult(
        ending.name, ender, state.winners, tuple(gained), state.turn_number, ending.void, caller, asked
    )
    state.results = (*state.results, result)
    if program.after_round >= 0 and not ending.void:
        state.stage = AFTER_ROUND
        state.mover = state.dealer
        state.frames = (Frame(program.after_round, 1, state.dealer),)
        return
    _after_scoring(program, state)


def people_of(value: tuple[int, ...] | int) -> tuple[int, ...]:
    """The people that an expression for players gave: one, several or nobody."""
    return value if isinstance(value, tuple) else (value,) if value >= 0 else ()


def _lines(program: Program, env: Env, lines: tuple[ScoreProgram, ...]) -> list[int]:
    """What each side gets from lines of scores, all worked out before any is booked."""
    gained = [0] * program.sides
    for line in lines:
        env.you = env.subject = NOBODY
        sides = _sides(program, people_of(line.players(env)))
        if line.to is None:
            for side in sides:
                env.you = env.subject = _as_person(program, side)
                gained[side] += sum(code(env) for code in line.amounts)
            continue
        receivers = _sides(program, people_of(line.to(env)))
        for giver in sides:
            for receiver in receivers:
                if giver != receiver:
                    env.you = env.subject = _as_person(program, receiver)
                    env.giver = _as_person(program, giver)
                    amount = sum(code(env) for code in line.amounts)
                    gained[receiver] += amount
                    gained[giver] -= amount
        env.giver = NOBODY
    env.you = env.subject = NOBODY
    return gained


def _added(scores: tuple[int, ...], gained: list[int]) -> tuple[int, ...]:
    return tuple([bounded(score + more) for score, more in zip(scores, gained, strict=True)])


def _sides(program: Program, people: tuple[int, ...]) -> list[int]:
    return list(dict.fromkeys(program.side_of(p) for p in people))


def _as_person(program: Program, side: int) -> int:
    """A side as *you*: its only seat, or all its seats together."""
    return side if program.sides == program.players else SIDE + side


def _after_scoring(program: Program, state: State) -> None:
    """Who leaves, whether the game is over, and the next deal."""
    state.frames = ()
    void = bool(state.results) and state.results[-1].void
    if not void:
        if program.leaves is not None:
            for side in range(program.sides):
                env = Env(program, state, _as_person(program, side))
                if any(not state.left >> s & 1 for s in program.members[side]) and program.leaves(env):
                    for seat in program.members[side]:
                        state.left |= 1 << seat
        if state.stop_after and state.round >= state.stop_after:
            state.stopped = True
        if program.ends(Env(program, state, NOBODY)) and _finish_game(program, state):
            return
        env = Env(program, state, NOBODY)
        dealer = _next_dealer(program, state, program.next_dealer(env))
        state.dealer = dealer if dealer != NOBODY else state.dealer
        state.round += 1
    if len(state.results) >= MAX_ROUNDS:
        note_defect(program, state, f"a game of more than {MAX_ROUNDS} rounds")
        _abandon(program, state)
        return
    if state.left == (1 << program.players) - 1:
        note_defect(program, state, "everybody has left, and the game goes on")
        _abandon(program, state)
        return
    state.stage = ROUND_DONE


def _next_dealer(program: Program, state: State, people: tuple[int, ...] | int) -> int:
    folded, state.folded = state.folded, 0
    dealer = _one_seat(program, state, people, state.dealer)
    state.folded = folded
    return dealer


def _finish_game(program: Program, state: State) -> bool:
    """Book the bonus and name the winners; False where a tie means another round."""
    left = state.left
    if left == (1 << program.players) - 1:
        state.left = 0
    env = Env(program, state, NOBODY)
    bonus = _lines(program, env, program.bonus)
    scores = state.scores
    state.scores = _added(scores, bonus)
    winning = set(_sides(program, people_of(program.wins(env))))
    state.left = left
    if len(winning) > 1 and program.tie == TIE_ANOTHER_ROUND:
        state.scores = scores
        return False
    draw = not winning or (len(winning) > 1 and program.tie == TIE_DRAW)
    winners = () if draw else tuple(s for s in range(program.players) if s % program.sides in winning)
    state.outcome = Outcome(winners, state.scores, draw)
    state.stage = OVER
    state.frames = ()
    return True


def _abandon(program: Program, state: State) -> None:
    """The last resort: the game stops without a winner, and the sheet is told to have a defect."""
    state.capped = True
    state.outcome = Outcome((), state.scores, False)
    state.stage = OVER
    state.frames = ()
    assert state.defects, program.sheet_id
