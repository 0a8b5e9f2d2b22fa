"""Answers that show somebody's hand or a new lobby.

`bot.messages` is told what they show and how they are reached, and keeps them up to date.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bot.interactions.context import Context, TableContext
from bot.interactions.services import Services
from bot.messages import rendered_hand
from bot.model.state import State
from bot.ui.screens.asides import ASIDE, Log, Step
from bot.ui.text import replies


@contextmanager
def answered_first(services: Services, context: TableContext) -> Iterator[None]:
    """Hold back rendering a table's changes until this interaction is answered, or deferred."""
    services.messages.pressed(context.table, context.member.id, context.interaction.app_permissions)
    with ExitStack() as held:
        held.enter_context(services.messages.answering(context.table))
        context.answer.when_deferred(held.close)
        yield


async def show_hand(
    services: Services,
    context: TableContext,
    state: State,
    seat: int,
    *,
    step: Step | Log = Step.MAIN,
    uno: bool = False,
    note: str | None = None,
) -> None:
    """Answer with the asker's hand: replace the private message they pressed, else send a new one."""
    if state.seat_of(context.member.id) != seat:
        # Somebody else took over the seat, with a deal that came meanwhile or was this very press.
        await say_goodbye(context)
        return
    table = context.table
    view = services.renderer.hand(table.id, state, seat, context.text, step=step, uno=uno, note=note)
    if context.on_private:
        await context.answer.update(view)
        token = context.pressed_token
    else:
        token = context.hand_token(await context.answer.send(view))
    aside = step if isinstance(step, Log) or step in ASIDE else None
    services.messages.holds(table, token, rendered_hand(state, seat), aside)


async def say_goodbye(context: Context) -> None:
    """Confirm to somebody that they left; the sentence replaces their hand if they pressed on it."""
    sentence = replies.you_left(context.text)
    if context.on_private:
        await context.answer.update(replies.plain(sentence))
    else:
        await context.answer.send(sentence)


async def show_lobby(services: Services, context: TableContext) -> None:
    """Answer publicly with a new table's lobby; the host's first hand is sent through its token."""
    messages, table, token = services.messages, context.table, context.hand_token()
    with messages.answering(table, opening=token):
        view = services.renderer.table_message(table.id, table.state)
        message_id = await context.answer.send(view, public=True)
        messages.posted(table, message_id, table.state.version)
    messages.holds(table, token, None)
