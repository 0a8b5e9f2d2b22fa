"""What people decide about what is kept of them, and managers about what their server has."""

import csv
import io
import json
from dataclasses import replace

from simcord import MemberActor

from bot.store import Save
from tests.discord.clicking import Click, Room
from tests.discord.playing import bot_of, seat
from tests.discord.test_leaderboard import played
from tests.discord.test_settings import manager_of
from tests.store import making


def file_of(room: Room, member: MemberActor) -> bytes:
    """Return the file that this member alone was sent last."""
    (attachment,) = room.private(member)[-1].payload["attachments"]
    found = room.simulation.backend.cdn.get(attachment["url"])
    assert found is not None
    return found


async def test_somebody_is_forgotten_everywhere_by_three_presses(room: Room) -> None:
    (ann,) = room.members("Ann")
    await played(room, ann)
    bot = bot_of(room)
    for number in range(1001, 1025):
        over = replace(making.table(number, 2, guild=room.channel.guild.id), updated_at=bot.now())
        await bot.store.submit(Save(table=over, closes=True))
    await room.command(ann, "uno cards", shown="words")
    await room.command(ann, "uno language", language="en")
    assert (await room.command(ann, "uno forget-me")).private
    asked = room.hand(ann)
    for words in ("Deleted", "Kept", "Out of my reach", "/uno my-data"):
        assert words in asked.text
    await room.click(ann, asked, "Forget me everywhere")
    await room.click(ann, room.hand(ann), "Back")
    await room.click(ann, room.hand(ann), "Forget me everywhere")
    answer = await room.click(ann, room.hand(ann), "Yes, forget me")
    assert answer.kind == "update"
    assert "You are forgotten on all servers" in room.private(ann)[-1].text
    kept = await bot.store.kept_of(ann.id)
    assert [name for name, rows in kept.items() if rows] == ["forgotten"]
    assert bot.services.renderer.in_words == set()
    assert len((await bot.store.board(room.channel.guild.id, limit=50)).lines) == 23


async def test_who_sits_at_a_table_is_told_to_leave_first(room: Room) -> None:
    table = await seat(room, 2)
    ann, _bob = table.members
    await room.command(ann, "uno forget-me")
    await room.click(ann, room.hand(ann), "Forget me here")
    answer = await room.click(ann, room.hand(ann), "Yes, forget me")
    assert f"Nothing was forgotten: you have a seat in <#{room.channel.id}>" in answer.text
    assert (await bot_of(room).store.seats(table.live.id))[0].user_id == ann.id


async def test_who_is_hidden_is_on_no_board(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    await played(room, ann)
    answer = await room.command(ann, "uno hide", hidden=True)
    assert answer.private
    assert "You are hidden" in answer.text
    await room.command(ann, "uno leaderboard")
    assert "Player 1:" not in room.hand(ann).text
    assert "▸" not in room.hand(ann).text
    assert "chosen not to be shown" in (await room.command(bob, "uno stats", member=ann)).text
    assert "chosen not to be shown" not in (await room.command(ann, "uno stats")).text
    assert "again" in (await room.command(ann, "uno hide", hidden=False)).text
    await room.command(ann, "uno leaderboard")
    assert "▸ **24**" in room.hand(ann).text


async def test_what_is_kept_of_somebody_comes_as_a_file(room: Room) -> None:
    (ann,) = room.members("Ann")
    await played(room, ann)
    assert (await room.command(ann, "uno my-data")).private
    told = json.loads(file_of(room, ann))
    assert told["user_id"] == ann.id
    assert len(told["hand_scores"]) == 3
    assert told["names"][0]["name"] == "Player 1"


async def test_managers_export_results_and_close_a_season(room: Room) -> None:
    manager = manager_of(room)
    mia, (bob,) = manager.member, room.members("Bob")
    await played(room, bob)
    await manager.open()
    await room.click(mia, manager.panel, "Export results")
    rows = list(csv.reader(io.StringIO(file_of(room, mia).decode("utf-8-sig"))))
    assert rows[0][:3] == ["period", "user_id", "name"]
    assert {row[0] for row in rows[1:]} >= {"all", "s1"}
    assert len([row for row in rows if row[0] == "all"]) == 24
    for typed, said in (
        ("yes", "The season goes on"),
        ("Close season ", "Season 1 is closed"),
        ("close season", "No season is on"),
    ):
        window = room._press(Click(mia, manager.panel, "Close the season", None))
        await room.simulation.settle()
        await mia.submit_modal(window, {"typed": typed})
        assert said in room.private(mia)[-1].text
    closed = await bot_of(room).store.champions(room.channel.guild.id)
    assert closed is not None
    assert closed[0] == 1
    await room.command(mia, "uno leaderboard", period="season")
    assert "Champions of season 1" in room.hand(mia).text
    assert "Points: Player 24" in room.hand(mia).text


async def test_a_window_closes_nothing_for_who_manages_nothing(room: Room) -> None:
    manager = manager_of(room)
    await played(room, manager.member)
    await manager.open()
    window = room._press(Click(manager.member, manager.panel, "Close the season", None))
    await room.simulation.settle()
    guild, backend = room.channel.guild, room.simulation.backend
    for role in list(backend.guilds[guild.id].members[manager.member.id].role_ids):
        backend.remove_member_role(guild.id, manager.member.id, role)
    await manager.member.submit_modal(window, {"typed": "close season"})
    assert "Only somebody with Manage Server" in room.private(manager.member)[-1].text
    assert await bot_of(room).store.champions(guild.id) is None
