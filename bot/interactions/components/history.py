"""The history of a server: the command that opens it, its menus and buttons, and the record of a hand.

Only matches that are over have one. Everybody reads of those in channels they see, and of their own.
"""

from __future__ import annotations

import asyncio
import io
import json
from typing import Any

import discord
import structlog

from bot.interactions import stored
from bot.interactions.context import Context
from bot.interactions.permissions import sees
from bot.interactions.services import Services
from bot.model.errors import Problem, UserError
from bot.model.facts import NotReplayedError
from bot.model.options import read_options
from bot.model.record import record
from bot.model.results import KeptHand
from bot.model.seating import Person
from bot.store import FinishedHand, KeptMatch
from bot.ui.kit.custom_ids import CustomId
from bot.ui.kit.scene import Scene
from bot.ui.screens.history import MATCHES, Hand, Match, Seat, hand_screen, history_screen, match_screen
from engine.rules import ONE_HAND

log = structlog.get_logger(__name__)


class History:
    """What is shown of the matches of a server."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._emojis = services.renderer.emojis

    async def open(self, context: Context) -> None:
        """Show the last matches."""
        await context.answer.send(await self._page(context))

    async def press(self, context: Context, custom_id: CustomId) -> None:
        """Show other matches, a match, a hand of one, or its record; raises UserError."""
        step, table = custom_id.args[0], custom_id.table
        if step in ("first", "older"):
            await context.answer.show(await self._page(context, table if step == "older" else 0))
            return
        if step in ("match", "show"):
            match = await self._match(context, int(custom_id.values[0]) if step == "match" else table)
            await context.answer.show(match_screen(context.text, self._emojis, _told(match)))
            return
        match = await self._match(context, table)
        number = int(custom_id.values[0]) if step == "hand" else custom_id.number
        hand = await stored.read(self._services.store.hand(table, number))
        if hand is None:
            raise UserError(Problem.NO_SUCH_HAND)
        if step == "file":
            await context.answer.send(await self._record(context, table, hand))
            return
        names = tuple(seat.name for seat in _told(match).seats)
        scene = Scene(table=table, names=names, host=None, recent=())
        hands = [line.hand_no for line in match.hands]
        kept = KeptHand.of(hand, len(names))
        await context.answer.show(hand_screen(context.text, self._emojis, scene, kept, hands))

    async def _page(self, context: Context, before: int = 0) -> discord.ui.LayoutView:
        """Return the matches that ended before that of a table, all of them for 0."""
        reading = self._services.store.history(
            context.guild_id, context.member.id, _seen(context), before=before, limit=MATCHES + 1
        )
        matches = [_told(match) for match in await stored.read(reading)]
        more = len(matches) > MATCHES
        return history_screen(context.text, self._emojis, matches[:MATCHES], newest=not before, more=more)

    async def _match(self, context: Context, table: int) -> KeptMatch:
        reading = self._services.store.kept_match(table, context.guild_id, context.member.id, _seen(context))
        match = await stored.read(reading)
        if match is None:
            raise UserError(Problem.NO_SUCH_MATCH)
        return match

    async def _record(self, context: Context, table: int, hand: FinishedHand) -> discord.File:
        moves = await stored.read(self._services.store.moves(table, hand.hand_no))
        try:
            written = await asyncio.to_thread(_written, hand.scenario, [move.move for move in moves])
        except NotReplayedError as error:
            log.warning("hand_not_replayed", table=table, hand=hand.hand_no, problem=str(error))
            raise UserError(Problem.NO_RECORD) from error
        name = f"hand-{table}-{hand.hand_no}.json"
        command = f"python -m engine replay {name}"
        told = context.text.gettext(
            "Hand {number} as a file. It is played again by: {command}",
            number=hand.hand_no,
            command=command,
        )
        return discord.File(io.BytesIO(written), name, description=told)


def _written(scenario: dict[str, Any], moves: list[list[Any]]) -> bytes:
    return json.dumps(record(scenario, moves)).encode()


def _seen(context: Context) -> list[int]:
    """Return the channels and threads of this server that the asker sees."""
    guild = context.interaction.guild
    channels = [] if guild is None else [*guild.channels, *guild.threads]
    return [context.channel_id, *(each.id for each in channels if sees(context, each.id))]


def _told(kept: KeptMatch) -> Match:
    """Return a match as the screens want it."""
    names = {seat.seat: Person(seat.user_id, seat.name, seat.cpu).shown for seat in kept.seats}
    try:
        length = read_options(kept.match.options).length
    except (KeyError, TypeError, ValueError):
        # Only its length is not known.
        length = ONE_HAND
    seats = tuple(
        Seat(
            names.get(standing.seat, ""),
            standing.points,
            won=standing.outcome == "won",
            left=standing.outcome in ("forfeit", "left"),
        )
        for standing in kept.match.standings
    )
    hands = tuple(Hand(line.hand_no, line.winner, line.points) for line in kept.hands)
    return Match(kept.table_id, kept.ended_at, length, seats, hands)
