"""What a person decides about what is kept of them: being forgotten, everywhere or here.

May import `discord`, `bot.ui.kit` and `bot.ui.text`.
"""

from __future__ import annotations

import discord
from discord import ButtonStyle

from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.layout import Row, Section, Words, button, screen
from bot.ui.text.translation import Text


def _id(*args: str) -> CustomId:
    return CustomId(0, 0, Verb.FORGET, args)


def forget_screen(text: Text, *, note: str | None = None) -> discord.ui.LayoutView:
    """Return what being forgotten means, and ask where; `note` is about the click that led here."""
    heading = ["### " + text.gettext("Be forgotten"), *([note] if note else [])]
    goes = text.gettext(
        "**Deleted:** your name, your points, ranks, rating and statistics, what you chose with /uno notify, "
        "/uno cards and /uno language, and the tie between you and every seat you had."
    )
    stays = text.gettext(
        "**Kept:** the matches themselves, in which you become a player without a name, so that the results "
        "of the others stay right; and that you asked for this, with your user id, so that a restored backup "
        "forgets you again."
    )
    beyond = text.gettext(
        "**Out of my reach:** messages in Discord, pictures that were shared, files you or others saved, and "
        "copies and log files of whoever runs this bot, until those are deleted."
    )
    return screen(
        Words("\n".join(heading)),
        Words(f"{goes}\n{stays}\n{beyond}"),
        Words("-# " + text.gettext("See first what is kept about you: /uno my-data")),
        Row(
            button(text.gettext("Forget me here"), _id("ask", "here")),
            button(text.gettext("Forget me everywhere"), _id("ask", "everywhere")),
        ),
    )


def sure_screen(text: Text, where: str) -> discord.ui.LayoutView:
    """Ask once more; `where` is "here" or "everywhere"."""
    if where == "here":
        question = text.gettext("Forget you on this server? This cannot be undone.")
    else:
        question = text.gettext("Forget you on all servers? This cannot be undone.")
    # Yes is on the right, and the way back where the buttons before were.
    yes = button(text.gettext("Yes, forget me"), _id("yes", where), ButtonStyle.danger)
    back = button(text.gettext("Back"), _id("back"))
    return screen(Section(Words("### " + question), accessory=yes), Row(back))


def forgotten_screen(text: Text, where: str) -> discord.ui.LayoutView:
    """Say that it is done."""
    if where == "here":
        done = text.gettext("You are forgotten on this server. If you play here again, you begin at nothing.")
    else:
        done = text.gettext("You are forgotten on all servers. If you play again, you begin at nothing.")
    return screen(Words(done))


def hidden_now(text: Text, *, hidden: bool) -> str:
    """Say whether somebody stands on the boards of this server."""
    if hidden:
        return text.gettext(
            "You are hidden: no leaderboard, picture or export of this server shows you. Your results still "
            "count, and /uno hide brings you back."
        )
    return text.gettext("You are shown on the leaderboards of this server again.")
