"""Computer players and seats that change hands, as people see them."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from simcord import MemberActor

from bot.model.state import State
from engine.awaiting import Awaiting
from engine.cards import CARD_OF_CODE
from tests.discord.clicking import Click, Room, Screen
from tests.discord.playing import ALWAYS, Table, bot_of, end, is_hand, open_lobby, within_limits
from tests.discord.test_secrets import cards_in, strings

Restart = Callable[..., Awaitable[None]]


async def against(room: Room, member: MemberActor, cpus: int = 2, **options: Any) -> Table:
    """Start a match of one person against computers."""
    lobby = await open_lobby(room, member, cpus=cpus, **options)
    await room.click(member, lobby, "Start")
    return Table(room, [member])


async def play(table: Table, label: str) -> None:
    await table.press(table.members[0], label)


async def leave(room: Room, member: MemberActor) -> None:
    """Leave the match, and say yes to whether one really wants to."""
    asked = (await room.command(member, "uno leave")).screen
    assert asked is not None
    await room.click(member, asked, "Yes, leave")


def computers(table: Table) -> list[str]:
    return [person.shown for person in table.state.seating.people if person.cpu is not None]


# --- the lobby


async def test_one_person_starts_alone_with_computers(room: Room) -> None:
    (ann,) = room.members("Ann")
    lobby = await open_lobby(room, ann, cpus=9, level="sharp")
    assert "10 players of 10" in lobby.text
    assert lobby.text.count("🤖") == 9
    assert lobby.text.count("· Sharp") == 9
    await room.click(ann, lobby, "Start")
    board = room.table()
    within_limits(board)
    assert board.text.count("🤖") >= 9


async def test_the_host_adds_and_removes_computers_in_a_private_list(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann)
    await room.click(bob, lobby, "Join")
    answer = await room.click(bob, room.look(lobby), "Add CPU")
    assert answer.private
    assert "Only the host" in answer.text
    panel = (await room.click(ann, room.look(lobby), "Add CPU")).screen
    assert panel is not None
    assert panel.private
    assert panel.labels == ["Easy", "Normal", "Sharp"]
    for label in ("Easy", "Sharp"):
        answer = await room.click(ann, room.look(panel), label)
        assert answer.kind == "update"
    panel = room.look(panel)
    assert panel.labels == ["Easy", "Normal", "Sharp", "Remove", "Remove"]
    table = Table(room, [ann, bob])
    easy, sharp = computers(table)
    assert f"• **{easy}** · Easy\n• **{sharp}** · Sharp" in room.look(lobby).text
    assert f"**{easy}** · Easy" in panel.text
    removes = [custom_id for custom_id in panel.custom_ids if ":remove:" in custom_id]
    await room.click(ann, panel, custom_id=removes[0])
    assert computers(table) == [sharp]
    assert easy not in room.look(lobby).text
    # The same press once more, on the list as it was.
    answer = await room.click(ann, panel, custom_id=removes[0])
    assert "do not play at this table" in answer.text
    for _ in range(7):
        await room.click(ann, room.look(panel), "Normal")
    assert "All seats are taken." in room.look(panel).text
    within_limits(room.look(panel))
    assert len(table.state.seating.people) == 10


async def test_a_list_left_open_says_that_the_match_has_begun(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann, cpus=1)
    panel = (await room.click(ann, lobby, "Add CPU")).screen
    assert panel is not None
    await room.click(ann, lobby, "Start")
    answer = await room.click(ann, panel, "Easy")
    assert "has begun already" in answer.text
    answer = await room.click(bob, lobby, "Add CPU")
    assert answer.private
    assert "not playing" in answer.text


# --- playing


async def test_computers_answer_at_once_here_and_their_cards_are_shown_to_nobody(room: Room) -> None:
    (ann,) = room.members("Ann")
    table = await against(room, ann, 2, hands=2)
    await table.arrange(["R5", "G1", "G2"], ["R6", "R8", "B3"], ["R1", "R2", "R3"], top="R7", turn=0)
    await play(table, "Red 5")
    assert table.match.turn == 0
    first, second = computers(table)
    board = room.table().text
    assert f"{first} played" in board
    assert f"{second} played" in board
    assert f"**{first}**: 2 cards" in board
    assert f"**{second}**: 2 cards" in board
    await room.simulation.settle()
    shown = [screen for screen in room.screens(ann) if is_hand(screen)]
    assert shown
    for screen in shown:
        assert "Blue 3" not in screen.text
        assert "Yellow 8" not in screen.text


async def test_no_card_of_a_computer_is_in_anything_the_bot_sends(room: Room) -> None:
    (ann,) = room.members("Ann")
    table = await against(room, ann, 3, hands=2, level="sharp")
    bot = bot_of(room)
    pictures = {str(bot.renderer.emojis[code].id): card for code, card in CARD_OF_CODE.items()}
    known: set[int] = set()

    def note(state: State) -> None:
        assert state.match is not None
        known.update(state.match.game.discard, state.match.game.hands[0])

    bot.tables.listen(lambda change: note(change.after))
    note(table.state)
    hidden: set[int] = set()
    while table.state.awaiting is not Awaiting.DEAL:
        view = table.view(ann)
        answer = next(b for b in table.hand(ann).buttons if b.label not in ALWAYS and not b.disabled)
        label = "Accept +4" if view.awaiting is Awaiting.CHALLENGE else answer.label
        room.simulation.http_requests.clear()
        await table.press(ann, label)
        if table.state.awaiting is not Awaiting.DEAL:
            sent = "\n".join(text for call in room.simulation.http_requests for text in strings(call.json))
            assert cards_in(sent, pictures) <= known
            hidden.update(card for hand in table.match.game.hands[1:] for card in hand if card not in known)
    assert len(hidden) > 5


async def test_a_person_who_forgets_is_caught_and_the_marks_are_everywhere(
    room: Room, restart: Restart
) -> None:
    (ann,) = room.members("Ann")
    table = await against(room, ann, 1, hands=2)
    await table.arrange(["R5", "G1"], ["B6", "B8", "B3"], top="R7", turn=0)
    await play(table, "Red 5")
    (computer,) = computers(table)
    assert f"{computer} caught Ann without UNO!" in room.table().text
    await table.arrange(["R5"], ["B6", "B8"], top="R7", turn=0)
    await play(table, "Red 5")
    summary = room.table()
    assert f"**{computer}**: 14 points in hand" in summary.text
    await restart(killed=True)
    details = await room.click(ann, summary, "Details")
    assert f"**{computer}**: 14 points" in details.text
    await end(room, ann)
    details = await room.click(ann, summary, "Details")
    assert f"**{computer}**: 14 points" in details.text
    answer = await room.command(ann, "uno leaderboard")
    assert "Ann" not in answer.text


async def test_a_green_shell_is_aimed_at_a_computer_by_its_mark(room: Room) -> None:
    (ann,) = room.members("Ann")
    table = await against(room, ann, 2)
    await table.arrange(["WI", "G1", "G3"], ["B6", "B8"], ["B1", "B2"], draw=["G5", "B4", "B5"], turn=0)
    await play(table, "Wild Item Box")
    assert [f"{name}: 2 cards" for name in computers(table)] == table.hand(ann).labels[:2]


async def test_a_table_whose_people_have_all_left_is_closed(room: Room) -> None:
    (ann,) = room.members("Ann")
    await against(room, ann, 3)
    board = room.table()
    await leave(room, ann)
    closed = room.look(board)
    assert "Nobody plays here any more" in closed.text
    assert closed.buttons == []
    assert bot_of(room).tables.in_channel(room.channel.id) is None


async def test_the_host_removes_a_computer_from_the_hand(room: Room) -> None:
    ann, bob = room.members("Ann", "Bob")
    lobby = await open_lobby(room, ann, cpus=2)
    await room.click(bob, lobby, "Join")
    await room.click(ann, room.look(lobby), "Start")
    table = Table(room, [ann])
    await table.arrange(["R5", "G1"], ["B6", "B8"], ["B1", "B2"], ["Y1", "Y2"], turn=0)
    more = (await room.click(bob, room.hand(bob), "More")).screen
    assert more is not None
    assert not more.has("Computer players")
    await room.click(bob, more, "Back")
    await table.press(ann, "More")
    await table.press(ann, "Computer players")
    listed = table.hand(ann)
    assert listed.labels == ["Remove", "Remove", "Back"]
    first, second = computers(table)
    await room.click(ann, listed, custom_id=listed.custom_ids[0])
    assert f"{first} was removed" in room.table().text
    assert table.hand(ann).labels == ["Remove", "Back"]
    await room.click(ann, table.hand(ann), custom_id=table.hand(ann).custom_ids[0])
    assert not table.hand(ann).has("Remove")
    assert f"{second} was removed" in room.table().text


async def test_a_newcomer_takes_over_a_full_table_s_computer(room: Room, restart: Restart) -> None:
    ann, cleo = room.members("Ann", "Cleo")
    table = await against(room, ann, 9, hands=3)
    await table.arrange(["R5"], *([["B6"]] * 9), turn=0)
    await play(table, "Red 5")
    last = computers(table)[-1]
    assert room.table().has("Join")
    await room.click(cleo, room.table(), "Join")
    assert f"At the next hand Cleo takes over from {last}." in room.table().text
    answer = await room.click(cleo, room.table(), "Join")
    assert "already" in answer.text
    await restart(killed=True)
    await room.click(ann, room.table(), "Next hand")
    assert table.state.seat_of(cleo.id) == 9
    assert is_hand(room.hand(cleo))
    assert last not in room.table().text
    assert re.search(r"Cleo\W*\(\d+\)", room.table().text), "ten seats are one line"


# --- a seat handed over


async def offered(room: Room, *, hands: int = 3) -> tuple[Table, MemberActor, Screen]:
    """Let Ann, with 12 points, offer her seat to Dia while a hand is on; give the public offer."""
    ann, bob, dia = room.members("Ann", "Bob", "Dia")
    lobby = await open_lobby(room, ann, hands=hands)
    await room.click(bob, lobby, "Join")
    await room.click(ann, room.look(lobby), "Start")
    table = Table(room, [ann, bob])
    await table.arrange(["R5", "G1", "G2"], ["B6", "B8", "B9"], turn=0)
    await table.press(ann, "More")
    await table.press(ann, "Hand over my seat")
    answer = await room.choose(ann, table.hand(ann), [dia])
    assert answer.kind == "update"
    assert "offered to Dia" in answer.text
    offer = next(screen for screen in room.screens() if screen.has("Take the seat"))
    return table, dia, offer


def table_of(room: Room) -> Screen:
    return next(screen for screen in reversed(room.screens()) if screen.has("My hand"))


async def test_a_seat_is_offered_taken_and_changes_hands_at_the_next_deal(
    room: Room, restart: Restart
) -> None:
    table, dia, offer = await offered(room)
    ann, bob = table.members
    assert offer.pinged == {dia.id}
    assert "Ann offers the seat to Dia." in table_of(room).text
    answer = await room.click(bob, offer, "Take the seat")
    assert "somebody else" in answer.text
    await restart(killed=True)
    answer = await room.click(dia, offer, "Take the seat")
    assert answer.private
    assert "next hand" in answer.text
    assert not [screen for screen in room.screens() if screen.has("Take the seat")]
    assert "At the next hand Dia takes over from Ann." in room.table().text
    # Until then Ann plays on, and has nothing more to offer.
    await table.press(ann, "Red 5")
    await room.click(ann, table.hand(ann), "More")
    assert not {"Hand over my seat", "Keep my seat"} & set(table.hand(ann).labels)
    await room.click(ann, table.hand(ann), "Back")
    await table.arrange(["R5"], ["B6", "B8"], turn=0)
    await table.press(ann, "Red 5")
    await room.click(bob, room.table(), "Next hand")
    assert table.state.seating.names == ("Dia", "Bob")
    assert table.match.scores[0] == 14
    assert is_hand(room.hand(dia))
    assert "**Dia**: 7 cards · 14 points" in room.table().text
    answer = await room.command(ann, "uno hand")
    assert "not playing" in answer.text
    assert table.state.seating.gone == {}


@pytest.mark.parametrize("faster", ["Ann", "Bob"])
async def test_who_deals_the_hand_in_which_their_seat_is_another_s_does_not_see_it(
    room: Room, faster: str
) -> None:
    table, dia, offer = await offered(room)
    ann, bob = table.members
    await room.click(dia, offer, "Take the seat")
    await table.arrange(["R5"], ["B6", "B8"], turn=0)
    await table.press(ann, "Red 5")
    clicks = [Click(member, room.table(), "Next hand") for member in (ann, bob)]
    answers = await room.together(*(clicks if faster == "Ann" else reversed(clicks)))
    (answer,) = [answer for answer in answers if not is_hand(answer.screen)]
    assert answer.private
    assert ("Thank you for playing" if faster == "Ann" else "not playing") in answer.text
    assert answer.screen is not None
    assert answer.screen.buttons == []
    assert table.state.seat_of(dia.id) == 0
    assert is_hand(room.hand(dia))


async def test_an_offer_can_be_taken_back_and_its_message_goes(room: Room) -> None:
    table, dia, offer = await offered(room)
    (ann, _) = table.members
    await table.press(ann, "More")
    await table.press(ann, "Keep my seat")
    assert "You keep your seat." in table.hand(ann).text
    assert not [screen for screen in room.screens() if screen.has("Take the seat")]
    assert "offers the seat" not in room.table().text
    assert offer.id not in {screen.id for screen in room.screens()}
    answer = await room.click(dia, room.table(), "My hand")
    assert "You can join at the next hand" in answer.text


async def test_my_hand_offers_the_seat_too(room: Room) -> None:
    table, dia, _ = await offered(room)
    answer = await room.click(dia, table_of(room), "My hand")
    assert answer.private
    assert answer.screen is not None
    taken = await room.click(dia, answer.screen, "Take the seat")
    assert "next hand" in taken.text
    assert {seat: heir.user_id for seat, heir in table.state.seating.successors.items()} == {0: dia.id}
    answer = await room.command(dia, "uno leave")
    assert table.state.seating.successors == {}


@pytest.mark.parametrize("how", ["end", "leave"])
async def test_an_offer_ends_with_the_match_and_with_the_one_who_made_it(room: Room, how: str) -> None:
    table, dia, offer = await offered(room)
    ann, _ = table.members
    await (leave(room, ann) if how == "leave" else end(room, ann))
    assert not [screen for screen in room.screens() if screen.has("Take the seat")]
    assert offer.id not in {screen.id for screen in room.screens()}
    # Ann leaving leaves Bob alone, so both ways the table is over.
    answer = await room.command(dia, "uno hand")
    assert "no table" in answer.text


@pytest.mark.parametrize("whom", ["bot", "seated"])
async def test_bots_and_those_at_the_table_cannot_be_chosen(room: Room, whom: str) -> None:
    table, *_ = await offered(room)
    ann, bob = table.members
    guild = room.channel.guild
    robot = guild.add_member(room.simulation.create_user("robot", bot=True))
    await table.press(ann, "More")
    await table.press(ann, "Keep my seat")
    await table.press(ann, "More")
    await table.press(ann, "Hand over my seat")
    answer = await room.choose(ann, table.hand(ann), [robot if whom == "bot" else bob])
    assert ("A bot cannot" if whom == "bot" else "at this table already") in answer.text
    assert table.state.seating.offers == {}
    assert not [screen for screen in room.screens() if screen.has("Take the seat")]


async def test_the_last_hand_s_seats_are_not_handed_over(room: Room) -> None:
    (ann,) = room.members("Ann")
    table = await against(room, ann, 1)
    await table.arrange(["R5", "G1"], ["B6", "B8"], turn=0)
    await table.press(ann, "More")
    assert not table.hand(ann).has("Hand over my seat")


async def test_a_level_without_computer_players_is_asked_about(room: Room) -> None:
    (ann,) = room.members("Ann")
    answer = await room.command(ann, "uno start", level="sharp")
    assert answer.text == "Say how many computer players you want, too: for example cpus:3."
    assert not room.screens()


async def test_the_last_person_is_told_that_the_table_closes(room: Room) -> None:
    (ann,) = room.members("Ann")
    await room.command(ann, "uno start", cpus=2)
    await room.click(ann, room.table(), "Start")
    await room.command(ann, "uno pause")
    await room.click(ann, room.hand(ann), "More")
    answer = await room.click(ann, room.hand(ann), "Leave")
    assert "Nobody else plays here, so the table is closed then." in answer.text
