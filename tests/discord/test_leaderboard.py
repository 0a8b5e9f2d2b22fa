"""The leaderboard as people turn its pages (docs/rules.md, Leaderboards)."""

from dataclasses import replace

import pytest
from simcord import MemberActor

from bot.store import Save
from tests.discord.clicking import Room, Screen
from tests.discord.playing import bot_of
from tests.store import making


async def played(room: Room, member: MemberActor, people: int = 24) -> None:
    """Let so many people have played, each with more points than the one before; the first is `member`."""
    users = [member.id, *range(1, people)]
    bot = bot_of(room)
    for number, user in enumerate(users, 1):
        others = [users[(number + step) % people] for step in range(2)]
        hand = making.finished_hand((user, number, True), *((other, 0, False) for other in others))
        names = [(each, f"Player {users.index(each) + 1}") for each in (user, *others)]
        table = making.table(1000 + number, guild=room.channel.guild.id)
        table = replace(table, updated_at=bot.now())
        assert await bot.store.submit(Save(table=table, seats=making.seats(table.id, names), hands=(hand,)))


@pytest.fixture
async def ann(room: Room) -> MemberActor:
    (ann,) = room.members("Ann")
    await played(room, ann)
    return ann


def ranks(screen: Screen) -> list[str]:
    return [line.split("**")[1] for line in screen.text.splitlines() if line.startswith(("**", "▸ **"))]


async def test_pages_are_turned_on_one_private_message(room: Room, ann: MemberActor) -> None:
    answer = await room.command(ann, "uno leaderboard")
    assert answer.private
    first = room.hand(ann)
    assert ranks(first) == [*map(str, range(1, 11)), "24"]
    assert "**1** · Player 24: 24 points" in first.text
    assert "▸ **24** · **Player 1**: 1 point" in first.text
    answer = await room.click(ann, first, "Next")
    assert answer.kind == "update"
    assert ranks(room.hand(ann)) == [*map(str, range(11, 21)), "24"]
    await room.click(ann, room.hand(ann), "Next")
    assert ranks(room.hand(ann)) == ["21", "22", "23", "24"]
    await room.click(ann, room.hand(ann), "Back")
    await room.click(ann, room.hand(ann), "Back")
    assert room.hand(ann).text == first.text
    await room.click(ann, room.hand(ann), "My rank")
    assert ranks(room.hand(ann)) == ["21", "22", "23", "24"]


async def test_menus_change_the_board_and_the_period(room: Room, ann: MemberActor) -> None:
    await room.command(ann, "uno leaderboard", by="rate", period="week")
    assert "Win rate · This week" in room.hand(ann).text
    await room.choose(ann, room.hand(ann), ["hands"], menu="ll:0:0:board:by.week:")
    assert "Hands won · This week" in room.hand(ann).text
    await room.choose(ann, room.hand(ann), ["season"], menu="ll:0:0:board:period.hands:")
    assert "Hands won · This season" in room.hand(ann).text
    assert len(ranks(room.hand(ann))) == 11
    await room.choose(ann, room.hand(ann), ["month"], menu="ll:0:0:board:period.hands:")
    await room.choose(ann, room.hand(ann), ["skill"], menu="ll:0:0:board:by.month:")
    assert "Skill · All time" in room.hand(ann).text, "there is none of a month"


async def test_who_has_no_rank_sees_the_first_page(room: Room, ann: MemberActor) -> None:
    (zoe,) = room.members("Zoe")
    await room.command(zoe, "uno leaderboard")
    assert "▸" not in room.hand(zoe).text
    assert not room.hand(zoe).has("My rank"), "it cannot be pressed"
    await room.command(zoe, "uno leaderboard", by="average")
    answer = await room.forge(zoe, room.hand(zoe), {"custom_id": "ll:0:0:board:points.all.own:"})
    assert "**1** · Player 24" in answer.text, "who has no rank sees the first page"
