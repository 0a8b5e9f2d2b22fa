"""What happened, in words: a whole sentence for each event, and the last few of a hand.

A sentence never declines the name of a card. May import `engine.events`, `engine.cards`, `bot.ui.kit.scene`,
and `cards` and `translation` from `bot.ui.text`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from bot.ui.kit.scene import Scene
from bot.ui.text.cards import briefly
from bot.ui.text.translation import N_, Players, Text, colour, face
from engine.cards import Item
from engine.events import (
    AutopilotSet,
    CardFlipped,
    CardKept,
    CardPlayed,
    CardsDrawn,
    ChallengeMade,
    ColourNamed,
    DirectionTurned,
    End,
    Event,
    HandDealt,
    HandEnded,
    HandShown,
    HandsPassedOn,
    HandsSwapped,
    HandStarted,
    ItemFired,
    MatchEnded,
    PenaltyVoid,
    PileShuffled,
    PlayerLeft,
    TargetChosen,
    TimedOut,
    TurnSkipped,
    UnoCaught,
    UnoSaid,
    Why,
    WildFourReturned,
)

_Teller = Callable[[Text, Players, Any], str]


def sentence(text: Text, event: Event, names: Sequence[str]) -> str:
    """Return an event in a whole sentence, as everybody may read it."""
    return tell(text, event, Players(text, names))


def story(text: Text, scene: Scene, most: int) -> list[str]:
    """Return the last events of this hand in at most `most` sentences, oldest first.

    What another sentence says too is left out, and a card that was turned over goes with its item.
    """
    players, events = Players(text, scene.names), scene.recent
    starts = [place for place, event in enumerate(events) if type(event) is HandStarted]
    rest = list(events[starts[-1] :] if starts else events)
    told: list[str] = []
    while rest:
        event, after = rest.pop(0), rest[0] if rest else None
        if isinstance(event, CardFlipped) and isinstance(after, ItemFired):
            rest.pop(0)
            flipped = text.gettext(
                _FLIPS[after.item], player=players[after.seat], card=face(text, event.card)
            )
            told.append(flipped)
        elif isinstance(event, CardPlayed) and isinstance(after, ColourNamed) and after.seat == event.seat:
            rest.pop(0)
            told.append(
                text.gettext(
                    "{player} played: {card}. The colour is {colour}.",
                    player=players[event.seat],
                    card=face(text, event.card),
                    colour=colour(text, after.colour),
                )
            )
        elif isinstance(event, PlayerLeft):
            told += _leaving(text, players, scene, event.seat)
        elif not _said_already(event, after):
            told.append(tell(text, event, players))
    return told[-most:]


def _leaving(text: Text, players: Players, scene: Scene, seat: int) -> list[str]:
    """Return how somebody left, and who is the host instead of them."""
    if seat in scene.removed:
        told = [text.gettext("{player} was removed from the match.", player=players[seat])]
    else:
        told = [text.gettext("{player} left the match.", player=players[seat])]
    if seat in scene.heirs:
        told.append(text.gettext("{player} is the host now.", player=players[scene.heirs[seat]]))
    return told


def drawn(text: Text, events: Sequence[Event], seat: int) -> str | None:
    """Return which cards a seat drew and why, from events as that seat sees them.

    None if it drew none, unless an item or a challenge would have made it draw.
    """
    told: dict[str, list[int]] = {}
    for event in events:
        if isinstance(event, CardsDrawn) and event.seat == seat and len(event.cards) == event.number:
            msgid = _DREW[event.why] if event.number else _DREW_NOTHING.get(event.why)
            if msgid is not None:
                told.setdefault(msgid, []).extend(event.cards)
    sentences = [
        text.gettext(msgid, number=len(cards), cards=briefly(text, cards, 8)) for msgid, cards in told.items()
    ]
    return " ".join(sentences) or None


def _said_already(event: Event, after: Event | None) -> bool:
    """Whether the sentences before or after this one say it too."""
    if isinstance(event, HandDealt | HandShown):
        return True
    if isinstance(event, TargetChosen):
        return isinstance(after, HandsSwapped)
    return isinstance(event, CardsDrawn) and event.why is Why.LIGHTNING and event.number > 0


def tell(text: Text, event: Event, players: Players) -> str:
    """Return an event in a whole sentence, as everybody may read it, of players known by name."""
    return _TELLERS[type(event)](text, players, event)


# --- for the one who draws

_YOU_DREW: Final = N_("You drew: {cards}.")
_DREW: Final = {
    Why.TURN: _YOU_DREW,
    Why.STACK: _YOU_DREW,
    Why.DRAW_TWO: _YOU_DREW,
    Why.WILD_FOUR: _YOU_DREW,
    Why.BLUFF: N_("Your bluff was called. You drew {number}: {cards}."),
    Why.FAILED_CHALLENGE: N_("No bluff. You drew {number}: {cards}."),
    Why.UNO: N_("You were caught without UNO and drew: {cards}."),
    Why.BANANA_PEEL: N_("You slipped on a Banana Peel and drew: {cards}."),
    Why.GREEN_SHELL: N_("A Green Shell hit you, and you drew: {cards}."),
    Why.LIGHTNING: N_("Lightning struck, and you drew: {cards}."),
    Why.BOB_OMB: N_("Your Bob-omb blew up, and you drew: {cards}."),
}
#: Nobody is told of nothing but by an item or a challenge.
_DREW_NOTHING: Final = {
    Why.BLUFF: N_("Your bluff was called, but there are no cards left to draw."),
    Why.FAILED_CHALLENGE: N_("No bluff, but there are no cards left to draw."),
    Why.BANANA_PEEL: N_("You slipped on a Banana Peel, but there are no cards left to draw."),
    Why.GREEN_SHELL: N_("A Green Shell hit you, but there are no cards left to draw."),
    Why.LIGHTNING: N_("Lightning struck, but there are no cards left to draw."),
    Why.BOB_OMB: N_("Your Bob-omb blew up, but there are no cards left to draw."),
}


# --- one function for each event

_FLIPS: Final = {
    Item.MUSHROOM: N_("{player} turned over: {card} – Mushroom! An extra turn."),
    Item.BANANA_PEEL: N_("{player} turned over: {card} – Banana Peel!"),
    Item.GREEN_SHELL: N_("{player} turned over: {card} – Green Shell!"),
    Item.LIGHTNING: N_("{player} turned over: {card} – Lightning! Everybody else draws a card."),
    Item.BOB_OMB: N_("{player} turned over: {card} – Bob-omb!"),
}
_ITEMS: Final = {
    Item.MUSHROOM: N_("Mushroom! {player} gets an extra turn."),
    Item.BANANA_PEEL: N_("Banana Peel! {player} dropped it for the player before."),
    Item.GREEN_SHELL: N_("Green Shell! {player} takes aim."),
    Item.LIGHTNING: N_("Lightning! Everybody but {player} draws a card."),
    Item.BOB_OMB: N_("Bob-omb! It blew up in front of {player}."),
}
_ENDS: Final = {
    End.BLOCKED: N_("The hand is blocked, and nobody scores."),
    End.ABANDONED: N_("The hand ended: nobody else is left, and nobody scores."),
}


def _hand_started(text: Text, players: Players, event: HandStarted) -> str:
    return text.gettext("{player} dealt hand {number}.", player=players[event.dealer], number=event.hand_no)


def _hand_dealt(text: Text, players: Players, event: HandDealt) -> str:
    return text.gettext("{player} was dealt a hand.", player=players[event.seat])


def _card_flipped(text: Text, players: Players, event: CardFlipped) -> str:
    return text.gettext("Turned over: {card}.", card=face(text, event.card))


def _wild_four_returned(text: Text, players: Players, event: WildFourReturned) -> str:
    return text.gettext("A Wild Draw Four came first and went back into the pile.")


def _pile_shuffled(text: Text, players: Players, event: PileShuffled) -> str:
    return text.ngettext(
        "The discard pile was shuffled into a new draw pile of {number} card.",
        "The discard pile was shuffled into a new draw pile of {number} cards.",
        event.number,
    )


def _card_played(text: Text, players: Players, event: CardPlayed) -> str:
    player, card = players[event.seat], face(text, event.card)
    if event.jumped:
        return text.gettext("{player} jumped in: {card}.", player=player, card=card)
    return text.gettext("{player} played: {card}.", player=player, card=card)


def _colour_named(text: Text, players: Players, event: ColourNamed) -> str:
    return text.gettext(
        "{player} named the colour: {colour}.", player=players[event.seat], colour=colour(text, event.colour)
    )


def _direction_turned(text: Text, players: Players, event: DirectionTurned) -> str:
    if event.direction == 1:
        return text.gettext("Play goes clockwise now.")
    return text.gettext("Play goes anticlockwise now.")


def _turn_skipped(text: Text, players: Players, event: TurnSkipped) -> str:
    return text.gettext("{player} was skipped.", player=players[event.seat])


def _cards_drawn(text: Text, players: Players, event: CardsDrawn) -> str:
    player, number = players[event.seat], event.number
    if not number:
        return text.gettext("{player} drew nothing: there are no cards left to draw.", player=player)
    return _DRAWN[event.why](text, player, number)


def _drew(text: Text, player: str, number: int) -> str:
    return text.ngettext(
        "{player} drew {number} card.", "{player} drew {number} cards.", number, player=player
    )


def _drew_the_stack(text: Text, player: str, number: int) -> str:
    return text.ngettext(
        "{player} drew the whole stack: {number} card.",
        "{player} drew the whole stack: {number} cards.",
        number,
        player=player,
    )


def _slipped(text: Text, player: str, number: int) -> str:
    return text.ngettext(
        "{player} slipped on the peel and drew {number} card.",
        "{player} slipped on the peel and drew {number} cards.",
        number,
        player=player,
    )


def _was_hit(text: Text, player: str, number: int) -> str:
    return text.ngettext(
        "{player} was hit by the shell and drew {number} card.",
        "{player} was hit by the shell and drew {number} cards.",
        number,
        player=player,
    )


def _was_in_the_blast(text: Text, player: str, number: int) -> str:
    return text.ngettext(
        "{player} was in the blast and drew {number} card.",
        "{player} was in the blast and drew {number} cards.",
        number,
        player=player,
    )


_DRAWN: Final[dict[Why, Callable[[Text, str, int], str]]] = {
    Why.TURN: _drew,
    Why.STACK: _drew_the_stack,
    Why.DRAW_TWO: _drew,
    Why.WILD_FOUR: _drew,
    Why.BLUFF: _drew,
    Why.FAILED_CHALLENGE: _drew,
    Why.UNO: _drew,
    Why.BANANA_PEEL: _slipped,
    Why.GREEN_SHELL: _was_hit,
    Why.LIGHTNING: _drew,
    Why.BOB_OMB: _was_in_the_blast,
}


def _card_kept(text: Text, players: Players, event: CardKept) -> str:
    return text.gettext("{player} kept the card.", player=players[event.seat])


def _item_fired(text: Text, players: Players, event: ItemFired) -> str:
    return text.gettext(_ITEMS[event.item], player=players[event.seat])


def _target_chosen(text: Text, players: Players, event: TargetChosen) -> str:
    return text.gettext("{player} aimed at {other}.", player=players[event.seat], other=players[event.target])


def _hands_swapped(text: Text, players: Players, event: HandsSwapped) -> str:
    return text.gettext(
        "{player} and {other} swapped hands.", player=players[event.seat], other=players[event.other]
    )


def _hands_passed_on(text: Text, players: Players, event: HandsPassedOn) -> str:
    if event.direction == 1:
        return text.gettext("All hands moved on one player, clockwise.")
    return text.gettext("All hands moved on one player, anticlockwise.")


def _challenge_made(text: Text, players: Players, event: ChallengeMade) -> str:
    player, other = players[event.seat], players[event.other]
    if event.bluff:
        return text.gettext("{player} challenged {other}: it was a bluff!", player=player, other=other)
    return text.gettext("{player} challenged {other}: no bluff!", player=player, other=other)


def _hand_shown(text: Text, players: Players, event: HandShown) -> str:
    return text.gettext(
        "{other} showed a hand to {player}.", player=players[event.seat], other=players[event.other]
    )


def _penalty_void(text: Text, players: Players, event: PenaltyVoid) -> str:
    return text.gettext(
        "{player} is gone, so the waiting cards stay in the pile.", player=players[event.seat]
    )


def _uno_said(text: Text, players: Players, event: UnoSaid) -> str:
    return text.gettext("{player} said UNO!", player=players[event.seat])


def _uno_caught(text: Text, players: Players, event: UnoCaught) -> str:
    return text.gettext(
        "{other} caught {player} without UNO!", player=players[event.seat], other=players[event.by]
    )


def _timed_out(text: Text, players: Players, event: TimedOut) -> str:
    return text.gettext("{player} ran out of time.", player=players[event.seat])


def _autopilot_set(text: Text, players: Players, event: AutopilotSet) -> str:
    if event.on:
        return text.gettext("{player} is on autopilot now.", player=players[event.seat])
    return text.gettext("{player} is back.", player=players[event.seat])


def _player_left(text: Text, players: Players, event: PlayerLeft) -> str:
    return text.gettext("{player} left the match.", player=players[event.seat])


def _hand_ended(text: Text, players: Players, event: HandEnded) -> str:
    if event.winner is None:
        return text.gettext(_ENDS[event.end])
    return text.ngettext(
        "{player} won the hand and scored {number} point.",
        "{player} won the hand and scored {number} points.",
        event.points,
        player=players[event.winner],
    )


def _match_ended(text: Text, players: Players, event: MatchEnded) -> str:
    if not event.winners:
        return text.gettext("Nobody won the match.")
    if len(event.winners) == 1:
        return text.gettext("{player} won the match!", player=players[event.winners[0]])
    winners = players.join(text, event.winners)
    # Translators: {players} are {number} players, two at least.
    return text.ngettext(
        "{players} shared the win.", "{players} shared the win.", len(event.winners), players=winners
    )


_TELLERS: Final[dict[type, _Teller]] = {
    HandStarted: _hand_started,
    HandDealt: _hand_dealt,
    CardFlipped: _card_flipped,
    WildFourReturned: _wild_four_returned,
    PileShuffled: _pile_shuffled,
    CardPlayed: _card_played,
    ColourNamed: _colour_named,
    DirectionTurned: _direction_turned,
    TurnSkipped: _turn_skipped,
    CardsDrawn: _cards_drawn,
    CardKept: _card_kept,
    ItemFired: _item_fired,
    TargetChosen: _target_chosen,
    HandsSwapped: _hands_swapped,
    HandsPassedOn: _hands_passed_on,
    ChallengeMade: _challenge_made,
    HandShown: _hand_shown,
    PenaltyVoid: _penalty_void,
    UnoSaid: _uno_said,
    UnoCaught: _uno_caught,
    TimedOut: _timed_out,
    AutopilotSet: _autopilot_set,
    PlayerLeft: _player_left,
    HandEnded: _hand_ended,
    MatchEnded: _match_ended,
}
