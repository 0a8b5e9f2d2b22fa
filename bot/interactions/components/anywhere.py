"""The buttons that need no live table: the rules, the help, and how a finished hand was scored."""

from __future__ import annotations

from bot.interactions import stored
from bot.interactions.context import Context
from bot.interactions.services import Services
from bot.model.errors import Problem, UserError
from bot.model.results import KeptHand
from bot.model.seating import Person
from bot.ui.kit.custom_ids import CustomId
from bot.ui.kit.scene import Scene
from bot.ui.screens import rules as rules_screen
from bot.ui.screens import summary
from bot.ui.screens.help import help_screen


class Anywhere:
    """What each of them does."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def rules(self, context: Context, custom_id: CustomId) -> None:
        """Show a topic of the rules; the one of house rules names those of this channel's table."""
        topic = custom_id.args[0] if custom_id.args else None
        table = await stored.table(self._services.tables, custom_id.table, context.now)
        here = table is not None and table.channel_id == context.channel_id
        rules = table.state.options.rules if table is not None and here else None
        view = rules_screen.rules_screen(context.text, topic, table=custom_id.table, rules=rules)
        if topic is None:
            await context.answer.send(view)
        else:
            await context.answer.show(view)

    async def help(self, context: Context, custom_id: CustomId) -> None:
        """Show how to play."""
        emojis = self._services.renderer.emojis
        await context.answer.send(help_screen(context.text, emojis, table=custom_id.table))

    async def details(self, context: Context, custom_id: CustomId) -> None:
        """Show how the points of a hand finished in this channel add up."""
        store, number = self._services.store, int(custom_id.args[0])
        hand = await stored.read(store.hand(custom_id.table, number, channel_id=context.channel_id))
        if hand is None:
            raise UserError(Problem.NO_SUCH_HAND)
        seats = await stored.read(store.seats(custom_id.table))
        names = tuple(Person(seat.user_id, seat.name, seat.cpu).shown for seat in seats)
        scene = Scene(table=custom_id.table, names=names, host=None, recent=())
        kept = KeptHand.of(hand, len(names))
        await context.answer.send(summary.details(context.text, self._services.renderer.emojis, scene, kept))
