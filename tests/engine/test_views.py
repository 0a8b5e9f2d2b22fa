"""Views show what a seat may see and nothing else, events hide what they must."""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import product
from typing import Any, NamedTuple, get_args

import pytest

from engine.actions import (
    ACCEPT,
    CHALLENGE,
    DRAW,
    KEEP,
    Action,
    Challenge,
    Draw,
    Keep,
    Play,
    TimeOut,
)
from engine.awaiting import Awaiting
from engine.cards import CARD_OF_CODE, CODE, COLOUR, FACES, ITEM_BOX, WILD_FOUR
from engine.dealing import deal
from engine.errors import IllegalAction
from engine.events import (
    OWNER,
    PUBLIC,
    CardsDrawn,
    End,
    Event,
    HandDealt,
    HandEnded,
    HandShown,
    Why,
    owner,
    public,
)
from engine.match import Match
from engine.rules import RULE_NAMES, Length, RuleSet
from engine.views import SeatInfo, SeatView, TableView, seat_view, table_view
from tests.engine.tables import SETTINGS, moves, table


def permuted(
    match: Match, seat: int | None, dice: random.Random, alike: Callable[[int], object] = lambda card: 0
) -> Match:
    """Shuffle what a seat (or nobody) cannot see: the other hands, the draw pile, a hand to be judged.

    Cards change places with cards that are `alike` alone; by default with any.
    """
    other = match.clone()
    game = other.game
    places = [
        (pile, place)
        for pile in [*(hand for holder, hand in enumerate(game.hands) if holder != seat), game.draw]
        for place in range(len(pile))
    ]
    cards = defaultdict(list)
    for pile, place in places:
        cards[alike(pile[place])].append(pile[place])
    for group in cards.values():
        dice.shuffle(group)
    for pile, place in places:
        pile[place] = cards[alike(pile[place])].pop()
    if game.wild_four is not None:
        # The hand it was played from, which nobody sees before the challenge.
        hand = tuple(
            dice.choice([face for face in range(FACES) if alike(face) == alike(card)])
            for card in game.wild_four.hand
        )
        game.wild_four = game.wild_four._replace(hand=hand)
    return other


def positions() -> Iterator[Match]:
    """Yield matches in every decision, and in many states of random play under all rules."""
    yield from (table(name) for name in SETTINGS)
    dice = random.Random(3)
    for number in range(12):
        rules = dict.fromkeys([name for name in RULE_NAMES if dice.random() < 0.5], True)
        match = Match(dice.choice((2, 3, 5)), RuleSet(**rules), Length(target=9999), str(number))
        match.begin()
        for _ in range(60):
            if match.awaiting in (Awaiting.DEAL, Awaiting.OVER):
                break
            match.apply(match.turn, dice.choice(match.legal_actions()))
            yield match


def _open(match: Match) -> bool:
    """Whether the hands lie open, once the hand is over."""
    return match.game.awaiting is Awaiting.OVER


def test_permuting_what_is_hidden_changes_no_view() -> None:
    dice = random.Random(5)
    seen = 0
    for match in positions():
        if _open(match):
            continue
        for seat in range(len(match.scores)):
            other = permuted(match, seat, dice)
            if match.turn != seat and match.game.drawn != -1:
                # The card somebody else has drawn is one of theirs.
                other.game.drawn = other.game.hands[match.turn][0]
            assert seat_view(other, seat) == seat_view(match, seat)
            seen += 1
        assert table_view(permuted(match, None, dice)) == table_view(match)
    assert seen > 1000


def told(match: Match, action: Action) -> Callable[[int], object]:
    """Return what of a card an action tells everybody by the rules, wherever the card lies.

    Cards that are alike in it can change places unnoticed. A card laid or turned over stays what it is.
    """
    game = match.game
    if isinstance(action, TimeOut) and game.awaiting is Awaiting.COLOUR:
        return lambda card: COLOUR[card]  # the colour most held is named
    if isinstance(action, Challenge):
        assert game.wild_four is not None
        judged = game.wild_four.colour
        return lambda card: COLOUR[card] == judged or card == ITEM_BOX
    if isinstance(action, Play | Draw | Keep):
        fits, laid = game.fitting(), {game.discard[-1], game.drawn}
        if isinstance(action, Play):
            laid |= {action.card, *game.draw[-1:]}
        return lambda card: (
            card if card in laid else None,
            card in fits,
            card == WILD_FOUR,
            COLOUR[card] == game.colour or card == ITEM_BOX,
        )
    return lambda card: card if card == game.drawn else None


def step(match: Match, seat: int, action: Action) -> list[Event] | None:
    """Carry an action out; returns what everybody sees of it, None where it is refused."""
    try:
        return [public(event) for event in match.apply(seat, action)]
    except IllegalAction:
        return None


def test_what_is_hidden_changes_nothing_of_a_step() -> None:
    """Neither what everybody sees of it, nor the number of the decision, nor what anybody else sees then."""
    dice = random.Random(6)
    steps, seen = Counter[str](), 0
    for match in positions():
        if _open(match):
            continue
        seats = match.game.seated()
        for (seat, action), observer in product(moves(match), (None, dice.choice(seats))):
            mine, theirs = match.clone(), permuted(match, observer, dice, told(match, action))
            events = step(mine, seat, action)
            if events is not None and any(isinstance(event, HandEnded) for event in events):
                continue  # all hands lie open
            assert step(theirs, seat, action) == events, action
            assert theirs.decision == mine.decision, action
            assert table_view(theirs) == table_view(mine)
            steps[type(action).__name__] += events is not None
            drew = observer is not None and mine.game.hands[observer] != match.game.hands[observer]
            if observer is not None and not (drew or isinstance(action, Challenge)):
                assert seat_view(theirs, observer) == seat_view(mine, observer)
                seen += 1
    assert seen > 3000
    everything = {"Play", "Draw", "Keep", "NameColour", "ChooseTarget", "Challenge", "Accept"}
    assert set(steps) >= {*everything, "SayUno", "Catch", "TimeOut", "Leave"}
    assert min(steps.values()) >= 10, steps


def parts(value: object) -> Iterator[object]:
    """Return a value and, through tuples and dataclasses, everything that it is made of."""
    yield value
    if isinstance(value, tuple):
        inside = list(value)
    elif isinstance(value, Enum) or not is_dataclass(value):
        return
    else:
        inside = [getattr(value, each.name) for each in fields(value)]
    for part in inside:
        yield from parts(part)


@pytest.mark.parametrize("name", SETTINGS)
def test_a_view_leads_to_no_part_of_the_game(name: str) -> None:
    match = table(name)
    for view in (table_view(match), seat_view(match, 0)):
        assert view.seats
        kinds = {type(part) for part in parts(view)} - {type(view), *get_args(Action)}
        assert kinds <= {int, bool, type(None), tuple, Awaiting, End, RuleSet, Length, SeatInfo}


def test_a_view_stays_what_it_is_when_the_game_goes_on() -> None:
    dice = random.Random(8)
    for match in positions():
        before = match.clone()
        seat = dice.choice(match.game.seated())
        views = [table_view(match), seat_view(match, seat)]
        for _ in range(3):
            for mover, action in dice.sample(list(moves(match)), 1):
                step(match, mover, action)
        fresh = [table_view(before), seat_view(before, seat)]
        assert views == fresh
        assert [view.seats for view in views] == [view.seats for view in fresh]


def test_a_view_with_other_values_is_a_copy() -> None:
    view = table_view(table("turn-uno-owed"))
    assert view.seats[0] == SeatInfo(0, 1, 0, said=False, owes=True, autopilot=False, left=False)
    other = view.but(owed_by=None, cards=(2, 3, 3))
    assert other.seats[0] == SeatInfo(0, 2, 0, said=False, owes=False, autopilot=False, left=False)
    assert (view.owed_by, view.seats[0].cards, other.decision) == (0, 1, view.decision)
    assert other != view
    with pytest.raises(AttributeError):
        view.but(card=1)


def test_other_hands_are_counted_and_hidden() -> None:
    match = table("challenge")
    view = seat_view(match, 1)
    text = repr(view)
    assert [info.cards for info in view.seats] == [2, 3, 3]
    assert view.remaining == ()
    assert view.hand == tuple(sorted(CARD_OF_CODE[code] for code in ("B1", "B3", "B4")))
    assert "seed" not in text
    assert not hasattr(table_view(match), "hand")


def test_hands_lie_open_once_the_hand_is_over() -> None:
    view = table_view(table("over"))
    assert [[CODE[card] for card in hand] for hand in view.remaining] == [
        [],
        ["B1", "B3", "B4"],
        ["Y7", "Y8", "Y9"],
    ]
    assert (view.hand_winner, view.points, view.winners) == (0, 32, (0,))
    assert (view.turn, view.owed_by) == (None, None)


def test_table_view() -> None:
    view = table_view(table("turn-with-a-leaver"))
    assert isinstance(view, TableView)
    assert [info.left for info in view.seats] == [False, True, False, False]
    assert (view.turn, view.direction, view.colour, CODE[view.top]) == (0, 1, 0, "R2")
    assert [info.seat for info in view.in_turn_order(3)] == [0, 2]
    assert [info.seat for info in table_view(table("challenge")).in_turn_order(1)] == [0, 2]
    assert table_view(table("colour-first")).colour is None


def test_uno_is_seen_by_everybody() -> None:
    owing, said = table_view(table("turn-uno-owed")), table_view(table("turn-uno-said"))
    assert (owing.owed_by, owing.seats[0].owes, owing.seats[0].said) == (0, True, False)
    assert (said.owed_by, said.seats[0].owes, said.seats[0].said) == (None, False, True)
    assert seat_view(table("turn-uno-owed"), 0).may_say_uno
    assert not seat_view(table("turn-uno-owed"), 1).may_say_uno
    assert seat_view(table("turn-uno-said"), 0).called


def test_autopilot_is_seen_by_everybody() -> None:
    assert [info.autopilot for info in table_view(table("turn-after-timeouts")).seats] == [True, False, False]


def test_answers_are_those_of_the_seat() -> None:
    match = table("challenge-stack")
    waited = seat_view(match, 2)
    assert set(waited.answers) == {ACCEPT, CHALLENGE}
    assert waited.my_turn
    assert seat_view(match, 0).answers == ()
    assert not seat_view(match, 0).my_turn
    assert (waited.due, waited.wild_four_by, waited.wild_four_on) == (8, 1, 3)
    assert seat_view(table("challenge"), 0).wild_four_on == 0
    assert seat_view(table("turn"), 0).wild_four_on is None


def test_answers_are_plays_first_and_by_card() -> None:
    match = table("turn")
    match.game.hands[0] = [53, 52, 15, 9, 5, 5]
    view = seat_view(match, 0)
    plays = [answer for answer in view.answers if isinstance(answer, Play)]
    assert [(play.card, play.colour) for play in plays] == [
        (5, None),
        (9, None),
        (15, None),
        *((52, colour) for colour in range(4)),
        (53, None),
    ]
    assert view.answers[-1] is DRAW
    assert view.bluff


def test_a_drawn_card_is_its_owners() -> None:
    match = table("drawn")
    assert (seat_view(match, 0).drawn, seat_view(match, 1).drawn) == (8, None)
    assert seat_view(match, 0).answers == (Play(8), KEEP)


def test_a_shown_hand_is_the_challengers_until_that_turn_ends() -> None:
    match = table("turn-shown")
    shown = (0, tuple(sorted(CARD_OF_CODE[code] for code in ("R9", "Y9"))))
    assert [seat_view(match, seat).shown for seat in range(3)] == [None, shown, None]
    match.apply(1, DRAW)
    assert seat_view(match, 1).shown is None


def test_a_jump_in_is_offered_out_of_turn() -> None:
    match = Match(2, RuleSet(jump_in=True))
    match.begin(0, [CARD_OF_CODE[code] for code in ["R2", "B5"] * 7 + ["B5", "G1"]])
    assert match.turn == 1
    assert seat_view(match, 0).answers == (Play(CARD_OF_CODE["B5"]),)


def test_who_left_has_no_answers() -> None:
    match = table("turn-with-a-leaver")
    view = seat_view(match, 1)
    assert isinstance(view, SeatView)
    assert (view.answers, view.hand) == ((), ())


def _events() -> Iterator[Event]:
    for match in positions():
        for action in match.legal_actions()[:3]:
            yield from match.clone().apply(max(match.turn, 0), action)


def test_a_public_event_has_what_is_named_and_nothing_else() -> None:
    kinds = set()
    for event in _events():
        seen = public(event)
        assert type(seen) is type(event)
        kinds.add(type(event))
        for name in event._fields:
            named = name in PUBLIC[type(event)]
            assert getattr(seen, name) == (getattr(event, name) if named else ())
    assert len(kinds) > 10


HIDDEN: list[tuple[Any, tuple[str, ...]]] = [
    (HandDealt(1, (5, 6)), ("cards",)),
    (CardsDrawn(1, 2, Why.TURN, (5, 6)), ("cards",)),
    (HandShown(1, 0, (5, 6)), ("cards",)),
]


@pytest.mark.parametrize(("event", "fields"), HIDDEN, ids=lambda value: type(value).__name__)
def test_events_with_hidden_cards(event: Any, fields: tuple[str, ...]) -> None:
    assert set(event._fields) - set(PUBLIC[type(event)]) == set(fields)
    assert owner(event) == 1
    assert all(getattr(public(event), name) == () for name in fields)


def test_only_events_with_an_owner_hide_anything() -> None:
    for kind, shown in PUBLIC.items():
        assert set(shown) <= set(kind._fields)
        assert (set(shown) != set(kind._fields)) == (kind in OWNER)


class Peeked(NamedTuple):
    """An event as somebody might add it: nobody has said yet what of it is public."""

    seat: int
    card: int
    cards: tuple[int, ...] = ()


def test_what_nobody_has_named_as_public_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    event: Any = Peeked(1, 5, (6, 7))
    assert public(event) == (None, None, ())
    monkeypatch.setitem(PUBLIC, Peeked, ("seat",))
    assert public(event) == (1, None, ())
    assert public(event)._fields == Peeked._fields


def test_dealing_is_hidden() -> None:
    events: list[Event] = []
    deal(Match(3).game, 1, None, events)
    dealt = [event for event in events if isinstance(event, HandDealt)]
    assert [owner(event) for event in dealt] == [1, 2, 0]
    assert [public(event) for event in dealt] == [HandDealt(seat) for seat in (1, 2, 0)]
