"""Computer players: who they are, when they move, catch and jump in, and who takes their seats."""

from datetime import timedelta
from typing import Any

import pytest

from bot.model import computers
from bot.model.agenda import Due
from bot.model.errors import Problem
from bot.model.options import LEVELS
from bot.model.seating import Person
from bot.model.snapshot import restore, snapshot
from bot.store import Store
from bot.tables import Change, Click, Options, Outages, Table, Tables
from engine.actions import DEAL, Play
from engine.awaiting import Awaiting
from engine.cards import CARD_OF_CODE
from engine.events import CardPlayed, HandsSwapped, UnoCaught, UnoSaid
from engine.players import NormalPlayer
from engine.rules import Length, RuleSet
from tests.tables.sitting import CHANNEL, GUILD, PACE, Somebody, put, refused, restored

SECOND = timedelta(seconds=1)
HANDS = {"s0": ["B1", "B2", "B3"], "s1": ["B4", "B5", "B6"], "s2": ["B7", "B8", "B9"]}


async def alone(tables: Tables, by: Somebody, cpus: int = 2, level: str = "normal", **how: Any) -> Table:
    """Give a match of one person in the first seat against computers."""
    table = await tables.open_lobby(GUILD, CHANNEL, by(1), Options(**how), [level] * cpus)
    await tables.start(table, by(1))
    return table


async def placed(tables: Tables, by: Somebody, cpus: int = 2, **position: Any) -> Table:
    """Give such a match in a position in which nobody can play a card but what the test gives them."""
    table = await alone(tables, by, cpus, **position.pop("how", {}))
    hands = {f"s{seat}": ["B1", "B2", "B3"] for seat in range(cpus + 1)}
    defaults = {"discard": ["R9"], "turn": "s0", "draw": ["G1"] * 20}
    put(table, **(defaults | position | {"hands": hands | position.get("hands", {})}))
    table.state.clock.began_at = table.state.clock.full_at = by.now
    return table


def due(tables: Tables, table: Table) -> tuple[float, Due]:
    """Give what is due next, in seconds after the decision began."""
    entry = tables.next_due(table.state)
    assert entry is not None
    return (entry[0] - table.state.clock.began_at).total_seconds(), entry[1]


async def next_tick(tables: Tables, table: Table) -> Change:
    """Do what is due next, when it is due."""
    entry = tables.next_due(table.state)
    assert entry is not None
    change = await tables.tick(table, entry[0])
    assert change is not None
    return change


def computer_names(table: Table) -> list[str]:
    return [person.name for person in table.state.seating.people if person.cpu is not None]


# --- in the lobby


def test_there_are_names_for_every_seat_and_a_player_for_every_level() -> None:
    people = [Person(1, "tURBO")]
    for number in range(9):
        people.append(computers.newcomer(people, LEVELS[number % 3], 7))
    names = [person.name.casefold() for person in people]
    assert len(set(names)) == 10
    assert all(person.shown == f"🤖 {person.name}" for person in people[1:])


async def test_the_host_seats_and_removes_computers(tables: Tables, by: Somebody) -> None:
    table = await tables.open_lobby(GUILD, CHANNEL, by(1), Options(seats=4), ["easy"])
    await tables.join(table, by(2))
    await refused(Problem.NOT_THE_HOST, tables.add_computer(table, by(2), "sharp"))
    await tables.add_computer(table, by(1), "sharp")
    await refused(Problem.NO_SEAT_FOR_COMPUTER, tables.add_computer(table, by(1), "sharp"))
    assert [person.cpu for person in table.state.seating.people] == [None, "easy", None, "sharp"]
    first, second = computer_names(table)
    assert first != second
    await refused(Problem.NOT_THE_HOST, tables.remove_computer(table, by(2), first))
    await tables.remove_computer(table, by(1), first)
    await refused(Problem.THEY_ARE_NOT_SEATED, tables.remove_computer(table, by(1), first))
    assert computer_names(table) == [second]
    await tables.start(table, by(1))
    await refused(Problem.ALREADY_STARTED, tables.add_computer(table, by(1), "easy"))


async def test_no_more_computers_come_than_there_are_seats(tables: Tables, by: Somebody) -> None:
    table = await tables.open_lobby(GUILD, CHANNEL, by(1), Options(seats=4), ["normal"] * 9)
    assert len(table.state.seating.people) == 4


async def test_in_a_full_lobby_a_person_takes_the_last_computer_s_seat(tables: Tables, by: Somebody) -> None:
    table = await tables.open_lobby(GUILD, CHANNEL, by(1), Options(seats=3), ["normal"])
    await tables.join(table, by(2))
    assert [person.user_id for person in table.state.seating.people] == [1, None, 2]
    await tables.join(table, by(3))
    assert [person.user_id for person in table.state.seating.people] == [1, 3, 2]
    await refused(Problem.LOBBY_FULL, tables.join(table, by(4)))


async def test_the_host_of_a_lobby_is_followed_by_a_person(tables: Tables, by: Somebody) -> None:
    table = await tables.open_lobby(GUILD, CHANNEL, by(1), Options(), ["normal", "normal"])
    await tables.join(table, by(2))
    await tables.leave(table, by(1))
    assert table.state.seating.people[table.state.seating.host].user_id == 2
    await tables.leave(table, by(2))
    assert table.state.ended == "empty"


# --- moving


async def test_one_person_plays_a_whole_match_against_nine(
    tables: Tables, by: Somebody, store: Store
) -> None:
    rules = RuleSet(stack=True, seven_zero=True, jump_in=True)
    table = await alone(tables, by, 9, "sharp", rules=rules, length=Length(hands=2))
    moves = 0
    while table.state.ended is None:
        match = table.state.match
        assert match is not None
        if match.awaiting is Awaiting.DEAL:
            await tables.act(table, by(1), (DEAL,))
        elif match.turn == 0:
            await tables.act(table, by(1), (match.legal_actions()[0],))
        else:
            by.now = max(by.now, (await next_tick(tables, table)).after.clock.began_at)
            moves += 1
    assert table.state.ended == "won"
    assert moves > 20
    assert (await store.board(GUILD, limit=10)).lines == ()
    hand = await store.hand(table.id, 1)
    assert hand is not None
    assert len(hand.scores) == 10
    assert not any(score.ranked for score in hand.scores)


async def test_two_people_among_computers_are_ranked_and_computers_are_not(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await tables.open_lobby(GUILD, CHANNEL, by(1), Options(), ["normal"])
    await tables.join(table, by(2))
    await tables.start(table, by(1))
    put(table, hands=HANDS | {"s0": ["R1"]}, discard=["R9"], turn="s0")
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))
    assert [row.user_id for row in (await store.board(GUILD, limit=10)).lines] == [1, 2]


async def test_a_computer_thinks_a_moment_and_the_same_moment_after_a_restart(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await placed(tables, by, turn="s1", hands={"s1": ["R1", "R2", "R3"]})
    when, what = due(tables, table)
    assert what is Due.COMPUTER
    assert 1 <= when <= 2
    seen = set()
    for decision in range(40):
        assert table.state.match is not None
        table.state.match.game.decision += decision
        seen.add(round(due(tables, table)[0], 1))
    assert len(seen) > 5
    when, _ = due(tables, table)
    again = restore(snapshot(table.state), table.state.seating.people, 1)
    (at, _) = tables.next_due(again) or (None, None)
    assert at is not None
    assert (at - again.clock.began_at).total_seconds() == when


async def test_a_computer_s_move_does_not_count_as_somebody_acting(tables: Tables, by: Somebody) -> None:
    table = await placed(tables, by, turn="s1", how={"turn_time": None})
    acted = table.state.clock.acted_at
    change = await next_tick(tables, table)
    assert change.by is None
    assert table.state.clock.acted_at == acted
    while table.state.match is not None and table.state.match.turn != 0:
        await next_tick(tables, table)
    assert (await next_tick(tables, table)).after.ended == "idle"


async def test_people_on_autopilot_are_played_for_as_before(tables: Tables, by: Somebody) -> None:
    table = await placed(tables, by, turn="s0")
    assert table.state.match is not None
    table.state.match.game.streak[0] = 2
    assert due(tables, table) == (1.5, Due.COMPUTER)


# --- UNO


class Forgetful(NormalPlayer):
    """Never says UNO, and never catches."""

    def says_uno(self, view: Any) -> bool:
        return False

    def catches(self, view: Any) -> bool:
        return False


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(computers.POLICIES, "easy", Forgetful)


async def test_computers_catch_a_person_once_they_have_had_their_time(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await placed(tables, by, hands={"s0": ["R1", "B2"]})
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))
    assert due(tables, table) == (3, Due.CATCH)
    assert await tables.tick(table, table.state.clock.began_at + 2.9 * SECOND) is None
    change = await next_tick(tables, table)
    assert isinstance(change.events[0], UnoCaught)
    assert change.events[0].by == 1  # the first in turn order
    assert due(tables, table)[1] is Due.COMPUTER
    play, catch = await store.moves(table.id, 1)
    assert (play.move, play.auto) == (["s0", "play", "R1"], False)
    assert (catch.move, catch.auto) == (["s1", "catch", "s0", {"auto": True}], True)


async def test_who_says_it_in_time_is_not_caught(tables: Tables, by: Somebody) -> None:
    table = await placed(tables, by, hands={"s0": ["R1", "B2"]})
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),), uno=True)
    assert due(tables, table)[1] is Due.COMPUTER


async def test_computers_that_do_not_want_to_catch_are_not_asked_again(
    tables: Tables, by: Somebody, forgetful: None
) -> None:
    table = await placed(tables, by, hands={"s0": ["R1", "B2"]})
    table.state.seating.people[1:] = [Person(None, "Turbo", "easy"), Person(None, "Pixel", "easy")]
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))
    assert due(tables, table) == (3, Due.COMPUTER)


async def test_a_computer_that_forgets_can_be_caught_by_people_and_computers(
    tables: Tables, by: Somebody, forgetful: None
) -> None:
    for catcher in ("person", "computer"):
        table = await placed(tables, by, turn="s1", hands={"s1": ["R1", "B2"]})
        table.state.seating.people[1] = Person(None, "Turbo", "easy")
        change = await next_tick(tables, table)
        assert not any(isinstance(event, UnoSaid) for event in change.events)
        assert table.state.match is not None
        assert table.state.match.game.owed == 1
        by.now = change.after.clock.began_at
        if catcher == "person":
            caught = await tables.catch(table, by(1, wait=2.5))
            assert caught.events[0].by == 0
            await tables.end(table, by(1), moderator=True)
        else:
            caught = await next_tick(tables, table)
            assert caught.events[0].by == 2


async def test_a_computer_says_its_uno_with_its_play(tables: Tables, by: Somebody, store: Store) -> None:
    table = await placed(tables, by, turn="s1", hands={"s1": ["R1", "B2"]})
    change = await next_tick(tables, table)
    assert [type(event) for event in change.events] == [CardPlayed, UnoSaid]
    assert [(move.move[1], move.auto) for move in await store.moves(table.id, 1)] == [
        ("play", True),
        ("uno", True),
    ]


# --- every decision, and jumping in


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("position", "actions"),
    [
        ({"hands": {"s0": ["W4", "B1", "B2"]}}, (Play(CARD_OF_CODE["W4"], 0),)),
        ({"turn": "s1", "discard": ["WI"]}, ()),
        ({"turn": "s1", "hands": {"s1": ["WI", "B1", "B2"]}, "draw": ["G1"] * 20}, ()),
        ({"turn": "s1", "hands": {"s1": ["R7", "B1", "B2"]}, "how": {"rules": RuleSet(seven_zero=True)}}, ()),
        (
            {"hands": {"s0": ["RD", "B1", "B2"], "s1": ["BD", "B1"]}, "how": {"rules": RuleSet(stack=True)}},
            (Play(CARD_OF_CODE["RD"]),),
        ),
    ],
    ids=["challenge", "colour", "shell", "swap", "stack"],
)
async def test_computers_answer_every_decision(
    tables: Tables, by: Somebody, level: str, position: dict[str, Any], actions: tuple[Any, ...]
) -> None:
    table = await placed(tables, by, **position)
    table.state.seating.people[1] = Person(None, "Turbo", level)
    if actions:
        await tables.act(table, by(1), actions)
    assert table.state.match is not None
    assert table.state.match.turn == 1
    for _ in range(3):
        if table.state.match.turn == 1:
            assert (await next_tick(tables, table)).events
    assert table.state.match.turn != 1


async def test_a_computer_jumps_in_before_a_person_who_hesitates(tables: Tables, by: Somebody) -> None:
    how = {"rules": RuleSet(jump_in=True)}
    table = await placed(tables, by, hands={"s2": ["R9", "B2", "B3"]}, how=how)
    when, what = due(tables, table)
    assert what is Due.JUMP_IN
    assert 1 <= when <= 2
    change = await next_tick(tables, table)
    assert isinstance(change.events[0], CardPlayed)
    assert (change.events[0].seat, change.events[0].jumped) == (2, True)
    assert not any(isinstance(event, HandsSwapped) for event in change.events)
    assert due(tables, table)[1] is not Due.JUMP_IN


# --- people come and go


async def test_a_table_without_people_ends_and_keeps_what_was_finished(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await placed(tables, by, hands={"s0": ["R1"]}, how={"length": Length(hands=3)})
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))
    await tables.act(table, by(1), (DEAL,))
    await tables.leave(table, by(1))
    assert table.state.ended == "nobody"
    assert tables.get(table.id) is None
    assert await store.hand(table.id, 1) is not None


async def test_a_last_person_who_leaves_one_computer_forfeits_to_it(tables: Tables, by: Somebody) -> None:
    table = await placed(tables, by, 1)
    await tables.lost(table, 1, by(9))
    assert table.state.ended == "won"
    assert table.state.match is not None
    assert table.state.match.winners == (1,)


async def test_the_host_s_role_passes_to_people_only(tables: Tables, by: Somebody) -> None:
    table = await tables.open_lobby(GUILD, CHANNEL, by(1), Options(), ["normal", "normal"])
    await tables.join(table, by(2))
    await tables.start(table, by(1))
    await tables.leave(table, by(1))
    assert table.state.seating.host == 3


async def test_computers_have_no_vote(tables: Tables, by: Somebody) -> None:
    table = await tables.open_lobby(GUILD, CHANNEL, by(1), Options(), ["normal"] * 4)
    for user in (2, 3):
        await tables.join(table, by(user))
    await tables.start(table, by(1))
    await tables.kick(table, by(2), 3, moderator=False)
    assert table.state.seat_of(3) is not None
    await tables.kick(table, by(1), 3, moderator=False)
    assert table.state.seat_of(3) is None
    # Two people are left: one vote decides nothing.
    await refused(Problem.NO_VOTE_OF_ONE, tables.kick(table, by(2), 1, moderator=False))
    assert table.state.seat_of(1) is not None


async def test_the_host_removes_a_computer_from_a_match(tables: Tables, by: Somebody) -> None:
    table = await placed(tables, by, turn="s1")
    name = table.state.seating.people[1].name
    await tables.remove_computer(table, by(1), name)
    assert table.state.seated_computers == [2]
    assert table.state.match is not None
    assert table.state.match.turn == 2
    await refused(Problem.THEY_ARE_NOT_SEATED, tables.remove_computer(table, by(1), name))


async def between_hands(tables: Tables, by: Somebody, cpus: int = 2) -> Table:
    table = await placed(tables, by, cpus, hands={"s0": ["R1"]}, how={"length": Length(hands=4)})
    await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))
    return table


async def test_a_newcomer_takes_over_the_computer_with_the_fewest_points(
    tables: Tables, by: Somebody, store: Store
) -> None:
    table = await between_hands(tables, by, 9)
    assert table.state.match is not None
    table.state.match.scores[1:] = [70, 30, 5, 5, 40, 80, 90, 90, 90]
    table.state.match.start_scores[:] = table.state.match.scores
    table.state.match.start_scores[0] -= table.state.match.game.points
    for user in (2, 3):
        await tables.join(table, by(user))
    await refused(Problem.ALREADY_SEATED, tables.join(table, by(3)))
    assert {seat: heir.user_id for seat, heir in table.state.seating.successors.items()} == {4: 2, 3: 3}
    await refused(
        Problem.SEAT_PROMISED, tables.remove_computer(table, by(1), table.state.seating.people[4].name)
    )
    others = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    await restored(others, by.now)
    reborn = others.get(table.id)
    assert reborn is not None
    assert reborn.state.seating.successors == table.state.seating.successors
    await tables.leave(table, by(3))
    await tables.act(table, by(1), (DEAL,))
    assert table.state.seating.successors == {}
    assert table.state.seat_of(2) == 4
    assert table.state.match.scores[4] == 5
    assert len(table.state.match.game.hands[4]) == 7
    assert table.state.seating.people[3].cpu is not None
    assert not table.state.computer_plays(4)


async def test_without_a_computer_to_replace_the_seat_is_behind_the_last(
    tables: Tables, by: Somebody
) -> None:
    table = await between_hands(tables, by, 1)
    for user in (2, 3):
        await tables.join(table, by(user))
    await tables.act(table, by(1), (DEAL,))
    assert [person.user_id for person in table.state.seating.people] == [1, 2, 3]


async def test_a_computer_s_move_comes_soon_after_a_long_stop(
    tables: Tables, by: Somebody, store: Store
) -> None:
    await placed(tables, by, turn="s1", hands={"s1": ["R1", "R2", "R3"]})
    # Saved as it stands, by a click that changes nothing of the game.
    (table,) = tables.live()
    await tables.pause(table, by(1), stop=True)
    await tables.pause(table, by(1), stop=False)
    others = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    later = by.now + timedelta(minutes=30)
    await restored(others, later)
    reborn = others.get(table.id)
    assert reborn is not None
    entry = others.next_due(reborn.state)
    assert entry is not None
    assert entry[1] is Due.COMPUTER
    assert entry[0] < later
    assert await others.tick(reborn, later) is not None


async def test_a_click_delivered_twice_seats_one_computer(tables: Tables, by: Somebody) -> None:
    table = await tables.open_lobby(GUILD, CHANNEL, by(1), Options())
    click = by(1)
    for _ in range(2):
        await tables.add_computer(table, Click(click.interaction_id, 1, "", click.now), "easy")
    assert len(table.state.seating.people) == 2
