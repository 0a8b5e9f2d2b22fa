"""The sentences that answer a person: what was done, and what comes next.

May import `discord`, endings of the model, `custom_ids` and `layout` from `bot.ui.kit`, and `translation`
from `bot.ui.text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.model.ending import Ending
from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.layout import Row, Words, button, countdown, fit, screen
from bot.ui.text.translation import N_, Text, plain_name, safe_name


def plain(sentence: str) -> discord.ui.LayoutView:
    """Return a screen of one sentence."""
    return screen(Words(fit([sentence], 2000)))


def closed(
    text: Text, how: Ending, *, idle: timedelta = timedelta(), by: str = "", hands: int | None = None
) -> str:
    """Return how a table came to its end: by whom, and how many finished hands count, where that is known.

    `idle` is after how long without a move it ends.
    """
    if not by or hands is None:
        return text.gettext(_ENDINGS[how], time=idle)
    who = text.gettext("{player} ended this table.", player=safe_name(by))
    if hands:
        counts = text.ngettext("{number} finished hand counts.", "{number} finished hands count.", hands)
    else:
        counts = text.gettext("No hand was finished, so nothing counts.")
    return " ".join([who, counts, text.gettext("/uno start opens a new one.")])


def season_closed(text: Text, number: int) -> str:
    """Say that a season is over."""
    return text.gettext(
        "Season {number} is closed. The next one begins with the next hand. The results of all seasons are "
        "in /uno settings, under Export results.",
        number=text.number(number),
    )


def you_are_back(text: Text) -> str:
    """Greet somebody for whom the computer has played."""
    return text.gettext("Welcome back! You play for yourself again.")


_STOPPED: Final = N_("This table was ended. Finished hands count. /uno start opens a new one.")
_ENDINGS: Final = {
    Ending.CANCELLED: N_("The host has cancelled this lobby. /uno start opens a new one."),
    Ending.EMPTY: N_("Everybody has left this lobby. /uno start opens a new one."),
    Ending.EXPIRED: N_("Nobody pressed anything in this lobby for a while. /uno start opens a new one."),
    Ending.IDLE: N_("Nobody played for so long: {time}. Finished hands count."),
    Ending.NOBODY: N_("Nobody plays here any more. Finished hands count."),
    Ending.UNREADABLE: N_(
        "This table could not be brought back, sorry. Finished hands count. /uno start opens a new one."
    ),
    Ending.STOPPED: _STOPPED,
    # A match that was won shows its standings, and nothing is shown where the channel is gone.
    Ending.WON: _STOPPED,
    Ending.VANISHED: _STOPPED,
}


def you_left(text: Text) -> str:
    """Return the answer to somebody who has left."""
    return text.gettext("You have left. Thank you for playing!")


def fetch_your_hand(text: Text, mentions: Sequence[str]) -> str:
    """Return where to find a hand, for people whose hand could not be sent; the mentions ping them."""
    # Translators: the plural is for several {players}, who are all addressed.
    return text.ngettext(
        "{players} Press **{my_hand}** under the table to see your cards.",
        "{players} Press **{my_hand}** under the table to see your cards.",
        len(mentions),
        players=" ".join(mentions),
    )


def thread_name(text: Text, host: str) -> str:
    """Return the name of a table's thread, from the raw name of its host; at most 100 characters."""
    player = plain_name(host, empty=text.gettext("Player"))
    return text.gettext("UNO Mario Kart with {player}", player=player)[:100]


def lobby_opens(text: Text) -> str:
    """Say that a lobby is about to open in a thread."""
    return text.gettext("Opening a lobby in a thread…")


def lobby_is_in(text: Text, link: str) -> str:
    """Return a pointer from the channel to the thread that the lobby is in."""
    return text.gettext("A match of UNO Mario Kart starts over there, come and join: {link}", link=link)


def moving(text: Text) -> str:
    """Return the answer to the host while a thread is made for the lobby."""
    return text.gettext("Moving the lobby to a thread…")


def lobby_moved(text: Text, link: str) -> str:
    """Return the answer to the host with the place of the lobby."""
    return text.gettext("The lobby is over there now: {link}", link=link)


def invitation(text: Text, mentions: Sequence[str], host: str) -> str:
    """Return an invitation to a lobby; the mentions ping those invited."""
    # Translators: the plural is for several {players}, who are all addressed.
    return text.ngettext(
        "{players}: {host} invites you to a match of UNO Mario Kart. Press **{join}** in the lobby.",
        "{players}: {host} invites you to a match of UNO Mario Kart. Press **{join}** in the lobby.",
        len(mentions),
        players=" ".join(mentions),
        host=host,
    )


def rematch_call(text: Text, mentions: Sequence[str], host: str) -> str:
    """Return the call to a rematch; the mentions ping the people of the match."""
    # Translators: the plural is for several {players}, who are all addressed.
    return text.ngettext(
        "{players}: {host} wants a rematch! Press **{join}** in the lobby.",
        "{players}: {host} wants a rematch! Press **{join}** in the lobby.",
        len(mentions),
        players=" ".join(mentions),
        host=host,
    )


def table_is_coming(text: Text) -> str:
    """Return the answer to somebody who had the table posted again."""
    return text.gettext("The table comes to the bottom of the channel.")


def table_ended(text: Text) -> str:
    """Return the answer to somebody who has ended a table."""
    return text.gettext("The table is closed. Finished hands count.")


def end_question(text: Text, table_id: int, *, playing: bool) -> discord.ui.LayoutView:
    """Return the question whether to end a table; the button that ends it is not the first."""
    question = (
        text.gettext(
            "End this match for everybody? The hand in play counts for nobody; finished hands count."
        )
        if playing
        else text.gettext("Close this lobby for everybody?")
    )
    stay = button(text.gettext("Keep it open"), CustomId(table_id, 0, Verb.END, ("no",)))
    end = CustomId(table_id, 0, Verb.END, ("yes",))
    return screen(
        Words(question), Row(stay, button(text.gettext("Yes, end it"), end, discord.ButtonStyle.danger))
    )


def table_stays(text: Text) -> str:
    """Return the answer to somebody who does not end a table after all."""
    return text.gettext("The table stays open.")


def stranger(text: Text, custom_id: CustomId) -> discord.ui.LayoutView:
    """Return a screen that offers somebody who does not play a seat at the next hand."""
    sentence = text.gettext("You are not playing at this table. You can join at the next hand.")
    return screen(Words(sentence), Row(button(text.gettext("Join"), custom_id, discord.ButtonStyle.success)))


def hand_is_elsewhere(text: Text) -> str:
    """Return what is left of the former copy of a hand."""
    return text.gettext("Your hand is in another message now. **{my_hand}** under the table shows it again.")


def in_at_the_next_hand(text: Text) -> str:
    """Return the answer to a newcomer who has a seat."""
    return text.gettext("You are in: the next hand is dealt to you too.")


def seat_offered(text: Text, player: str) -> str:
    """Return the answer to somebody who has offered their seat."""
    return text.gettext(
        "Your seat is offered to {player}. Until they take it, {more} can take that back.",
        player=player,
    )


def offer_withdrawn(text: Text) -> str:
    """Return the answer to somebody who keeps their seat."""
    return text.gettext("You keep your seat.")


def in_again(text: Text, player: str) -> str:
    """Return the answer to somebody who has come to a rematch; `player` is the host."""
    return text.gettext(
        "You are in. {player} starts the match, and your hand then comes here.", player=player
    )


def nudge(text: Text, mention: str, until: datetime | None) -> str:
    """Return a call to the player whom the table waits for; the mention pings them."""
    if until is None:
        return text.gettext("{player}, it's your turn!", player=mention)
    return text.gettext(
        "{player}, it's your turn! ⏳ Turn ends: {when}", player=mention, when=countdown(until)
    )


def removed(text: Text, player: str) -> str:
    """Say that somebody was removed from a table."""
    return text.gettext("{player} has been removed from the table.", player=player)


def voted(text: Text, player: str, got: int, needed: int) -> str:
    """Say that a vote to remove somebody was counted."""
    return text.gettext(
        "Your vote to remove {player}: {got} of {needed} so far.", player=player, got=got, needed=needed
    )


def host_is(text: Text, player: str) -> str:
    """Return who the host is now."""
    return text.gettext("{player} is the host now.", player=player)


def paused(text: Text, most: timedelta) -> str:
    """Return the answer to the host who has stopped the clock, for so long at most."""
    return text.gettext("Paused (at most {time}), computers too. /uno resume continues.", time=most)


def resumed(text: Text) -> str:
    """Return the answer to the host who has let the clock go on."""
    return text.gettext("Clock running again; this turn starts over at full time.")


def nudges_set(text: Text, wish: str) -> str:
    """Return the answer to somebody who has chosen when to be called."""
    return text.gettext(_NUDGES[wish])


def language_chosen(text: Text, name: str | None) -> str:
    """Return the answer to somebody who has chosen a language, or none, in that language."""
    if name is None:
        return text.gettext("From now on I answer you in the language of the server, or of your Discord.")
    return text.gettext("From now on I answer you in this language: {language}.", language=name)


_NUDGES: Final = {
    "always": N_("You will be called at half time, and at once when you have been away."),
    "away": N_("You will be called only when you have been away."),
    "never": N_("You will not be called. The clock still runs."),
}


def cards_shown(text: Text, shown: str) -> str:
    """Return the answer to somebody who has chosen how their cards are shown."""
    return text.gettext(_CARDS[shown])


_CARDS: Final = {
    "pictures": N_("Your cards are pictures from now on. **{my_hand}** shows them."),
    "words": N_("Your cards are words from now on. **{my_hand}** shows them."),
}


def tables(text: Text, lines: Sequence[tuple[str, int, bool]]) -> str:
    """Return a list of a server's tables: link to the channel, number of players, whether a match is on."""
    if not lines:
        return text.gettext("There is no table on this server. Open one with /uno start.")
    return fit(
        [
            text.ngettext(
                "{channel}: a match with {number} player",
                "{channel}: a match with {number} players",
                number,
                channel=channel,
            )
            if playing
            else text.ngettext(
                "{channel}: a lobby with {number} player",
                "{channel}: a lobby with {number} players",
                number,
                channel=channel,
            )
            for channel, number, playing in lines
        ],
        1900,
    )
