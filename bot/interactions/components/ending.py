"""Ending a table, which is asked about first: privately, and the harmless answer stands first."""

from __future__ import annotations

from bot.interactions import stored
from bot.interactions.context import ComponentContext, Context, TableContext
from bot.interactions.permissions import moderates
from bot.interactions.services import Services
from bot.ui.text import replies


async def hosts_may(services: Services, context: Context) -> bool:
    """Whether hosts end matches and remove players on this server, or moderators alone do."""
    settings = await stored.read(services.guild_settings.get(context.guild_id))
    return not settings.moderators_only


class Ending:
    """The question, and what its answers do."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._tables = services.tables

    async def ask(self, context: TableContext) -> None:
        """Ask somebody who may end a table whether they mean it; raises UserError for anybody else."""
        self._tables.may_end(
            context.table,
            context.click,
            moderator=moderates(context),
            host_may=await hosts_may(self._services, context),
        )
        playing = context.state.match is not None
        await context.answer.send(replies.end_question(context.text, context.table.id, playing=playing))

    async def press(self, context: ComponentContext) -> None:
        """End the table, or leave it as it is; who asks may have lost the right to end it meanwhile."""
        if context.custom_id.args == ("no",):
            await context.answer.show(replies.plain(replies.table_stays(context.text)))
            return
        host_may = await hosts_may(self._services, context)
        await self._tables.end(context.table, context.click, moderator=moderates(context), host_may=host_may)
        await context.answer.show(replies.plain(replies.table_ended(context.text)))
