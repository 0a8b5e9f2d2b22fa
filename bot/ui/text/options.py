"""The options of a table in words: length, time for a turn, house rules.

May import `bot.model.options`, `engine.rules`, and `translation` from `bot.ui.text`.
"""

from __future__ import annotations

from typing import Final

from bot.model.options import SWITCHES, Options
from bot.ui.kit.scene import Hindrance
from bot.ui.text.translation import N_, Text
from engine.rules import Length, RuleSet

HOUSE_RULES: Final = {
    "stack": N_("Stacking"),
    "draw_until_playable": N_("Draw until playable"),
    "force_play": N_("Forced play"),
    "seven_zero": N_("Sevens and zeros"),
    "jump_in": N_("Jump-in"),
    "no_bluff": N_("No bluffing"),
    "score_target": N_("Play to 500"),
}
#: What each house rule does, in a line.
EXPLAINED: Final = {
    "stack": N_("Answer a draw card with one of its kind. Whoever does not draws the sum."),
    "draw_until_playable": N_("Whoever draws goes on until a card can be played."),
    "force_play": N_("Who can play must, a drawn card too. Never a bluff, never an answer to a stack."),
    "seven_zero": N_("A 7 swaps hands with a player you pick. A 0 passes all hands on."),
    "jump_in": N_("Play the very same coloured card as the top one out of turn."),
    "no_bluff": N_("A Wild Draw Four has to be honest, so nobody challenges it."),
}
#: The sets of house rules that have a name; "server" stands for a server's own.
PRESET_NAMES: Final = {
    "official": N_("Official rules"),
    # Translators: the name of a set of house rules: a merry game among friends.
    "party": N_("Party"),
    # Translators: the name of a set of house rules: a game without mercy.
    "ruthless": N_("Ruthless"),
    "server": N_("This server's own rules"),
}


def rule_list(text: Text, rules: RuleSet) -> str:
    """Return the names of house rules."""
    names = [text.gettext(HOUSE_RULES[name]) for name in rules.names() if name != "score_target"]
    return text.join(names) if names else text.gettext("No house rule")


def in_force(text: Text, options: Options) -> list[str]:
    """Return the options of a table, one a line."""
    lines = [
        match_length(text, options.length),
        turn_time(text, options.turn_time),
        house_rules(text, options.rules),
    ]
    if options.calls_uno:
        lines.append(text.gettext("The bot says UNO for everybody."))
    if options.invite_only:
        lines.append(text.gettext("By invitation only."))
    return lines


def house_rules(text: Text, rules: RuleSet, *, most: int = len(SWITCHES)) -> str:
    """Return the house rules in force, of more than `most` their number.

    Whether a match is played to points is part of its length.
    """
    number = sum(getattr(rules, name) for name in SWITCHES)
    if not number:
        return text.gettext("House rules: none")
    if number > most:
        return text.ngettext(
            "{number} house rule (in your hand: More, Rules)",
            "{number} house rules (in your hand: More, Rules)",
            number,
        )
    return text.gettext("House rules: {rules}", rules=rule_list(text, rules))


def match_length(text: Text, length: Length) -> str:
    """Return how long a match is."""
    if length.target is not None:
        # Translators: a match, which is one or more rounds, and how long it is.
        return text.ngettext(
            "Match: the first to {number} point", "Match: the first to {number} points", length.target
        )
    hands = length.hands or 1
    # Translators: a match, which is one or more rounds ("hands"), and how long it is.
    return text.ngettext("Match: {number} hand", "Match: {number} hands", hands)


def turn_time(text: Text, seconds: int | None) -> str:
    """Return how long a turn may take."""
    if seconds is None:
        return text.gettext("Time for a turn: no limit")
    return text.gettext("Time for a turn: {time}", time=text.duration(seconds))


def clock_stopped(text: Text) -> str:
    """Say that the clock is stopped, and how it goes on."""
    return text.gettext("⏸️ Paused, computers too. The host continues with **{resume}** at the table.")


#: What is said of a table that cannot be kept up to date.
_HINDRANCES: Final = {
    Hindrance.PERMISSIONS: N_("⚠️ I cannot update the table: I am missing permissions in this channel."),
    Hindrance.NOT_LET_IN: N_("⚠️ I cannot update the table: add me to this thread by mentioning me."),
    Hindrance.LOCKED: N_("⚠️ I cannot update the table: this thread is locked."),
    Hindrance.TIMED_OUT: N_("⚠️ I cannot update the table: I am in time-out on this server."),
}


def not_updated(text: Text, hindrance: Hindrance) -> str:
    """Say why the table cannot be kept up to date."""
    return text.gettext(_HINDRANCES[hindrance])


def which_hand(text: Text, length: Length, hand_no: int) -> str:
    """Return which hand of the match this is."""
    if length.target is not None:
        # Translators: a round of a match that somebody wins with {number} points.
        return text.ngettext(
            "Hand {hand}, to {number} point", "Hand {hand}, to {number} points", length.target, hand=hand_no
        )
    if length.hands == 1:
        # Translators: a match of one round.
        return text.gettext("A match of one hand")
    # Translators: a round of the match, not the cards that somebody holds.
    return text.gettext("Hand {number} of {hands}", number=hand_no, hands=length.hands)
