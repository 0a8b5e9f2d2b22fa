"""docs/scenarios.md, Error words: of several fitting error words the first in their order is given."""

from typing import Any

import pytest

from engine.actions import DEAL, DRAW, KEEP, LEAVE, Action, Catch, Play
from engine.awaiting import Awaiting
from engine.cards import CARD_OF_CODE
from engine.errors import IllegalAction, Reason
from tests.engine.cases import Case
from tests.engine.tables import table

ORDER = (
    "unknown_player",
    "match_over",
    "left",
    "not_your_turn",
    "not_now",
    "not_in_hand",
    "colour_needed",
    "bad_colour",
    "bad_target",
    "not_legal",
    "does_not_match",
    "nothing_to_call",
    "nobody_to_catch",
)
WON = {"hands": {"ann": "R9", "bob": "B1 B3"}}
BOX = {"hands": {"ann": "WI B5 B6"}}

CASES = [
    # Who is named comes before everything.
    Case(
        "unknown_player/before-match_over",
        ["ann play R9", "zoe draw: unknown_player", "bob catch zoe: unknown_player"],
        **WON,
    ),
    Case("unknown_player/before-left", ["bob leave", "bob target zoe: unknown_player"]),
    Case(
        "unknown_player/before-not_your_turn",
        ["bob target zoe: unknown_player", "zoe play B5: unknown_player"],
    ),
    Case(
        "unknown_player/as-a-target",
        ["ann play WI", "ann target zoe: unknown_player", "ann target cat"],
        draw="G8 G1",
        **BOX,
    ),
    Case(
        "unknown_player/to-leave-deal-and-time-out",
        [f"zoe {verb}: unknown_player" for verb in ("leave", "deal", "timeout", "uno")],
    ),
    Case(
        "match_over/before-left",
        ["bob leave", "ann play R9", "bob draw: match_over", "bob leave: match_over"],
        **WON,
    ),
    Case(
        "match_over/before-not_your_turn",
        ["ann play R9", "bob play R9: match_over", "bob play W4: match_over"],
        **WON,
    ),
    Case("match_over/before-not_now", ["ann play R9", "bob deal: match_over", "bob keep: match_over"], **WON),
    Case(
        "match_over/before-nobody_to_catch",
        ["ann play R9", "bob catch ann: match_over", "bob uno: match_over"],
        **WON,
    ),
    Case("left/before-not_your_turn", ["bob leave", "bob draw: left", "bob play B1: left"]),
    Case("left/before-not_now", ["bob leave", "bob deal: left", "bob keep: left", "bob challenge: left"]),
    Case("left/before-bad_target", ["bob leave", "bob catch bob: left", "bob catch ann: left"]),
    Case(
        "left/before-not_now-between-hands",
        ["bob leave", "ann play R9", "bob draw: left", "bob deal: left"],
        match={"hands": 2},
        **WON,
    ),
    Case(
        "not_your_turn/before-not_now",
        [
            f"bob {verb}: not_your_turn"
            for verb in ("keep", "accept", "challenge", "colour red", "target ann", "timeout")
        ],
    ),
    Case("not_your_turn/before-not_in_hand", ["bob play R9: not_your_turn", "bob play W4: not_your_turn"]),
    Case(
        "not_your_turn/before-bad_colour",
        ["ann play WI", "bob colour mauve: not_your_turn"],
        draw="W4 G1 G3",
        **BOX,
    ),
    Case(
        "not_your_turn/before-bad_target",
        ["ann play WI", "bob target bob: not_your_turn"],
        draw="G8 G1 G3",
        **BOX,
    ),
    Case(
        "not_your_turn/before-not_legal", ["bob draw: not_your_turn"], hands={"bob": "R9"}, rules="force_play"
    ),
    Case(
        "not_now/before-not_in_hand",
        ["ann play WI", "ann play R9: not_now", "ann play W4: not_now"],
        draw="G8 G1 G3",
        **BOX,
    ),
    Case("not_now/before-bad_colour", ["ann colour mauve: not_now", "ann colour red: not_now"]),
    Case("not_now/before-bad_target", ["ann target ann: not_now", "ann target bob: not_now"]),
    Case(
        "not_now/before-not_legal",
        ["ann keep: not_now", "ann challenge: not_now"],
        hands={"ann": "R9"},
        rules="force_play no_bluff",
    ),
    Case(
        "not_now/another-held-card-after-drawing",
        ["ann draw", "ann play B5: not_now", "ann play R9: not_in_hand"],
        draw="R8",
    ),
    Case(
        "not_now/a-held-wild-four-after-drawing",
        ["ann draw", "ann play W4: not_now"],
        hands={"ann": "W4 B5"},
        draw="R8",
    ),
    Case(
        "not_now/before-nobody_to_catch-between-hands",
        ["ann play R9", "bob catch bob: not_now", "bob uno: not_now"],
        match={"hands": 2},
        **WON,
    ),
    Case(
        "not_now/verbs-that-answer-something-else",
        [
            "ann play WI",
            *(
                f"ann {verb}: not_now"
                for verb in ("draw", "keep", "target bob", "challenge", "accept", "play B5", "deal")
            ),
            "ann colour red",
            *(
                f"bob {verb}: not_now"
                for verb in ("keep", "colour red", "target ann", "challenge", "accept", "deal")
            ),
        ],
        draw="W4 G1 G3",
        **BOX,
    ),
    Case("not_in_hand/before-colour_needed", ["ann play W4: not_in_hand"]),
    Case("not_in_hand/before-bad_colour", ["ann play W4 mauve: not_in_hand"]),
    Case(
        "not_in_hand/before-not_legal",
        ["ann play W4 red: not_in_hand"],
        hands={"ann": "R9"},
        rules="no_bluff",
    ),
    Case("not_in_hand/before-does_not_match", ["ann play G9: not_in_hand"]),
    Case(
        "not_in_hand/as-an-answer-to-a-stack",
        ["ann play RD", "bob play R9: not_in_hand"],
        hands={"ann": "RD B5 B6"},
        rules="stack",
    ),
    Case(
        "colour_needed/before-not_legal",
        ["ann play W4: colour_needed"],
        hands={"ann": "W4 R9"},
        rules="no_bluff",
    ),
    Case(
        "colour_needed/before-does_not_match",
        ["ann play RD", "bob play W4: colour_needed"],
        hands={"ann": "RD B5 B6", "bob": "W4 B1"},
        rules="stack",
    ),
    Case(
        "bad_colour/before-not_legal",
        ["ann play W4 mauve: bad_colour"],
        hands={"ann": "W4 R9"},
        rules="no_bluff",
    ),
    Case(
        "bad_colour/before-does_not_match",
        ["ann play RD", "bob play W4 x: bad_colour"],
        hands={"ann": "RD B5 B6", "bob": "W4 B1"},
        rules="stack",
    ),
    Case(
        "bad_colour/of-a-colour-owed", ["ann play WI", "ann colour RED: bad_colour"], draw="W4 G1 G3", **BOX
    ),
    Case("bad_target/oneself", ["ann play WI", "ann target ann: bad_target"], draw="G8 G1", **BOX),
    Case(
        "bad_target/who-left", ["bob leave", "ann play WI", "ann target bob: bad_target"], draw="G8 G1", **BOX
    ),
    Case(
        "bad_target/before-nobody_to_catch",
        ["ann catch ann: bad_target", "bob leave", "ann catch bob: bad_target"],
    ),
    Case(
        "not_legal/no-bluff-before-does_not_match",
        ["ann play RD", "bob play W4 red: not_legal"],
        hands={"ann": "RD B5 B6", "bob": "W4 R1"},
        rules="stack no_bluff",
    ),
    Case("not_legal/force-play", ["ann draw: not_legal"], hands={"ann": "R9 B5"}, rules="force_play"),
    Case(
        "not_legal/challenge-under-no-bluff",
        ["ann play W4 red", "bob challenge: not_legal"],
        hands={"ann": "W4 B5 B6"},
        rules="stack no_bluff",
    ),
    Case("does_not_match/on-a-card", ["ann play B5: does_not_match"]),
    Case(
        "does_not_match/on-a-stack",
        ["ann play RD", "bob play R9: does_not_match"],
        hands={"ann": "RD B5 B6", "bob": "R9 B1"},
        rules="stack",
    ),
    Case("nothing_to_call/not-owed", ["ann uno: nothing_to_call", "bob uno: nothing_to_call"]),
    Case("nobody_to_catch/not-owed", ["ann catch bob: nobody_to_catch"]),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_refusal(case: Case) -> None:
    case.check()


def test_every_word_is_there_in_its_order() -> None:
    assert tuple(reason.value for reason in Reason) == ORDER
    assert {case.name.partition("/")[0] for case in CASES} == set(ORDER)


LOGGED: list[Any] = [
    ("turn", 0, Play(CARD_OF_CODE["B9"]), Reason.NOT_IN_HAND, Awaiting.TURN),
    ("challenge", 1, DRAW, Reason.NOT_YOUR_TURN, Awaiting.CHALLENGE),
    ("turn-with-a-leaver", 1, LEAVE, Reason.LEFT, Awaiting.TURN),
    ("drawn", 1, Catch(0), Reason.NOBODY_TO_CATCH, Awaiting.DRAWN),
    ("deal", 0, KEEP, Reason.NOT_NOW, Awaiting.DEAL),
    ("turn", 0, DEAL, Reason.NOT_NOW, Awaiting.TURN),
    ("over", 0, DRAW, Reason.MATCH_OVER, Awaiting.OVER),
]


@pytest.mark.parametrize(("name", "seat", "action", "reason", "awaiting"), LOGGED)
def test_a_refusal_says_for_the_log_who_tried_what_and_when(
    name: str, seat: int, action: Action, reason: Reason, awaiting: Awaiting
) -> None:
    match = table(name)
    with pytest.raises(IllegalAction) as caught:
        match.apply(seat, action)
    refused = caught.value
    assert (refused.reason, refused.seat, refused.action) == (reason, seat, action)
    assert (refused.awaiting, refused.decision) == (awaiting, match.decision)
    # What may reach a player is the reason: the action can name a card.
    assert str(refused) == reason.value
    assert refused.args == (reason.value,)
