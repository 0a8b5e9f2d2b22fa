"""Rematch: the same people at the same terms again, by one press each."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from bot import create_bot
from bot.settings import Settings
from engine.rules import Length, RuleSet
from tests.discord.clicking import Click, Room, Screen, UnreachableError
from tests.discord.playing import NAMES, Table, bot_of, is_hand, open_lobby, seat
from tests.discord.simulation import Simulation
from tests.discord.test_lobby import forbid, host_in, names_in, refused

Restart = Callable[..., Awaitable[None]]
RULES = RuleSet(stack=True)


async def finish(table: Table) -> Screen:
    """Let the first player win the match with one card; give its summary."""
    others = [["G1", "G2"]] * (len(table.members) - 1)
    await table.arrange(["R5"], *others, length=Length(hands=1))
    await table.press(table.members[0], "Red 5")
    summary = table.room.table()
    assert summary.labels == ["Details", "Rematch", "Share"]
    return summary


async def over(room: Room, players: int = 3) -> tuple[Table, Screen]:
    table = await seat(room, players, rules=RULES, turn_time="2 min")
    return table, await finish(table)


def absent_in(lobby: Screen) -> str | None:
    (line,) = [line for line in lobby.text.split("\n") if line.startswith("Not there yet: ")] or [None]
    return line and line.removeprefix("Not there yet: ")


async def test_one_press_each_and_the_same_people_play_again(room: Room) -> None:
    table, summary = await over(room)
    ann, bob, cleo = table.members
    opened = await room.click(bob, summary, "Rematch")
    lobby = opened.screen
    assert lobby is not None
    assert not lobby.private
    assert (names_in(lobby), host_in(lobby)) == (["Bob"], "Bob")
    assert absent_in(lobby) == "Ann and Cleo"
    assert "House rules: Stacking" in lobby.text
    assert "Time for a turn: 2 minutes" in lobby.text
    assert "Two are needed to start: people who join, or computer players (Add CPU)." in lobby.text
    # By Join on the new lobby, or by Rematch on the old summary: into the old seat.
    assert (await room.click(cleo, lobby, "Join")).kind == "update"
    assert names_in(room.look(lobby)) == ["Bob", "Cleo"]
    assert "The host can start now, without those who are not there yet." in room.look(lobby).text
    came = await room.click(ann, summary, "Rematch")
    assert came.private
    assert came.text == "You are in. Ann starts the match, and your hand then comes here."
    lobby = room.look(lobby)
    # The host of the match before is host again.
    assert (names_in(lobby), host_in(lobby), absent_in(lobby)) == (["Ann", "Bob", "Cleo"], "Ann", None)
    refused(await room.click(bob, lobby, "Start"), "Only the host")
    await room.click(ann, lobby, "Start")
    again = Table(room, [ann, bob, cleo])
    assert (again.match.rules, again.state.options.turn_time) == (RULES, 120)
    for member in again.members:
        assert is_hand(again.hand(member)), "dealt by the token of Rematch, Join and Start"
        assert len(again.view(member).hand) == 7


async def test_who_is_not_ready_at_start_is_left_out(room: Room) -> None:
    table, summary = await over(room, 4)
    ann, bob, cleo, dai = table.members
    await room.click(dai, summary, "Rematch")
    refused(await room.click(dai, room.table(), "Start"), "Two players are needed.")
    await room.click(bob, summary, "Rematch")
    lobby = room.table()
    assert absent_in(lobby) == "Ann and Cleo"
    await room.click(dai, lobby, "Start")
    again = Table(room, [bob, dai])
    assert again.state.seating.names == ("Bob", "Dai")
    assert len(again.match.scores) == 2
    refused(await room.click(ann, summary, "Rematch"), "This match has begun already.")
    assert cleo.id not in [person.user_id for person in again.state.seating.people]


async def test_many_at_once_open_one_lobby(room: Room) -> None:
    table, summary = await over(room, 5)
    answers = await room.together(*[Click(member, summary, "Rematch") for member in table.members])
    public = [answer for answer in answers if answer.kind == "message" and not answer.private]
    assert len(public) == 1
    lobby = room.table()
    assert names_in(lobby) == list(NAMES[:5])
    assert len(list(bot_of(room).tables.live())) == 1
    refused(await room.click(table.members[3], summary, "Rematch"), "You're already at this table")


async def test_leaving_makes_one_absent_again_and_the_host_passes_on(room: Room) -> None:
    table, summary = await over(room)
    ann, bob, _ = table.members
    await room.click(ann, summary, "Rematch")
    await room.click(bob, summary, "Rematch")
    lobby = room.table()
    await room.click(ann, lobby, "Leave")
    assert (names_in(room.look(lobby)), host_in(room.look(lobby))) == (["Bob"], "Bob")
    assert absent_in(room.look(lobby)) == "Ann and Cleo"
    await room.click(ann, summary, "Rematch")
    assert (names_in(room.look(lobby)), host_in(room.look(lobby))) == (["Ann", "Bob"], "Ann")


async def test_strangers_join_behind_the_last_and_ask_for_no_rematch(room: Room) -> None:
    table, summary = await over(room)
    ann, bob, _ = table.members
    (eve,) = room.members("Eve")
    refused(await room.click(eve, summary, "Rematch"), "Only those who sat at that table")
    await room.click(ann, summary, "Rematch")
    lobby = room.table()
    await room.click(eve, lobby, "Join")
    await room.click(bob, summary, "Rematch")
    assert names_in(room.look(lobby)) == ["Ann", "Bob", "Eve"]
    assert absent_in(room.look(lobby)) == "Cleo"


async def test_who_was_removed_asks_for_no_rematch_and_joins_by_invitation_alone(room: Room) -> None:
    table = await seat(room, 3)
    ann, bob, cleo = table.members
    await room.command(ann, "uno kick", player=cleo)
    table.members.pop()
    await table.arrange(["R5"], ["G1", "G2"], ["G1"], length=Length(hands=1), draw=["G3"] * 9)
    await table.press(ann, "Red 5")
    summary = next(screen for screen in room.screens() if screen.has("Rematch"))
    refused(await room.click(cleo, summary, "Rematch"), "You were removed from that match")
    await room.click(bob, summary, "Rematch")
    lobby = room.table()
    assert absent_in(lobby) == "Ann"
    for screen, label in ((summary, "Rematch"), (lobby, "Join")):
        refused(await room.click(cleo, screen, label), "You were removed from that match")


async def test_another_table_in_the_channel_is_in_the_way(room: Room) -> None:
    table, summary = await over(room)
    (eve,) = room.members("Eve")
    await open_lobby(room, eve)
    before = room.table()
    refused(await room.click(table.members[0], summary, "Rematch"), "A lobby is open in this channel already")
    assert room.table().text == before.text
    assert table.members[0].id not in [person.user_id for person in table.state.seating.people]


async def test_a_rematch_outlives_restarts_and_days(room: Room, restart: Restart) -> None:
    table, summary = await over(room)
    ann, bob, cleo = table.members
    await room.simulation.advance_time(3 * 86400)
    await restart(killed=True)
    await room.click(cleo, summary, "Rematch")
    lobby = room.table()
    await restart(killed=True)
    await room.click(ann, room.look(summary), "Rematch")
    lobby = room.look(lobby)
    assert (names_in(lobby), host_in(lobby), absent_in(lobby)) == (["Ann", "Cleo"], "Ann", "Bob")
    await room.click(ann, lobby, "Start")
    again = Table(room, [ann, cleo])
    assert all(len(again.view(member).hand) == 7 for member in again.members)
    # And the rematch has a rematch of its own, of those who played it.
    await finish(again)
    await room.click(ann, room.table(), "Rematch")
    assert absent_in(room.table()) == "Cleo"
    refused(await room.click(bob, summary, "Rematch"), "A lobby is open in this channel already")


async def test_a_rematch_is_for_its_own_channel_and_server(simulation: Simulation, room: Room) -> None:
    table, summary = await over(room)
    ann = table.members[0]
    elsewhere = Room(simulation, room.channel.guild.create_text_channel("elsewhere"))
    other = Room(simulation, simulation.create_guild("Other").create_text_channel("uno"))
    guest = other.channel.guild.add_member(ann.user)
    for place, member in ((elsewhere, ann), (other, guest)):
        lobby = await open_lobby(place, member)
        await place.click(member, lobby, "Cancel")
        answer = await place.forge(member, lobby, {"custom_id": summary.button("Rematch").custom_id})
        refused(answer, "Nothing is kept about that match.")
    live = await open_lobby(room, ann)
    (number,) = [found.id for found in bot_of(room).tables.live()]
    forged = await room.forge(ann, live, {"custom_id": f"ll:{number}:0:again::"})
    refused(forged, "Nothing is kept about that match.")
    assert len(list(bot_of(room).tables.live())) == 1


async def test_a_rematch_needs_what_a_start_needs(room: Room) -> None:
    table, summary = await over(room)
    forbid(room.channel.guild, room.channel.id, "send_messages")
    refused(await room.click(table.members[0], summary, "Rematch"), "Send Messages")
    assert list(bot_of(room).tables.live()) == []


async def test_a_seat_is_kept_for_nobody(room: Room) -> None:
    """With as many strangers as seats, whoever comes late is told so."""
    table, summary = await over(room)
    ann, bob, _ = table.members
    await room.click(ann, summary, "Rematch")
    live = bot_of(room).tables.in_channel(room.channel.id)
    assert live is not None
    live.state = replace(live.state, options=replace(live.state.options, seats=2))
    (eve,) = room.members("Eve")
    await room.click(eve, room.table(), "Join")
    refused(await room.click(bob, summary, "Rematch"), "All seats are taken")


async def test_a_hand_that_is_over_has_no_rematch(room: Room) -> None:
    table = await seat(room, 2, hands=2)
    await table.arrange(["R5"], ["G1", "G2"])
    await table.press(table.members[0], "Red 5")
    with pytest.raises(UnreachableError):
        room.table().button("Rematch")


# --- the call to it


def called(room: Room) -> list[Screen]:
    return [screen for screen in room.screens() if "wants a rematch!" in screen.text]


async def test_a_rematch_calls_the_people_of_the_match_once(room: Room) -> None:
    table, summary = await over(room, 4)
    ann, bob, cleo, dai = table.members
    await room.command(dai, "uno notify", when="never")
    await room.click(bob, summary, "Rematch")
    (call,) = called(room)
    assert call.text == f"<@{ann.id}> <@{cleo.id}>: Bob wants a rematch! Press **Join** in the lobby."
    assert sorted(call.pinged) == sorted([ann.id, cleo.id])
    await room.click(ann, summary, "Rematch")
    await room.click(ann, room.table(), "Leave")
    await room.click(cleo, summary, "Rematch")
    assert len(called(room)) == 1


async def test_a_rematch_is_opened_from_a_hand_too(room: Room) -> None:
    table, _ = await over(room)
    bob = table.members[1]
    (ended,) = [screen for screen in room.private(bob) if screen.has("Rematch")]
    assert "Ann wins the match!" in ended.text
    assert "Your place: 2 of 3" in ended.text
    opened = await room.click(bob, ended, "Rematch")
    assert opened.screen is not None
    assert not opened.private
    assert names_in(opened.screen) == ["Bob"]


# --- Share


def pictures(room: Room) -> list[dict[str, Any]]:
    return [picture for screen in room.screens() for picture in screen.payload["attachments"]]


async def test_share_posts_a_picture_of_the_standings_that_says_in_words_what_it_shows(
    room: Room, restart: Restart
) -> None:
    _, summary = await over(room)
    await restart(killed=True)
    (zoe,) = room.members("Zoe")
    answer = await room.click(zoe, room.look(summary), "Share")
    assert not answer.private
    (picture,) = pictures(room)
    assert picture["filename"] == "standings.png"
    assert picture["description"].splitlines() == [
        "Ann wins the match!",
        "1 · Ann · 6 points",
        "2 · Bob · 3 points in hand",
        "2 · Cleo · 3 points in hand",
        "Match: 1 hand",
    ]


async def test_share_does_not_flood_a_channel(room: Room, settings: Settings) -> None:
    table, summary = await over(room)
    await room.simulation.restart(create_bot(settings.model_copy(update={"share_pause": 30.0})))
    await room.click(table.members[0], summary, "Share")
    for member in table.members:
        refused(await room.click(member, summary, "Share"), "A picture was shared here a moment ago.")
    assert len(pictures(room)) == 1
    await room.simulation.advance_time(30)
    await room.click(table.members[1], summary, "Share")
    assert len(pictures(room)) == 2


async def test_share_knows_the_matches_of_its_own_channel_alone(simulation: Simulation, room: Room) -> None:
    table, summary = await over(room)
    ann = table.members[0]
    elsewhere = Room(simulation, room.channel.guild.create_text_channel("elsewhere"))
    lobby = await open_lobby(elsewhere, ann)
    answer = await elsewhere.forge(ann, lobby, {"custom_id": summary.button("Share").custom_id})
    refused(answer, "Nothing is kept about that match.")
