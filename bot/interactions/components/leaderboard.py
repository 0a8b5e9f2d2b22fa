"""The leaderboard: the command that opens it, and the buttons and menus on it."""

from __future__ import annotations

import discord

from bot.interactions import stored
from bot.interactions.context import Context
from bot.interactions.services import Services
from bot.tallies.boards import By, Turn
from bot.tallies.periods import Period, day_of, period_key
from bot.ui.kit.custom_ids import CustomId
from bot.ui.screens.leaderboard import OF_SKILL, leaderboard_screen


class Leaderboard:
    """What is shown of a server's leaderboard, to anybody there."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def open(self, context: Context, by: By, period: Period) -> None:
        """Show the first page of a board."""
        await context.answer.send(await self._view(context, by, period))

    async def press(self, context: Context, custom_id: CustomId) -> None:
        """Show another board, or another page of one."""
        name, *rest = custom_id.args
        if name == "by":
            by, period = By(custom_id.values[0]), Period(rest[0])
        elif name == "period":
            by, period = By(rest[0]), Period(custom_id.values[0])
        else:
            by, period = By(name), Period(rest[0])
            user = int(rest[2]) if len(rest) > 2 else None
            await context.answer.show(await self._view(context, by, period, Turn(rest[1]), user))
            return
        await context.answer.show(await self._view(context, by, period))

    async def _view(
        self, context: Context, by: By, period: Period, turn: Turn = Turn.FIRST, user: int | None = None
    ) -> discord.ui.LayoutView:
        if by is By.SKILL and period not in OF_SKILL:
            period = Period.ALL
        store, guild = self._services.store, context.guild_id
        settings = await stored.read(self._services.guild_settings.get(guild))
        season = await stored.read(store.season(guild)) if period is Period.SEASON else 0
        key = period_key(period, day_of(context.now, settings.time_zone), season)
        page = await stored.read(store.board(guild, by, key, reader=context.member.id, turn=turn, user=user))
        closed = await stored.read(store.champions(guild)) if period is Period.SEASON else None
        return leaderboard_screen(context.text, self._services.renderer.emojis, page, by, period, closed)
