"""What was agreed on for a match, in words: its length and its house rules. May import `engine.rules`."""

from __future__ import annotations

from typing import Final

from bot.ui.text import Text, mark
from engine.rules import Length, RuleSet

HOUSE_RULES: Final = {
    "stack": mark("Stacking"),
    "draw_until_playable": mark("Draw until playable"),
    "force_play": mark("Forced play"),
    "seven_zero": mark("Sevens and zeros"),
    "jump_in": mark("Jump-in"),
    "no_bluff": mark("No bluffing"),
    "score_target": mark("Play to 500"),
}


def house_rules(text: Text, rules: RuleSet) -> str:
    """List the house rules in force; what a match is played to is told by its length."""
    names = [text.say(HOUSE_RULES[name]) for name in rules.names() if name != "score_target"]
    if not names:
        return text.say("House rules: none")
    return text.say("House rules: {rules}", rules=", ".join(names))


def length(text: Text, agreed: Length) -> str:
    """Say how long a match is."""
    if agreed.target is not None:
        return text.say("Match: the first to {points} points", points=agreed.target)
    hands = agreed.hands or 1
    return text.say_n("Match: {number} hand", "Match: {number} hands", hands)


def turn_time(text: Text, seconds: int | None) -> str:
    """Say how long a turn may take."""
    if seconds is None:
        return text.say("Time for a turn: no limit")
    if seconds % 60:
        return text.say_n("Time for a turn: {number} second", "Time for a turn: {number} seconds", seconds)
    return text.say_n("Time for a turn: {number} minute", "Time for a turn: {number} minutes", seconds // 60)


def which_hand(text: Text, agreed: Length, hand_no: int) -> str:
    """Say which hand of the match this is."""
    if agreed.target is not None:
        return text.say("Hand {number}, to {points} points", number=hand_no, points=agreed.target)
    if agreed.hands == 1:
        return text.say("A match of one hand")
    return text.say("Hand {number} of {hands}", number=hand_no, hands=agreed.hands)
