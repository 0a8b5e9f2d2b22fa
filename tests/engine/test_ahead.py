"""The look-ahead of the computer players foresees what the rules do, with every house rule and every item.

A house rule or an item that it does not know fails here: by its name, and by where answers lead.
"""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from engine.actions import ACCEPT, CHALLENGE, DRAW, TIME_OUT, Action, ChooseTarget, Draw, Play
from engine.awaiting import NO_SEAT, Awaiting
from engine.cards import CARD_OF_CODE, ITEM, ITEM_BOX, RANK, WILD_FOUR, Item
from engine.match import Match
from engine.players.ahead import _FIRE, outlook
from engine.players.position import Position
from engine.rules import RULE_NAMES, Length, RuleSet
from engine.views import seat_view
from tests.engine.tables import table

#: House rules that change where an answer leads, and those that change which answers there are or how long a
#: match is; only the former concern the look-ahead. A new one goes where it belongs.
LEAD_ELSEWHERE = {"stack", "draw_until_playable", "seven_zero", "no_bluff"}
LEAD_NOWHERE_ELSE = {"force_play", "jump_in", "score_target"}


def of(rules: tuple[str, ...]) -> RuleSet:
    return RuleSet(**dict.fromkeys(rules, True))


def positions(rules: tuple[str, ...], matches: int = 30) -> Iterator[Match]:
    """Return random positions in which nobody has much, and there are enough cards for every penalty."""
    for number in range(matches):
        dice = random.Random(f"{rules} {number}")
        match = Match(dice.randint(2, 5), of(rules), Length(target=9999), f"ahead/{number}")
        match.begin()
        for _ in range(40):
            if match.turn == NO_SEAT:
                break
            if len(match.game.draw) > 30:
                yield match
            answers = match.legal_actions()
            plays = [answer for answer in answers if isinstance(answer, Play)]
            match.apply(match.turn, dice.choice(plays or answers))


def foreseen(match: Match, seat: int, answer: Action) -> list[tuple[Any, ...]]:
    """Return what the seat thinks its answer may lead to."""
    view = seat_view(match, seat)
    ahead = outlook(view, Position(view), answer)
    assert sum(share for share, _ in ahead) == pytest.approx(1)
    return [(then.turn, then.direction, *then.cards) for share, then in ahead if share]


def led_to(match: Match) -> Iterator[tuple[Any, ...]]:
    """Return what it really leads to, once the others have answered, or the seat has chosen."""
    game = match.game
    if game.awaiting is Awaiting.COLOUR or (game.awaiting is Awaiting.TARGET and not game.swap):
        yield from after(match, game.turn, TIME_OUT)  # the colour most held, the fewest cards
    elif game.awaiting is Awaiting.TARGET:
        for other in game.others(game.turn):
            yield from after(match, game.turn, ChooseTarget(other))
    elif game.awaiting is Awaiting.CHALLENGE:
        yield from after(match, game.turn, ACCEPT)
        if not match.rules.no_bluff:
            yield from after(match, game.turn, CHALLENGE)
    elif game.due:
        yield from after(match, game.turn, DRAW)
    else:
        yield (game.turn, game.direction, *map(len, game.hands))


def after(match: Match, seat: int, answer: Action) -> Iterator[tuple[Any, ...]]:
    then = match.clone()
    then.apply(seat, answer)
    if isinstance(answer, Draw) and then.game.awaiting is Awaiting.DRAWN:
        then.apply(seat, TIME_OUT)  # it is kept, whether or not the rules let it be
    yield from led_to(then)


def answers(match: Match) -> Iterator[tuple[int, Action]]:
    """Return the answers that lead to one thing, jump-ins included."""
    for seat in match.game.seated():
        for answer in match.legal_actions(seat):
            unclear = isinstance(answer, Draw) and match.rules.draw_until_playable and not match.game.due
            last = isinstance(answer, Play) and len(match.game.hands[seat]) == 1
            if not unclear and not last:
                yield seat, answer


@pytest.mark.parametrize("rules", [(), RULE_NAMES, *((name,) for name in RULE_NAMES)], ids="-".join)
def test_what_an_answer_leads_to_was_foreseen(rules: tuple[str, ...]) -> None:
    tried = Counter[type]()
    for match in positions(rules):
        for seat, answer in answers(match):
            ahead = foreseen(match, seat, answer)
            really = list(after(match, seat, answer))
            swap = isinstance(answer, Play) and RANK[answer.card] == 7 and match.rules.seven_zero
            assert (any if swap else all)(end in ahead for end in really), (seat, answer, ahead, really)
            tried[type(answer)] += 1
    assert tried[Play] > 50, tried
    # Where a draw goes on until a card can be played, only the draw of a stack leads to one thing.
    assert (tried[Draw] > 50) == ("stack" in rules or "draw_until_playable" not in rules), tried


@pytest.mark.parametrize(("code", "wild_four"), [("RD", False), ("W4", True)])
def test_an_answered_stack_was_foreseen(code: str, wild_four: bool) -> None:
    answered = 0
    play = Play(CARD_OF_CODE[code], 1 if wild_four else None)
    for match in positions(("stack",)):
        then = match.clone()
        if then.game.due or play.card not in then.game.draw:
            continue
        then.game.draw.remove(play.card)
        then.game.hands[then.turn].append(play.card)
        if play not in then.legal_actions():
            continue
        ahead = foreseen(then, then.turn, play)
        then.apply(then.turn, play)
        for reply in then.legal_actions():
            if isinstance(reply, Play) and len(then.game.hands[then.turn]) > 1:
                answered += 1
                again = then.clone()
                again.apply(then.turn, reply)
                assert next(after(again, again.turn, ACCEPT if wild_four else DRAW)) in ahead
    assert answered > 5


def test_a_last_card_was_foreseen_to_win() -> None:
    for code in ("R5", "RS", "RD", "WI"):
        match = table("turn")
        match.game.hands[0] = [CARD_OF_CODE[code]]
        view = seat_view(match, 0)
        assert [then.cards[0] for _, then in outlook(view, Position(view), view.answers[0])] == [0]


@pytest.mark.parametrize("item", Item)
def test_every_item_is_foreseen(item: Item) -> None:
    for face in (face for face, has in enumerate(ITEM) if has is item):
        for direction in (1, -1):
            match = table("turn")
            game = match.game
            game.direction = direction
            game.hands[0] = [ITEM_BOX, *(CARD_OF_CODE[code] for code in ("B5", "B6"))]
            game.draw[-1] = face
            ahead = foreseen(match, 0, Play(ITEM_BOX))
            assert set(after(match, 0, Play(ITEM_BOX))) <= set(ahead)


def test_each_house_rule_and_item_is_known_by_its_name() -> None:
    assert sorted(chain(LEAD_ELSEWHERE, LEAD_NOWHERE_ELSE)) == sorted(RULE_NAMES)
    assert list(_FIRE) == list(Item)


def leads(match: Match, rules: RuleSet) -> list[Any]:
    """Return what some answers of the seat waited for lead to, were these the rules."""
    match = match.clone()
    match.rules = match.game.rules = rules
    view = seat_view(match, match.turn)
    plays = [Play(card, 2 if card == WILD_FOUR else None) for card in view.hand]
    ahead = [outlook(view, Position(view), answer) for answer in (*plays, DRAW)]
    return [(share, then.turn, then.cards, then.hand) for each in ahead for share, then in each]


@pytest.mark.parametrize("name", RULE_NAMES)
def test_only_some_house_rules_change_where_answers_lead(name: str) -> None:
    match = table("turn")
    match.game.hands[0] = [CARD_OF_CODE[code] for code in ("R0", "R7", "RD", "R5", "RS", "RR", "WI", "W4")]
    assert (leads(match, of((name,))) != leads(match, RuleSet())) == (name in LEAD_ELSEWHERE)
