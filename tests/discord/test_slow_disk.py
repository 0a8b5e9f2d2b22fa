"""Whatever the disk does, every interaction is answered or deferred in time, and told what came of it."""

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import closing
from typing import Any

import discord
import pytest
from sqlalchemy import event

from bot.ui.kit.custom_ids import Verb
from engine.rules import RuleSet
from tests.discord.clicking import Room
from tests.discord.playing import NAMES, Table, bot_of, is_hand, open_lobby, seat
from tests.discord.slow_disk import Asked, SlowDisk, command, press
from tests.discord.test_settings import manager_of

#: Within so many seconds of its arrival each interaction has its first response.
IN_TIME = 2.0
#: How long each save takes, in seconds; None: it fails.
DISKS = (0.3, 1.0, 3.0, 10.0, None)
NOT_SAVED = "it could not be saved"
UNCERTAIN = "Saving takes longer than it should."
NOT_READ = "That could not be looked up just now."

Send = Callable[[], Asked]


async def starting(room: Room, name: str) -> Send:
    (ann,) = room.members("Ann")
    return lambda: command(room, ann, name, cpus=1)


async def by_host(room: Room, name: str) -> Send:
    table = await seat(room, 2)
    if name == "resume":
        await room.command(table.members[0], "uno pause")
    return lambda: command(room, table.members[0], name)


async def ending(room: Room, verb: Verb) -> Send:
    table = await seat(room, 2)
    question = (await room.command(table.members[0], "uno end")).screen
    assert question is not None
    custom_id = question.button("Yes, end it").custom_id
    return lambda: press(room, table.members[0], question, custom_id=custom_id)


async def about_somebody(room: Room, name: str) -> Send:
    table = await seat(room, 3)
    return lambda: command(room, table.members[0], name, player=table.members[1])


async def anywhere(room: Room, name: str) -> Send:
    (ann,) = room.members("Ann")
    return lambda: command(room, ann, name)


async def choosing(room: Room, name: str) -> Send:
    (ann,) = room.members("Ann")
    return lambda: command(room, ann, name, language="en")


async def notifying(room: Room, name: str) -> Send:
    (ann,) = room.members("Ann")
    return lambda: command(room, ann, name, when="away")


async def showing(room: Room, name: str) -> Send:
    (ann,) = room.members("Ann")
    return lambda: command(room, ann, name, shown="words")


async def hiding(room: Room, name: str) -> Send:
    (ann,) = room.members("Ann")
    return lambda: command(room, ann, name, hidden=True)


async def managing(room: Room, name: str) -> Send:
    manager = manager_of(room).member
    return lambda: command(room, manager, name)


#: How each command is given; those that save are told where it fails.
COMMANDS = {
    "start": starting,
    **dict.fromkeys(("hand", "table", "leave", "end", "pause", "resume"), by_host),
    **dict.fromkeys(("kick", "host"), about_somebody),
    **dict.fromkeys(("rules", "help", "about", "leaderboard", "stats", "history", "tables"), anywhere),
    **dict.fromkeys(("my-data", "forget-me"), anywhere),
    "hide": hiding,
    "notify": notifying,
    "language": choosing,
    "cards": showing,
    "settings": managing,
}
SAVING = {"start", "pause", "resume", "kick", "host", "notify", "language", "cards", "hide"}


async def in_lobby(room: Room, verb: Verb) -> Send:
    ann, bob, cleo = room.members("Ann", "Bob", "Cleo")
    lobby = await open_lobby(room, ann, cpus=1)
    await room.click(bob, lobby, "Join")
    number = lobby.custom_ids[0].split(":")[1]
    cpu = next(each.name for each in bot_of(room).tables.get(int(number)).state.seating.people if each.cpu)
    args = {Verb.PANEL: "table", Verb.OPTION: "stack.1", Verb.ADD: "easy", Verb.REMOVE: cpu}
    member = {Verb.JOIN: cleo, Verb.QUIT: bob}.get(verb, ann)
    custom_id = f"ll:{number}:0:{verb}:{args.get(verb, '')}:"
    return lambda: press(room, member, room.look(lobby), custom_id=custom_id)


async def in_match(room: Room, verb: Verb) -> Send:
    table = await seat(room, 3, rules=RuleSet(jump_in=verb is Verb.JUMP), hands=2)
    ann, bob, _ = table.members
    member, args = ann, ""
    if verb in (Verb.ACCEPT, Verb.CHALLENGE):
        await table.arrange(["W4", "R4", "R3"], ["B1", "B2"], ["B3"], actions=[(0, "play", "W4", "blue")])
        member = bob
    elif verb is Verb.CATCH:
        await table.arrange(["R4", "R3"], ["B1", "B2"], ["B3"], actions=[(0, "play", "R4")])
        member = bob
    elif verb is Verb.UNO:
        await table.arrange(["R4", "R3"], ["B1", "B2"], ["B3"], actions=[(0, "play", "R4")])
    elif verb is Verb.JUMP:
        await table.arrange(["G1", "G2"], ["R7", "B2", "B4"], ["B3", "B5"])
        member = bob
    elif verb is Verb.COLOUR:
        await table.arrange(["WI", "R6", "R7"], ["B1"], ["B2"], draw=["WI", "G1", "G2", "G3"])
        await table.press(ann, "Wild Item Box")
        args = "blue"
    elif verb is Verb.TARGET:
        await table.arrange(["WI", "R6", "R7"], ["B1"], ["B2"], draw=["G9", "G1", "G2", "G3"])
        await table.press(ann, "Wild Item Box")
        args = "2"
    elif verb is Verb.RESUME:
        await room.command(ann, "uno pause")
    elif verb is Verb.VOTE:
        await room.command(bob, "uno kick", player=table.members[2])
        args = "2"
    elif verb is Verb.KEEP:
        await table.arrange(["G4", "G6"], ["B1"], ["B2"], draw=["R9", "G1", "G2", "G3"])
        await table.press(ann, "Draw")
    elif verb in (Verb.NEXT, Verb.DETAILS):
        await table.arrange(["R4"], ["B1", "B2"], ["B3"])
        await table.press(ann, "Red 4")
        args = "1" if verb is Verb.DETAILS else ""
    else:
        await table.arrange(["R5", "W4", "G1"], ["B1", "B2"], ["B3", "B4"])
        args = {Verb.PLAY: "R5", Verb.PICK: "W4"}.get(verb, "")
    number = f"{table.live.id}:{table.match.decision}"
    on_board = verb in (Verb.HAND, Verb.NEXT, Verb.DETAILS, Verb.JUMP, Verb.RESUME, Verb.VOTE)
    screen = table.board() if on_board else table.hand(member)
    return lambda: press(room, member, screen, custom_id=f"ll:{number}:{verb}:{args}:")


async def handing_over(room: Room, verb: Verb) -> Send:
    table = await seat(room, 2, hands=2)
    ann, _ = table.members
    (dai,) = room.members("Dai")
    number = table.live.id
    offer = {"custom_id": f"ll:{number}:0:offer:seat:", "component_type": 5, "values": [str(dai.id)]}
    offer["resolved"] = {"users": {str(dai.id): {"id": str(dai.id), "username": "dai", "global_name": "Dai"}}}
    if verb is Verb.OFFER:
        return lambda: press(room, ann, table.hand(ann), **offer)
    await room.forge(ann, table.hand(ann), offer)
    if verb is Verb.WITHDRAW:
        return lambda: press(room, ann, table.hand(ann), custom_id=f"ll:{number}:0:withdraw::")
    return lambda: press(room, dai, room.screens()[-1], custom_id=f"ll:{number}:0:take:0:")


async def after_match(room: Room, verb: Verb) -> Send:
    table = await seat(room, 2)
    ann, _ = table.members
    await table.arrange(["R4"], ["B1"])
    await table.press(ann, "Red 4")
    label = {Verb.AGAIN: "Rematch", Verb.SHARE: "Share"}[verb]
    return lambda: press(room, ann, room.table(), custom_id=room.table().button(label).custom_id)


async def of_server(room: Room, verb: Verb) -> Send:
    manager = manager_of(room)
    panel = await manager.open()
    return lambda: press(room, manager.member, panel, custom_id="ll:0:0:server:thread.1:")


async def on_leaderboard(room: Room, verb: Verb) -> Send:
    (ann,) = room.members("Ann")
    await room.command(ann, "uno leaderboard")
    board = room.hand(ann)
    return lambda: press(room, ann, board, custom_id="ll:0:0:board:hands.season.first:")


#: What leads elsewhere from the results.
ID = {
    Verb.STATS: "ll:0:0:stats:card.{}:",
    Verb.HISTORY: "ll:0:0:history:first:",
    Verb.FORGET: "ll:0:0:forget:ask.here:",
}


async def on_results(room: Room, verb: Verb) -> Send:
    (ann,) = room.members("Ann")
    await room.command(ann, "uno leaderboard")
    anything = room.hand(ann)
    return lambda: press(room, ann, anything, custom_id=ID[verb].format(ann.id))


LOBBY = (
    *(Verb.JOIN, Verb.QUIT, Verb.START, Verb.CANCEL, Verb.PANEL, Verb.OPTION, Verb.THREAD),
    *(Verb.COMPUTERS, Verb.ADD, Verb.REMOVE, Verb.RULES, Verb.HELP),
)
#: How each button or menu is pressed.
VERBS = {
    **dict.fromkeys(Verb, in_match),
    **dict.fromkeys(LOBBY, in_lobby),
    **dict.fromkeys((Verb.OFFER, Verb.WITHDRAW, Verb.TAKE), handing_over),
    **dict.fromkeys((Verb.AGAIN, Verb.SHARE), after_match),
    Verb.END: ending,
    Verb.SERVER: of_server,
    Verb.BOARD: on_leaderboard,
    **dict.fromkeys(ID, on_results),
}
#: Those that save nothing.
LOOKING = frozenset(
    {
        *(Verb.PANEL, Verb.COMPUTERS, Verb.HAND, Verb.HERE, Verb.PICK, Verb.TOGGLE, Verb.MORE, Verb.BACK),
        *(Verb.LEAVE, Verb.SEAT, Verb.RULES, Verb.HELP, Verb.DETAILS, Verb.SHARE, Verb.BOARD, Verb.LOG),
        *ID,
    }
)


async def on_a_disk(room: Room, send: Send, seconds: float | None, *, reads_too: bool = False) -> Asked:
    """Send an interaction while the disk is slow, check that it is answered in time, and wait for the end."""
    disk = SlowDisk(room, seconds, reads_too=reads_too)
    asked = send()
    await disk.wait(asked)
    disk.mend()
    await room.simulation.settle()
    assert asked.responded is not None
    assert asked.responded <= IN_TIME
    assert asked.kind != "deferred", "somebody is still told to wait"
    assert any(asked.told), "nobody was told anything"
    refused = any(words in told for told in asked.told for words in (NOT_SAVED, UNCERTAIN, NOT_READ))
    assert refused <= (seconds is None or seconds > 1.0), asked.told
    return asked


@pytest.fixture
def forgiven(logged_errors: list[logging.LogRecord]) -> Iterator[None]:
    """Forgive what is logged of a disk that fails."""
    yield
    told = [record.getMessage() for record in logged_errors]
    assert all(any(event in line for event in EXPECTED) for line in told), told
    logged_errors.clear()


EXPECTED = ("not_saved", "not_read", "late_save_failed", "newness_unknown", "nothing_can_be_saved")


def on_each_disk(names: Iterable[str], looking: Collection[str]) -> pytest.MarkDecorator:
    """Try each on every disk; what saves nothing is tried on the two worst."""
    worst = (10.0, None)
    return pytest.mark.parametrize(
        ("name", "seconds"),
        [(name, disk) for name in names for disk in (worst if name in looking else DISKS)],
    )


@on_each_disk(COMMANDS, COMMANDS.keys() - SAVING)
async def test_a_command_is_answered_whatever_the_disk_does(
    room: Room, forgiven: object, name: str, seconds: float | None
) -> None:
    asked = await on_a_disk(room, await COMMANDS[name](room, name), seconds)
    assert (NOT_SAVED in asked.told[-1]) == (seconds is None and name in SAVING)


@on_each_disk(VERBS, LOOKING)
async def test_a_press_is_answered_whatever_the_disk_does(
    room: Room, forgiven: object, name: Verb, seconds: float | None
) -> None:
    asked = await on_a_disk(room, await VERBS[name](room, name), seconds)
    assert (NOT_SAVED in asked.told[-1]) == (seconds is None and name not in LOOKING)


def test_every_command_and_every_verb_is_tried(room: Room) -> None:
    (group,) = bot_of(room).tree.get_commands(type=discord.AppCommandType.chat_input)
    assert {command.name for command in group.commands} == set(COMMANDS)
    assert set(VERBS) == set(Verb)


# --- how it is answered


def first_response(asked: Asked) -> tuple[int, bool]:
    """Return the type of an interaction's first response, and whether it is private."""
    (call,) = asked.room.simulation.calls(f"/interactions/{asked.result._interaction.id}/")
    return call.json["type"], bool(int((call.json.get("data") or {}).get("flags", 0)) & 64)


async def test_a_private_command_is_deferred_privately_and_start_for_everybody(room: Room) -> None:
    asked = await on_a_disk(room, await COMMANDS["notify"](room, "notify"), 3.0)
    assert first_response(asked) == (5, True)
    assert asked.told == ["You will be called only when you have been away."]
    asked = await on_a_disk(room, await COMMANDS["start"](room, "start"), 1.6)
    assert first_response(asked) == (5, False)
    assert room.table().has("Join")
    assert room.table().id == asked.result._interaction.message_id


async def test_what_is_not_known_in_time_is_said_to_be_uncertain(room: Room) -> None:
    asked = await on_a_disk(room, await COMMANDS["notify"](room, "notify"), 10.0)
    assert asked.told == [
        "Saving takes longer than it should. Please look again in a moment to see whether it counted."
    ]


async def test_a_press_is_deferred_as_an_update_and_its_hand_follows_privately(room: Room) -> None:
    table = await seat(room, 2)
    await table.arrange(["R5", "R6", "G1"], ["R1", "R2", "R3"])
    ann, bob = table.members
    hand = table.hand(ann)
    custom_id = hand.button("Red 5").custom_id
    asked = await on_a_disk(room, lambda: press(room, ann, hand, custom_id=custom_id), 1.6)
    assert first_response(asked) == (6, False)
    assert asked.result.followups == [], "the hand itself is edited"
    assert not room.look(hand).has("Red 5")
    draw = f"ll:{table.live.id}:{table.match.decision}:draw::"
    asked = await on_a_disk(room, lambda: press(room, bob, table.board(), custom_id=draw), 1.6)
    assert first_response(asked) == (6, False)
    (sent,) = asked.result.followups
    assert room.read(sent.id).private
    await table.press(ann, "Draw")
    assert room.read(sent.id).has("Red 1")


async def test_the_table_is_drawn_while_a_slow_answer_is_still_to_come(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await seat(room, 2)
    await table.arrange(["R5", "R6", "G1"], ["R1", "R2", "R3"])
    ann, bob = table.members
    disk = SlowDisk(room, 4.0, reads_too=True)
    settings = bot_of(room).guild_settings
    get = settings.get

    async def get_slowly(guild_id: int) -> Any:
        await asyncio.sleep(4.0)
        return await get(guild_id)

    monkeypatch.setattr(settings, "get", get_slowly)
    asked = command(room, bob, "kick", player=ann)
    for _ in range(8):
        await disk.turn(asked)
    disk.mend()
    await room.click(ann, table.hand(ann), "Red 5")
    assert table.board().text.startswith("### Bob is to play.")
    await disk.wait(asked)


@pytest.mark.parametrize("seconds", [1.6, 3.0, 10.0])
async def test_a_slow_join_is_answered_by_the_lobby_and_the_hand_comes_by_its_token(
    room: Room, forgiven: object, seconds: float
) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann)
    join = lobby.button("Join").custom_id
    asked = await on_a_disk(room, lambda: press(room, bob, lobby, custom_id=join), seconds)
    assert first_response(asked) == (7, False)
    assert [UNCERTAIN in told for told in asked.told[1:]] == [True] * (seconds > 2.0)
    assert "Bob" in room.look(lobby).text
    await room.click(ann, room.look(lobby), "Start")
    assert is_hand(room.hand(bob))


async def test_nine_who_join_at_once_are_all_answered_in_time(room: Room) -> None:
    ann, *others = room.members(*NAMES)
    lobby = await open_lobby(room, ann)
    join = lobby.button("Join").custom_id
    disk = SlowDisk(room, 0.3)
    presses = [press(room, member, lobby, custom_id=join) for member in others]
    await disk.wait(*presses)
    disk.mend()
    await room.simulation.settle()
    for asked in presses:
        assert asked.responded is not None
        assert asked.responded <= IN_TIME
    assert len(bot_of(room).tables.in_channel(room.channel.id).state.seating.people) == 10
    assert all(member.user.global_name in room.look(lobby).text for member in others)


# --- reading


@pytest.mark.parametrize("seconds", [3.0, 10.0, None])
@pytest.mark.parametrize(
    "name",
    [
        *("leaderboard", "settings", "start", "end", "kick"),
        *(Verb.DETAILS, Verb.AGAIN, Verb.SHARE, Verb.SERVER, Verb.BOARD),
    ],
)
async def test_what_cannot_be_read_is_told_in_a_sentence(
    room: Room, forgiven: object, name: str | Verb, seconds: float | None
) -> None:
    send = await (VERBS[name] if isinstance(name, Verb) else COMMANDS[name])(room, name)
    bot_of(room).guild_settings._known.clear()
    asked = await on_a_disk(room, send, seconds, reads_too=True)
    if seconds != 3.0:
        # A setting is read and saved in one.
        of_server = UNCERTAIN if seconds else NOT_SAVED
        assert (of_server if name is Verb.SERVER else NOT_READ) in asked.told[-1]


# --- a thread


async def test_a_lobby_that_cannot_be_saved_leaves_no_empty_thread(room: Room, forgiven: object) -> None:
    (ann,) = room.members("Ann")
    asked = await on_a_disk(room, lambda: command(room, ann, "start", thread=True), None)
    assert room.simulation.calls("POST", "/threads") == []
    (line,) = room.screens()
    assert NOT_SAVED in line.text
    assert asked.told == [line.text]
    assert list(bot_of(room).tables.live()) == []


async def test_a_lobby_in_a_thread_is_opened_slowly(room: Room) -> None:
    (ann,) = room.members("Ann")
    await on_a_disk(room, lambda: command(room, ann, "start", thread=True), 1.6)
    (thread,) = room.channel.threads
    line = room.screens()[0]
    assert f"<#{thread.id}>" in line.text
    assert Room(room.simulation, thread).table().has("Join")


async def test_a_lobby_saved_too_late_for_its_thread_does_not_stay(room: Room, forgiven: object) -> None:
    (ann,) = room.members("Ann")
    await on_a_disk(room, lambda: command(room, ann, "start", thread=True), 10.0)
    (line,) = room.screens()
    assert UNCERTAIN in line.text
    assert list(bot_of(room).tables.live()) == []


# --- the real disk


async def test_another_process_that_holds_the_database_leaves_nobody_unanswered(
    room: Room, settings: Any, forgiven: object
) -> None:
    (ann,) = room.members("Ann")
    manager = manager_of(room)
    panel = await manager.open()
    lobby = await open_lobby(room, ann)
    file = settings.database_url.partition(":///")[2]
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answers = [
            await room.command(ann, "uno notify", when="never"),
            await room.click(manager.member, panel, custom_id="ll:0:0:server:thread.1:"),
            await room.click(ann, lobby, "Cancel"),
        ]
    assert all(NOT_SAVED in answer.text for answer in answers)
    assert (
        await room.command(ann, "uno notify", when="never")
    ).text == "You will not be called. The clock still runs."


async def test_a_move_and_a_join_are_one_commit_each(room: Room) -> None:
    ann, bob, cleo = room.members("Ann", "Bob", "Cleo")
    lobby = await open_lobby(room, ann, turn_time="off")
    commits: list[object] = []
    event.listen(bot_of(room).store._writer._engine, "commit", commits.append)
    for member in (bob, cleo):
        commits.clear()
        await room.click(member, lobby, "Join")
        assert len(commits) == 1
    await room.click(ann, room.look(lobby), "Start")
    table = Table(room, [ann, bob, cleo])
    await table.arrange(*[["R5", "R6", "G1", "G2"]] * 3)
    for member in (ann, bob, cleo):
        commits.clear()
        await table.press(member, "Red 5")
        assert len(commits) == 1


async def test_a_stop_saves_the_newest_tokens(room: Room, restart: Callable[..., Awaitable[None]]) -> None:
    table = await seat(room, 2, turn_time="off")
    ann = table.members[0]
    await table.arrange(*[["R5", "R6", "G1", "G2"]] * 2)
    await table.press(ann, "Red 5")
    newest = bot_of(room).messages._all[table.live.id].hands[ann.id]
    await restart()
    assert bot_of(room).messages._all[table.live.id].hands[ann.id] == newest
