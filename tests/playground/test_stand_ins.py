"""Stand-ins play a whole hand by themselves, pressing what their screens offer and nothing else."""

import asyncio
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from types import SimpleNamespace

import discord
import pytest
from simcord.components import walk_components

from bot.playground import playground, stand_ins, world
from bot.tables import draft
from bot.ui.kit import custom_ids
from bot.ui.kit.custom_ids import CustomId, Verb
from engine.events import CardPlayed, CardsDrawn
from tests.discord.conftest import refused_errors
from tests.playground.pace import unhurried

__all__ = ["unhurried"]

#: A hand of some fifty decisions, every kind of them among them.
SEED = f"{1152:032x}"
SPEED = 30


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch):
    """Let stand-ins think less, and the bot draw at once; a catch is still too early for two seconds."""
    monkeypatch.setattr(world, "TICK", 0.005)
    monkeypatch.setattr(world, "TABLE_EDIT_DELAY", 0)
    monkeypatch.setattr(draft, "secrets", SimpleNamespace(token_hex=lambda _: SEED))
    monkeypatch.setenv("ITEM_SHOWN_PAUSE", "0")
    for name in ("THINKS", "READS_THE_SUM"):
        monkeypatch.setattr(stand_ins, name, getattr(stand_ins, name) / SPEED)
    monkeypatch.setattr(stand_ins, "LOOKS_FOR_A_CATCH", timedelta(seconds=0.3))
    monkeypatch.setattr(stand_ins, "REMEMBERS", timedelta(seconds=0.1))


async def until(happened, opened, within=300):
    """Wait for something, on however busy a machine; a playground that has broken meanwhile says why."""
    async with asyncio.timeout(within):
        while not happened():
            if opened.following.done():
                opened.following.result()
            await asyncio.sleep(0.01)


async def start(opened, member, **options):
    """Open a lobby and give its table; simcord's patience with a busy machine is short, and no matter."""
    with suppress(TimeoutError):
        await member.slash(opened.scene.channel, "uno start", **options)
    await until(lambda: any(opened.scene.bot.tables.live()), opened)
    return next(iter(opened.scene.bot.tables.live()))


def has_fresh_hand(opened, table, member):
    """Whether the newest hand that a member sees is for the decision awaited."""
    messages = opened.pages.shown_to(member, table.channel_id)
    hand = next((message for message in messages if message.is_ephemeral), None)
    parts = walk_components(hand.components) if hand else ()
    presses = [custom_ids.read(str(part.get("custom_id", ""))) for part in parts]
    return any(press and press.number == table.state.match.decision for press in presses)


def newest(opened, member):
    """Give the newest message with anything to press that a member sees, None if there is none yet."""
    shown = opened.pages.shown_to(member, opened.scene.channel.id)
    return next((message for message in shown if message.components), None)


async def test_four_stand_ins_play_a_hand_to_its_end_and_begin_the_next():
    pressed = []
    searched = []
    with refused_errors():
        async with playground(("Ann", "Bob", "Cat", "Dan")) as opened:
            press = opened.pages.press

            def noted(member, channel_id, message_id, custom_id):
                verb = custom_ids.read(custom_id).verb
                if verb in (Verb.HAND, Verb.BACK) and has_fresh_hand(opened, table, member):
                    searched.append(verb)
                pressed.append((verb, press(member, channel_id, message_id, custom_id)))

            opened.pages.press = noted
            table = await start(opened, opened.scene.members[0], hands=2)
            await until(lambda: table.state.match and table.state.match.hand_no == 2, opened)
            assert opened.scene.world.errors == []
    assert all(record.responded for _, record in pressed)
    verbs = Counter(verb for verb, _ in pressed)
    # On a busy machine one may press again before the first press has shown, and fetch a hand that is late.
    assert verbs[Verb.JOIN] >= 3
    assert verbs[Verb.START] >= 1
    assert verbs[Verb.NEXT] >= 1
    assert searched == []  # each found what it wanted on the hand that it was shown
    answers = {Verb.PLAY, Verb.DRAW, Verb.COLOUR, Verb.TARGET, Verb.ACCEPT, Verb.CHALLENGE}
    assert answers | {Verb.PICK, Verb.TOGGLE, Verb.UNO} <= set(verbs), verbs


async def test_switched_off_they_do_nothing_and_whoever_is_watched_is_left_alone():
    async with playground(("Ann", "Bob", "Cat")) as opened:
        ann, bob, _ = opened.scene.members
        opened.pages.stand_ins = False
        table = await start(opened, ann)
        await asyncio.sleep(0.3)
        assert table.state.seating.names == ("Ann",)
        opened.pages._open_page(str(bob.id))
        opened.pages.stand_ins = True
        await until(lambda: len(table.state.seating.people) == 2, opened)
        await asyncio.sleep(0.3)
        assert table.state.seating.names == ("Ann", "Cat")
        assert table.state.awaiting is None


async def test_a_stand_in_catches_a_visitor_who_forgets_but_not_at_once(monkeypatch):
    monkeypatch.setattr(stand_ins, "LOOKS_FOR_A_CATCH", timedelta(hours=1))
    async with playground(("Ann", "Bob")) as opened:
        ann, _ = opened.scene.members
        opened.pages._open_page(str(ann.id))
        table = await start(opened, ann)
        await until(lambda: len(table.state.seating.people) == 2, opened)
        await until(lambda: newest(opened, ann), opened)
        opened.pages.press(
            ann, table.channel_id, newest(opened, ann).id, CustomId(table.id, 0, Verb.START).encoded
        )
        await until(lambda: table.state.awaiting, opened)
        game = table.state.match.game
        game.owed, game.hands[0] = 0, game.hands[0][:1]
        table.state.clock.played_at = discord.utils.utcnow()
        owed_at = table.state.clock.played_at
        await until(lambda: table.state.match.game.owed != 0, opened)
        assert discord.utils.utcnow() - owed_at >= stand_ins.CATCHES
        assert any(type(event).__name__ == "UnoCaught" for event in table.state.log.recent)


async def test_a_table_with_computers_is_left_to_whoever_opened_it_and_they_move_in_real_time():
    with refused_errors():
        async with playground(("Ann", "Bob")) as opened:
            ann, _ = opened.scene.members
            opened.pages._open_page(str(ann.id))
            table = await start(opened, ann, cpus=2, level="easy")
            await asyncio.sleep(0.5)
            assert len(table.state.seating.people) == 3
            press = CustomId(table.id, 0, Verb.START).encoded
            await until(lambda: newest(opened, ann), opened)
            opened.pages.press(ann, opened.scene.channel.id, newest(opened, ann).id, press)
            # With this seed a computer begins.
            await until(lambda: any(by_a_computer(event) for event in table.state.log.recent), opened)


def by_a_computer(event):
    return isinstance(event, CardPlayed | CardsDrawn) and event.seat != 0


async def test_the_server_speaks_the_language_that_was_asked_for():
    async with playground(("Ann", "Bob"), language="cy") as opened:
        table = await start(opened, opened.scene.members[0])
        assert table.state.options.locale == "cy"
