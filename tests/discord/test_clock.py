"""The clock and the comings and goings, as people see them."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.discord.clicking import Room, Screen
from tests.discord.playing import bot_of, end, seat

Restart = Callable[..., Awaitable[None]]


async def start(room: Room, *names: str, **options: Any) -> list[Any]:
    """Let people with these names start a match; the first is the host."""
    people = room.members(*names)
    answer = await room.command(people[0], "uno start", **options)
    lobby = answer.screen
    assert lobby is not None
    for member in people[1:]:
        await room.click(member, room.look(lobby), "Join")
    await room.click(people[0], room.look(lobby), "Start")
    return people


def in_turn(room: Room, people: list[Any]) -> Any:
    """Find whose turn it is by the hands: theirs has a way to draw, name, aim or answer."""
    for member in people:
        if any(label.startswith(("Draw", "Keep", "Red", "Accept")) for label in room.hand(member).labels):
            return member
    raise AssertionError("nobody is waited for")


def nudges(room: Room) -> list[Screen]:
    return [screen for screen in room.screens() if screen.pinged and screen.labels == ["My hand"]]


async def test_the_table_counts_down(room: Room) -> None:
    await start(room, "Ann", "Bob")
    assert "⏳ Turn ends: <t:" in room.table().text
    assert ":R>" in room.table().text


async def test_a_turn_is_nudged_once_then_times_out_and_the_nudge_goes(room: Room) -> None:
    people = await start(room, "Ann", "Bob", "Cat")
    first = in_turn(room, people)
    await room.simulation.advance_time(31)
    (nudge,) = nudges(room)
    assert nudge.pinged == {first.id}
    await room.simulation.advance_time(30)
    assert f"**{first.name.title()}**" in room.table().text
    second = in_turn(room, people)
    assert second is not first
    await room.simulation.advance_time(31)
    (nudge,) = nudges(room)
    assert nudge.pinged == {second.id}


async def test_a_nudge_shows_the_hand_and_goes_in_a_pause(room: Room) -> None:
    people = await start(room, "Ann", "Bob", "Cat")
    await room.simulation.advance_time(31)
    (nudge,) = nudges(room)
    answer = await room.click(in_turn(room, people), nudge, "My hand")
    assert answer.private
    assert answer.screen is not None
    assert answer.screen.has("Draw")
    assert nudges(room), "the turn is not over"
    await room.command(people[0], "uno pause")
    assert nudges(room) == []


async def test_whoever_reads_the_rules_in_their_turn_is_not_nudged(room: Room) -> None:
    table = await seat(room, 2, turn_time="off")
    first = next(member for member in table.members if table.view(member).my_turn)
    help_ = (await room.command(first, "uno help")).screen
    assert help_ is not None
    await room.simulation.advance_time(1)
    await room.click(first, help_, "All the rules")
    await room.simulation.advance_time(3600)
    assert nudges(room) == []


async def test_a_turn_without_a_limit_says_when_it_began(room: Room) -> None:
    table = await seat(room, 2, turn_time="off")
    first = next(member for member in table.members if table.view(member).my_turn)
    assert "⏳ Turn began: <t:" in table.board().text
    assert "⏳ Your turn began: <t:" in table.hand(first).text


@pytest.mark.parametrize(("wish", "called"), [("always", True), ("away", False), ("never", False)])
async def test_everybody_chooses_when_to_be_called(room: Room, wish: str, called: bool) -> None:
    people = await start(room, "Ann", "Bob")
    for member in people:
        answer = await room.command(member, "uno notify", when=wish)
        assert answer.private
    await room.simulation.advance_time(31)
    assert bool(nudges(room)) is called


async def test_who_left_the_server_is_taken_out_when_their_turn_is_nudged(room: Room) -> None:
    people = await start(room, "Ann", "Bob", "Cat")
    gone = in_turn(room, people)
    room.channel.guild.remove_member(gone)
    await room.simulation.advance_time(31)
    assert nudges(room) == []
    assert "has left" in room.table().text


@pytest.mark.parametrize(("turn_time", "after"), [("15 s", 10), ("60 s", 15), ("10 min", 150), ("off", 30)])
async def test_who_left_the_server_is_taken_out_at_any_turn_time(
    room: Room, turn_time: str, after: int
) -> None:
    people = await start(room, "Ann", "Bob", "Cat", turn_time=turn_time)
    gone = in_turn(room, people)
    room.channel.guild.remove_member(gone)
    await room.simulation.advance_time(after - 1)
    assert "has left" not in room.table().text
    await room.simulation.advance_time(2)
    assert "has left" in room.table().text
    assert all(gone.id not in nudge.pinged for nudge in nudges(room))


async def test_who_is_there_is_asked_for_once_in_a_decision(room: Room) -> None:
    people = await start(room, "Ann", "Bob", turn_time="off")
    first = in_turn(room, people)
    await room.simulation.advance_time(20)
    await room.click(first, room.hand(first), "More")
    await room.simulation.advance_time(20)
    assert len(room.simulation.calls("GET", "/members/")) == 0, "they pressed something"
    await room.simulation.advance_time(1200)
    assert len(room.simulation.calls("GET", "/members/")) == 1


async def test_a_question_without_an_answer_is_asked_again(room: Room) -> None:
    people = await start(room, "Ann", "Bob", "Cat", turn_time="off")
    room.channel.guild.remove_member(in_turn(room, people))
    room.simulation.inject_error("GET", "/guilds/*/members/*", status=503)
    await room.simulation.advance_time(60)
    assert "has left" not in room.table().text
    await room.simulation.advance_time(40)
    assert "has left" in room.table().text


async def test_a_nudge_goes_with_the_turn_and_with_a_pause(room: Room) -> None:
    people = await start(room, "Ann", "Bob", "Cat")
    await room.simulation.advance_time(31)
    assert len(nudges(room)) == 1
    first = in_turn(room, people)
    await room.click(first, room.hand(first), re.compile("Draw.*"))
    if room.hand(first).has("Keep"):
        assert len(nudges(room)) == 1, "it is their turn still"
        await room.click(first, room.hand(first), "Keep")
    assert nudges(room) == []
    await room.simulation.advance_time(31)
    assert len(nudges(room)) == 1
    await room.command(people[0], "uno pause")
    assert nudges(room) == []


async def test_whoever_pressed_anything_in_this_turn_is_not_nudged(room: Room) -> None:
    people = await start(room, "Ann", "Bob")
    first = in_turn(room, people)
    await room.simulation.advance_time(10)
    await room.click(first, room.hand(first), "More")
    await room.simulation.advance_time(40)
    assert nudges(room) == []
    await room.simulation.advance_time(15)
    assert in_turn(room, people) is not first
    await room.simulation.advance_time(31)
    assert len(nudges(room)) == 1, "the other pressed nothing"


@pytest.mark.parametrize("turn_time", ["15 s", "10 min", "off"])
@pytest.mark.parametrize(("wish", "called"), [("away", True), ("never", False)])
async def test_whose_hand_cannot_be_refreshed_is_called_at_once(
    room: Room, turn_time: str, wish: str, called: bool
) -> None:
    table = await seat(room, 2, turn_time=turn_time)
    ann, bob = table.members
    await room.command(bob, "uno notify", when=wish)
    await table.arrange(["R5", "R6", "G1"], ["R2", "B2", "B3"], turn=0)
    room.simulation.inject_error("PATCH", "/webhooks/*", status=404, code=10015)
    await table.press(ann, "Red 5")
    assert [screen.pinged for screen in nudges(room)] == [{bob.id}] * called
    await table.press_board(bob, "My hand")
    assert table.hand(bob).has("Red 2")


@pytest.mark.parametrize(("wish", "called"), [("away", True), ("never", False)])
async def test_whoever_does_not_want_to_be_called_is_not_called_to_a_new_hand(
    room: Room, wish: str, called: bool
) -> None:
    table = await seat(room, 2, hands=3, turn_time="off")
    ann, bob = table.members
    await room.command(bob, "uno notify", when=wish)
    await table.arrange(["R5"], ["G1", "G2"], turn=0)
    await table.press(ann, "Red 5")
    room.simulation.inject_error("POST", "/webhooks/*", status=404, code=10015)
    await table.press_board(ann, "Next hand")
    assert [screen.pinged for screen in nudges(room)] == [{bob.id}] * called


async def test_away_people_are_played_for_and_come_back_by_any_press(room: Room) -> None:
    ann, bob = await start(room, "Ann", "Bob")
    for _ in range(40):
        if "on autopilot" in room.table().text:
            break
        if in_turn(room, [ann, bob]) is ann:
            await room.simulation.advance_time(61)
        else:
            labels = room.hand(bob).labels
            wanted = next(label for label in ("Draw", "Keep", "Red", *labels) if label in labels)
            await room.click(bob, room.hand(bob), wanted)
    # It is Bob's turn: the computer has answered for Ann at once.
    assert in_turn(room, [ann, bob]) is bob
    await room.click(ann, room.table(), "My hand")
    assert "· on autopilot" not in room.table().text


async def test_a_lobby_closes_by_itself_and_its_buttons_say_so(room: Room) -> None:
    (ann,) = room.members("Ann")
    lobby = (await room.command(ann, "uno start")).screen
    assert lobby is not None
    await room.simulation.advance_time(15 * 60 + 1)
    assert "closed" in room.look(lobby).text
    answer = await room.click(ann, lobby, "Join")
    assert answer.private
    assert "closed" in answer.text


async def test_a_pause_stops_the_countdown_until_the_host_resumes(room: Room) -> None:
    ann, bob = await start(room, "Ann", "Bob")
    answer = await room.command(bob, "uno pause")
    assert "host" in answer.text
    await room.command(ann, "uno pause")
    assert "Paused, computers too" in room.table().text
    before = room.table().text
    await room.simulation.advance_time(3600 * 5)
    assert room.table().text == before
    await room.command(ann, "uno resume")
    assert "⏳" in room.table().text


async def test_a_pause_is_seen_in_the_hand_of_whoever_is_waited_for(room: Room) -> None:
    people = await start(room, "Ann", "Bob")
    mover = in_turn(room, people)
    assert "⏳ Your turn ends" in room.hand(mover).text
    await room.command(people[0], "uno pause")
    assert "Paused, computers too" in room.hand(mover).text
    assert "turn ends" not in room.hand(mover).text
    await room.command(people[0], "uno resume")
    assert "⏳ Your turn ends" in room.hand(mover).text


async def test_resume_is_a_button_for_the_host(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await room.command(ann, "uno pause")
    refused = await table.press_board(bob, "Resume")
    assert refused.text == "Only the host can do that. Ask Ann."
    answer = await table.press_board(ann, "Resume")
    assert "Clock running again" in answer.text
    assert not table.board().has("Resume")


async def test_a_vote_has_a_button_and_who_ended_the_table_is_told(room: Room) -> None:
    table = await seat(room, 4)
    ann, bob, cleo, dai = table.members
    await room.command(bob, "uno kick", player=dai)
    assert "Vote to remove Dai: 1 of 2" in table.board().text
    answer = await table.press_board(cleo, "Vote: remove Dai")
    assert "Dai has been removed from the table." in answer.text
    assert table.match.game.out[3]
    await room.command(ann, "uno start")
    await end(room, ann)
    closed = room.screens()[-1].text
    assert "Ann ended this table. No hand was finished, so nothing counts." in closed


async def test_a_player_is_told_that_they_play_here(room: Room) -> None:
    table = await seat(room, 2)
    answer = await room.command(table.members[1], "uno start")
    assert "You're already at this table." in answer.text


async def test_a_table_nobody_plays_at_ends(room: Room) -> None:
    ann, _ = await start(room, "Ann", "Bob", turn_time="off")
    await room.simulation.advance_time(3601)
    closed = "### This table is closed.\nNobody played for so long: 1 hour. Finished hands count."
    assert [screen.text for screen in room.screens() if screen.texts] == [closed]
    answer = await room.command(ann, "uno hand")
    assert "no table" in answer.text.lower()


async def test_kick_by_vote_is_seen_by_everybody(room: Room) -> None:
    _, bob, cat, dan = await start(room, "Ann", "Bob", "Cat", "Dan")
    answer = await room.command(bob, "uno kick", player=dan)
    assert "1 of 2" in answer.text
    assert "Vote to remove Dan: 1 of 2" in room.table().text
    await room.command(cat, "uno kick", player=dan)
    assert "Dan was removed from the match." in room.table().text
    assert "• Dan was removed\n" in room.table().text
    assert "left" not in room.table().text
    answer = await room.command(dan, "uno hand")
    assert "not playing" in answer.text


async def test_tables_of_the_server_are_listed(room: Room) -> None:
    ann, *_ = await start(room, "Ann", "Bob")
    answer = await room.command(ann, "uno tables")
    assert answer.private
    assert f"<#{room.channel.id}>" in answer.text
    assert "2 players" in answer.text


async def test_after_a_long_stop_nobody_has_lost_their_turn(room: Room, restart: Restart) -> None:
    people = await start(room, "Ann", "Bob")
    await restart(killed=True)
    await room.simulation.advance_time(3)
    assert in_turn(room, people)


async def test_the_choices_of_notify_say_what_they_do(room: Room) -> None:
    (command,) = [c for c in bot_of(room).tree.get_commands() if c.name == "uno"]
    payload = command.to_dict(bot_of(room).tree)
    (notify,) = [sub for sub in payload["options"] if sub["name"] == "notify"]
    choices = {choice["value"]: choice["name"] for choice in notify["options"][0]["choices"]}
    assert list(choices) == ["always", "away", "never"]
    for value, name in choices.items():
        assert name.startswith(f"{value.title()}: ")
        assert len(name) <= 100


async def test_whoever_is_on_autopilot_reads_so_in_their_hand(room: Room) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["RD", "R6", "G1"], ["R1", "R2", "R3"], turn=0)
    table.match.game.streak[1] = 2
    await table.press(ann, "Red Draw Two")
    assert "The computer plays for you until you press any button here." in table.hand(bob).text
    assert "Welcome back!" in (await table.press(bob, "More")).text
    assert "Welcome back!" not in (await table.press(bob, "Back")).text
    assert "The computer plays for you" not in table.hand(bob).text
