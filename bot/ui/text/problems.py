"""The sentences that say what is wrong and what to do.

May import `engine.errors`, the errors of the model, and `translation` from `bot.ui.text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.model.errors import Problem
from bot.ui.text.translation import N_, Text, safe_name
from engine.errors import Reason

_REASONS: Final = {
    Reason.UNKNOWN_PLAYER: N_("That player is not at this table. Press {my_hand} for what you can do now."),
    Reason.MATCH_OVER: N_("This match is over. Start a new one with /uno start."),
    Reason.LEFT: N_("You have left this match, so you can only watch it now."),
    Reason.NOT_YOUR_TURN: N_("It is not your turn. The table shows who plays."),
    Reason.NOT_NOW: N_(
        "That does not fit what the table waits for. Press {my_hand} for what you can do now."
    ),
    Reason.NOT_IN_HAND: N_("You do not hold that card any more. Press {my_hand} for your cards."),
    Reason.COLOUR_NEEDED: N_("A Wild Draw Four needs a colour. Press the card again and pick one."),
    Reason.BAD_COLOUR: N_("That is not one of the four colours. Pick red, yellow, green or blue."),
    Reason.BAD_TARGET: N_("You can only pick another player who is still at the table."),
    Reason.NOT_LEGAL: N_("A house rule of this match forbids that. Press {my_hand} for what you can do now."),
    Reason.DOES_NOT_MATCH: N_("That card does not match the top card. Play another one, or draw."),
    Reason.NOTHING_TO_CALL: N_(
        "There is no UNO to say now. You need it when a play leaves you with one card."
    ),
    Reason.NOBODY_TO_CATCH: N_("There is nobody to catch right now."),
}

_PROBLEMS: Final = {
    Problem.NOT_SEATED: N_("You are not playing at this table. You can join the next one."),
    Problem.ALREADY_SEATED: N_("You're already at this table. /uno table brings it down here."),
    Problem.LOBBY_FULL: N_("All seats are taken. You can join the next match."),
    Problem.SEATS_TAKEN: N_("More people than that are seated already."),
    Problem.BY_INVITATION: N_("This table is invite only. Ask the host, {host}, to invite you."),
    Problem.NOBODY_TO_INVITE: N_("Nobody was invited: they are here or invited already, or no people."),
    Problem.INVITED_ENOUGH: N_(
        "You have invited a lot of people in a short time. Please wait a few minutes before you invite more."
    ),
    Problem.MOST_INVITED: N_("No more than {most} people can be invited to a table."),
    Problem.TERMS_STAND: N_("This match has begun, so its rules stand."),
    Problem.UNO_IS_CALLED: N_(
        "I say UNO for everybody at this table, so nobody has to and nobody is caught."
    ),
    Problem.NOT_IN_THIS_CHANNEL: N_(
        "On this server tables start in {channels} only. Whoever has Manage Server can change that with "
        "/uno settings."
    ),
    Problem.NOT_A_MANAGER: N_("Only somebody with Manage Server can change these settings. Ask them."),
    Problem.HIDDEN: N_("They have chosen not to be shown on this server."),
    Problem.STILL_SEATED: N_(
        "Nothing was forgotten: you have a seat in {channels}. Leave with /uno leave, and ask again when "
        "that table is over."
    ),
    Problem.NO_SEASON: N_("No season is on: the next one begins with the first hand that is finished."),
    Problem.NOT_TYPED: N_("The season goes on: to close it, type exactly what the window asks for."),
    Problem.NOT_A_MODERATOR: N_(
        "On this server only somebody with Manage Messages can do that. Ask a moderator."
    ),
    Problem.NO_SUCH_CHOICE: N_("That cannot be chosen any more. Please pick again."),
    Problem.MOVED: N_("This table is in {link} now."),
    Problem.NO_SEAT_FOR_COMPUTER: N_("All seats are taken. Remove a computer player first."),
    Problem.SEAT_PROMISED: N_("Somebody takes over that computer player's seat at the next hand anyway."),
    Problem.YOUR_SEAT_IS_PROMISED: N_("Your offer was taken: at the next hand the seat is theirs."),
    Problem.NO_PERSON: N_("A bot cannot take a seat. Choose a person."),
    Problem.THEY_ARE_SEATED: N_("They are at this table already. Choose somebody else."),
    Problem.THEY_HAVE_LEFT: N_("They have left this match for good. Choose somebody else."),
    Problem.NOT_FOR_YOU: N_("This seat is offered to somebody else."),
    Problem.OFFER_GONE: N_("This seat is not offered any more."),
    Problem.OFFERED_ENOUGH: N_("You have offered your seat often enough in this hand. Wait for the next."),
    Problem.EARLIER_TABLE: N_("That button is of an earlier table. Use those of the one that is on now."),
    Problem.LEVEL_OF_NOBODY: N_("Say how many computer players you want, too: for example cpus:3."),
    Problem.WAITING: N_("You are in: the next hand is dealt to you too. Until then you can watch."),
    Problem.NO_HAND_TO_COME: N_("This is the last hand of the match, so nobody can take over your seat."),
    Problem.NOT_THE_HOST: N_("Only the host can do that. Ask {host}."),
    Problem.NOT_HOST_OR_MODERATOR: N_(
        "Only the host, {host}, or somebody with Manage Messages can end this table."
    ),
    Problem.NEED_TWO: N_(
        "Two players are needed. Wait for somebody to join, or seat a computer player with {add_cpu}."
    ),
    Problem.SETTINGS_UNREADABLE: N_(
        "This server's settings were saved in a form that this version cannot read, so they are kept as they "
        "are. Reset them, or ask the people who run the bot."
    ),
    Problem.NO_VOTE_OF_ONE: N_(
        "With only two people at the table there is no vote. A moderator can remove a player, and anybody "
        "can remove somebody who is away."
    ),
    Problem.TOO_MANY_TABLES: N_(
        "You are the host of as many tables as one person may have. End one of them first."
    ),
    Problem.TOO_MANY_TABLES_HERE: N_(
        "This server has as many tables as it may have. Join one of them, or wait until one ends."
    ),
    Problem.GONE_FOR_GOOD: N_(
        "You have left this match, so you can only watch it. You can join the next one."
    ),
    Problem.REMOVED_BEFORE: N_(
        "You were removed from that match, so you can join its rematch only if the host invites you."
    ),
    Problem.REMOVED_FOR_GOOD: N_(
        "You were removed from this match, so you can only watch it. You can join the next one."
    ),
    Problem.THEY_ARE_NOT_SEATED: N_("They do not play at this table. The table shows who does."),
    Problem.KICK_YOURSELF: N_("You cannot remove yourself. Use /uno leave."),
    Problem.PAUSED_ALREADY: N_("This table is paused already. The host, {host}, continues with /uno resume."),
    Problem.NOT_PAUSED: N_("The clock is running. The host, {host}, stops it with /uno pause."),
    Problem.ALREADY_STARTED: N_("This match has begun already. You can join the next one."),
    Problem.NOT_STARTED: N_("This match hasn't begun yet. The host, {host}, starts it."),
    Problem.TABLE_OVER: N_("This table is closed. Open a new one with /uno start."),
    Problem.NO_TABLE_HERE: N_("There is no table in this channel. Open one with /uno start."),
    Problem.CHANNEL_TAKEN: N_(
        "A match is on in this channel. Watch it and play the next one, or use another channel."
    ),
    Problem.LOBBY_IS_OPEN: N_(
        "A lobby is open in this channel already: press {join} on it. /uno table brings it down here."
    ),
    Problem.MATCH_TO_JOIN: N_(
        "A match is on in this channel. Press {my_hand} at its table, and you can join at the next hand."
    ),
    Problem.HANDS_OR_TARGET: N_("Choose either a number of hands or a target, not both."),
    Problem.OLD_HAND: N_("That was an old hand. This is how it stands now."),
    Problem.TOO_LATE: N_("That came too late. This is how it stands now."),
    Problem.NOT_YOUR_BUTTON: N_("That button is for another player. Press {my_hand} for your own."),
    Problem.TOO_EARLY: N_("Too early: they have {time} to say UNO. Wait, then try again."),
    Problem.CATCH_SPENT: N_("You have tried to catch somebody already. Wait for the next move."),
    Problem.NOBODY_TO_CATCH: N_("There was nobody to catch. You can try again after the next move."),
    Problem.CATCH_YOURSELF: N_("You cannot catch yourself. Press {uno} before somebody else does."),
    Problem.NO_JUMP: N_("To jump in you need exactly the card on top, same colour and same symbol."),
    Problem.BUSY: N_("One moment: your table is still saving a move. Please try again."),
    Problem.NOT_SAVED: N_("Nothing was changed, because it could not be saved. Please try again."),
    Problem.UNCERTAIN: N_(
        "Saving takes longer than it should. Press {my_hand} in a moment to see whether it counted."
    ),
    Problem.STILL_SAVING: N_(
        "Saving takes longer than it should. Please look again in a moment to see whether it counted."
    ),
    Problem.NOT_READ: N_("That could not be looked up just now. Please try again in a moment."),
    Problem.NO_THREAD_MADE: N_("Discord made no thread. Try again, or start without one."),
    Problem.NO_THREAD_HERE: N_("A thread cannot be made here. Try a text channel, or start without one."),
    Problem.MISSING_PERMISSIONS: N_(
        "I am missing permissions in this channel: {permissions}. Ask a moderator."
    ),
    Problem.SERVER_ONLY: N_("This works on a server only. Use it in a channel there."),
    Problem.REPOST_TOO_SOON: N_("The table was posted just now: {time} must lie between two posts."),
    Problem.NO_VOTE: N_("That vote is over. The table shows who plays."),
    Problem.NO_SUCH_HAND: N_("Nothing is kept about that hand."),
    Problem.NO_RECORD: N_("That hand can't be replayed by the rules of this version."),
    Problem.NO_SUCH_MATCH: N_("Nothing is kept about that match. /uno start opens a new table."),
    Problem.NOT_THEIR_MATCH: N_(
        "Only those who sat at that table can ask for it again. You can join their lobby, or use /uno start."
    ),
    Problem.UNKNOWN_COMMAND: N_("This command has changed. Reload Discord, type / and pick it again."),
    Problem.UNREADABLE: N_("That did not reach me as it should. Please try again."),
    Problem.SHARED_TOO_SOON: N_("A picture was shared here a moment ago. Please wait half a minute."),
    Problem.TOO_FAST: N_("Slow down a little: that was a lot in a moment. Please try again shortly."),
    Problem.START_TOO_SOON: N_("You have only just opened a table. Please try again in a few seconds."),
    Problem.UNEXPECTED: N_("Something went wrong here, not with you. If you report it, name {reference}."),
}

#: What Discord calls the permissions the bot needs, by discord.py's names.
_PERMISSIONS: Final = {
    "view_channel": N_("View Channel"),
    "send_messages": N_("Send Messages"),
    "send_messages_in_threads": N_("Send Messages in Threads"),
    "read_message_history": N_("Read Message History"),
    "create_public_threads": N_("Create Public Threads"),
}


def refusal(text: Text, reason: Reason) -> str:
    """Return why the rules refuse an action, and what to do."""
    return text.gettext(_REASONS[reason])


def problem(text: Text, which: Problem, /, **values: object) -> str:
    """Return why the bot refuses something, and what to do.

    `values` fill the sentence's placeholders; MISSING_PERMISSIONS takes `permissions` from
    `permission_names`, UNEXPECTED a `reference`, those that ask for the host the raw name of the `host`.
    """
    if "host" in values:
        values["host"] = safe_name(str(values["host"]))
    return text.gettext(_PROBLEMS[which], **values)


def permission_names(text: Text, names: Sequence[str]) -> str:
    """Return a list of permissions, given by discord.py's names, in the words of Discord's settings."""
    return text.join([text.gettext(_PERMISSIONS[name]) if name in _PERMISSIONS else name for name in names])
