"""Share: posts a picture of the standings of a finished match, from what the store has kept of it."""

from __future__ import annotations

import asyncio
import io

import discord
import structlog

from bot.interactions import stored
from bot.interactions.context import Context
from bot.interactions.services import Services
from bot.model.errors import Problem, UserError
from bot.model.options import Options, read_options
from bot.model.seating import Person
from bot.store import FinishedMatch
from bot.ui.kit.custom_ids import CustomId
from bot.ui.screens.share import Player, Standings, standings
from bot.ui.text.translation import text_for
from engine.cards import CARD_OF_CODE
from engine.rules import ONE_HAND, worth

log = structlog.get_logger(__name__)


class Shares:
    """What a press of Share does."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def press(self, context: Context, custom_id: CustomId) -> None:
        """Post the standings in the channel; raises UserError."""
        store = self._services.store
        match = await stored.read(
            store.match(custom_id.table, guild_id=context.guild_id, channel_id=context.channel_id)
        )
        if match is None:
            raise UserError(Problem.NO_SUCH_MATCH)
        self._services.cooldowns.share(context.channel_id)
        shown = await self._standings(custom_id.table, match)
        png = await asyncio.to_thread(shown.png)
        file = discord.File(io.BytesIO(png), "standings.png", description=shown.words)
        await context.answer.send(file, public=True)

    async def _standings(self, table_id: int, match: FinishedMatch) -> Standings:
        """Return the standings of a match, in the language of its table."""
        store, options = self._services.store, _options(table_id, match)
        length = options.length
        hand = await stored.read(store.hand(table_id, 1)) if length == ONE_HAND else None
        scores = () if hand is None else hand.scores
        held = {score.seat: worth([CARD_OF_CODE[code] for code in score.cards]) for score in scores}
        names = {
            seat.seat: Person(seat.user_id, seat.name, seat.cpu).shown
            for seat in await stored.read(store.seats(table_id))
        }
        seats = [
            Player(
                names.get(player.seat, ""),
                player.points,
                won=player.outcome == "won",
                left=player.outcome in ("forfeit", "left"),
                held=held.get(player.seat),
            )
            for player in match.standings
        ]
        return standings(text_for(options.locale), length, seats)


def _options(table_id: int, match: FinishedMatch) -> Options:
    try:
        return read_options(match.options)
    except (KeyError, TypeError, ValueError) as error:
        log.warning("terms_unreadable", table=table_id, problem=repr(error))
        raise UserError(Problem.NO_SUCH_MATCH) from error
