"""The rules by topic, in short sentences for a phone.

May import `discord`, `engine.rules`, `bot.ui.kit` and `bot.ui.text`.
"""

from __future__ import annotations

from typing import Final

import discord
from discord import ButtonStyle

from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.layout import Words, button, fit, rows, screen
from bot.ui.text.items import DOES
from bot.ui.text.options import HOUSE_RULES
from bot.ui.text.translation import N_, Text, bold
from engine.rules import RuleSet

_HOW: Final = (
    N_("Your hand is a message that only you can see. **{my_hand}** under the table shows it again, always."),
    N_("In your turn every card that can be played is a button. The rest of your cards stand above them."),
    N_("At two cards press **{uno}** first, then your card: you say it as you play."),
    N_("Forgot it? **{uno}** still works at one card, until somebody is faster with **{catch}**"),
    N_("**{catch}** catches whoever forgot. It waits a moment after a card is played, to be fair."),
    N_("Pressed with nobody to catch, **{catch}** is spent until the next move at the table."),
    N_("**{more}** has these rules, the way out, and **{table_here}**, which moves the table to the bottom."),
)
_CARDS: Final = (
    N_("112 cards. Each colour has one 0 and two of each 1 to 9, Skip, Reverse and Draw Two."),
    N_("There are 4 Wild Draw Fours and 8 Wild Item Boxes."),
    N_("Every card has an item: red a Mushroom, yellow a Banana Peel, green a Green Shell, blue Lightning."),
    N_("Both wilds have a Bob-omb. An item acts only when a Wild Item Box turns its card over."),
    N_("Everybody gets seven cards. The player left of the dealer begins, and play goes clockwise."),
    N_("The first dealer is drawn by lot. Then the deal moves on one seat."),
    N_("The first card turned over is a number to start on; Skip, Reverse and Draw Two are passed over."),
    N_("A Wild Draw Four goes back first. On a Wild Item Box the first player names the colour, then plays."),
)
_TURN: Final = (
    N_("Play a card that matches the top card by colour, number or symbol, or any wild."),
    N_("On a wild, match the colour that was named."),
    N_("You may always decline to play. Then you draw one card."),
    N_("If the drawn card can be played you may play it at once, or keep it. Either way your turn ends."),
    N_("When the draw pile is empty, the discard pile below its top card is shuffled into a new one."),
    N_("If there is nothing left to draw, a turn is a pass."),
    N_("As many passes in a row as players, or 1,000 moves: the hand is blocked and nobody scores."),
)
_ACTIONS: Final = (
    N_("**Draw Two**: the next player draws two and loses the turn."),
    N_("**Skip**: the next player loses the turn."),
    N_("**Reverse**: play goes the other way. With two players you go again."),
    N_("Playing one of these as your last card still wins. A last draw card is still drawn, and counts."),
)
_FOUR: Final = (
    N_("**Wild Draw Four**: you name the colour. The next player draws four and is skipped, or challenges."),
    N_("It is honest only if you hold no other card of the colour to match. A Wild Item Box counts as one."),
    N_("Another Wild Draw Four does not count, nor does a card with the same number in another colour."),
    N_("You may bluff. The game warns you, and only a challenge finds out."),
    N_("A challenge shows the hand, as it was at the play, to the challenger alone."),
    N_("It was a bluff: the player who bluffed draws four, and the challenger takes a normal turn."),
    N_("It was honest: the challenger draws six and loses the turn."),
    N_("The card and its colour stay. A Wild Draw Four as a last card cannot be challenged."),
)
_BOX: Final = (
    N_("**Wild Item Box**: turn over the top card of the draw pile. Its item acts, and play goes on on it."),
    N_("What the card itself would do is ignored."),
    *DOES.values(),
    N_("As a last card: Banana Peel, Green Shell and Lightning still hit the others. The rest does nothing."),
)
_UNO: Final = (
    N_("Say UNO when a play leaves you with one card: at two cards in your turn, or right after the play."),
    N_("Until the next move of the table anybody may catch you. Then you draw two."),
    N_("The next play, draw, accept or challenge ends the danger, your own in an extra turn too."),
    N_("UNO said at two cards is void once you draw or lose the turn."),
    N_("If your hand changes before that, by a swap or a draw, nothing is owed any more."),
    N_("The first catch wins."),
)
_SCORE: Final = (
    N_("Whoever plays their last card wins the hand, and scores every card left in the other hands."),
    N_("Numbers count what they show, Skip, Reverse and Draw Two 20, both wilds 50."),
    N_("Match of one hand: its winner wins, whatever the points."),
    N_("Match of several hands: the most points win. Equal points share the win."),
    N_("Match to a target: the first to reach it wins."),
    N_("A blocked hand counts as one of those agreed on. If nobody scored at all, nobody wins."),
    N_("Only players still at the table at the end can win."),
)
_LEAVING: Final = (
    N_("Who leaves is out for good. Their cards go under the draw pile, and their turn passes on."),
    N_("Leaving once everybody has had a turn is a loss."),
    N_("If you owed a colour it is red. A Green Shell hits whoever has the fewest cards. A swap is off."),
    N_("Cards that waited for you are not drawn by anybody."),
    N_("If a Wild Draw Four was yours, it can still be challenged."),
    N_("One player left: that player wins the match, and the hand does not score."),
    N_("Run out of time and one card is drawn for you, or all that wait. What you owed is chosen for you."),
    N_("Twice in a row puts you on autopilot until you act again."),
)
_HOUSE: Final = {
    "stack": (
        N_("Answer a Draw Two with a Draw Two, a Wild Draw Four with another. Who does not draws the sum."),
        N_("Challenge the last Wild Draw Four: a bluffer draws the sum, a wrong challenger two more."),
    ),
    "draw_until_playable": (N_("You draw until a card can be played, or the piles are out."),),
    "force_play": (
        N_("You must play if you can, a drawn card too. Never a bluff, and never an answer to a stack."),
    ),
    "seven_zero": (
        N_("A 7 swaps your hand with a player you pick. A 0 passes all hands on in the direction of play."),
        N_("Not as a last card. Swapped into one card, you owe no UNO."),
    ),
    "jump_in": (
        N_("Hold the very same coloured card as the top one? Play it out of turn, before anything is drawn."),
        N_("Play goes on from you. **{jump_in}** is under the table."),
    ),
    "no_bluff": (N_("A Wild Draw Four can be played only when it is honest, and cannot be challenged."),),
    "score_target": (N_("The match goes to 500 points, unless another target is set."),),
}

#: The topics, by the argument their button carries: a title and sentences.
TOPICS: Final = {
    "how": (N_("How to play here"), _HOW),
    "cards": (N_("Cards"), _CARDS),
    "turn": (N_("Your turn"), _TURN),
    "actions": (N_("Action cards"), _ACTIONS),
    "four": (N_("Draw Four"), _FOUR),
    "box": (N_("Item Box"), _BOX),
    "uno": (N_("UNO"), _UNO),
    "score": (N_("Scoring"), _SCORE),
    "leaving": (N_("Leaving"), _LEAVING),
    "house": (N_("House rules"), ()),
}
FIRST_TOPIC: Final = "how"


def rules_screen(
    text: Text, topic: str | None = None, *, table: int = 0, rules: RuleSet | None = None
) -> discord.ui.LayoutView:
    """Return one topic of the rules, with buttons to the others.

    `rules` are those of the table it was opened at, if any. Without a topic, or with an unknown one, it is
    the first.
    """
    topic = topic if topic is not None and topic in TOPICS else FIRST_TOPIC
    title, sentences = TOPICS[topic]
    lines = _house(text, rules) if topic == "house" else [f"• {text.gettext(line)}" for line in sentences]
    buttons = [
        button(
            text.gettext(name),
            CustomId(table, 0, Verb.RULES, (key,)),
            ButtonStyle.primary if key == topic else ButtonStyle.secondary,
        )
        for key, (name, _) in TOPICS.items()
    ]
    return screen(Words(f"### {text.gettext(title)}"), Words(fit(lines, 3600)), *rows(buttons))


def _house(text: Text, rules: RuleSet | None) -> list[str]:
    """Return the house rules, with those in force marked."""
    lines = [text.gettext("All of these are off unless somebody chose them.")]
    for key, sentences in _HOUSE.items():
        name = bold(text.gettext(HOUSE_RULES[key]))
        if rules is not None and getattr(rules, key):
            name = text.gettext("{rule} (in force here)", rule=name)
        lines += [name, *(f"• {text.gettext(line)}" for line in sentences)]
    return lines
