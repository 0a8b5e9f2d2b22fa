"""Everything that can be done at a table, by whom in which phase (docs/rules.md, Who may do what)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.model.seating import Person
from bot.tables import Click, Options, Table, Tables
from engine.actions import DEAL, DRAW, SAY_UNO, Play
from engine.cards import CARD_OF_CODE
from engine.rules import Length, RuleSet
from tests.tables.sitting import CHANNEL, GUILD, Somebody, put

Deed = Callable[[Tables, Table, Click], Awaitable[object]]
DEEDS: dict[str, Deed] = {
    "join": lambda tables, table, click: tables.join(table, click),
    "leave": lambda tables, table, click: tables.leave(table, click),
    "choose": lambda tables, table, click: tables.choose(table, click, "jump_in", "1"),
    "rules": lambda tables, table, click: tables.choose_rules(table, click, RuleSet(stack=True)),
    "invite": lambda tables, table, click: tables.invite(table, click, [Person(50, "fifty")]),
    "move": lambda tables, table, click: tables.move(table, click, 99),
    "add computer": lambda tables, table, click: tables.add_computer(table, click, "easy"),
    "remove computer": lambda tables, table, click: tables.remove_computer(table, click, "Turbo"),
    "start": lambda tables, table, click: tables.start(table, click),
    "cancel": lambda tables, table, click: tables.cancel(table, click),
    "kick": lambda tables, table, click: tables.kick(table, click, 3, moderator=click.user_id == 9),
    "kick waiting": lambda tables, table, click: tables.kick(table, click, 7, moderator=click.user_id == 9),
    "uno": lambda tables, table, click: tables.act(table, click, (SAY_UNO,)),
    "catch": lambda tables, table, click: tables.catch(table, click),
    "draw": lambda tables, table, click: tables.act(table, click, (DRAW,)),
    "deal": lambda tables, table, click: tables.act(table, click, (DEAL,)),
    "offer": lambda tables, table, click: tables.offer(table, click, Person(60, "sixty")),
    "pause": lambda tables, table, click: tables.pause(table, click, stop=True),
    "hand over": lambda tables, table, click: tables.hand_over(table, click, 2, moderator=click.user_id == 9),
    "end": lambda tables, table, click: tables.end(table, click, moderator=click.user_id == 9),
}
#: Host, player, somebody who waits, stranger, moderator: who may, in each phase; the rest is refused.
LOBBY = {
    "join": "stranger moderator",
    "leave": "host player",
    **dict.fromkeys(
        ("choose", "rules", "invite", "move", "add computer", "remove computer", "start", "cancel"), "host"
    ),
    "kick": "host moderator",
    "hand over": "host moderator",
    "end": "host moderator",
}
HAND = {
    "join": "stranger moderator",
    "leave": "host player waiting",
    "remove computer": "host",
    "kick": "host player moderator",
    "kick waiting": "host moderator",
    "draw": "host",
    "offer": "host player",
    "pause": "host",
    "hand over": "host moderator",
    "end": "host moderator",
}
BETWEEN = {name: who for name, who in HAND.items() if name != "draw"} | {"deal": "host player"}
WHO = {"host": 1, "player": 2, "waiting": 7, "stranger": 8, "moderator": 9}


PHASES = {"lobby": LOBBY, "hand": HAND, "between": BETWEEN}


async def set_up(tables: Tables, by: Somebody, phase: str) -> Table:
    """Return a table in a phase: 1 is its host, 2 and 3 play, 7 waits for the next hand."""
    table = await tables.open_lobby(GUILD, CHANNEL, by(1), Options(length=Length(hands=3)), ["easy"] * 2)
    table.state.seating.people[1:] = [Person(None, name, "easy") for name in ("Turbo", "Pixel")]
    for user in (2, 3):
        await tables.join(table, by(user))
    if phase != "lobby":
        await tables.start(table, by(1))
        hands = {f"s{seat}": ["R1", "R2", "R3"] for seat in range(5)}
        put(table, hands=hands | ({"s0": ["R1"]} if phase == "between" else {}), discard=["R9"], turn="s0")
        if phase == "between":
            await tables.act(table, by(1), (Play(CARD_OF_CODE["R1"]),))
        await tables.join(table, by(7, name="seven"))
    return table
