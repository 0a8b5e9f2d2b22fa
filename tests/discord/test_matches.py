"""Whole matches by clicks only: played to their end, through restarts too, and what a move costs in calls."""

import re
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from simcord import MemberActor

from bot.model.state import State
from engine.replay import replay
from engine.rules import RuleSet
from tests.discord.clicking import Click, Room, Screen
from tests.discord.playing import ALL_RULES, Driver, Table, bot_of, calls_by_kind, is_hand, open_lobby, seat

Restart = Callable[..., Awaitable[None]]
BLUFFING = replace(ALL_RULES, no_bluff=False, score_target=True)
OFFICIAL = {"turn", "drawn", "colour", "shell", "challenge"}

#: Players, house rules, what /uno start is told, the seed of the cards, what must have been awaited.
MATCHES: dict[str, tuple[int, RuleSet, dict[str, Any], int, set[str]]] = {
    "two players, one hand": (2, RuleSet(), {}, 1, {"turn", "drawn"}),
    "three players, three hands": (3, RuleSet(), {"hands": 3}, 4, OFFICIAL | {"deal"}),
    "four players, to 100": (4, BLUFFING, {"target": 100}, 4, OFFICIAL | {"swap", "stack"}),
    "ten players": (10, RuleSet(), {}, 1, OFFICIAL),
    "ten players, all house rules": (10, ALL_RULES, {}, 5, OFFICIAL | {"swap", "stack"}),
}


# --- to the end


@pytest.mark.parametrize("name", MATCHES)
async def test_a_match_is_played_to_its_end_by_clicks_only(
    room: Room, dealt_alike: Callable[[int], None], name: str
) -> None:
    players, rules, options, seed, expected = MATCHES[name]
    dealt_alike(seed)
    table = await seat(room, players, rules=rules, **options)
    live = table.live
    driver = Driver(table, 5, mischief=0.2)
    standings = await driver.play()
    assert expected <= driver.awaited
    assert driver.fetched == [], "the hand of whoever is to play comes by itself"
    assert live.state.ended == "won"
    await the_store_tells_the_same(table, live.state, standings)
    for member in table.members:
        hand = driver.hand(member)
        if hand.has("More"):  # it was not their turn, so nobody had to tell them
            assert "This table is closed." in (await room.click(member, hand, "More")).text
        else:
            assert hand.labels == ["Rematch"]
    for calls in driver.calls["play"]:
        assert calls["answer"] == 1
        assert calls["table edit"] + calls["post"] == 1


async def the_store_tells_the_same(table: Table, state: State, standings: Screen) -> None:
    """Compare the end as it is shown with what is kept, and what is kept with its own moves."""
    store, match = bot_of(table.room).store, state.match
    assert match is not None
    assert match.winners is not None
    points: Counter[int] = Counter()
    for hand_no in range(1, match.hand_no + 1):
        hand = await store.hand(1, hand_no)
        assert hand is not None
        played = await replayed(table.room, hand_no)
        winner = played["state"]["hand_winner"]
        if winner is not None:
            assert hand.winner_user_id == table.members[int(winner[1:])].id
            points[hand.winner_user_id] += hand.points
        assert {score.user_id: list(score.cards) for score in hand.scores} == {
            table.members[int(name[1:])].id: cards for name, cards in played["state"]["hands"].items()
        }
    for number, (member, score) in enumerate(zip(table.members, match.scores, strict=True)):
        assert points[member.id] == score
        if match.length.hands == 1 and number not in match.winners:
            continue  # ranked by what is left in hand
        unit = "point" if score == 1 else "points"
        assert f"{member.user.global_name}: {score} {unit}" in standings.text
    winners = {table.members[seat].user.global_name for seat in match.winners}
    assert all(str(name) in standings.text.splitlines()[0] for name in winners)
    rows = (await store.board(table.room.channel.guild.id, limit=20)).lines
    assert {row.user_id: row.points for row in rows} == {m.id: points[m.id] for m in table.members}


async def replayed(room: Room, hand_no: int) -> dict[str, Any]:
    """Play a finished hand again from what is kept of it; every move must be accepted."""
    store = bot_of(room).store
    hand = await store.hand(1, hand_no)
    assert hand is not None
    moves = [move.move for move in await store.moves(1, hand_no) if move.move[1] != "deal"]
    played: dict[str, Any] = replay({**hand.scenario, "actions": moves})
    assert all(result["ok"] for result in played["results"])
    return played


async def test_a_match_goes_on_through_restarts_and_leaves(
    room: Room, restart: Restart, dealt_alike: Callable[[int], None]
) -> None:
    dealt_alike(3)
    table = await seat(room, 4, hands=2, rules=replace(BLUFFING, score_target=False))
    driver = Driver(table, 8, mischief=0.1, pace=20)
    steps = restarts = leavers = 0
    while await driver.step():
        steps += 1
        if steps % 15 == 0:
            restarts += 1
            await restart(killed=restarts % 2 == 0)
        if steps in (25, 45):
            leavers += 1
            await driver.leave(driver.dice.choice(driver.seated()))
    assert restarts >= 4
    assert room.table().text.count("has left") == leavers == 2
    for hand_no in (1, 2):
        await replayed(room, hand_no)


# --- every decision, before and after a restart

#: The verbs that do something to the game.
ANSWERS = "play|draw|keep|colour|target|accept|challenge|jump|next|leave_yes"
HANDS = (["R5", "W4", "B2", "RD"], ["G6", "G8", "W4", "RD"], ["Y1", "Y2"])
DECISIONS: dict[str, dict[str, Any]] = {
    "turn": {},
    "turn, UNO!": {"hands": (["R5", "W4"], ["G6", "G8"], ["Y1", "Y2"])},
    "drawn": {"draw": ["R3", "G1", "G2", "G3", "G4"], "actions": [(0, "draw")]},
    "colour": {
        "hands": (["WI", "R5", "B2"], ["G6"], ["Y1"]),
        "draw": ["W4", "G1", "G2", "G3"],
        "actions": [(0, "play", "WI")],
    },
    "shell": {
        "hands": (["WI", "R5", "B2"], ["G6"], ["Y1"]),
        "draw": ["G4", "G1", "G2", "G3"],
        "actions": [(0, "play", "WI")],
    },
    "swap": {
        "hands": (["R7", "R5", "B2"], ["G6"], ["Y1"]),
        "rules": RuleSet(seven_zero=True),
        "actions": [(0, "play", "R7")],
    },
    "challenge": {
        "actions": [(2, "play", "W4", "red")],
        "hands": (HANDS[0], HANDS[1], ["W4", "R1"]),
        "turn": 2,
    },
    "stack of fours": {
        "hands": (HANDS[0], HANDS[1], ["W4", "R1"]),
        "turn": 2,
        "rules": RuleSet(stack=True),
        "actions": [(2, "play", "W4", "red")],
    },
    "stack": {
        "hands": (HANDS[0], HANDS[1], ["RD", "R1"]),
        "turn": 2,
        "rules": RuleSet(stack=True),
        "actions": [(2, "play", "RD")],
    },
    "jump in": {"hands": (HANDS[0], HANDS[1], ["R7", "Y2"]), "rules": RuleSet(jump_in=True)},
    "deal": {"hands": (["R5"], ["G6", "G8"], ["Y1"]), "actions": []},
}


async def old_screens(table: Table) -> list[tuple[list[MemberActor], Screen]]:
    """Collect what is on screen and who sees it, with all steps of the hand of whoever is to play."""
    screens = [(table.members, table.board())]
    for member in table.members:
        hand = table.hand(member)
        steps = [hand]
        if table.view(member).my_turn:
            for labels in (("More", "Leave", "Keep playing"), ("Wild Draw Four", "Back"), ("UNO!",)):
                if table.hand(member).has(labels[0]):
                    for label in labels:
                        screen = (await table.press(member, label)).screen
                        assert screen is not None
                        steps.append(screen)
        screens += [([member], screen) for screen in steps]
    return screens


@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
@pytest.mark.parametrize("decision", DECISIONS)
async def test_every_old_button_works_after_a_restart(
    room: Room, restart: Restart, decision: str, killed: bool
) -> None:
    position = dict(DECISIONS[decision])
    table = await seat(room, 3, rules=position.get("rules"), hands=3)
    await table.arrange(*position.pop("hands", HANDS), **position)
    if decision == "deal":
        await table.press(table.members[0], "Red 5")
    screens = await old_screens(table)
    await restart(killed=killed)
    at_restart = table.state
    carried: set[str] = set()
    moved: set[str] = set()
    for members, screen in screens:
        for button in [button for button in screen.buttons if not button.disabled]:
            if re.search(f":(?:{ANSWERS}):", button.custom_id):
                carried.add(button.custom_id)
            for member in members:
                if screen.id not in {shown.id for shown in room.screens(member)}:
                    continue  # the table was posted anew with the next hand
                answer = await room.click(member, screen, custom_id=button.custom_id)
                assert answer.screen is not None
                assert "old hand" not in answer.text
                if table.match != at_restart.match:
                    moved.add(button.custom_id)
                    await table.put(at_restart)
    assert carried
    assert carried <= moved


@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
@pytest.mark.parametrize("label", ["Join", "Leave", "Start", "Cancel"])
async def test_every_button_of_an_old_lobby_works_after_a_restart(
    room: Room, restart: Restart, label: str, killed: bool
) -> None:
    ann, bob, cleo = room.members("Ann", "Bob", "Cleo")
    lobby = await open_lobby(room, ann)
    await room.click(bob, lobby, "Join")
    lobby = room.look(lobby)
    await restart(killed=killed)
    who = cleo if label == "Join" else ann
    answer = await room.click(who, lobby, label)
    assert answer.kind == "update"
    assert room.look(lobby).payload["components"] != lobby.payload["components"]


async def test_the_next_hand_comes_by_itself_after_a_restart(room: Room, restart: Restart) -> None:
    table = await seat(room, 2)
    ann, bob = table.members
    await table.arrange(["R5", "R6", "G1"], ["R2", "R3", "B2"], turn=0)
    await restart(killed=True)
    await table.press(ann, "Red 5")
    assert table.hand(bob).has("Red 2")


# --- what a move costs

#: Verbs of presses that are steps within a decision, and change nothing.
STEPS = {"pick", "toggle", "more", "back"}


async def test_a_whole_hand_of_four_costs_an_answer_a_table_and_a_hand_for_each_move(
    room: Room, dealt_alike: Callable[[int], None], settings: Any
) -> None:
    # As it is for people: it is also how often a channel is looked at.
    bot_of(room).messages._settings = settings.model_copy(update={"repost_pause": 60.0})
    dealt_alike(2)
    driver = Driver(await seat(room, 4), 5, mischief=0.0)
    await driver.play()
    moves = [calls for verb, made in driver.calls.items() if verb not in STEPS for calls in made]
    steps = [calls for verb, made in driver.calls.items() if verb in STEPS for calls in made]
    assert len(moves) > 20
    assert all(calls == cost(1) for calls in steps), "a step is an answer"
    whole = sum(moves, Counter[str]())
    assert whole.pop("answer") == len(moves)
    assert whole.pop("table edit") + whole.pop("post", 0) == len(moves), "the table is shown once for each"
    # The next player's hand, and that of somebody who draws; the last move closes all.
    assert whole.pop("hand refresh") + whole.pop("hand sent", 0) <= 1.5 * len(moves) + 4
    minutes = len(moves) * driver.pace / 60
    looks = whole.pop("look", 0)
    assert looks <= 2 * minutes, "whether something was written below the table"
    assert not whole, "nothing else is asked of Discord"


CALLS = ("answer", "table edit", "hand refresh")


def cost(*numbers: int, **others: int) -> Counter[str]:
    """Name the calls: the answer, the table's edit, the refreshing of other hands, and whatever else."""
    named = dict(zip(CALLS, numbers, strict=False))
    return +Counter({**named, **{kind.replace("_", " "): number for kind, number in others.items()}})


async def costs(room: Room, deed: Awaitable[Any]) -> Counter[str]:
    since = len(room.simulation.http_requests)
    await deed
    return +calls_by_kind(room, since)


Cost = tuple[dict[str, Any], tuple[str, ...], Counter[str]]
#: A position of four players in which the first is to play, what they press, and the calls of the last press.
COSTS: dict[str, Cost] = {
    "a number": ({"hands": ["R5", "R6"]}, ("Red 5",), cost(1, 1, 1)),
    "a skip": ({"hands": ["RS", "R6"]}, ("Red Skip",), cost(1, 1, 1)),
    "a reverse": ({"hands": ["RR", "R6"]}, ("Red Reverse",), cost(1, 1, 1)),
    "a Draw Two": ({"hands": ["RD", "R6"]}, ("Red Draw Two",), cost(1, 1, 2)),
    "a number with UNO": ({"hands": ["R5", "R6"]}, ("UNO!", "Red 5"), cost(1, 1, 1)),
    "a number, not saying UNO": ({"hands": ["R5", "R6"]}, ("Red 5",), cost(1, 1, 1)),
    "the switch of UNO!": ({"hands": ["R5", "R6"]}, ("UNO!",), cost(1)),
    "a draw that ends the turn": ({"hands": ["R5"], "draw": ["G9", "G8"]}, ("Draw",), cost(1, 1, 1)),
    "a draw that can be played": ({"hands": ["R5"], "draw": ["R9", "G8"]}, ("Draw",), cost(1, 1)),
    "keeping it": ({"hands": ["R5"], "draw": ["R9", "G8"]}, ("Draw", "Keep"), cost(1, 1, 1)),
    "playing it": ({"hands": ["R5"], "draw": ["R9", "G8"]}, ("Draw", "Red 9"), cost(1, 1, 1)),
    "picking a Wild Draw Four": ({"hands": ["W4", "R6", "R7"]}, ("Wild Draw Four",), cost(1)),
    "a Wild Draw Four": ({"hands": ["W4", "R6", "R7"]}, ("Wild Draw Four", "Blue"), cost(1, 1, 1)),
    "a box with a Mushroom": ({"hands": ["WI", "R6"], "draw": ["R1", "G8"]}, ("Wild Item Box",), cost(1, 1)),
    "a box with a Banana Peel": (
        {"hands": ["WI", "R6"], "draw": ["Y1", "G8", "G9"]},
        ("Wild Item Box",),
        cost(1, 1, 2),
    ),
    "a box with Lightning": (
        {"hands": ["WI", "R6"], "draw": ["B1", "G7", "G8", "G9"]},
        ("Wild Item Box",),
        cost(1, 1, 3),
    ),
    "a box with a Green Shell": (
        {"hands": ["WI", "R6"], "draw": ["G1", "G8"]},
        ("Wild Item Box",),
        cost(1, 1),
    ),
    "aiming it": (
        {"hands": ["WI", "R6"], "draw": ["G1", "G8"]},
        ("Wild Item Box", "Cleo: 2 cards"),
        cost(1, 1, 2),
    ),
    "a box with a Bob-omb": (
        {"hands": ["WI", "R6"], "draw": ["W4", "G8", "G7"]},
        ("Wild Item Box",),
        cost(1, 1),
    ),
    "naming the colour": (
        {"hands": ["WI", "R6"], "draw": ["W4", "G8", "G7"]},
        ("Wild Item Box", "Blue"),
        cost(1, 1, 1),
    ),
    "more": ({"hands": ["R5", "R6"]}, ("More",), cost(1)),
    "the rules": ({"hands": ["R5", "R6"]}, ("More", "Rules"), cost(1)),
    "leaving": ({"hands": ["R5", "R6"]}, ("More", "Leave", "Yes, leave"), cost(1, 1, 1)),
    "the table here": ({"hands": ["R5", "R6"]}, ("More", "Table here"), cost(1, post=1, delete=1)),
    "a catch with nobody to catch": ({"hands": ["R5", "R6"]}, ("Catch!",), cost(1)),
    "the end of the match": ({"hands": ["R5"]}, ("Red 5",), cost(1, 1, 3, look=1)),
}


async def test_what_a_press_in_the_hand_costs(room: Room) -> None:
    table = await seat(room, 4)
    ann = table.members[0]
    found = {}
    for name, (position, labels, _) in COSTS.items():
        hands = (position["hands"], ["R2", "B2"], ["Y8", "Y9"], ["Y6", "Y5"])
        await table.arrange(*hands, draw=position.get("draw", ("G1", "G2", "G3")))
        for way_back in {"Back", "Keep playing"} & set(table.hand(ann).labels):
            await table.press(ann, way_back)
        for label in labels[:-1]:
            await table.press(ann, label)
        found[name] = await costs(room, table.press(ann, labels[-1]))
    assert found == {name: expected for name, (_, _, expected) in COSTS.items()}


async def test_what_the_rest_costs(room: Room) -> None:
    ann, bob, cleo = room.members("Ann", "Bob", "Cleo")
    found = {}
    found["/uno start"] = await costs(room, room.command(ann, "uno start", hands=2))
    lobby = room.table()
    for member in (bob, cleo):
        found["joining"] = await costs(room, room.click(member, lobby, "Join"))
    found["starting"] = await costs(room, room.click(ann, lobby, "Start"))
    table = Table(room, [ann, bob, cleo])
    found["my hand"] = await costs(room, table.press_board(ann, "My hand"))
    four = {"actions": [(0, "play", "W4", "blue")]}
    await table.arrange(["W4", "G1", "G2"], ["B2", "B3"], ["Y1", "Y2"], **four)
    found["accepting"] = await costs(room, table.press(bob, "Accept +4"))
    await table.arrange(["W4", "R1", "G2"], ["B2", "B3"], ["Y1", "Y2"], **four)
    found["a challenge upheld"] = await costs(room, table.press(bob, "Challenge (+6 if wrong)"))
    await table.arrange(["W4", "G1", "G2"], ["B2", "B3"], ["Y1", "Y2"], **four)
    found["a challenge failed"] = await costs(room, table.press_board(bob, "Challenge (+6 if wrong)"))
    await table.arrange(["R5", "G2"], ["B2", "B3"], ["Y1", "Y2"], actions=[(0, "play", "R5")])
    found["a catch"] = await costs(room, table.press(cleo, "Catch!"))
    await table.arrange(["R5", "G2"], ["B2", "B3"], ["Y1", "Y2"], actions=[(0, "play", "R5")])
    found["UNO! at one card"] = await costs(room, table.press(ann, "UNO!"))
    await table.arrange(["R5"], ["B2", "B3"], ["Y1", "Y2"])
    found["the end of a hand"] = await costs(room, table.press(ann, "Red 5"))
    found["details"] = await costs(room, table.press_board(ann, "Details"))
    found["the next hand"] = await costs(room, table.press_board(bob, "Next hand"))
    await table.arrange(["R5", "R5"], ["B2", "B3"], ["Y1", "Y2"])
    old = table.hand(ann)
    await table.arrange(["R5", "R5", "R6"], ["B2", "B3"], ["Y1", "Y2"])
    found["an old hand"] = await costs(room, room.click(ann, old, "Red 5 ×2"))
    assert found == {
        "/uno start": cost(1),
        "joining": cost(1),
        "starting": cost(1, hand_sent=3),
        "my hand": cost(1, 0, 1),  # the former copy becomes a line
        "accepting": cost(1, 1, 1),
        "a challenge upheld": cost(1, 1, 1),
        "a challenge failed": cost(1, 1, 2),
        "a catch": cost(1, 1, 1),
        "UNO! at one card": cost(1, 1),
        "the end of a hand": cost(1, 1, 2),
        "details": cost(1),
        "the next hand": cost(1, 0, 3, post=1, delete=1, **{"hand sent": 2}),
        "an old hand": cost(1),
    }


async def test_ten_joins_at_once_and_a_flurry_of_moves_lose_nothing(room: Room) -> None:
    table = await seat(room, 10)
    await table.arrange(*[["R5", "R6", "G1"]] * 10)
    since = len(room.simulation.http_requests)
    for member in table.members:
        hand = table.hand(member)
        assert is_hand(hand)
        await room.together(Click(member, hand, "Red 5"), Click(member, hand, "Red 6"))
    assert [len(table.cards(member)) for member in table.members] == [2] * 10
    assert calls_by_kind(room, since)["table edit"] == 10
