"""The lobby: where it can be opened, who may do what in it, and that it never gets stuck."""

import re

import discord
import pytest
from simcord import ChannelHandle, GuildHandle
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from tests.discord.clicking import Answer, Click, Room, Screen
from tests.discord.playing import NAMES, Table, bot_of, end, open_lobby, seat
from tests.discord.simulation import Simulation

LOBBY = ["Join", "Start", "Leave", "Add CPU", "Rules", "How to play", "Cancel"]


def names_in(lobby: Screen) -> list[str]:
    """Read who plays, in order."""
    return re.findall(r"^• (?:\*\*)?([^*\n]+?)(?:\*\*)?(?: \(host\))?$", lobby.text, re.MULTILINE)


def host_in(lobby: Screen) -> str:
    (host,) = re.findall(r"• \*\*(.+)\*\* \(host\)", lobby.text)
    return host


def refused(answer: Answer, words: str) -> None:
    """Check that somebody was told something in private, in one sentence or two, and nothing else."""
    assert answer.private, answer
    assert words in answer.text, answer
    assert len(answer.text) < 200
    assert answer.screen is not None
    assert answer.screen.buttons == []


# --- where


def text_room(guild: GuildHandle) -> ChannelHandle:
    return guild.create_text_channel("text")


def voice_room(guild: GuildHandle) -> ChannelHandle:
    return guild.create_voice_channel("voice")


def announcement_room(guild: GuildHandle) -> ChannelHandle:
    return guild.create_news_channel("news")


def thread_room(guild: GuildHandle) -> ChannelHandle:
    channel = guild.create_text_channel("text")
    guild._env.backend.create_thread(channel.id, "thread", guild.owner.id)
    return channel.threads[0]


def forum_room(guild: GuildHandle) -> ChannelHandle:
    forum = guild.create_forum_channel("forum")
    post = guild._env.backend.create_thread(forum.id, "post", guild.owner.id, broadcast=False)
    guild._env.backend.announce_thread_create(post)
    return forum.threads[0]


PLACES = {
    "text": text_room,
    "voice": voice_room,
    "announcement": announcement_room,
    "thread": thread_room,
    "forum post": forum_room,
}


@pytest.mark.parametrize("place", PLACES)
async def test_a_match_starts_in_every_kind_of_channel(simulation: Simulation, place: str) -> None:
    room = Room(simulation, PLACES[place](simulation.create_guild("Server")))
    table = await seat(room, 2, hands=3)
    assert table.board().labels == ["My hand", "UNO!", "Catch!"]
    for member in table.members:
        assert table.cards(member)
        assert len(room.private(member)) == 1
        assert table.hand(member).has("More")


async def test_a_lobby_says_who_plays_what_and_by_which_rules(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann, hands=3)
    assert not lobby.private
    assert lobby.labels == LOBBY
    assert names_in(lobby) == ["Ann"]
    assert host_in(lobby) == "Ann"
    assert "1 player of 10" in lobby.text
    assert "Match: 3 hands" in lobby.text
    assert "House rules: none" in lobby.text
    assert "Two are needed to start: people who join, or computer players (Add CPU)." in lobby.text
    assert (await room.click(bob, lobby, "Join")).kind == "update"
    lobby = room.look(lobby)
    assert names_in(lobby) == ["Ann", "Bob"]
    assert "The host can start now." in lobby.text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "Match: 1 hand"),
        ({"hands": 20}, "Match: 20 hands"),
        ({"target": 100}, "Match: the first to 100 points"),
        ({"target": 1000}, "Match: the first to 1,000 points"),
    ],
)
async def test_the_length_is_what_was_asked_for(room: Room, options: dict[str, int], words: str) -> None:
    (ann,) = room.members("Ann")
    assert words in (await open_lobby(room, ann, **options)).text


async def test_hands_and_a_target_together_are_refused(room: Room) -> None:
    (ann,) = room.members("Ann")
    refused(await room.command(ann, "uno start", hands=3, target=500), "either a number of hands or a target")
    assert room.screens() == []
    assert bot_of(room).tables.in_channel(room.channel.id) is None


# --- in a thread of its own


@pytest.mark.parametrize("place", ["text", "announcement"])
async def test_a_thread_holds_lobby_table_and_hands_and_leaves_the_channel_free(
    simulation: Simulation, place: str
) -> None:
    channel = PLACES[place](simulation.create_guild("Server"))
    room = Room(simulation, channel)
    ann, bob = room.members("Ann", "Bob")
    answer = await room.command(ann, "uno start", thread=True)
    (thread,) = channel.threads
    assert not answer.private
    assert answer.text.count("\n") == 0
    assert f"<#{thread.id}>" in answer.text
    assert answer.screen is not None
    assert answer.screen.buttons == []
    assert "Ann" in thread.name

    inside = Room(simulation, thread)
    lobby = inside.table()
    assert lobby.labels == LOBBY
    await inside.click(bob, lobby, "Join")
    await inside.click(ann, inside.look(lobby), "Start")
    table = Table(inside, [ann, bob])
    for member in (ann, bob):
        assert len(inside.private(member)) == 1
        assert room.private(member) == []
    player, other = (ann, bob) if table.view(ann).my_turn else (bob, ann)
    before = table.match.decision
    await table.press(player, "Draw")
    assert table.match.decision > before
    assert await inside.click(other, inside.table(), "My hand")

    lines = [screen for screen in room.screens() if screen.text]
    assert [screen.id for screen in lines if screen.payload["type"] != 18] == [answer.screen.id]
    second = await room.command(bob, "uno start")
    assert second.screen is not None
    assert second.screen.labels == LOBBY
    assert second.screen.channel.id == channel.id


@pytest.mark.parametrize("place", ["voice", "thread", "forum post"])
async def test_a_thread_elsewhere_is_refused_in_one_sentence(simulation: Simulation, place: str) -> None:
    room = Room(simulation, PLACES[place](simulation.create_guild("Server")))
    (ann,) = room.members("Ann")
    refused(await room.command(ann, "uno start", thread=True), "A thread cannot be made here.")
    assert room.screens() == []
    assert (await room.command(ann, "uno start", thread=False)).screen is not None


async def test_two_matches_in_threads_of_one_channel(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    for member in (ann, bob):
        await room.command(member, "uno start", thread=True)
    first, second = (Room(room.simulation, thread) for thread in room.channel.threads)
    assert [names_in(inside.table()) for inside in (first, second)] == [["Ann"], ["Bob"]]


async def test_a_thread_that_cannot_be_made_is_told_and_leaves_nothing(room: Room) -> None:
    (ann,) = room.members("Ann")
    room.simulation.inject_error("POST", "/channels/*/messages/*/threads", status=400, code=160004)
    answer = await room.command(ann, "uno start", thread=True)
    assert "no thread" in answer.text
    assert list(bot_of(room).tables.live()) == []
    assert (await room.command(ann, "uno start", thread=True)).screen is not None


# --- permissions

NEEDED = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "read_message_history": "Read Message History",
}
NEEDED_IN_THREAD = {
    "view_channel": "View Channel",
    "send_messages_in_threads": "Send Messages in Threads",
    "read_message_history": "Read Message History",
}
NEEDED_FOR_THREAD = NEEDED | NEEDED_IN_THREAD | {"create_public_threads": "Create Public Threads"}


def forbid(guild: GuildHandle, channel_id: int, *permissions: str) -> None:
    deny = discord.Permissions(**dict.fromkeys(permissions, True)).value
    role = guild.roles["TestBot"]
    guild._env.backend.set_overwrite(
        channel_id, Overwrite(target_id=role.id, type=OverwriteType.ROLE, allow=0, deny=deny)
    )


def parent_of(channel: ChannelHandle) -> int:
    return channel._channel.parent_id or channel.id


CASES = [
    *((place, False, NEEDED) for place in ("text", "voice", "announcement")),
    *((place, False, NEEDED_IN_THREAD) for place in ("thread", "forum post")),
    *((place, True, NEEDED_FOR_THREAD) for place in ("text", "announcement")),
]


@pytest.mark.parametrize(("place", "thread", "needed"), CASES)
async def test_a_missing_permission_is_named_at_once(
    simulation: Simulation, place: str, thread: bool, needed: dict[str, str]
) -> None:
    guild = simulation.create_guild("Server")
    room = Room(simulation, PLACES[place](guild))
    (ann,) = room.members("Ann")
    for missing, name in needed.items():
        forbid(guild, parent_of(room.channel), missing)
        answer = await room.command(ann, "uno start", thread=thread)
        assert answer.private
        assert "I am missing permissions in this channel" in answer.text
        assert name in answer.text
        if missing != "view_channel":  # without that, nothing else is allowed either
            assert sum(other in answer.text for other in NEEDED_FOR_THREAD.values()) <= 2
        assert list(bot_of(room).tables.live()) == []
        assert room.screens() == []
    forbid(guild, parent_of(room.channel))
    assert not (await room.command(ann, "uno start", thread=thread)).private


async def test_all_missing_permissions_are_named_together(simulation: Simulation) -> None:
    guild = simulation.create_guild("Server")
    room = Room(simulation, text_room(guild))
    (ann,) = room.members("Ann")
    forbid(guild, room.channel.id, *NEEDED_FOR_THREAD)
    answer = await room.command(ann, "uno start", thread=True)
    assert all(name in answer.text for name in NEEDED_FOR_THREAD.values())


# --- how many


async def test_a_channel_has_one_table(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann)
    refused(
        await room.command(bob, "uno start"), "A lobby is open in this channel already: press Join on it."
    )
    refused(await room.command(ann, "uno start", hands=3), "You're already at this table.")
    await room.click(bob, lobby, "Join")
    await room.click(ann, lobby, "Start")
    refused(await room.command(bob, "uno start"), "You're already at this table.")
    await end(room, ann)
    assert (await room.command(bob, "uno start")).screen is not None


async def test_many_channels_and_two_servers_play_at_once(simulation: Simulation) -> None:
    guilds = [simulation.create_guild("One"), simulation.create_guild("Two")]
    tables = []
    for guild in guilds:
        for number in range(3):
            room = Room(simulation, guild.create_text_channel(f"uno-{number}"))
            members = room.members(f"Ann {guild.name} {number}", f"Bob {guild.name} {number}")
            tables.append(await seat(room, members))
    assert len({table.live.id for table in tables}) == 6
    for table in tables:
        player = next(member for member in table.members if table.view(member).my_turn)
        others = [other.match.clone() for other in tables if other is not table]
        before = table.match.decision
        await table.press(player, re.compile("Draw|Red"))
        assert table.match.decision > before
        assert [other.match for other in tables if other is not table] == others


async def test_one_person_plays_at_two_tables(room: Room) -> None:
    other = Room(room.simulation, room.channel.guild.create_text_channel("other"))
    ann, bob = room.members("Ann", "Bob")
    tables = [await seat(where, [ann, bob]) for where in (room, other)]
    assert tables[0].hand(ann).id != tables[1].hand(ann).id
    assert tables[0].cards(ann) != tables[1].cards(ann)


# --- joining and leaving


async def test_joining_twice_at_the_same_moment_seats_once(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann)
    first, second = await room.together(Click(bob, lobby, "Join"), Click(bob, lobby, "Join"))
    assert first.kind == "update"
    refused(second, "You're already at this table")
    refused(await room.click(ann, lobby, "Join"), "You're already at this table")
    assert names_in(room.look(lobby)) == ["Ann", "Bob"]


async def test_a_join_delivered_again_changes_nothing(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann)
    answer = await room.click(bob, lobby, "Join")
    await room.simulation.deliver_again(answer.id)
    assert names_in(room.look(lobby)) == ["Ann", "Bob"]
    assert room.private(bob) == []


async def test_the_eleventh_player_is_refused(room: Room) -> None:
    ann, *rest = room.members(*NAMES, "Kim", "Lou")
    lobby = await open_lobby(room, ann)
    answers = await room.together(*[Click(member, lobby, "Join") for member in rest])
    assert [answer.kind for answer in answers] == ["update"] * 9 + ["message"] * 2
    for answer in answers[9:]:
        refused(answer, "All seats are taken.")
    assert names_in(room.look(lobby)) == list(NAMES)
    assert "10 players of 10" in room.look(lobby).text


async def test_one_player_cannot_start(room: Room) -> None:
    (ann,) = room.members("Ann")
    lobby = await open_lobby(room, ann)
    refused(await room.click(ann, lobby, "Start"), "Two players are needed.")
    assert room.look(lobby).labels == LOBBY


@pytest.mark.parametrize("label", ["Start", "Cancel"])
async def test_start_and_cancel_are_for_the_host(room: Room, label: str) -> None:
    ann, bob, cleo = room.members("Ann", "Bob", "Cleo")
    lobby = await open_lobby(room, ann)
    await room.click(bob, lobby, "Join")
    for member in (bob, cleo):
        refused(await room.click(member, room.look(lobby), label), "Only the host can do that.")
    assert room.look(lobby).labels == LOBBY


async def test_leaving_is_for_those_who_joined(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann)
    refused(await room.click(bob, lobby, "Leave"), "You are not playing at this table.")
    await room.click(bob, lobby, "Join")
    assert (await room.click(bob, lobby, "Leave")).kind == "update"
    assert names_in(room.look(lobby)) == ["Ann"]
    await room.click(bob, lobby, "Join")
    assert names_in(room.look(lobby)) == ["Ann", "Bob"]


async def test_a_host_who_leaves_is_followed_by_the_next(room: Room) -> None:
    ann, bob, cleo = room.members("Ann", "Bob", "Cleo")
    lobby = await open_lobby(room, ann)
    for member in (bob, cleo):
        await room.click(member, lobby, "Join")
    await room.click(ann, lobby, "Leave")
    assert names_in(room.look(lobby)) == ["Bob", "Cleo"]
    assert host_in(room.look(lobby)) == "Bob"
    await room.click(ann, lobby, "Join")
    refused(await room.click(ann, lobby, "Start"), "Only the host can do that.")
    assert (await room.click(bob, lobby, "Start")).kind == "update"
    assert room.table().labels == ["My hand", "UNO!", "Catch!"]


async def test_a_lobby_that_everybody_left_closes(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann)
    await room.click(bob, lobby, "Join")
    await room.click(ann, lobby, "Leave")
    await room.click(bob, lobby, "Leave")
    closed = room.look(lobby)
    assert closed.buttons == []
    assert "Everybody has left" in closed.text
    assert (await room.command(ann, "uno start")).screen is not None


@pytest.mark.parametrize("how", ["Cancel", "Leave", "/uno end", "/uno leave"])
async def test_the_buttons_of_a_closed_lobby_say_so(room: Room, how: str) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann)
    if how == "/uno end":
        await end(room, ann)
    elif how.startswith("/"):
        await room.command(ann, how.removeprefix("/"))
    else:
        await room.click(ann, lobby, how)
    assert room.look(lobby).buttons == []
    assert "This table is closed." in room.look(lobby).text
    for label in set(LOBBY) - {"How to play"}:
        refused(await room.click(bob, lobby, label), "This table is closed.")


async def test_starting_twice_at_the_same_moment_deals_once(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann)
    await room.click(bob, lobby, "Join")
    lobby = room.look(lobby)
    first, second = await room.together(Click(ann, lobby, "Start"), Click(ann, lobby, "Start"))
    assert first.kind == "update"
    refused(second, "This match has begun already.")
    assert len(room.private(bob)) == 1


async def test_an_old_lobby_does_nothing_to_the_match(room: Room) -> None:
    ann, bob, cleo = room.members("Ann", "Bob", "Cleo")
    lobby = await open_lobby(room, ann)
    await room.click(bob, lobby, "Join")
    lobby = room.look(lobby)
    await room.click(ann, lobby, "Start")
    table = Table(room, [ann, bob])
    before = table.match.clone()
    for member, label in [(cleo, "Join"), (bob, "Join"), (ann, "Start"), (ann, "Cancel"), (bob, "Start")]:
        refused(await room.click(member, lobby, label), "This match has begun already.")
    assert table.match == before


async def test_join_and_start_at_the_same_moment(room: Room) -> None:
    ann, bob, cleo = room.members("Ann", "Bob", "Cleo")
    lobby = await open_lobby(room, ann)
    await room.click(bob, lobby, "Join")
    await room.together(Click(cleo, lobby, "Join"), Click(ann, lobby, "Start"))
    table = Table(room, [ann, bob, cleo])
    assert [person.name for person in table.state.seating.people] == ["Ann", "Bob", "Cleo"]
    assert all(table.hand(member).has("More") for member in table.members)


async def test_commands_in_a_lobby(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann)
    refused(await room.command(ann, "uno hand"), "This match hasn't begun yet. The host, Ann, starts it.")
    refused(await room.command(bob, "uno hand"), "You are not playing at this table.")
    refused(await room.command(bob, "uno leave"), "You are not playing at this table.")
    refused(await room.command(bob, "uno end"), "Only the host, Ann, or somebody with Manage Messages")
    await room.command(bob, "uno table")
    moved = room.table()
    assert moved.id != lobby.id
    assert moved.labels == LOBBY
    await room.click(bob, moved, "Join")
    await room.command(bob, "uno leave")
    assert names_in(room.look(moved)) == ["Ann"]


async def test_commands_without_a_table(room: Room) -> None:
    (ann,) = room.members("Ann")
    for name in ("uno hand", "uno table", "uno leave", "uno end"):
        refused(await room.command(ann, name), "There is no table in this channel.")


async def test_a_lobby_outlives_a_restart(room: Room, restart) -> None:
    ann, bob, cleo = room.members("Ann", "Bob", "Cleo")
    lobby = await open_lobby(room, ann, hands=2)
    await room.click(bob, lobby, "Join")
    await restart(killed=True)
    await room.click(cleo, lobby, "Join")
    assert names_in(room.look(lobby)) == ["Ann", "Bob", "Cleo"]
    await restart()
    await room.click(ann, lobby, "Start")
    table = Table(room, [ann, bob, cleo])
    assert all(table.hand(member).has("More") for member in table.members)


async def test_the_pointer_to_a_thread_is_told_in_the_end(room: Room) -> None:
    (ann,) = room.members("Ann")
    room.simulation.inject_error("PATCH", "/webhooks/*/messages/@original", status=404, code=10015, times=1)
    await room.command(ann, "uno start", thread=True)
    (thread,) = room.channel.threads
    line = room.screens()[0]
    assert f"<#{thread.id}>" in line.text
    assert "Opening a lobby" not in line.text
