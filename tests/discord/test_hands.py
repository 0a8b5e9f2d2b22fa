"""The hands: how they reach their players, stay true, and answer whoever presses too late or in vain."""

import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest
from simcord import MemberActor

from bot.ui.kit.emoji import FALLBACKS
from bot.ui.text.prompts import for_seat
from bot.ui.text.translation import Players
from engine.cards import CODE, FACES
from tests.discord.clicking import Answer, Click, Room, Screen
from tests.discord.playing import (
    ENGLISH,
    Table,
    bot_of,
    calls_by_kind,
    end,
    is_hand,
    leave,
    open_lobby,
    seat,
    within_limits,
)

Restart = Callable[..., Awaitable[None]]
MINUTE = 60
ALL_FACES = [CODE[card] for card in range(FACES)]


def calls(room: Room, kind: str, since: int = 0) -> int:
    return calls_by_kind(room, since)[kind]


def now(room: Room) -> int:
    return len(room.simulation.http_requests)


def told(answer: Answer, words: str) -> Screen:
    """Check that somebody was told something by or above their own hand, which is fresh."""
    screen = answer.screen
    assert screen is not None
    assert screen.private
    assert words in screen.text, screen
    return screen


# --- how they come


async def test_every_hand_comes_by_itself_on_start(room: Room) -> None:
    table = await seat(room, 4)
    for member in table.members:
        (hand,) = room.private(member)
        view = table.view(member)
        assert hand.has("Draw") == view.my_turn
        if view.my_turn:
            assert "Your turn: match" in hand.text
            assert hand.thumbnails
        else:
            assert "Your hand: 7 cards" in hand.text
    assert calls(room, "hand sent") == 4
    assert [screen.id for screen in room.screens()] == [table.board().id]


async def test_a_token_older_than_14_minutes_is_not_tried_and_its_owner_is_named_once(room: Room) -> None:
    ann, bob, cleo = room.members("Ann", "Bob", "Cleo")
    lobby = await open_lobby(room, ann)
    await room.click(bob, lobby, "Join")
    await room.simulation.advance_time(14 * MINUTE)
    await room.click(cleo, lobby, "Join")
    await room.click(ann, lobby, "Start")
    assert calls(room, "hand sent") == 2
    assert room.private(bob) == []
    pings = [screen for screen in room.screens() if screen.pinged]
    assert [screen.pinged for screen in pings] == [{bob.id}]
    assert "My hand" in pings[0].text
    table = Table(room, [ann, bob, cleo])
    answer = await table.press_board(bob, "My hand")
    assert is_hand(answer.screen)


async def test_a_token_just_under_14_minutes_still_serves(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann)
    await room.click(bob, lobby, "Join")
    await room.simulation.advance_time(14 * MINUTE - 1)
    await room.click(ann, lobby, "Start")
    assert is_hand(room.private(bob)[0])
    assert [screen for screen in room.screens() if screen.pinged] == []


async def test_several_who_cannot_be_reached_are_named_in_one_message(room: Room) -> None:
    members = room.members("Ann", "Bob", "Cleo", "Dai")
    lobby = await open_lobby(room, members[0])
    for member in members[1:]:
        await room.click(member, lobby, "Join")
    await room.simulation.advance_time(14.5 * MINUTE)
    await room.click(members[0], lobby, "Start")
    (ping,) = [screen for screen in room.screens() if screen.pinged]
    assert ping.pinged == {member.id for member in members[1:]}


async def test_hands_come_after_a_restart_between_join_and_start(room: Room, restart: Restart) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann)
    await room.click(bob, lobby, "Join")
    await restart(killed=True)
    await room.click(ann, lobby, "Start")
    assert is_hand(room.private(bob)[0])


async def test_a_hand_that_would_be_public_is_taken_back_at_once(
    room: Room, monkeypatch: pytest.MonkeyPatch, logged_errors: list[logging.LogRecord]
) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann)
    await room.click(bob, lobby, "Join")
    send = discord.Webhook.send
    public: list[Any] = []

    async def send_publicly(self: discord.Webhook, *args: Any, ephemeral: bool, **options: Any) -> Any:
        public.append(await send(self, *args, ephemeral=False, **options))
        return public[-1]

    monkeypatch.setattr(discord.Webhook, "send", send_publicly)
    await room.click(ann, lobby, "Start")
    assert len(public) == 2
    assert not {message.id for message in public} & {screen.id for screen in room.screens()}
    (ping,) = [screen for screen in room.screens() if screen.pinged]
    assert ping.pinged == {ann.id, bob.id}
    assert len(logged_errors) == 2
    assert all("hand_was_public" in record.getMessage() for record in logged_errors)
    logged_errors.clear()
    monkeypatch.undo()
    table = Table(room, [ann, bob])
    assert is_hand((await table.press_board(bob, "My hand")).screen)


async def test_whoever_discord_does_not_let_us_reach_is_named(room: Room) -> None:
    ann, bob, cleo = room.members("Ann", "Bob", "Cleo")
    lobby = await open_lobby(room, ann)
    for member in (bob, cleo):
        await room.click(member, lobby, "Join")
    room.simulation.inject_error("POST", "/webhooks/*", status=404, code=10015, times=2)
    await room.click(ann, lobby, "Start")
    (ping,) = [screen for screen in room.screens() if screen.pinged]
    reached = {member.id for member in (ann, bob, cleo) if any(map(is_hand, room.private(member)))}
    assert len(reached) == 1
    assert ping.pinged == {ann.id, bob.id, cleo.id} - reached


async def test_a_new_hand_comes_as_a_new_message_below_the_last(room: Room) -> None:
    table = await seat(room, 3, hands=2)
    ann, bob, cleo = table.members
    await table.arrange(["R5"], ["G1", "G2"], ["Y1"], turn=0)
    await table.press(ann, "Red 5")
    for member in (bob, cleo):
        await room.click(member, table.hand(member), "More")
    ids = {member.id: table.hand(member).id for member in table.members}
    answer = await table.press_board(bob, "Next hand")
    assert answer.private
    assert is_hand(answer.screen)
    for member in table.members:
        assert table.hand(member).id > ids[member.id]
    for member in table.members:
        hand = table.hand(member)
        assert len(table.cards(member)) == 7
        assert hand.has("Draw") == table.view(member).my_turn
    assert [screen for screen in room.screens() if screen.pinged] == []


async def test_whoever_cannot_be_reached_with_a_new_hand_is_named_once(room: Room) -> None:
    table = await seat(room, 3, hands=2)
    ann, bob, cleo = table.members
    await table.arrange(["R5"], ["G1", "G2"], ["Y1"], turn=0)
    await room.command(ann, "uno pause")
    await room.simulation.advance_time(15 * MINUTE)
    await table.press(ann, "Red 5")
    await table.press_board(bob, "Next hand")
    pings = [screen for screen in room.screens() if screen.pinged]
    assert [ping.pinged for ping in pings] == [{cleo.id}]


async def test_two_who_press_next_hand_at_once_get_the_same_new_hand(room: Room) -> None:
    table = await seat(room, 3, hands=3)
    ann, bob, cleo = table.members
    await table.arrange(["R5"], ["G1", "G2"], ["Y1"], turn=0)
    await table.press(ann, "Red 5")
    board = table.board()
    first, second = await room.together(Click(bob, board, "Next hand"), Click(cleo, board, "Next hand"))
    assert table.match.hand_no == 2
    assert is_hand(first.screen)
    assert is_hand(told(second, "This is how it stands now."))
    view = table.view(cleo)
    asked = (
        for_seat(ENGLISH, view, Players(ENGLISH, table.state.seating.names))
        if view.my_turn
        else "Your hand: 7 cards"
    )
    assert second.text.startswith(f"### {asked}\n")


# --- My hand


async def test_my_hand_shows_ones_cards_in_turn_and_out(room: Room) -> None:
    table = await seat(room, 3)
    ann, bob, _cleo = table.members
    await table.arrange(["R5", "G1", "WI"], ["B2", "B2", "YS"], ["Y1"], top="R7", turn=0)
    for ask in (lambda: table.press_board(ann, "My hand"), lambda: room.command(ann, "uno hand")):
        hand = (await ask()).screen
        assert hand is not None
        assert hand.private
        assert hand.rows == [["Red 5", "Wild Item Box"], ["Draw", "UNO!", "Catch!", "More"]]
        assert "Your turn: match Red or 7." in hand.text
        assert ":G1_" in hand.text
        assert "Up next: Bob (3) · Cleo (1)" in hand.text.replace("\xa0", " ")
    for ask in (lambda: table.press_board(bob, "My hand"), lambda: room.command(bob, "uno hand")):
        hand = (await ask()).screen
        assert hand is not None
        assert hand.rows == [["UNO!", "Catch!", "More"]]
        assert "Your hand: 3 cards" in hand.text
        assert re.search(r"<:YS_\w+:\d+>\N{EM SPACE}<:B2_\w+:\d+>×2", hand.text)


async def test_my_hand_works_when_every_token_has_died(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await room.command(ann, "uno pause")
    await room.simulation.advance_time(3 * 60 * MINUTE)
    for member in (ann, bob):
        answer = await table.press_board(member, "My hand")
        assert answer.private
        assert is_hand(answer.screen)
    player = ann if table.view(ann).my_turn else bob
    other = bob if player is ann else ann
    await table.press(player, "Draw")
    if "Keep" in table.hand(player).labels:
        await table.press(player, "Keep")
    assert table.hand(other).has("Draw"), "the new token serves again"


# --- refreshing by themselves


async def test_the_next_players_hand_comes_by_itself(room: Room) -> None:
    table = await seat(room, 3)
    ann, bob, cleo = table.members
    await table.arrange(["R5", "G1"], ["R2", "B2"], ["Y1", "R1"], turn=0)
    before = {member.id: table.hand(member) for member in table.members}
    since = now(room)
    await table.press(ann, "Red 5")
    assert table.hand(bob).id == before[bob.id].id
    assert table.hand(bob).rows == [["Red 2"], ["Draw", "UNO!", "Catch!", "More"]]
    assert table.hand(ann).rows == [["UNO!", "Catch!", "More"]]
    assert table.hand(cleo).payload == before[cleo.id].payload
    assert calls_by_kind(room, since) == {"answer": 1, "table edit": 1, "hand refresh": 1}


async def test_every_hand_whose_cards_changed_comes_by_itself(room: Room) -> None:
    table = await seat(room, 4)
    ann, bob, cleo, dai = table.members
    await table.arrange(["WI", "G1"], ["R2", "B2"], ["Y1"], ["Y2"], turn=0, draw=["B5", "G2", "G3", "G4"])
    await table.press(ann, "Wild Item Box")
    for member, card in ((bob, "Green 2"), (cleo, "Green 3"), (dai, "Green 4")):
        hand = table.hand(member)
        assert f"Lightning struck, and you drew: {card}." in hand.text
        assert f":G{card[-1]}_" in hand.text
    assert "Blue 5" in table.hand(ann).text


async def test_a_member_who_draws_is_told_what(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["R5", "G1"], ["R2", "B2"], turn=0, draw=["Y9", "G2"])
    answer = await table.press(ann, "Draw")
    told(answer, "You drew: Yellow 9.")
    assert "Yellow 9" not in table.board().text
    assert "Yellow 9" not in table.hand(bob).text


async def nothing_moves(room: Room, table: Table, thumb: MemberActor, deed: Awaitable[Any]) -> None:
    """Check that a hand stays as it is while somebody does something else."""
    before, number = table.hand(thumb), table.match.decision
    await deed
    assert table.match.decision == number
    assert table.hand(thumb).payload == before.payload


@pytest.mark.parametrize("restarted", [False, True])
async def test_nothing_moves_under_a_thumb_while_the_number_holds(
    room: Room, restart: Restart, restarted: bool
) -> None:
    table = await seat(room, 4)
    ann, bob, cleo, dai = table.members
    await table.arrange(["R5", "W4"], ["R2", "B2"], ["Y1"], ["Y2", "Y3"], turn=0)
    await table.press(ann, "UNO!")
    await table.press(ann, "Wild Draw Four")
    if restarted:
        await restart()
    assert table.hand(ann).labels == ["Red", "Yellow", "Green", "Blue", "Back"]
    await nothing_moves(room, table, ann, table.press_board(bob, "Catch!"))
    await nothing_moves(room, table, ann, table.press_board(bob, "UNO!"))
    await nothing_moves(room, table, ann, table.press_board(dai, "My hand"))
    await nothing_moves(room, table, ann, leave(room, cleo))
    await table.press(ann, "Blue")
    assert table.state.log.recent
    assert "Ann said UNO!" in table.board().text


async def test_dead_tokens_cost_no_request(room: Room) -> None:
    table = await seat(room, 3)
    ann, bob, _cleo = table.members
    await table.arrange(["R5", "G1", "G2"], ["R2", "B2"], ["Y1", "R1"], turn=0)
    await room.command(ann, "uno pause")
    await room.simulation.advance_time(14 * MINUTE)
    old = table.hand(ann)
    since = now(room)
    await room.click(ann, old, "Red 5")
    assert calls(room, "hand refresh", since) == 0
    assert calls(room, "hand sent", since) == 0
    assert table.board().text.startswith("### Bob is to play.")
    answer = await room.click(bob, table.hand(bob), "UNO!")
    assert answer.screen is not None
    assert answer.screen.has("Red 2")


@pytest.mark.parametrize(("status", "code"), [(401, 50027), (404, 10015), (404, 10008)])
async def test_a_token_that_discord_forgot_is_tried_once(room: Room, status: int, code: int) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["RS", "R5", "G1", "G2"], ["R2", "B2"], turn=0)
    room.simulation.inject_error("PATCH", "/webhooks/*", status=status, code=code, times=None)
    since = now(room)
    await table.press(ann, "Red 5")
    assert calls(room, "hand refresh", since) == 1
    since = now(room)
    await table.arrange(["RS", "R5", "G1", "G2"], ["R2", "B2", "B3"], turn=1)
    assert calls(room, "hand refresh", since) == 1, "of Ann's alone"
    answer = await table.press_board(bob, "My hand")
    assert answer.screen is not None
    assert answer.screen.has("Red 2")


async def test_a_hand_that_was_dismissed_is_no_trouble(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["R5", "R6", "G1"], ["R2", "B2", "B3"], turn=0)
    room.simulation.backend.delete_message(room.channel.id, table.hand(bob).id)
    await table.press(ann, "Red 5")
    answer = await table.press_board(bob, "My hand")
    assert answer.screen is not None
    assert answer.screen.has("Red 2")


# --- old hands and wrong presses


async def test_an_old_hand_becomes_the_fresh_one_with_a_polite_word(room: Room) -> None:
    table = await seat(room, 2)
    ann, _bob = table.members
    await table.arrange(["R5", "RS", "R9", "G1"], ["B1", "B2"], turn=0)
    old = table.hand(ann)
    await room.click(ann, old, "Red Skip")
    before = table.match.clone()
    for label in ("Red 5", "Red Skip", "Draw"):
        answer = await room.click(ann, old, label)
        assert answer.kind == "update"
        hand = told(answer, "That was an old hand. This is how it stands now.")
        assert hand.id == old.id
        assert hand.has("Red 5")
        assert not hand.has("Red Skip")
        assert table.match == before
    await table.press(ann, "Red 5")
    before = table.match.clone()
    hand = told(await room.click(ann, old, "Red 9"), "That was an old hand.")
    assert hand.labels == ["UNO!", "Catch!", "More"]
    assert table.match == before


@pytest.mark.parametrize("step", ["colours", "toggled", "colour", "target", "keep"])
async def test_an_old_step_becomes_the_fresh_hand(room: Room, step: str) -> None:
    table = await seat(room, 3)
    ann, _bob, _cleo = table.members
    if step == "colours":
        await table.arrange(["R5", "W4", "G1"], ["B1"], ["B2"], turn=0)
        old = (await table.press(ann, "Wild Draw Four")).screen
        label = "Blue"
    elif step == "toggled":
        await table.arrange(["R5", "R6"], ["B1"], ["B2"], turn=0)
        old = (await table.press(ann, "UNO!")).screen
        label = "Red 5"
    elif step == "colour":
        await table.arrange(["WI", "R6", "R7"], ["B1"], ["B2"], turn=0, draw=["WI", "G1", "G2", "G3"])
        old = (await table.press(ann, "Wild Item Box")).screen
        label = "Blue"
    elif step == "target":
        await table.arrange(["WI", "R6", "R7"], ["B1"], ["B2"], turn=0, draw=["G9", "G1", "G2", "G3"])
        old = (await table.press(ann, "Wild Item Box")).screen
        label = "Cleo: 1 card"
    else:
        await table.arrange(["G4", "G6"], ["B1"], ["B2"], turn=0, draw=["R9", "G1", "G2", "G3"])
        old = (await table.press(ann, "Draw")).screen
        label = "Keep"
    assert old is not None
    assert old.has(label)
    await table.arrange(["Y5", "Y8", "Y9"], ["B1", "G2"], ["B2"], turn=1, top="B7")
    before = table.match.clone()
    hand = told(await room.click(ann, old, label), "That was an old hand.")
    assert re.findall(r"<:(\w\w)_", hand.text) == ["Y5", "Y8", "Y9"]
    assert table.match == before
    assert not before.game.said[0]


@pytest.mark.parametrize("label", ["UNO!", "Catch!", "More"])
async def test_a_hand_that_missed_its_turn_becomes_the_fresh_one_with_any_press(
    room: Room, label: str
) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["R5", "R6", "G1"], ["R1", "R2", "R3"], turn=0)
    old = (await table.press_board(bob, "My hand")).screen
    assert old is not None
    assert old.labels == ["UNO!", "Catch!", "More"]
    await table.press(ann, "Red 5")
    hand = (await room.click(bob, old, label)).screen
    assert hand is not None
    assert hand.id == old.id
    assert hand.has("Red 1")


async def test_the_way_back_from_more_leads_to_the_fresh_hand_without_a_word(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["R5", "R6", "G1"], ["R1", "R2", "R3"], turn=0)
    more = (await table.press(bob, "More")).screen
    assert more is not None
    await table.press(ann, "Red 5")
    answer = await room.click(bob, more, "Back")
    assert answer.screen is not None
    assert answer.screen.has("Red 1")
    assert "old hand" not in answer.text


async def test_a_double_click_is_one_move(room: Room) -> None:
    table = await seat(room, 2)
    ann, _bob = table.members
    await table.arrange(["R5", "R5", "R6", "G1"], ["B1", "B2"], turn=0)
    hand = table.hand(ann)
    first, second = await room.together(Click(ann, hand, "Red 5 ×2"), Click(ann, hand, "Red 5 ×2"))
    assert first.kind == second.kind == "update"
    told(second, "That was an old hand.")
    assert len(table.cards(ann)) == 3


async def test_a_double_click_in_an_extra_turn_is_one_move(room: Room) -> None:
    table = await seat(room, 2)
    ann, _bob = table.members
    await table.arrange(["RS", "RS", "R6", "G1"], ["B1", "B2"], turn=0)
    hand = table.hand(ann)
    await room.together(Click(ann, hand, "Red Skip ×2"), Click(ann, hand, "Red Skip ×2"))
    assert len(table.cards(ann)) == 3
    assert table.view(ann).my_turn


async def test_ten_thumbs_at_once(room: Room) -> None:
    table = await seat(room, 10)
    await table.arrange(*[["R5", "R6", "G1"]] * 10, turn=3)
    board = table.board()
    presses = [Click(member, board, label) for member in table.members for label in ("My hand", "Catch!")]
    presses += [Click(member, board, "UNO!") for member in table.members]
    player = table.members[3]
    answers = await room.together(*presses, Click(player, table.hand(player), "Red 5"))
    assert all(answer.screen is not None and answer.screen.private for answer in answers)
    assert len(table.cards(player)) == 2
    assert table.board().text.startswith("### Eve is to play.")


@pytest.mark.parametrize("verb", ["play", "draw", "uno", "catch", "leave", "next", "keep", "challenge"])
@pytest.mark.parametrize("restarted", [False, True])
async def test_an_interaction_delivered_again_is_no_second_move(
    room: Room, restart: Restart, verb: str, restarted: bool
) -> None:
    table = await seat(room, 3, hands=3)
    ann, bob, _cleo = table.members
    if verb == "play":
        await table.arrange(["RS", "RS", "R6", "R1"], ["B1", "B2"], ["B3"], turn=0)
        answer = await table.press(ann, "Red Skip ×2")
    elif verb in ("draw", "keep"):
        draw = ["R9" if verb == "keep" else "G9", "R2", "R3", "R4"]
        await table.arrange(["B4", "B8"], ["B1", "B2"], ["B3"], turn=0, draw=draw)
        answer = await table.press(ann, "Draw")
        if verb == "keep":
            answer = await table.press(ann, "Keep")
    elif verb in ("uno", "catch"):
        await table.arrange(["R4", "B8"], ["B1", "B2"], ["B3"], turn=0)
        await table.press(ann, "Red 4")
        answer = await (table.press(ann, "UNO!") if verb == "uno" else table.press(bob, "Catch!"))
    elif verb == "leave":
        for label in ("More", "Leave"):
            await table.press(ann, label)
        answer = await table.press(ann, "Yes, leave")
    elif verb == "next":
        await table.arrange(["R4"], ["B1", "B2"], ["B3"], turn=0)
        await table.press(ann, "Red 4")
        answer = await table.press_board(bob, "Next hand")
    else:
        await table.arrange(
            ["W4", "R4", "R3"], ["B1", "B2"], ["B3"], turn=0, actions=[(0, "play", "W4", "blue")]
        )
        answer = await table.press_board(bob, "Challenge (+6 if wrong)")
    if restarted:
        await restart()
    before = table.match.clone()
    await room.simulation.deliver_again(answer.id)
    assert table.match == before


async def test_somebody_who_does_not_play_is_told_so(room: Room) -> None:
    table = await seat(room, 3, rules=None)
    _ann, _bob, _cleo = table.members
    (dai,) = room.members("Dai")
    await table.arrange(["W4", "R4", "R3"], ["B1", "B2"], ["B3"], turn=0, actions=[(0, "play", "W4", "blue")])
    before = table.match.clone()
    for label in table.board().labels:
        answer = await table.press_board(dai, label)
        assert answer.private
        assert answer.text == "You are not playing at this table. You can join the next one."
    assert (await room.command(dai, "uno hand")).text.startswith("You are not playing")
    assert (await room.command(dai, "uno leave")).text.startswith("You are not playing")
    assert table.match == before


async def test_accept_and_challenge_are_the_victims(room: Room) -> None:
    table = await seat(room, 3)
    ann, bob, cleo = table.members
    await table.arrange(["W4", "R4", "R3"], ["B1", "B2"], ["B3"], turn=0, actions=[(0, "play", "W4", "blue")])
    assert table.board().rows == [["My hand", "UNO!", "Catch!"], ["Accept +4", "Challenge (+6 if wrong)"]]
    before = table.match.clone()
    for member in (ann, cleo):
        for label in ("Accept +4", "Challenge (+6 if wrong)"):
            answer = await table.press_board(member, label)
            assert answer.private
            assert len(answer.text.splitlines()) == 1, "one polite sentence"
            assert table.match == before
    assert table.hand(bob).rows[0] == ["Accept +4", "Challenge (+6 if wrong)"]
    assert (await table.press_board(bob, "Accept +4")).private
    assert len(table.cards(bob)) == 6


async def test_a_press_by_somebody_who_left_is_told_so(room: Room) -> None:
    table = await seat(room, 3)
    ann, _bob, _cleo = table.members
    old = table.hand(ann)
    await leave(room, ann)
    before = table.match.clone()
    for label in [button.label for button in old.buttons if not button.disabled]:
        answer = await room.click(ann, old, label)
        assert "You are not playing at this table." in answer.text
    assert table.match == before


async def test_a_lost_answer_leaves_the_move_made_and_the_table_true(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["R5", "R6", "G1"], ["R1", "B2"], turn=0)
    old = table.hand(ann)
    room.simulation.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062)
    await room.click(ann, old, "Red 5", lost=True)
    assert table.board().text.startswith("### Bob is to play.")
    assert table.hand(bob).has("Red 1")
    told(await room.click(ann, old, "Red 5"), "That was an old hand.")
    assert len(table.cards(ann)) == 2


async def test_cards_in_words_for_whoever_asks(room: Room, restart: Restart) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["R5", "G1"], ["B2", "YS"], top="R7", turn=0)
    answer = await room.command(ann, "uno cards", shown="words")
    assert "words" in answer.text
    assert "**Green**: 1" in (await table.press_board(ann, "My hand")).text
    assert ":B2_" in (await table.press_board(bob, "My hand")).text
    await restart()
    assert "**Green**: 1" in (await table.press_board(ann, "My hand")).text
    await room.command(ann, "uno cards", shown="pictures")
    assert ":G1_" in (await table.press_board(ann, "My hand")).text


async def test_the_log_tells_the_whole_hand_and_stays_open_when_the_turn_comes(room: Room) -> None:
    table = await seat(room, 2, hands=2)
    first, other = sorted(table.members, key=lambda member: not table.view(member).my_turn)
    for label in ("More", "Log"):
        answer = await table.press(other, label)
    assert answer.screen is not None
    dealt = answer.text
    assert "### The hand so far" in dealt
    assert "dealt hand 1." in dealt
    assert "Not your turn yet" in dealt
    rows = answer.screen.rows
    await table.press(first, "Draw")
    if table.view(first).my_turn:
        await table.press(first, "Keep")
    log = table.hand(other)
    assert (log.id, log.rows) == (answer.screen.id, rows)
    assert "**Your turn**" in log.text
    assert "drew 1 card." in log.text
    assert table.hand(other).text.startswith("### The hand so far")
    await table.press(other, "Back")
    assert table.hand(other).has("Draw")


async def test_a_new_copy_of_a_hand_makes_the_former_one_a_line(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    first = table.hand(ann)
    copy = (await table.press_board(ann, "My hand")).screen
    assert copy is not None
    assert copy.id != first.id
    left = room.look(first)
    assert left.text == "Your hand is in another message now. **My hand** under the table shows it again."
    assert left.labels == []
    assert [screen.id for screen in room.private(ann) if is_hand(screen)] == [copy.id]
    third = (await room.command(ann, "uno hand")).screen
    assert third is not None
    assert room.look(copy).labels == []
    back = await room.click(ann, copy, "More")  # pressed just before it became a line
    assert is_hand(back.screen)
    assert room.look(third).labels == []
    assert is_hand(table.hand(bob))


async def test_a_copy_whose_token_is_dead_is_left_alone(room: Room) -> None:
    table = await seat(room, 2, turn_time="off")
    ann = table.members[0]
    first = table.hand(ann)
    await room.simulation.advance_time(15 * MINUTE)
    since = now(room)
    await table.press_board(ann, "My hand")
    assert calls(room, "hand refresh", since) == 0
    assert room.look(first).labels == first.labels


# --- sizes


@pytest.mark.parametrize("uploaded", [True, False])
async def test_all_54_faces_in_one_hand(room: Room, uploaded: bool) -> None:
    if not uploaded:
        for key in FALLBACKS:
            bot_of(room).renderer.emojis._emojis[key] = discord.PartialEmoji(name=FALLBACKS[key])
    table = await seat(room, 2)
    ann = table.members[0]
    for top, playable, more in (("R7", 18, {}), ("G0", 18, {}), ("WI", 15, {"colour": "red"})):
        await table.arrange(ALL_FACES, ["R1"], top=top, turn=0, **more)
        hand = table.hand(ann)
        within_limits(hand)
        cards = [button for button in hand.buttons if re.search(":(play|pick):", button.custom_id)]
        assert len(cards) == playable
        assert all(len(row) <= 5 for row in hand.rows)
        for label in ("Wild Draw Four", "Back", "More", "Back"):
            await table.press(ann, label)
            within_limits(table.hand(ann))


async def test_a_hand_of_105_cards_is_playable_to_its_last(room: Room) -> None:
    table = await seat(room, 2)
    ann, _bob = table.members
    huge = (ALL_FACES + ALL_FACES)[:105]
    await table.arrange(huge, ["R1", "R2"], top="R7", turn=0)
    hand = table.hand(ann)
    within_limits(hand)
    assert "…" not in hand.text
    assert len(room.private(ann)) == 1
    assert table.board().text.count("**Ann**: 105 cards") == 1
    for label in ("Red 9 ×2", "UNO!", "Red Draw Two ×2", "Draw"):
        assert label in hand.labels
    await table.press(ann, "Red Skip ×2")
    assert "Your turn" in table.hand(ann).text
    assert len(table.cards(ann)) == 104
    await table.press(ann, "Red 9 ×2")
    assert "Your hand: 103 cards" in table.hand(ann).text
    within_limits(table.hand(ann))


async def test_a_105_card_hand_in_a_summary(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["R5"], (ALL_FACES + ALL_FACES)[:105], top="R7", turn=0)
    await table.press(ann, "Red 5")
    standings = room.table()
    within_limits(standings)
    details = (await room.click(bob, standings, "Details")).screen
    assert details is not None
    within_limits(details)
    assert "Bob" in details.text


# --- leaving


async def test_leaving_asks_first(room: Room) -> None:
    table = await seat(room, 3)
    ann, bob, cleo = table.members
    hand = table.hand(cleo)
    await table.press(cleo, "More")
    assert table.hand(cleo).labels == ["Log", "Rules", "Table here", "Back", "Leave"]
    await table.press(cleo, "Leave")
    assert table.hand(cleo).labels == ["Yes, leave", "Keep playing"]
    assert "no way back" in table.hand(cleo).text
    await table.press(cleo, "Keep playing")
    assert table.hand(cleo).payload["components"] == hand.payload["components"]
    for label in ("More", "Leave"):
        await table.press(cleo, label)
    answer = await table.press(cleo, "Yes, leave")
    assert answer.kind == "update"
    assert answer.screen is not None
    assert answer.screen.buttons == []
    assert "You have left." in answer.text
    assert "Cleo has left" in table.board().text
    assert len(table.cards(ann)) == len(table.cards(bob)) == 7


async def test_the_command_asks_first_too_in_a_match(room: Room) -> None:
    table = await seat(room, 3)
    cleo = table.members[2]
    asked = (await room.command(cleo, "uno leave")).screen
    assert asked is not None
    assert asked.private
    assert asked.labels == ["Yes, leave", "Keep playing"]
    assert is_hand((await room.click(cleo, asked, "Keep playing")).screen)
    assert not table.match.game.out[2]
    assert "You have left." in (await leave(room, cleo)).text
    assert table.match.game.out[2]


async def test_the_turn_passes_on_when_its_owner_leaves(room: Room) -> None:
    table = await seat(room, 3)
    ann, bob, _cleo = table.members
    await table.arrange(["R5", "G1"], ["R2", "B2"], ["Y1"], turn=0)
    await leave(room, ann)
    assert table.board().text.startswith("### Bob is to play.")
    assert table.hand(bob).has("Red 2")


async def test_the_last_one_left_wins_by_forfeit(room: Room) -> None:
    table = await seat(room, 3)
    ann, _bob, cleo = table.members
    await leave(room, ann)
    await leave(room, cleo)
    (end,) = room.screens()
    assert "Bob wins the match: everybody else left." in end.text
    assert end.buttons == [], "nobody had moved, so nothing is kept of it"
    assert bot_of(room).tables.in_channel(room.channel.id) is None
    assert (await room.command(ann, "uno start")).screen is not None


async def test_a_host_who_leaves_the_match_is_followed_by_the_next(room: Room) -> None:
    table = await seat(room, 3)
    ann, bob, cleo = table.members
    assert "**Ann**: 7 cards · host" in table.board().text
    await leave(room, ann)
    assert "• Ann left the match.\n• Bob is the host now." in table.board().text
    assert re.search(r"\*\*Bob\*\*: \d+ cards · host", table.board().text)
    refused = await room.command(cleo, "uno end")
    assert refused.text.startswith("Only the host")
    await end(room, bob)
    assert "Bob ended this table." in room.screens()[-1].text


async def test_a_failure_that_passes_does_not_lose_the_way_to_a_hand(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await room.command(ann, "uno pause")
    await table.arrange(["R5", "R6", "R8", "G1"], ["R2", "R3", "B2"], turn=0)
    room.simulation.inject_error("PATCH", "/webhooks/*", status=503, code=0, times=5)
    await table.press(ann, "Red 5")
    await room.simulation.advance_time(MINUTE)
    room.simulation.backend.faults.clear()
    assert bob.id in bot_of(room).messages._tracked(table.live).hands
    await room.click(bob, table.board(), "My hand")
    await table.press(bob, "Red 2")
    assert table.hand(ann).has("Red 6")
