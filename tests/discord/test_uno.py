"""UNO! and Catch!, in the hand and under the table, and what a Wild Draw Four brings with it."""

import re
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from engine.rules import RuleSet
from tests.discord.clicking import Room, Screen
from tests.discord.playing import Table, bot_of, is_hand, seat

Restart = Callable[..., Awaitable[None]]
PRIMARY, SECONDARY, SUCCESS = 1, 2, 3


def flagged(hand: Screen) -> list[str]:
    """List the buttons that carry the UNO along."""
    return [button.label for button in hand.buttons if button.custom_id.endswith(":u")]


# --- UNO! in the hand


async def test_uno_at_two_cards_is_a_private_switch(room: Room) -> None:
    table = await seat(room, 2)
    ann, _bob = table.members
    await table.arrange(["R5", "G1"], ["R2", "B2"], turn=0)
    hand, board, state = table.hand(ann), table.board(), table.state
    assert hand.button("UNO!").style == SECONDARY
    since = len(room.simulation.http_requests)
    answer = await table.press(ann, "UNO!")
    assert answer.kind == "update"
    assert len(room.simulation.http_requests) == since + 1
    pressed = table.hand(ann)
    assert pressed.labels == ["Red 5", "Draw", "UNO! ✓", "Catch!", "More"]
    assert pressed.button("UNO! ✓").style == SUCCESS
    assert set(flagged(pressed)) >= {"Red 5", "Draw", "More"}
    assert table.state is state, "nothing has been said yet"
    assert table.board().payload == board.payload
    await table.press(ann, "UNO! ✓")
    assert table.hand(ann).payload["components"] == hand.payload["components"]


async def test_a_play_with_the_switch_on_says_uno_and_plays_as_one_move(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["R5", "G1"], ["R2", "B2"], turn=0)
    await table.press(ann, "UNO!")
    before = table.state
    answer = await table.press(ann, "Red 5")
    assert table.state.version == before.version + 1
    assert "Ann said UNO!" in table.board().text
    assert re.search(r"\*\*Ann\*\*: 1 card · \*\*UNO!\*\*", table.board().text)
    moves = await bot_of(room).store.moves(table.live.id, 1)
    assert [(move.move[1], move.part) for move in moves if move.interaction_id == answer.id] == [
        ("uno", 0),
        ("play", 1),
    ]
    assert not (await table.press(bob, "Catch!")).text.startswith("Bob caught")
    assert len(table.cards(ann)) == 1
    shown = table.hand(ann).button("UNO! ✓")
    assert shown.disabled
    assert shown.style == SUCCESS


async def test_a_switch_turned_off_again_says_nothing(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["R5", "G1"], ["R2", "B2"], turn=0)
    for label in ("UNO!", "UNO! ✓", "Red 5"):
        await table.press(ann, label)
    assert table.match.game.owed == 0
    await table.press(bob, "Catch!")
    assert len(table.cards(ann)) == 3
    assert "Bob caught Ann without UNO!" in table.board().text


async def test_the_colour_step_carries_the_uno(room: Room) -> None:
    table = await seat(room, 2)
    ann, _ = table.members
    await table.arrange(["W4", "G1"], ["R2", "B2"], turn=0)
    await table.press(ann, "UNO!")
    await table.press(ann, "Wild Draw Four")
    colours = table.hand(ann)
    assert colours.labels == ["Red", "Yellow", "Green", "Blue", "Back"]
    assert len(flagged(colours)) == 5
    await table.press(ann, "Back")
    assert table.hand(ann).has("UNO! ✓")
    await table.press(ann, "More")
    await table.press(ann, "Back")
    assert table.hand(ann).has("UNO! ✓")
    await table.press(ann, "Wild Draw Four")
    await table.press(ann, "Blue")
    assert table.match.game.said[0]
    assert table.match.game.colour == 3


async def test_the_switch_stands_beside_a_drawn_card_too(room: Room) -> None:
    table = await seat(room, 2)
    ann, _ = table.members
    await table.arrange(["G1"], ["R2", "B2"], turn=0, draw=["R9", "Y1", "Y2"])
    assert table.hand(ann).button("UNO!").disabled
    await table.press(ann, "Draw")
    assert table.hand(ann).labels == ["Red 9", "Keep", "UNO!", "Catch!", "More"]
    await table.press(ann, "UNO!")
    assert table.hand(ann).labels == ["Red 9", "Keep", "UNO! ✓", "Catch!", "More"]
    await table.press(ann, "Red 9")
    assert table.match.game.said[0]


async def test_a_switch_that_is_on_says_nothing_with_a_draw(room: Room) -> None:
    table = await seat(room, 2)
    ann, _ = table.members
    await table.arrange(["R5", "G1"], ["R2", "B2"], turn=0, draw=["Y9", "Y1"])
    await table.press(ann, "UNO!")
    await table.press(ann, "Draw")
    assert "UNO!" not in "".join(table.board().texts)
    assert table.match.game.called == -1


async def test_an_old_hand_with_the_switch_on_does_neither(room: Room) -> None:
    table = await seat(room, 2)
    ann, _bob = table.members
    await table.arrange(["R5", "G1"], ["R2", "R3", "B2"], turn=0)
    old = (await table.press(ann, "UNO!")).screen
    assert old is not None
    await table.press(ann, "Draw")
    if "Keep" in table.hand(ann).labels:
        await table.press(ann, "Keep")
    before = table.match.clone()
    await room.click(ann, old, "Red 5")
    assert table.match == before


async def test_uno_at_one_card_is_said_at_once(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["R5", "G1"], ["R2", "B2"], turn=0)
    await table.press(ann, "Red 5")
    hand = table.hand(ann)
    assert hand.labels == ["UNO!", "Catch!", "More"]
    await table.press(ann, "UNO!")
    assert "Ann said UNO!" in table.board().text
    assert table.hand(ann).button("UNO! ✓").disabled
    assert "There was nobody to catch." in (await table.press(bob, "Catch!")).text


async def test_uno_at_one_card_works_from_the_hand_as_it_was(room: Room) -> None:
    table = await seat(room, 2)
    ann, _ = table.members
    await table.arrange(["R5", "G1"], ["R2", "B2"], turn=0)
    board = table.board()
    await table.press(ann, "Red 5")
    await room.click(ann, board, "UNO!")
    assert table.match.game.said[0]


async def test_unos_under_the_table_is_said_at_once_at_two_cards_too(room: Room) -> None:
    table = await seat(room, 2)
    ann, _ = table.members
    await table.arrange(["R5", "G1"], ["R2", "B2"], turn=0)
    answer = await table.press_board(ann, "UNO!")
    assert answer.private
    assert is_hand(answer.screen)
    assert answer.screen is not None
    assert answer.screen.button("UNO! ✓").disabled
    assert "Ann said UNO!" in table.board().text
    await room.click(ann, answer.screen, "Red 5")
    assert table.match.game.said[0]


@pytest.mark.parametrize("hands", [(["R5"], 0), (["R5", "G1", "G2"], 0), (["R5", "G1"], 1)])
async def test_uno_with_nothing_to_call_is_refused(room: Room, hands: tuple[list[str], int]) -> None:
    cards, turn = hands
    table = await seat(room, 2)
    ann, _ = table.members
    await table.arrange(cards, ["R2", "B2"], turn=turn)
    before = table.match.clone()
    answer = await table.press_board(ann, "UNO!")
    assert answer.private
    assert answer.text.startswith("There is no UNO to say now.")
    assert table.match == before
    if turn == 0:
        assert table.hand(ann).button("UNO!").disabled


async def test_a_said_uno_is_void_once_more_cards_come(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["R5", "G1"], ["RD", "B2"], turn=0)
    await table.press(ann, "UNO!")
    await table.press(ann, "Red 5")
    await table.press(bob, "Red Draw Two")
    assert "**Ann**: 3 cards" in table.board().text
    assert "· **UNO!**" not in table.board().texts[1].splitlines()[0]


# --- Catch!


async def caught(room: Room, grace: float) -> Table:
    """Let Ann have laid her last card but one without a word."""
    table = await seat(room, 3)
    bot_of(room).tables._catch_grace = timedelta(seconds=grace)
    await table.arrange(["R5", "G1"], ["R2", "B2"], ["Y1", "Y2"], turn=0)
    await table.press(table.members[0], "Red 5")
    return table


async def test_a_catch_makes_the_one_who_owes_draw_two(room: Room) -> None:
    table = await caught(room, 0)
    ann, bob, cleo = table.members
    number = table.match.decision
    answer = await table.press(cleo, "Catch!")
    assert answer.kind == "update"
    assert "Cleo caught Ann without UNO!" in table.board().text
    assert "**Ann**: 3 cards" in table.board().text
    assert "You were caught without UNO and drew: Green 2 · Green 1." in table.hand(ann).text
    assert table.match.decision == number
    assert (await table.press(bob, "Catch!")).text.count("There was nobody to catch.") == 1


async def test_a_catch_under_the_table_is_answered_with_ones_own_hand(room: Room) -> None:
    table = await caught(room, 0)
    _, bob, _ = table.members
    answer = await table.press_board(bob, "Catch!")
    assert answer.private
    assert answer.screen is not None
    assert answer.screen.has("Red 2")


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_catch_in_the_first_two_seconds_is_too_early(
    room: Room, restart: Restart, restarted: bool
) -> None:
    table = await caught(room, 2)
    _, bob, _ = table.members
    if restarted:
        await restart()
        bot_of(room).tables._catch_grace = timedelta(seconds=2)
    before = table.state
    for press in (table.press(bob, "Catch!"), table.press_board(bob, "Catch!")):
        assert "Too early" in (await press).text
    room.simulation.elapse(1.9)
    assert "Too early" in (await table.press_board(bob, "Catch!")).text
    assert table.state is before, "it is no failed catch"
    room.simulation.elapse(0.2)
    await table.press_board(bob, "Catch!")
    assert "Bob caught Ann" in table.board().text


async def test_each_has_one_failed_catch_between_two_moves_of_the_table(room: Room) -> None:
    table = await seat(room, 3)
    ann, bob, cleo = table.members
    await table.arrange(["R5", "R6", "G1"], ["R2", "B2", "G3"], ["Y1", "Y2"], turn=0)
    for _ in range(2):
        assert "There was nobody to catch." in (await table.press(bob, "Catch!")).text
        for screen in (table.hand(bob), table.board()):
            assert (
                "You have tried to catch somebody already." in (await room.click(bob, screen, "Catch!")).text
            )
        assert "There was nobody to catch." in (await table.press_board(cleo, "Catch!")).text
        player = ann if table.view(ann).my_turn else bob
        await table.press(player, "Red 5" if player is ann else "Red 2")


async def test_a_failed_catch_is_remembered_over_a_restart(room: Room, restart: Restart) -> None:
    table = await seat(room, 2)
    _, bob = table.members
    await table.press_board(bob, "Catch!")
    await restart(killed=True)
    assert "You have tried" in (await table.press_board(bob, "Catch!")).text


async def test_a_failed_catch_does_not_spend_a_real_one_later(room: Room) -> None:
    table = await seat(room, 3)
    ann, bob, _ = table.members
    await table.arrange(["R5", "G1"], ["R2", "B2"], ["Y1", "Y2"], turn=0)
    await table.press(bob, "Catch!")
    await table.press(ann, "Red 5")
    await table.press(bob, "Catch!")
    assert "Bob caught Ann" in table.board().text


async def test_nobody_catches_themselves(room: Room) -> None:
    table = await caught(room, 0)
    ann = table.members[0]
    before = table.match.clone()
    answer = await table.press(ann, "Catch!")
    assert "You cannot catch yourself." in answer.text
    assert table.match == before
    assert answer.screen is not None
    assert answer.screen.has("UNO!")


async def test_the_next_move_closes_the_window(room: Room) -> None:
    table = await caught(room, 0)
    ann, bob, cleo = table.members
    await table.press(bob, "Red 2")
    await table.press(cleo, "Catch!")
    assert "Cleo caught Bob" in table.board().text, "it is Bob who has one card now"
    assert len(table.cards(ann)) == 1


# --- a Wild Draw Four


@pytest.mark.parametrize(
    ("cards", "bluff"),
    [
        (["W4", "R1", "G1"], True),
        (["W4", "WI", "G1"], True),
        (["W4", "W4", "G7"], False),
        (["W4", "G1", "B1"], False),
    ],
)
async def test_a_bluff_is_told_to_its_holder_alone(room: Room, cards: list[str], bluff: bool) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(cards, ["R2", "B2"], turn=0)
    assert ("would be a bluff" in table.hand(ann).text) == bluff
    await table.press(ann, re.compile("Wild Draw Four.*"))
    assert ("would be a bluff" in table.hand(ann).text) == bluff, "at the colours too"
    await table.press(ann, "Blue")
    assert "bluff" not in table.board().text
    assert "bluff" not in table.hand(bob).text
    assert table.hand(bob).rows[0] == ["Accept +4", "Challenge (+6 if wrong)"]
    assert table.board().rows[1] == ["Accept +4", "Challenge (+6 if wrong)"]


async def test_a_bluff_that_is_challenged(room: Room) -> None:
    table = await seat(room, 3)
    ann, bob, cleo = table.members
    await table.arrange(["W4", "R8", "G1"], ["B2", "Y9"], ["Y1"], turn=0)
    await table.press(ann, "Wild Draw Four")
    await table.press(ann, "Blue")
    answer = await table.press(bob, "Challenge (+6 if wrong)")
    assert answer.screen is not None
    assert "**Ann** held:" in answer.text
    assert ":R8_" in answer.text
    assert answer.screen.has("Blue 2"), "a normal turn on the colour named"
    assert "Bob challenged Ann: it was a bluff!" in table.board().text
    assert len(table.cards(ann)) == 6
    assert "Your bluff was called. You drew 4: " in table.hand(ann).text
    assert answer.text.startswith("A bluff! Ann drew 4 cards.\n### Your turn")
    for screen in (*room.screens(), *room.private(ann), *room.private(cleo)):
        assert "held:" not in screen.text
    assert "8" not in re.sub(r"<:\w+:\d+>", "", table.board().text + table.hand(cleo).text)


async def test_a_challenge_that_fails_shows_the_hand_until_the_next_turn_ends(room: Room) -> None:
    table = await seat(room, 3)
    ann, bob, cleo = table.members
    await table.arrange(["W4", "G8", "G1"], ["B2", "Y9"], ["Y1", "B4"], turn=0)
    await table.press(ann, "Wild Draw Four")
    await table.press(ann, "Blue")
    answer = await table.press_board(bob, "Challenge (+6 if wrong)")
    assert answer.private
    assert "**Ann** held:" in answer.text
    assert re.search(r"<:G1_\w+:\d+> <:G8_", answer.text)
    assert answer.text.startswith("No bluff. You drew 6: ")
    assert answer.text.index("**Ann** held:") < answer.text.index("**You** hold:")
    assert len(table.cards(bob)) == 8
    assert "no bluff" in table.board().text
    assert "held:" in (await table.press_board(bob, "My hand")).text
    for screen in (*room.screens(), *room.private(ann), *room.private(cleo)):
        assert "held:" not in screen.text
    await table.press(cleo, "Blue 4")
    assert "held:" not in (await table.press_board(bob, "My hand")).text


async def test_a_shown_hand_outlives_a_restart(room: Room, restart: Restart) -> None:
    table = await seat(room, 3)
    ann, bob, _ = table.members
    await table.arrange(["W4", "G8", "G1"], ["B2", "Y9"], ["Y1", "B4"], turn=0)
    await table.press(ann, "Wild Draw Four")
    await table.press(ann, "Blue")
    await table.press(bob, "Challenge (+6 if wrong)")
    await restart(killed=True)
    assert "**Ann** held:" in (await table.press_board(bob, "My hand")).text


async def test_no_bluffing_means_no_challenge(room: Room) -> None:
    table = await seat(room, 2, rules=RuleSet(no_bluff=True, stack=True))
    ann, bob = table.members
    await table.arrange(["W4", "W4", "G8", "G1"], ["W4", "Y9"], turn=0)
    await table.press(ann, "Wild Draw Four ×2")
    await table.press(ann, "Blue")
    assert table.board().rows[1] == ["Accept +4"]
    assert table.hand(bob).rows[0] == ["Accept +4", "Wild Draw Four"]
    await table.press(bob, "Wild Draw Four")
    await table.press(bob, "Green")
    assert table.board().rows[1] == ["Accept +8"]
    await table.press(ann, "Accept +8")
    assert len(table.cards(ann)) == 11


async def test_a_forbidden_bluff_is_no_button_and_says_why(room: Room) -> None:
    table = await seat(room, 2, rules=RuleSet(no_bluff=True))
    ann, _ = table.members
    await table.arrange(["W4", "R8", "G1"], ["W4", "Y9"], turn=0)
    hand = table.hand(ann)
    assert not hand.has("Wild Draw Four")
    assert "cannot be played while you hold Red" in hand.text
