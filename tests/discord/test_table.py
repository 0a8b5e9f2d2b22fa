"""The table: who may press what, where it stands, what happens where Discord refuses, names and languages."""

import re
from collections.abc import Awaitable, Callable, Iterator
from gettext import NullTranslations
from typing import Any

import discord
import pytest
from simcord import MemberActor

from bot.ui.text import translation as words_of
from engine.rules import RuleSet
from tests.discord.clicking import Answer, Click, Room, Screen
from tests.discord.playing import (
    ALL_RULES,
    Table,
    bot_of,
    calls_by_kind,
    end,
    is_hand,
    leave,
    open_lobby,
    seat,
)
from tests.discord.simulation import Simulation

Restart = Callable[..., Awaitable[None]]
MINUTE = 60


def now(room: Room) -> int:
    return len(room.simulation.http_requests)


def pace(room: Room) -> None:
    """Let there be the usual pause between two posts of a table, and two looks at what was written."""
    screens = bot_of(room).messages
    screens._settings = screens._settings.model_copy(update={"repost_pause": 60.0})


def private_word(answer: Answer, words: str) -> None:
    assert answer.private
    assert words in answer.text


# --- what it shows


async def unhurried(room: Room, players: int) -> Table:
    """Seat people at a table whose clock is stopped, so that minutes can pass without anything being due."""
    table = await seat(room, players)
    await room.command(table.members[0], "uno pause")
    return table


async def test_the_table_tells_what_everybody_may_know(room: Room) -> None:
    table = await seat(room, 3, hands=3)
    await table.arrange(["R5", "R6", "G1"], ["R2", "B2"], ["Y1"], turn=0, actions=[(0, "play", "R5")])
    board = table.board()
    assert board.thumbnails
    assert "Top card: Red 5" in board.text
    assert "**Match Red or 5**" in board.text
    assert board.accents == [0xE5372F]
    assert "Clockwise" in board.text
    seats = board.texts[1].splitlines()
    assert [re.sub(r"<:\w+:\d+>|[•▶️ ]", "", line) for line in seats] == [
        "**Ann**:2cards·0points·host",
        "**Bob**:2cards·0points",
        "**Cleo**:1card·0points",
    ]
    assert "turn_" in seats[1]
    assert "• Ann played: Red 5." in board.text
    assert "Hand 1 of 3" in board.text
    assert board.rows == [["My hand", "UNO!", "Catch!"]]


async def test_the_end_of_a_hand_is_told_line_by_line(room: Room) -> None:
    table = await seat(room, 3, hands=3)
    ann, bob, _ = table.members
    await table.arrange(["R5"], ["R2", "BD", "W4"], ["Y1", "Y1"], turn=0)
    await table.press(ann, "Red 5")
    board = table.board()
    assert board.labels == ["Details", "Next hand", "Join"]
    assert "Ann wins the hand: 74 points!" in board.text
    lines = board.texts[1].replace("\N{NO-BREAK SPACE}", " ").splitlines()
    assert "**Ann**: +74 · **total 74**" in lines[0]
    assert "**Bob**: 72 points in hand · **total 0**" in lines[1]
    assert lines[2] == "-# **Red**: 2; **Blue**: Draw Two; **Wild**: Draw Four"
    assert "**Cleo**: 2 points in hand · **total 0**" in lines[3]
    assert lines[4] == "-# **Yellow**: 1 ×2"
    (outsider,) = room.members("Zoe")
    for member in (bob, outsider):
        details = await room.click(member, board, "Details")
        assert details.private
        for part in ("Bob**: 72 points", "Draw Two (20)", "Draw Four (50)", "1 ×2 (2)", "72 + 2 = 74"):
            assert part in details.text, details.text
    private_word(await room.click(outsider, board, "Next hand"), "You are not playing at this table.")
    assert table.match.hand_no == 1


async def test_details_outlive_the_match_and_a_restart(room: Room, restart: Restart) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["R5"], ["R2", "BD"], turn=0)
    await table.press(ann, "Red 5")
    standings = room.table()
    assert "Ann wins the match!" in standings.text
    assert standings.labels == ["Details", "Rematch", "Share"]
    first = await room.click(bob, standings, "Details")
    await restart()
    second = await room.click(bob, standings, "Details")
    for answer in (first, second):
        private_word(answer, "**Bob**: 22 points")
        private_word(answer, "**Ann** scores 22 points.")


# --- who may


async def test_an_accepted_press_on_the_table_is_answered_with_ones_hand(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["W4", "G8", "G1"], ["B2", "Y9"], turn=0, actions=[(0, "play", "W4", "blue")])
    answer = await table.press_board(bob, "Accept +4")
    assert answer.private
    assert is_hand(answer.screen)
    assert "Your hand: 6 cards" in answer.text
    assert "You drew:" in answer.text
    assert table.board().rows == [["My hand", "UNO!", "Catch!"]]
    assert table.hand(ann).has("Draw")


async def test_jump_in_is_under_the_table_where_it_is_a_rule(room: Room) -> None:
    table = await seat(room, 3, rules=RuleSet(jump_in=True))
    ann, bob, cleo = table.members
    await table.arrange(["R5", "R6", "G1"], ["R2", "B2"], ["R7", "Y1", "Y2"], turn=0)
    assert table.board().rows == [["My hand", "UNO!", "Catch!", "Jump in"]]
    assert "Jump-in" in table.board().text
    private_word(await table.press_board(bob, "Jump in"), "To jump in you need exactly the card on top")
    old = table.board()
    answer = await table.press_board(cleo, "Jump in")
    assert answer.private
    assert is_hand(answer.screen)
    assert "Cleo jumped in: Red 7." in table.board().text
    assert table.view(ann).my_turn, "play goes on from the one who jumped in"
    assert table.hand(ann).has("Red 5")
    late = await room.click(cleo, old, "Jump in")
    private_word(late, "This is how it stands now.")
    assert is_hand(late.screen)
    assert len(table.cards(cleo)) == 2


@pytest.mark.parametrize("first", ["the play", "the jump-in"])
async def test_a_play_and_a_jump_in_at_the_same_moment(room: Room, first: str) -> None:
    table = await seat(room, 3, rules=RuleSet(jump_in=True))
    ann, _, cleo = table.members
    await table.arrange(["R5", "R6", "G1"], ["R2", "B2"], ["R7", "Y1", "Y2"], turn=0)
    clicks = [Click(ann, table.hand(ann), "Red 5"), Click(cleo, table.board(), "Jump in")]
    if first == "the jump-in":
        clicks.reverse()
    _, late = await room.together(*clicks)
    assert "This is how it stands now." in late.text
    assert is_hand(late.screen)
    assert len(table.cards(ann)) + len(table.cards(cleo)) == 5


async def test_nobody_jumps_in_while_something_else_is_awaited(room: Room) -> None:
    table = await seat(room, 3, rules=ALL_RULES)
    hands = (["RD", "R6", "G1"], ["R2", "B2"], ["RD", "Y1", "Y2"])
    await table.arrange(*hands, turn=0)
    board = table.board()
    await table.arrange(*hands, turn=0, actions=[(0, "play", "RD")])
    assert not table.board().has("Jump in")
    before = table.match.clone()
    assert (await room.click(table.members[2], board, "Jump in")).private
    assert table.match == before


async def test_a_jump_in_of_ones_own_in_turn_is_a_play(room: Room) -> None:
    table = await seat(room, 2, rules=RuleSet(jump_in=True))
    ann, _ = table.members
    await table.arrange(["R7", "R6", "G1"], ["R2", "B2"], turn=0)
    await table.press_board(ann, "Jump in")
    assert "Ann played: Red 7." in table.board().text


async def test_rules_and_leaderboard_are_for_anybody_and_private(room: Room) -> None:
    (zoe,) = room.members("Zoe")
    rules = await room.command(zoe, "uno rules")
    private_word(rules, "How to play here")
    assert rules.screen is not None
    labels = rules.screen.labels
    assert len(labels) >= 8
    for label in labels:
        answer = await room.click(zoe, room.look(rules.screen), label)
        assert answer.kind == "update"
        assert answer.screen is not None
        assert answer.screen.texts[0] == f"### {label}"
        assert answer.screen.characters <= 4000
    private_word(await room.command(zoe, "uno leaderboard"), "No hand has been finished here yet")
    table = await seat(room, 2)
    ann, _bob = table.members
    await table.arrange(["R5"], ["R2", "BD"], turn=0)
    await table.press(ann, "Red 5")
    board = await room.command(zoe, "uno leaderboard")
    private_word(board, "**1** · Ann: 22 points")
    private_word(board, "1 of 1 hand won")
    private_word(board, "**2** · Bob: 0 points")
    assert room.table().labels == ["Details", "Rematch", "Share"], "nothing public came of it"


async def test_rules_behind_more_name_the_house_rules_in_force(room: Room) -> None:
    table = await seat(room, 2, rules=RuleSet(stack=True))
    ann, _ = table.members
    await table.press(ann, "More")
    hand = table.hand(ann)
    answer = await table.press(ann, "Rules")
    assert answer.private, "the hand stays where it is"
    assert room.look(hand).payload == hand.payload
    assert answer.screen is not None
    house = await room.click(ann, answer.screen, "House rules")
    assert "**Stacking** (in force here)" in house.text
    assert house.text.count("(in force here)") == 1
    again = await room.command(ann, "uno rules")
    assert again.screen is not None
    assert "(in force here)" in (await room.click(ann, again.screen, "House rules")).text


async def test_a_leaderboard_is_a_servers_own(simulation: Simulation) -> None:
    rooms = [Room(simulation, simulation.create_guild(n).create_text_channel("uno")) for n in ("A", "B")]
    table = await seat(rooms[0], 2)
    ann, _ = table.members
    await table.arrange(["R5"], ["R2"], turn=0)
    await table.press(ann, "Red 5")
    (zoe,) = rooms[1].members("Zoe")
    private_word(await rooms[1].command(zoe, "uno leaderboard"), "No hand has been finished here yet")


async def test_the_host_or_a_moderator_ends_a_table(room: Room) -> None:
    table = await seat(room, 3)
    ann, bob, _ = table.members
    (zoe,) = room.members("Zoe")
    for member in (bob, zoe):
        private_word(
            await room.command(member, "uno end"), "Only the host, Ann, or somebody with Manage Messages"
        )
    board, hand = table.board(), table.hand(bob)
    assert "The table is closed." in (await end(room, ann)).text
    assert "Ann ended this table." in room.look(board).text
    assert room.look(board).buttons == []
    for label in board.labels:
        private_word(await room.click(bob, board, label), "This table is closed.")
    now = room.look(hand)
    assert "Ann ended this table." in now.text
    assert now.buttons == []
    for label in (button.label for button in hand.buttons if not button.disabled):
        answer = await room.click(bob, hand, label)
        assert "This table is closed." in answer.text


async def test_a_moderator_ends_a_table_of_others(room: Room) -> None:
    await seat(room, 2)
    guild = room.channel.guild
    role = guild.create_role("Moderators", permissions=discord.Permissions(manage_messages=True))
    zoe = guild.add_member(room.simulation.create_user("zoe", global_name="Zoe"), roles=[role])
    assert "The table is closed." in (await end(room, zoe)).text
    assert bot_of(room).tables.in_channel(room.channel.id) is None


async def test_ending_a_table_is_asked_about_first(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    asked = await room.command(ann, "uno end")
    private_word(asked, "End this match for everybody?")
    assert asked.screen is not None
    assert asked.screen.labels == ["Keep it open", "Yes, end it"]
    answer = await room.click(ann, asked.screen, "Keep it open")
    assert answer.text == "The table stays open."
    assert table.live.state.ended is None
    # Somebody else is host by the time that the answer comes.
    asked = await room.command(ann, "uno end")
    await room.command(ann, "uno host", player=bob)
    assert asked.screen is not None
    answer = await room.click(ann, asked.screen, "Yes, end it")
    assert "Only the host, Bob, or somebody with Manage Messages can end this" in answer.text
    assert table.live.state.ended is None


@pytest.mark.parametrize("how", ["ended", "idle"])
async def test_a_match_that_is_broken_off_leaves_its_standings(room: Room, how: str) -> None:
    table = await seat(room, 2, hands=3, turn_time="off")
    ann, bob = table.members
    await table.arrange(["R5"], ["G1", "G2"])
    await table.press(ann, "Red 5")
    await table.press_board(bob, "Next hand")
    if how == "ended":
        await end(room, ann)
    else:
        await room.simulation.advance_time(61 * MINUTE)
    standings = room.table()
    assert standings.labels == ["Details", "Rematch"]
    assert "The match is over: nobody wins." in standings.text
    assert ("Ann ended this table." in standings.text) == (how == "ended")
    assert "Ann: 3 points" in standings.text
    assert "cards" not in standings.text, "the hand in play stays hidden"
    details = await room.click(bob, standings, "Details")
    assert "Hand 1, card by card" in details.text
    await room.click(bob, standings, "Rematch")
    assert "Not there yet: Ann" in room.table().text


async def test_what_is_recorded_nowhere_has_no_details_and_no_rematch(room: Room) -> None:
    table = await seat(room, 2)
    await leave(room, table.members[1])
    (over,) = [screen for screen in room.screens() if "everybody else left" in screen.text]
    assert over.labels == []


# --- where it stands


async def test_table_here_brings_the_table_down_and_takes_the_old_one_away(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    (zoe,) = room.members("Zoe")
    for ask in ("hand", "command"):
        await room.simulation.advance_time(MINUTE)
        await zoe.send(room.channel, "chatter")
        old = table.board()
        if ask == "hand":
            await table.press(ann, "More")
            answer = await table.press(ann, "Table here")
            assert answer.kind == "update"
            assert is_hand(answer.screen)
            assert answer.screen is not None
            assert answer.screen.has("More"), "the hand's own rows are back"
        else:
            private_word(await room.command(zoe, "uno table"), "The table comes to the bottom")
        new = table.board()
        assert new.id > old.id
        assert room.screens()[-1].id == new.id
        assert old.id not in {screen.id for screen in room.screens()}
        assert (await room.click(bob, new, "My hand")).private


async def test_a_table_is_posted_at_most_once_a_minute(room: Room) -> None:
    table = await seat(room, 2, hands=20)
    pace(room)
    ann, bob = table.members
    await room.command(ann, "uno table")
    board = table.board()
    private_word(await room.command(bob, "uno table"), "The table was posted just now:")
    await table.press(bob, "More")
    answer = await table.press(bob, "Table here")
    assert "The table was posted just now:" in answer.text
    await table.arrange(["R5"], ["G1", "G2"], turn=0)
    await table.press(ann, "Red 5")
    await table.press_board(bob, "Next hand")
    assert table.board().id == board.id, "a new hand waits too: the table is only brought up to date"
    assert table.board().labels == ["My hand", "UNO!", "Catch!"]
    await room.simulation.advance_time(MINUTE)
    await room.command(bob, "uno table")
    assert table.board().id != board.id


async def test_table_here_by_two_at_once_is_one_post(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    for member in (ann, bob):
        await table.press(member, "More")
    since = now(room)
    await room.together(*[Click(member, table.hand(member), "Table here") for member in (ann, bob)])
    assert calls_by_kind(room, since)["post"] == 1


async def test_each_new_hand_brings_the_table_down(room: Room) -> None:
    table = await seat(room, 2, hands=3)
    ann, bob = table.members
    board = table.board()
    await table.arrange(["R5"], ["G1", "G2"], turn=0)
    await table.press(ann, "Red 5")
    assert table.board().id == board.id
    since = now(room)
    await table.press_board(bob, "Next hand")
    assert table.board().id > board.id
    assert calls_by_kind(room, since) == {
        "answer": 1,
        "post": 1,
        "delete": 1,
        "hand sent": 1,
        "hand refresh": 2,  # the hands of the last deal become a line
    }


async def draw(table: Table) -> None:
    """Let whoever is to play draw and keep."""
    player = next(member for member in table.members if table.view(member).my_turn)
    hand = (await table.press_board(player, "My hand")).screen
    assert hand is not None
    answer = await table.room.click(player, hand, "Draw")
    assert answer.screen is not None
    if answer.screen.has("Keep"):
        await table.room.click(player, answer.screen, "Keep")


async def test_a_table_that_scrolled_away_comes_back_with_a_turn(room: Room) -> None:
    table = await unhurried(room, 2)
    (zoe,) = room.members("Zoe")
    board = table.board()
    await zoe.send(room.channel, "chatter")
    await draw(table)
    assert table.board().id == board.id, "it is young still"
    assert looks(room) == 0
    await room.simulation.advance_time(3 * MINUTE)
    await draw(table)
    assert looks(room) == 1
    assert table.board().id == board.id, "the look held up nothing"
    since = now(room)
    await draw(table)
    assert table.board().id > board.id
    assert calls_by_kind(room, since)["post"] == 1
    assert bot_of(room).messages.calls["look"] == 1


async def test_a_table_that_scrolled_away_comes_back_by_itself_in_a_long_turn(room: Room) -> None:
    table = await unhurried(room, 2)
    (zoe,) = room.members("Zoe")
    await room.simulation.advance_time(3 * MINUTE)
    await zoe.send(room.channel, "chatter")
    board = table.board()
    await draw(table)
    await room.simulation.advance_time(14)
    assert table.board().id == board.id
    await room.simulation.advance_time(2)
    assert table.board().id > board.id


async def test_the_end_of_a_match_comes_down_where_the_table_has_scrolled_away(room: Room) -> None:
    table = await unhurried(room, 2)
    (zoe,) = room.members("Zoe")
    await table.arrange(["R5"], ["G1", "G2"])
    await room.simulation.advance_time(MINUTE)
    board = table.board()
    await zoe.send(room.channel, "chatter")
    since = now(room)
    await table.press(table.members[0], "Red 5")
    standings = room.table()
    assert "Ann wins the match!" in standings.text
    assert standings.id > board.id
    assert calls_by_kind(room, since)["post"] == 1
    await room.simulation.advance_time(MINUTE)
    assert room.table().id == standings.id
    assert board.id not in [screen.id for screen in room.screens()]


async def test_the_end_of_a_match_stays_where_nothing_was_written_below(room: Room) -> None:
    table = await unhurried(room, 2)
    await table.arrange(["R5"], ["G1", "G2"])
    board = table.board()
    await room.simulation.advance_time(MINUTE)
    await table.press(table.members[0], "Red 5")
    assert room.table().id == board.id


async def test_what_the_bot_itself_has_sent_pushes_no_table_away(room: Room) -> None:
    table = await unhurried(room, 2)
    board = table.board()
    await room.simulation.advance_time(3 * MINUTE)
    ann, bob = table.members
    for member in (ann, bob):
        hand = (await table.press_board(member, "My hand")).screen
        assert hand is not None
        # Should Discord count private messages, it is one of these that comes last.
        room.simulation.backend.get_channel(room.channel.id).last_message_id = hand.id
    await draw(table)
    assert looks(room) == 1
    await room.simulation.advance_time(MINUTE)
    assert table.board().id == board.id


async def test_looks_can_be_turned_off(room: Room) -> None:
    table = await unhurried(room, 2)
    screens = bot_of(room).messages
    screens._settings = screens._settings.model_copy(update={"look_at_channel": False})
    await room.simulation.advance_time(3 * MINUTE)
    await draw(table)
    assert looks(room) == 0


def looks(room: Room) -> int:
    calls = [(call.method, call.path) for call in room.simulation.http_requests]
    assert ("GET", f"/channels/{room.channel.id}/messages") not in calls, "a list of messages"
    return calls.count(("GET", f"/channels/{room.channel.id}"))


async def test_a_quiet_channel_is_looked_at_at_most_once_a_minute(room: Room) -> None:
    table = await unhurried(room, 2)
    pace(room)
    board = table.board()
    await room.simulation.advance_time(3 * MINUTE)
    for _ in range(4):
        await draw(table)
    assert looks(room) == 1
    await room.simulation.advance_time(MINUTE)
    for _ in range(3):
        await draw(table)
    assert looks(room) == 2
    assert table.board().id == board.id
    player = next(member for member in table.members if table.view(member).my_turn)
    await room.simulation.advance_time(MINUTE)
    await table.press_board(player, "Catch!")
    assert looks(room) == 2, "no turn has begun"


async def test_a_channel_that_cannot_be_looked_at_is_left_alone_for_a_while(room: Room) -> None:
    table = await unhurried(room, 2)
    await room.simulation.advance_time(3 * MINUTE)
    room.simulation.inject_error("GET", "/channels/*", status=403, code=50001, times=None)
    before = table.match.decision
    for _ in range(3):
        await draw(table)
    assert table.match.decision > before
    assert looks(room) == 1
    await room.simulation.advance_time(10 * MINUTE)
    for _ in range(3):
        await draw(table)
    assert looks(room) == 2


async def test_a_table_is_posted_anew_before_it_is_an_hour_old(room: Room) -> None:
    table = await unhurried(room, 2)
    board = table.board()
    await room.simulation.advance_time(55 * MINUTE)
    await draw(table)
    assert table.board().id > board.id
    assert board.id not in {screen.id for screen in room.screens()}


async def test_where_the_table_stands_outlives_a_restart(room: Room, restart: Restart) -> None:
    table = await seat(room, 2)
    ann = table.members[0]
    await room.command(ann, "uno table")
    board = table.board()
    await restart(killed=True)
    await draw(table)
    assert table.board().id == board.id
    assert len([screen for screen in room.screens() if screen.buttons]) == 1


# --- when Discord refuses


async def test_a_table_somebody_deleted_comes_back(room: Room) -> None:
    table = await seat(room, 2)
    board = table.board()
    player = next(member for member in table.members if table.view(member).my_turn)
    room.simulation.backend.delete_message(room.channel.id, board.id)
    await table.press(player, "Draw")
    assert table.board().id != board.id
    assert table.board().has("My hand")


@pytest.mark.parametrize(("status", "code"), [(400, 30046), (400, 50083)])
async def test_a_table_that_cannot_be_edited_any_more_is_posted_anew(
    room: Room, status: int, code: int
) -> None:
    table = await seat(room, 2)
    board = table.board()
    player = next(member for member in table.members if table.view(member).my_turn)
    room.simulation.inject_error("PATCH", "/channels/*/messages/*", status=status, code=code)
    await table.press(player, "Draw")
    assert table.board().id != board.id
    assert table.board().has("My hand")


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (403, 50001), (503, 0), (404, 10003)])
async def test_a_table_edit_that_fails_leaves_the_game_going(
    room: Room, status: int, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await unhurried(room, 2)
    ann, bob = table.members
    await table.arrange(["R5", "R6", "G1"], ["R2", "R3", "B2"], turn=0)
    board = table.board()
    room.simulation.inject_error("*", "/channels/*/messages*", status=status, code=code, times=None)
    await quietly(room, status, table.press(ann, "Red 5"))
    assert room.look(board).payload == board.payload
    assert table.hand(bob).has("Red 2"), "the hands go another way"
    await quietly(room, status, table.press(bob, "Red 2"))
    assert table.hand(ann).has("Red 6")
    room.simulation.backend.faults.clear()
    await table.press(ann, "Red 6")
    await room.simulation.advance_time(5)
    assert table.board().text.startswith("### Bob is to play.")


async def quietly(room: Room, status: int, deed: Awaitable[Any]) -> None:
    """Let discord.py wait between its own tries where it makes some."""
    await deed
    if status >= 500:
        await room.simulation.advance_time(MINUTE)


async def test_a_lobby_whose_answer_was_lost_is_posted_all_the_same(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    room.simulation.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062)
    await room.command(ann, "uno start", lost=True)
    lobby = room.table()
    assert lobby.labels == ["Join", "Start", "Leave", "Add CPU", "Rules", "How to play", "Cancel"]
    room.simulation.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062)
    await room.click(bob, lobby, "Join", lost=True)
    assert "Bob" in room.look(lobby).text


async def test_an_answer_lost_at_the_table_leaves_it_true(room: Room) -> None:
    table = await seat(room, 2)
    _ann, bob = table.members
    await table.arrange(["W4", "G8", "G1"], ["B2", "Y9"], turn=0, actions=[(0, "play", "W4", "blue")])
    board = table.board()
    room.simulation.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062)
    await room.click(bob, board, "Accept +4", lost=True)
    assert "**Bob**: 6 cards" in table.board().text
    private_word(await room.click(bob, board, "Accept +4"), "This is how it stands now.")


# --- names

HOSTILE = (
    "@everyone",
    "**x** __y__ ~~z~~ ||s||",
    "`code` ```block```",
    "<@&1> <@2> <#3> </uno:4>",
    "\u202eevil\u202c \u05d0\u05d1\u05d2",
    "\u3164\u200b\u2800",
    "\uff37" * 32,
    "[link](https://example.com)",
    "# heading\n> quote\n-# small",
    "@here \\*",
)


async def test_hostile_names_never_ping_and_never_break_anything(room: Room) -> None:
    guild = room.channel.guild
    members = [
        guild.add_member(room.simulation.create_user(f"user{number}", global_name=name))
        for number, name in enumerate(HOSTILE)
    ]
    table = await seat(room, members, hands=2)
    (zoe,) = room.members("Zoe")
    seen: list[Screen] = []

    def look() -> None:
        for viewer in (None, *members, zoe):
            seen.extend(room.screens(viewer))

    look()
    hands = [["W4", "R5", "G1"], *([["B2", "Y9", "R1"]] * 9)]
    await table.arrange(*hands, turn=0, actions=[(0, "play", "W4", "blue")])
    await table.press(members[1], "Challenge (+6 if wrong)")
    look()
    await table.arrange(["WI", "G1"], *([["B2", "Y9"]] * 9), turn=0, draw=["G5", "G6"])
    shell = (await table.press(members[0], "Wild Item Box")).screen
    assert shell is not None
    assert len(shell.buttons) == 9 + 3
    look()
    await room.click(members[0], shell, re.compile(r"@here.*"))
    await table.arrange(["R5"], *([["B2", "Y9"]] * 9), turn=0)
    await table.press(members[0], "Red 5")
    look()
    await room.click(zoe, table.board(), "Details")
    await room.command(zoe, "uno leaderboard")
    for member in members[2:]:
        await leave(room, member)
    look()
    for screen in seen:
        assert screen.pinged == frozenset(), screen
        assert not screen.payload["mention_everyone"]
        text = re.sub(r"<:\w+:\d+>", "", screen.text)
        for raw in ("@everyone", "@here", "**x**", "||s||", "](", "\u202e", "\n# ", "\n> q"):
            assert raw not in text, (raw, screen)
        assert not re.search(r"(?<!\\)(?:<[@#/]|`)", text), screen
        assert all(button.label.strip() for button in screen.buttons)
    assert all(
        (call.json or {}).get("allowed_mentions", {}).get("parse", []) == []
        for call in room.simulation.http_requests
        if isinstance(call.json, dict)
    )


async def test_a_thread_is_named_after_a_hostile_host(room: Room) -> None:
    guild = room.channel.guild
    for number, name in enumerate(HOSTILE):
        member = guild.add_member(room.simulation.create_user(f"user{number}", global_name=name))
        answer = await room.command(member, "uno start", thread=True)
        assert answer.screen is not None
        assert answer.screen.pinged == frozenset()
    assert len(room.channel.threads) == len(HOSTILE)
    assert all(0 < len(thread.name) <= 100 for thread in room.channel.threads)


async def test_a_name_changed_in_the_middle_is_shown_from_the_next_move_on(room: Room) -> None:
    table = await seat(room, 2)
    ann, _ = table.members
    await table.arrange(["R5", "R6", "G1"], ["R2", "B2"], turn=0)
    room.simulation.backend.get_guild(room.channel.guild.id).members[ann.id].nick = "Annie"
    await table.press(ann, "Red 5")
    assert "Annie played: Red 5." in table.board().text
    assert "**Annie**: 2 cards" in table.board().text


async def test_people_of_the_same_name_can_be_told_apart(room: Room) -> None:
    guild = room.channel.guild
    twins = [
        guild.add_member(room.simulation.create_user(f"user{number}", global_name="Max"))
        for number in range(3)
    ]
    table = await seat(room, twins)
    for number in (1, 2, 3):
        assert f"**Max ({number})**" in table.board().text


# --- languages


class Marked(NullTranslations):
    """A language in which every sentence begins with its name."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language

    def gettext(self, message: str) -> str:
        return f"{self.language}⟩{message}"

    def pgettext(self, context: str, message: str) -> str:
        return f"{self.language}⟩{message}"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"{self.language}⟩{msgid1 if n == 1 else msgid2}"


@pytest.fixture
def languages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(words_of, "read_catalogue", lambda locale: Marked(str(locale)))
    words_of.text_for.cache_clear()
    yield
    words_of.text_for.cache_clear()


def languages_in(screen: Screen) -> set[str]:
    """Read which languages a message speaks, and see that every line and label is in one."""
    # The cards of a hand are pictures, which speak no language.
    texts = [re.sub(r"<:\w+:\d+>(?:×\d+)?|\u2003", "", text) for text in screen.texts]
    parts = [line for text in texts for line in text.splitlines() if line.strip()] + screen.labels
    assert all("⟩" in part for part in parts), [part for part in parts if "⟩" not in part]
    return set(re.findall(r"([a-z]{2}(?:-[A-Z]{2})?)⟩", screen.text + "\n".join(screen.labels)))


async def test_what_is_private_speaks_the_persons_language_and_what_is_public_the_servers(
    simulation: Simulation, languages: None
) -> None:
    guild = simulation.create_guild("Serveur", preferred_locale="fr")
    room = Room(simulation, guild.create_text_channel("uno"))
    ann, bob, zoe = room.members("Ann", "Bob", "Zoe")
    simulation.locales |= {ann.id: "de", bob.id: "pl", zoe.id: "en-GB"}
    lobby = await open_lobby(room, ann, hands=2)
    assert languages_in(lobby) == {"fr"}
    assert languages_in_text((await room.click(ann, lobby, "fr⟩Join")).text) == {"de"}
    await room.click(bob, lobby, "fr⟩Join")
    await room.click(ann, lobby, "fr⟩Start")
    table = Table(room, [ann, bob])
    assert languages_in(table.board()) == {"fr"}
    for member, language in ((ann, "de"), (bob, "pl")):
        assert languages_in(table.hand(member)) == {language}, "sent through a token"
    await table.arrange(["W4", "R8", "G1"], ["B2", "R5"], turn=0)
    await press(table, ann, "de", "Wild Draw Four")
    assert languages_in(table.hand(ann)) == {"de"}
    await press(table, ann, "de", "Blue")
    assert languages_in(table.hand(bob)) == {"pl"}, "refreshed by itself"
    shown = await press(table, bob, "pl", "Challenge (+6 if wrong)")
    assert shown.screen is not None
    assert languages_in(shown.screen) == {"pl"}
    assert languages_in(table.board()) == {"fr"}
    word = await room.click(zoe, table.board(), "fr⟩My hand")
    assert languages_in_text(word.text) == {"en-GB"}
    rules = await room.command(zoe, "uno rules")
    assert languages_in_text(rules.text) == {"en-GB", "fr"}
    assert "**fr⟩My hand** under the table" in rules.text, "as it is called there"
    for name in ("uno leaderboard", "uno hand"):
        answer = await room.command(zoe, name)
        assert languages_in_text(answer.text) == {"en-GB"}
    assert languages_in_text((await room.command(zoe, "uno table")).text) == {"en-GB"}
    await table.arrange(["R5"], ["B2", "R5"], turn=0)
    await press(table, ann, "de", "Red 5")
    assert languages_in(table.board()) == {"fr"}
    details = await room.click(zoe, table.board(), "fr⟩Details")
    assert languages_in_text(details.text) == {"en-GB"}
    await room.click(bob, table.board(), "fr⟩Next hand")
    assert languages_in(table.hand(ann)) == {"de"}


def languages_in_text(text: str) -> set[str]:
    return set(re.findall(r"([a-z]{2}(?:-[A-Z]{2})?)⟩", text))


async def press(table: Table, member: MemberActor, language: str, label: str) -> Answer:
    """Press a button by its English label."""
    return await table.press(member, f"{language}⟩{label}")


async def test_whoever_changes_their_language_is_answered_in_the_new_one(
    simulation: Simulation, languages: None
) -> None:
    room = Room(simulation, simulation.create_guild("Server").create_text_channel("uno"))
    ann, bob = room.members("Ann", "Bob")
    simulation.locales[ann.id] = "de"
    lobby = await open_lobby(room, ann)
    await room.click(bob, lobby, "en-US⟩Join")
    await room.click(ann, lobby, "en-US⟩Start")
    table = Table(room, [ann, bob])
    simulation.locales[ann.id] = "hu"
    await table.press(ann, "de⟩More")
    assert languages_in_text(table.hand(ann).text) == {"hu"}
