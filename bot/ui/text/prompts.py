"""The decision awaited, in words: for the player who decides, and for the table.

May import views, awaiting, actions and cards of the engine, and `cards` and `translation` from `bot.ui.text`.
"""

from __future__ import annotations

from bot.ui.text.cards import symbol
from bot.ui.text.translation import Players, Text, colour, face
from engine.actions import CHALLENGE, DRAW, KEEP, Play
from engine.awaiting import Awaiting
from engine.cards import COLOUR, RANK, WILD_FOUR
from engine.views import SeatView, TableView


def to_match(text: Text, view: TableView) -> str | None:
    """Return what a card must match; None while a colour is to be named."""
    if view.colour is None:
        return None
    if view.top >= WILD_FOUR:
        return text.gettext("Match {colour}", colour=colour(text, view.colour))
    return text.gettext(
        "Match {colour} or {symbol}", colour=colour(text, view.colour), symbol=symbol(text, view.top)
    )


def for_table(text: Text, view: TableView, players: Players) -> str:
    """Return whom the table waits for, and for what."""
    assert view.turn is not None, "a hand that is over is shown by its summary"
    player = players[view.turn]
    if view.awaiting is Awaiting.CHALLENGE:
        return _challenge_at_table(text, view, player)
    if view.awaiting is Awaiting.DRAWN:
        return text.gettext("{player} drew a card that can be played.", player=player)
    if view.awaiting is Awaiting.COLOUR:
        return text.gettext("{player} is naming the colour.", player=player)
    if view.awaiting is Awaiting.TARGET and view.swap:
        return text.gettext("{player} is picking a hand to swap with.", player=player)
    if view.awaiting is Awaiting.TARGET:
        return text.gettext("{player} is aiming the Green Shell.", player=player)
    if view.due:
        return text.ngettext(
            "{player}: answer with a Draw Two, or draw {number} card.",
            "{player}: answer with a Draw Two, or draw {number} cards.",
            view.due,
            player=player,
        )
    return text.gettext("{player} is to play.", player=player)


def _challenge_at_table(text: Text, view: TableView, player: str) -> str:
    if view.rules.no_bluff:
        return text.ngettext(
            "{player}: answer with a Wild Draw Four, or draw {number} card.",
            "{player}: answer with a Wild Draw Four, or draw {number} cards.",
            view.due,
            player=player,
        )
    return text.ngettext(
        "{player}: draw {number} card, or challenge.",
        "{player}: draw {number} cards, or challenge.",
        view.due,
        player=player,
    )


def challenge_label(text: Text, view: TableView) -> str:
    """Return the label of Challenge, with what it costs to be wrong."""
    return text.gettext("Challenge (+{number} if wrong)", number=view.due + 2)


def odds(text: Text, view: SeatView, players: Players) -> str | None:
    """Return when a challenge is right, and what it costs either way; None where there is none to make."""
    if CHALLENGE not in view.answers or view.wild_four_by is None or view.wild_four_on is None:
        return None
    # Translators: {sum} and {more} are how many cards; {colour} is the colour before the Wild Draw Four.
    return text.gettext(
        "Challenge if you think {player} held a {colour} card or an Item Box. "
        "Right: {player} draws {sum}. Wrong: you draw {more}.",
        player=players[view.wild_four_by],
        colour=colour(text, view.wild_four_on),
        sum=view.due,
        more=view.due + 2,
    )


def for_seat(text: Text, view: SeatView, players: Players) -> str:
    """Return what the player whom the table waits for has to do."""
    if view.awaiting is Awaiting.DRAWN:
        return _drawn(text, view)
    if view.awaiting is Awaiting.COLOUR:
        return text.gettext("Name the colour to match.")
    if view.awaiting is Awaiting.TARGET and view.swap:
        return text.gettext("Swap hands: with whom?")
    if view.awaiting is Awaiting.TARGET:
        return text.gettext("Aim your Green Shell: who draws a card?")
    if view.awaiting is Awaiting.CHALLENGE:
        return _challenge(text, view, players)
    return _stack(text, view) if view.due else _turn(text, view)


def _drawn(text: Text, view: SeatView) -> str:
    assert view.drawn is not None
    card = face(text, view.drawn)
    if KEEP not in view.answers:
        return text.gettext("You drew: {card}. You must play it.", card=card)
    if len(view.answers) == 1:
        return text.gettext("You drew: {card}. You cannot play it now.", card=card)
    return text.gettext("You drew: {card}. Play it or keep it.", card=card)


def _challenge(text: Text, view: SeatView, players: Players) -> str:
    assert view.wild_four_by is not None
    player = players[view.wild_four_by]
    answers = any(type(answer) is Play for answer in view.answers)
    if view.rules.no_bluff and answers:
        return text.ngettext(
            "Wild Draw Four from {player}: draw {number} card, or answer with another.",
            "Wild Draw Four from {player}: draw {number} cards, or answer with another.",
            view.due,
            player=player,
        )
    if view.rules.no_bluff:
        return text.ngettext(
            "Wild Draw Four from {player}: draw {number} card.",
            "Wild Draw Four from {player}: draw {number} cards.",
            view.due,
            player=player,
        )
    if answers:
        return text.ngettext(
            "Wild Draw Four from {player}: draw {number} card, challenge, or answer with another.",
            "Wild Draw Four from {player}: draw {number} cards, challenge, or answer with another.",
            view.due,
            player=player,
        )
    return text.ngettext(
        "Wild Draw Four from {player}: draw {number} card, or challenge.",
        "Wild Draw Four from {player}: draw {number} cards, or challenge.",
        view.due,
        player=player,
    )


def _stack(text: Text, view: SeatView) -> str:
    if any(type(answer) is Play for answer in view.answers):
        return text.ngettext(
            "Your turn: answer with a Draw Two, or draw {number} card.",
            "Your turn: answer with a Draw Two, or draw {number} cards.",
            view.due,
        )
    return text.ngettext(
        "Your turn: you have no Draw Two, so draw {number} card.",
        "Your turn: you have no Draw Two, so draw {number} cards.",
        view.due,
    )


def _turn(text: Text, view: SeatView) -> str:
    assert view.colour is not None
    wanted = {"colour": colour(text, view.colour), "symbol": symbol(text, view.top)}
    wild = view.top >= WILD_FOUR
    if not any(type(answer) is Play for answer in view.answers):
        if wild:
            return text.gettext("Your turn: nothing fits {colour}, so draw.", **wanted)
        return text.gettext("Your turn: nothing fits {colour} or {symbol}, so draw.", **wanted)
    if DRAW not in view.answers:
        if wild:
            return text.gettext("Your turn: you must play, match {colour}.", **wanted)
        return text.gettext("Your turn: you must play, match {colour} or {symbol}.", **wanted)
    if wild:
        return text.gettext("Your turn: match {colour}.", **wanted)
    return text.gettext("Your turn: match {colour} or {symbol}.", **wanted)


def by_house_rules(text: Text, view: SeatView) -> list[str]:
    """Return what house rules allow or forbid a seat just now."""
    rules, lines = view.rules, []
    turn = view.my_turn and view.awaiting is Awaiting.TURN
    plays = any(type(answer) is Play for answer in view.answers)
    if rules.jump_in and not view.my_turn and view.awaiting is not Awaiting.DEAL:
        lines.append(
            text.gettext(
                "Jump-in: hold the very card on top, and **{jump_in}** under the table plays it out of turn."
            )
        )
    if turn and plays and DRAW not in view.answers:
        lines.append(text.gettext("Forced play: you hold a card that can be played, so you cannot draw."))
    if view.my_turn and view.awaiting is Awaiting.DRAWN and KEEP not in view.answers:
        lines.append(text.gettext("Forced play: a drawn card that can be played may not be kept."))
    if turn and view.due:
        lines.append(text.gettext("Stacking: an answer passes all of it on, and adds two."))
    elif turn and rules.draw_until_playable and DRAW in view.answers:
        lines.append(text.gettext("Draw until playable: **{draw}** goes on until a card can be played."))
    if turn and not view.due and _holds_swap(view):
        lines.append(
            text.gettext("Sevens and zeros: a 7 swaps hands with a player you pick, a 0 passes all on.")
        )
    if view.my_turn and view.awaiting is Awaiting.CHALLENGE:
        lines += _about_four(text, view, plays=plays)
    return lines


def _holds_swap(view: SeatView) -> bool:
    """Whether a 7 or a 0 can be played that is not the last card."""
    played = {answer.card for answer in view.answers if type(answer) is Play}
    return view.rules.seven_zero and len(view.hand) > 1 and any(RANK[card] in (0, 7) for card in played)


def _about_four(text: Text, view: SeatView, *, plays: bool) -> list[str]:
    lines = []
    if plays:
        lines.append(text.gettext("Stacking: an answer passes all of it on, and adds four."))
    if view.rules.no_bluff:
        lines.append(text.gettext("No bluffing: it has to be honest, so it cannot be challenged."))
    return lines


def about_bluff(text: Text, view: SeatView) -> list[str]:
    """Return a warning if a Wild Draw Four would be a bluff, and what makes it one."""
    if not view.bluff or view.colour is None:
        return []
    named = colour(text, view.colour)
    held = any(COLOUR[card] == view.colour for card in view.hand)
    if view.rules.no_bluff:
        if held:
            return [text.gettext("A Wild Draw Four cannot be played while you hold {colour}.", colour=named)]
        return [text.gettext("A Wild Draw Four cannot be played while you hold a Wild Item Box.")]
    if not any(type(answer) is Play and answer.card == WILD_FOUR for answer in view.answers):
        return []
    if held:
        return [
            text.gettext(
                "A Wild Draw Four would be a bluff: you hold {colour}. If challenged, you draw.", colour=named
            )
        ]
    return [
        text.gettext("A Wild Draw Four would be a bluff: you hold a Wild Item Box. If challenged, you draw.")
    ]
