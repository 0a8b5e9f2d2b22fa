"""A past for the playground's server: matches that its members have played, by the computer players.

Each is played by the parts that play a real one, and saved through the store, with times of the last months.
Imports bot and the computer players.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.model import facts, results
from bot.model.ending import Ending
from bot.model.options import Options
from bot.model.seating import Person, Seating
from bot.model.snapshot import snapshot
from bot.model.state import State
from bot.store import FinishedHand, Save, SeatRecord, TableRecord
from bot.tables.draft import Click, Draft, Table
from engine.actions import DEAL, SAY_UNO
from engine.awaiting import NO_SEAT, Awaiting
from engine.chance import words
from engine.events import HandEnded
from engine.players import POLICIES
from engine.rules import Length, RuleSet
from engine.views import seat_view

#: How many matches there were, and over how many days.
MATCHES: Final = 120
DAYS: Final = 100
#: How well the members play, in their order, so that the boards have something to show.
_LEVELS: Final = ("normal", "sharp", "easy", "normal", "easy", "sharp")
_RULES: Final = (RuleSet(), RuleSet(stack=True), RuleSet(seven_zero=True))


def past(
    first_id: int, guild_id: int, channel_id: int, people: Sequence[Person], now: datetime, seed: str = "past"
) -> list[Save]:
    """Return the saves of all matches, the earliest first; their tables have ids from `first_id` on."""
    dice = random.Random(seed)  # noqa: S311  # a game, no secret
    levels = {person.user_id: _LEVELS[number % len(_LEVELS)] for number, person in enumerate(people)}
    ages = sorted((dice.uniform(0.05, DAYS) for _ in range(MATCHES)), reverse=True)
    saves: list[Save] = []
    for number, age in enumerate(ages):
        seated = dice.sample(list(people), dice.randint(2, min(4, len(people))))
        options = Options(dice.choice(_RULES), Length(hands=dice.choice((1, 1, 2))))
        click = Click(None, seated[0].user_id, seated[0].name, now - timedelta(days=age))
        table = Table(first_id + number, guild_id, channel_id, State(Seating(seated), options=options))
        saves += _match(table, click, [levels[person.user_id] for person in seated], f"{seed}/{number}")
    return saves


def _match(table: Table, click: Click, levels: Sequence[str], seed: str) -> list[Save]:
    """Play a match to its end."""
    draft = Draft(table, click)
    draft.begin()
    match, hands = draft.match, list[FinishedHand]()
    players = [POLICIES[level](words(f"{seed}/{seat}")) for seat, level in enumerate(levels)]
    while match.winners is None:
        known = len(draft.events)
        if match.awaiting is Awaiting.DEAL:
            draft.do(0, DEAL)
        else:
            draft.do(match.turn, players[match.turn].answer(seat_view(match, match.turn)))
        owing = match.game.owed
        if owing != NO_SEAT and players[owing].says_uno(seat_view(match, owing)):
            draft.do(owing, SAY_UNO)
        if any(isinstance(event, HandEnded) for event in draft.events[known:]):
            hand = results.finished_hand(draft.after)
            assert hand is not None
            moves = [move.move for move in draft.moves if move.hand_no == hand.hand_no]
            hands.append(facts.with_facts(hand, moves))
    after = draft.after
    after.ended = Ending.WON
    seats = tuple(
        SeatRecord(table.id, seat, person.user_id, person.name)
        for seat, person in enumerate(after.seating.people)
    )

    def record(version: int) -> TableRecord:
        return TableRecord(table.id, table.guild_id, table.channel_id, version, snapshot(after), click.now)

    played = Save(
        table=record(2),
        closes=True,
        log=tuple(draft.moves),
        hands=tuple(hands),
        match=results.finished_match(after),
    )
    return [Save(table=record(1), seats=seats), played]
