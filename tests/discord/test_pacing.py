"""Many tables at once: how soon each is on screen, where only limits hold it back. Time stands still here."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from bot.messages.rate_limit import RateLimit
from tests.discord.clicking import Click, Room
from tests.discord.playing import Table, bot_of, seat

#: Seconds between two requests for tables, far more than outside the tests.
PAUSE = 0.5


async def busy(room: Room, number: int) -> list[Table]:
    """Seat two at each of so many tables, where the first can play and win; their requests are paced then."""
    tables = []
    for nth in range(number):
        channel = room.channel.guild.create_text_channel(f"uno-{nth}")
        table = await seat(Room(room.simulation, channel), 2, turn_time="off")
        await table.arrange(["R5", "R6", "G1"], ["R1", "R2", "R3"])
        tables.append(table)
    screens = bot_of(room).messages
    screens._rate_limit = RateLimit(PAUSE, bot_of(room).now)
    return tables


def shown(table: Table) -> bool:
    return table.board().text.startswith("### Bob is to play.")


async def play_at(tables: Sequence[Table]) -> None:
    for table in tables:
        await table.press(table.members[0], "Red 5")


async def test_whoever_waits_longest_is_drawn_first_and_each_in_its_time(room: Room) -> None:
    tables = await busy(room, 5)
    await play_at(tables)
    for drawn in range(1, len(tables) + 1):
        assert [shown(table) for table in tables] == [nth < drawn for nth in range(len(tables))]
        await room.simulation.advance_time(PAUSE)


@pytest.mark.parametrize("hands", [1, 2])
async def test_the_end_of_a_match_or_a_hand_comes_before_all_that_goes_on(room: Room, hands: int) -> None:
    tables = await busy(room, 5)
    channel = room.channel.guild.create_text_channel("last")
    last = await seat(Room(room.simulation, channel), 2, hands=hands, turn_time="off")
    await last.arrange(["R5"], ["G1", "G2"])
    await room.simulation.advance_time(10 * PAUSE)
    await play_at(tables)
    await last.press(last.members[0], "Red 5")
    assert "wins the" not in last.board().text
    await room.simulation.advance_time(PAUSE)
    assert "wins the" in last.board().text
    assert [shown(table) for table in tables].count(True) == 1


async def test_what_happens_while_a_table_waits_is_drawn_with_it(room: Room) -> None:
    tables = await busy(room, 3)
    await play_at(tables)
    await tables[2].press(tables[2].members[1], "Red 1")
    since = len(room.simulation.http_requests)
    await room.simulation.advance_time(3 * PAUSE)
    assert tables[2].board().text.startswith("### Ann is to play.")
    edits = room.simulation.calls("PATCH", f"/channels/{tables[2].room.channel.id}/messages/")
    assert len([call for call in edits if call in room.simulation.http_requests[since:]]) == 1


async def test_a_jump_of_the_clock_stops_no_rendering(room: Room) -> None:
    table = await seat(room, 2, turn_time="off")
    await table.arrange(*[["R5", "R6", "G1", "G2"]] * 2)
    screens, hours = bot_of(room).messages, timedelta()
    now = screens._now
    screens._now = lambda: now() + hours
    screens._settings = screens._settings.model_copy(update={"table_edit_delay": 1.0})
    screens._rate_limit = RateLimit(PAUSE, screens._now)
    ann, bob = table.members
    for member, jump in ((ann, -24), (bob, 24), (ann, -24)):
        hours += timedelta(hours=jump)
        hand = (await table.press_board(member, "My hand")).screen
        assert hand is not None
        red = next(label for label in hand.labels if label.startswith("Red"))
        await room.click(member, hand, red)
        await room.simulation.advance_time(2)
        name = "Bob" if member is ann else "Ann"
        assert table.board().text.startswith(f"### {name} is to play.")


async def test_many_presses_one_after_the_other_do_not_keep_a_table_from_being_drawn(room: Room) -> None:
    table = await seat(room, 3)
    await table.arrange(["R5", "R6", "G1"], ["R1", "R2", "R3"], ["Y1", "Y2"])
    board, table_edits = table.board(), len(room.simulation.calls("PATCH", "/channels/"))
    ann = table.members[0]
    screens = bot_of(room).messages
    with screens.answering(table.live):
        await room.together(Click(ann, table.hand(ann), "Red 5"))
        assert len(room.simulation.calls("PATCH", "/channels/")) == table_edits, "answered first"
        with screens.answering(table.live):
            pass
    with screens.answering(table.live):  # another press is being answered all the while
        await room.simulation.settle()
        assert room.look(board).text.startswith("### Bob is to play.")
