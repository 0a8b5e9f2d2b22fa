"""A Wild Item Box is a moment: it lies on the table before anybody there sees what it turns over."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot import create_bot
from bot.settings import Settings
from tests.discord.clicking import Room
from tests.discord.playing import Table, bot_of, calls_by_kind, seat
from tests.discord.slow_way import TABLE_EDIT, trouble
from tests.discord.test_computers import against

HANDS = (["WI", "R6", "R9"], ["B1", "B2", "B9"], ["G1", "G2", "G9"])


async def boxed(room: Room, *, draw: tuple[str, ...] = ("Y5", "Y1", "Y2", "G3")) -> Table:
    """Let Ann hold a Wild Item Box, with the pauses there are outside the tests."""
    table = await seat(room, 3)
    await table.arrange(*HANDS, draw=draw)
    screens = bot_of(room).messages
    pauses = {"item_box_pause": 1.2, "table_edit_delay": 1.0}
    screens._settings = screens._settings.model_copy(update=pauses)
    await room.simulation.advance_time(2)
    return table


async def test_a_box_is_seen_on_the_table_before_what_it_turns_over(room: Room) -> None:
    table = await boxed(room)
    ann, _, cleo = table.members
    since = len(room.simulation.http_requests)
    answer = await table.press(ann, "Wild Item Box")
    board = table.board()
    assert board.text.startswith("### Ann opens an Item Box…\nTop card: Wild Item Box")
    assert "Yellow" not in board.text
    assert "Banana" not in board.text
    assert "**Ann**: 2 cards" in board.text
    assert "**Cleo**: 3 cards" in board.text, "not hit yet"
    # Answers and hands do not wait for it.
    assert "You turned over Yellow 5: Banana Peel! Cleo drew 2 cards." in answer.text
    assert "You slipped on a Banana Peel and drew: Yellow 2 · Yellow 1." in table.hand(cleo).text
    await room.simulation.advance_time(1.1)
    assert table.board().text == board.text
    await room.simulation.advance_time(0.2)
    text = table.board().text
    assert text.startswith("### Bob is to play.\nTop card: Yellow 5 ·")
    assert "**Banana Peel**: Cleo slips and draws 2 cards." in text
    assert "**Cleo**: 5 cards" in text
    assert calls_by_kind(room, since)["table edit"] == 2


async def test_what_is_pressed_meanwhile_counts_and_the_last_state_stays(room: Room) -> None:
    table = await boxed(room)
    ann, bob, cleo = table.members
    await table.press(ann, "Wild Item Box")
    opening = table.board()
    assert opening.text.startswith("### Ann opens an Item Box…")
    shown = await room.click(bob, opening, "My hand")
    assert shown.screen is not None
    assert shown.screen.has("Draw")
    await room.click(bob, shown.screen, "Draw")
    assert (await room.click(cleo, opening, "Catch!")).text.startswith("There was nobody to catch.")
    assert table.match.turn == 2
    assert table.board().text == opening.text
    await room.simulation.advance_time(1.3)
    assert table.board().text.startswith("### Cleo is to play.")
    assert "Banana Peel" in table.board().text, "the story still tells it"


async def test_a_box_is_not_shown_again_where_somebody_was_faster(room: Room) -> None:
    table = await boxed(room)
    ann, bob, _ = table.members
    await table.arrange(["B1", "R6"], ["WI", "R1", "R2"], ["G1", "G2"], top="B7", draw=("R5", "Y1", "Y2"))
    await room.simulation.advance_time(2)
    await table.press(ann, "Blue 1")  # drawn at once; what follows has to wait a second
    await table.press(bob, "Wild Item Box")
    await table.press(bob, "Red 1")
    await room.simulation.advance_time(1.1)
    assert table.board().text.startswith("### Cleo is to play.\nTop card: Red 1 ·"), "two moves to show"


async def test_without_a_pause_there_is_no_moment(room: Room) -> None:
    table = await seat(room, 3)
    await table.arrange(*HANDS, draw=("R5", "Y1", "Y2"))
    since = len(room.simulation.http_requests)
    await table.press(table.members[0], "Wild Item Box")
    assert "**Mushroom**: Ann plays again." in table.board().text
    assert calls_by_kind(room, since)["table edit"] == 1


@pytest.mark.parametrize("killed", [True, False])
async def test_a_stop_in_that_moment_leaves_the_table_true(room: Room, restart, killed: bool) -> None:
    table = await boxed(room)
    await table.press(table.members[0], "Wild Item Box")
    assert table.board().text.startswith("### Ann opens an Item Box…")
    if not killed:
        room.simulation.elapse(5)
    await restart(killed=killed)
    await room.simulation.settle()
    assert table.board().text.startswith("### Bob is to play.\nTop card: Yellow 5 ·")


async def test_nothing_of_the_moment_knows_the_card(room: Room) -> None:
    seen = set()
    for draw in (("Y5", "Y1", "Y2", "G3"), ("R8", "B1", "G2", "G3")):
        table = await boxed(Room(room.simulation, room.channel.guild.create_text_channel(draw[0])), draw=draw)
        await table.press(table.members[0], "Wild Item Box")
        seen.add(table.board().text)
        await room.simulation.advance_time(2)
    assert len(seen) == 1


# --- computers let everybody see it


async def boxed_among_computers(room: Room) -> Table:
    """Let Ann hold a Wild Item Box among two quick computers, with the pauses there are outside the tests."""
    (ann,) = room.members("Ann")
    table = await against(room, ann, turn_time="off")
    pause_items(room)
    await table.arrange(*HANDS, draw=("Y5", "Y1", "Y2", "G3", "G4", "G5"))
    await room.simulation.advance_time(2)
    return table


def pause_items(room: Room) -> None:
    tables, screens = bot_of(room).tables, bot_of(room).messages
    shown, unseen = timedelta(seconds=2), timedelta(seconds=5)
    tables.pace = replace(tables.pace, item_shown=shown, item_unseen=unseen)
    pauses = {"item_box_pause": 1.2, "table_edit_delay": 1.0}
    screens._settings = screens._settings.model_copy(update=pauses)


async def test_no_computer_moves_before_an_item_was_on_screen_for_two_seconds(room: Room) -> None:
    table = await boxed_among_computers(room)
    await table.press(table.members[0], "Wild Item Box")
    await room.simulation.advance_time(1.2)
    revealed = table.board().text
    assert "**Banana Peel**: " in revealed
    await room.simulation.advance_time(1.9)
    assert table.match.turn == 1
    assert table.board().text == revealed
    await room.simulation.advance_time(0.2)
    assert table.match.turn != 1


async def test_where_an_item_cannot_be_shown_computers_wait_five_seconds(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await boxed_among_computers(room)
    with trouble(monkeypatch, TABLE_EDIT):
        await table.press(table.members[0], "Wild Item Box")
        await room.simulation.advance_time(4.8)
        assert table.match.turn == 1
        await room.simulation.advance_time(0.4)
        assert table.match.turn != 1
    await room.simulation.advance_time(60)


async def test_a_stop_while_an_item_is_on_screen_leaves_it_there(room: Room, settings: Settings) -> None:
    table = await boxed_among_computers(room)
    await table.press(table.members[0], "Wild Item Box")
    pauses = {"item_shown_pause": 2.0, "item_unseen_pause": 5.0}
    await room.simulation.restart(create_bot(settings.model_copy(update=pauses)), killed=True)
    await room.simulation.settle()
    revealed = table.board().text
    assert "**Banana Peel**: " in revealed
    await room.simulation.advance_time(1.9)
    assert table.board().text == revealed
    await room.simulation.advance_time(0.2)
    assert table.match.turn != 1
