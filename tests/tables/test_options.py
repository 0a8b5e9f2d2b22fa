"""What a lobby agrees on, who may join it, where it moves; UNO said by the bot; a server's settings."""

import random
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from bot.model.errors import Problem
from bot.model.guild_settings import GuildSettings, choose, read_guild_settings
from bot.model.options import (
    LENGTHS,
    PRESETS,
    SEATS,
    SWITCHES,
    TURN_TIMES,
    Options,
    choose_option,
    preset_of,
    read_options,
    written_length,
    written_turn_time,
)
from bot.model.seating import Person, Seating
from bot.model.snapshot import restore, snapshot
from bot.model.state import State
from bot.store import Store
from bot.tables import Outages, Tables
from bot.tables.guild_settings import GuildSettingsCache
from bot.ui.kit.custom_ids import MENUS, CustomId, Verb, read
from engine.actions import LEAVE, SAY_UNO, Play
from engine.awaiting import NO_SEAT, Awaiting
from engine.events import UnoSaid
from engine.replay import replay
from engine.rules import Length, RuleSet
from tests.tables.sitting import CHANNEL, GUILD, PACE, Somebody, lobby, playing, refused, restored

OFFERED = {
    "preset": list(PRESETS),
    "length": [written_length(length) for length in LENGTHS],
    "turn_time": [written_turn_time(seconds) for seconds in TURN_TIMES],
    "seats": [str(number) for number in SEATS],
}
ALL_ON = RuleSet(**dict.fromkeys(SWITCHES, True))


@pytest.mark.parametrize("name", OFFERED)
def test_whatever_a_menu_offers_can_be_read_agreed_on_and_kept(name: str) -> None:
    for verb, value in product((Verb.OPTION, Verb.SERVER), OFFERED[name]):
        assert (verb, name) in MENUS
        press = read(CustomId(1, 0, verb, (name,)).encoded, [value])
        assert press is not None
        options = choose_option(Options(ALL_ON, Length(hands=7), 90, 9), name, *press.values)
        assert read_options(options.written()) == options
    assert len(
        {choose_option(Options(ALL_ON, Length(hands=7), 90, 9), name, value) for value in OFFERED[name]}
    ) == len(OFFERED[name])


@pytest.mark.parametrize("name", [*SWITCHES, "invite_only", "calls_uno"])
def test_a_switch_is_turned_on_and_off_and_nothing_else_with_it(name: str) -> None:
    on = choose_option(Options(), name, "1")
    assert on != Options()
    assert choose_option(on, name, "0") == Options()
    assert choose_option(on, name, "1") == on


@pytest.mark.parametrize(
    ("name", "value"),
    [("preset", "server"), ("length", "hands"), ("turn_time", "61"), ("seats", ""), ("surprise", "1")],
)
def test_what_is_no_choice_is_refused(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=r"be|invalid"):
        choose_option(Options(), name, value)


def test_presets_are_told_apart_whatever_a_match_is_played_to() -> None:
    assert len(set(PRESETS.values())) == len(PRESETS)
    for name, rules in PRESETS.items():
        assert preset_of(rules) == name
    assert preset_of(RuleSet(stack=True, seven_zero=True, jump_in=True, score_target=True)) == "party"
    assert preset_of(RuleSet(no_bluff=True)) is None


# --- lobbies


async def test_the_host_alone_agrees_and_only_before_the_match(tables: Tables, by: Somebody) -> None:
    table = await lobby(tables, by)
    await refused(Problem.NOT_THE_HOST, tables.choose(table, by(2), "stack", "1"))
    await refused(Problem.NOT_THE_HOST, tables.invite(table, by(2), [Person(9, "Eve")]))
    await refused(Problem.NOT_THE_HOST, tables.move(table, by(2), CHANNEL + 1))
    await tables.choose(table, by(1), "stack", "1")
    await refused(Problem.SEATS_TAKEN, tables.choose(table, by(1), "seats", "2"))
    await refused(Problem.NO_SUCH_CHOICE, tables.choose(table, by(1), "length", "hands.x"))
    await tables.start(table, by(1))
    for work in (
        tables.choose(table, by(1), "jump_in", "1"),
        tables.choose_rules(table, by(1), RuleSet()),
        tables.invite(table, by(1), [Person(9, "Eve")]),
        tables.move(table, by(1), CHANNEL + 1),
    ):
        await refused(Problem.TERMS_STAND, work)
    assert table.state.match is not None
    assert table.state.match.rules == RuleSet(stack=True) == table.state.options.rules


async def test_a_choice_that_changes_nothing_is_not_saved(tables: Tables, by: Somebody) -> None:
    table = await lobby(tables, by)
    version = table.state.version
    change = await tables.choose(table, by(1), "stack", "0")
    assert change.before is change.after
    assert table.state.version == version


async def test_seats_of_those_who_left_are_free_again_up_to_ten_in_all(tables: Tables, by: Somebody) -> None:
    table = await playing(tables, by, 3, length=Length(hands=3), seats=3)
    await refused(Problem.LOBBY_FULL, tables.join(table, by(4)))
    await tables.leave(table, by(3))
    for user in range(4, 11):
        await tables.join(table, by(user))
        await tables.leave(table, by(user))
    await tables.join(table, by(20))
    await refused(Problem.LOBBY_FULL, tables.join(table, by(21)))


async def test_the_invited_are_kept_and_may_come_back(tables: Tables, store: Store, by: Somebody) -> None:
    table = await lobby(tables, by, 2)
    await tables.invite(table, by(1), [Person(7, "Eve"), Person(2, "Bob")])
    assert table.state.options.invite_only
    assert [person.user_id for person in table.state.seating.invited] == [7]
    await refused(Problem.NOBODY_TO_INVITE, tables.invite(table, by(1), [Person(7, "Eve")]))
    crowd = [Person(100 + number, "x") for number in range(30)]
    await refused(Problem.MOST_INVITED, tables.invite(table, by(1), crowd))
    again = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    await restored(again, by.now)
    table = next(iter(again.live()))
    assert restore(snapshot(table.state), table.state.seating.people, table.state.version) == table.state
    await refused(Problem.BY_INVITATION, again.join(table, by(8)))
    await again.join(table, by(7))


async def test_a_lobby_that_moved_is_found_where_it_is_now(
    tables: Tables, store: Store, by: Somebody
) -> None:
    table = await lobby(tables, by)
    other = await tables.open_lobby(GUILD, CHANNEL + 1, by(8), Options())
    await refused(Problem.CHANNEL_TAKEN, tables.move(table, by(1), CHANNEL + 1))
    change = await tables.move(table, by(1), CHANNEL + 2)
    assert change.moved_from == CHANNEL
    assert tables.in_channel(CHANNEL) is None
    assert tables.in_channel(CHANNEL + 1) is other
    assert tables.in_channel(CHANNEL + 2) is table
    again = Tables(store, PACE, Outages(), save_timeout=60.0, catch_grace=2.0)
    await restored(again, by.now)
    found = again.in_channel(CHANNEL + 2)
    assert found is not None
    assert found.id == table.id
    assert again.in_channel(CHANNEL) is None


# --- UNO by itself


@pytest.mark.parametrize("rules", [RuleSet(), ALL_ON, PRESETS["party"]], ids=["none", "all", "party"])
async def test_nobody_ever_owes_a_uno_that_the_bot_says(
    tables: Tables, store: Store, by: Somebody, rules: RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice, said = random.Random(5), 0
    chance = SimpleNamespace(token_hex=lambda size: dice.randbytes(size).hex())
    monkeypatch.setattr("bot.tables.draft.secrets", chance)
    table = await playing(tables, by, 3, calls_uno=True, rules=rules, length=Length(hands=2))
    for _ in range(400):
        match = table.state.match
        assert match is not None
        if match.awaiting in (Awaiting.DEAL, Awaiting.OVER):
            break
        answers = [action for action in match.legal_actions(match.turn) if action not in (SAY_UNO, LEAVE)]
        plays = [action for action in answers if type(action) is Play]
        change = await tables.act(table, by(match.turn + 1), [dice.choice(plays or answers)], match.decision)
        assert change.after.match is not None
        assert change.after.match.game.owed == NO_SEAT
        said += sum(isinstance(event, UnoSaid) for event in change.events)
        await refused(Problem.UNO_IS_CALLED, tables.act(table, by(1), [SAY_UNO]))
    assert said
    records = await store.moves(table.id, 1)
    assert all(record.auto is (record.move[1] == "uno") for record in records), "the bot's, not the player's"
    moves = [record.move for record in records]
    assert table.state.log.head is not None
    assert all(result["ok"] for result in replay(table.state.log.head | {"actions": moves})["results"])


# --- servers


CHOSEN = GuildSettings(
    Options(ALL_ON, Length(target=250), None, 4, invite_only=True, calls_uno=True),
    locale="de",
    thread=True,
    channels=(3, 2**62),
    nudges="never",
    moderators_only=True,
)


def test_settings_are_read_as_they_were_written() -> None:
    assert read_guild_settings(CHOSEN.written()) == CHOSEN
    assert read_guild_settings({}) == GuildSettings()
    assert CHOSEN.own_rules == ALL_ON
    assert GuildSettings().own_rules is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"terms": {}},
        {"terms": None},
        {"channels": 7},
        {"channels": ["7"]},
        {"nudges": "hourly"},
        {"locale": 7},
        {"thread": "yes"},
        {"surprise": 1},
        {"schema": 2},
        {"terms": Options().written() | {"schema": 2}},
        {"terms": Options().written() | {"turn_time": 7}},
        {"terms": Options().written() | {"seats": "all"}},
        {"terms": Options().written() | {"calls_uno": "x"}},
    ],
)
async def test_settings_that_cannot_be_read_are_kept_and_the_defaults_hold(
    store: Store, wrong: dict[str, Any]
) -> None:
    saved = CHOSEN.written() | wrong
    with pytest.raises((KeyError, TypeError, ValueError)):
        read_guild_settings(saved)
    await store.set_guild_settings(GUILD, saved)
    guild_settings = GuildSettingsCache(store)
    assert await guild_settings.get(GUILD) == GuildSettings()
    changing = guild_settings.change(GUILD, lambda settings: choose(settings, "channels", ["5"]))
    await refused(Problem.SETTINGS_UNREADABLE, changing)
    assert await store.guild_settings(GUILD) == saved
    await guild_settings.change(GUILD, lambda settings: GuildSettings())
    await guild_settings.change(GUILD, lambda settings: choose(settings, "channels", ["5"]))
    assert (await GuildSettingsCache(store).get(GUILD)).channels == (5,)


def test_settings_and_options_of_the_first_release_are_read() -> None:
    def unnumbered(written: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in written.items() if name != "schema"}

    assert read_options(unnumbered(CHOSEN.options.written())) == CHOSEN.options
    old = unnumbered(CHOSEN.written()) | {"terms": unnumbered(CHOSEN.options.written())}
    assert read_guild_settings(old) == CHOSEN


async def test_settings_are_saved_before_they_count(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    guild_settings = GuildSettingsCache(store)

    async def fail(*_: Any) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(store, "set_guild_settings", fail)
        with pytest.raises(OSError, match="full"):
            await guild_settings.change(GUILD, lambda _: CHOSEN)
    assert await guild_settings.get(GUILD) == GuildSettings()
    with pytest.raises(ValueError, match="nudges"):
        await guild_settings.change(GUILD, lambda settings: choose(settings, "nudges", ["hourly"]))
    assert await guild_settings.change(GUILD, lambda _: CHOSEN) == CHOSEN
    assert await GuildSettingsCache(store).get(GUILD) == CHOSEN
    await guild_settings.change(GUILD, lambda _: GuildSettings())
    assert await store.guild_settings(GUILD) == {}


def test_a_channel_allows_its_threads() -> None:
    assert GuildSettings().allows([5, None])
    assert CHOSEN.allows([3, None])
    assert CHOSEN.allows([99, 3])
    assert not CHOSEN.allows([99, None])


def test_tables_of_earlier_releases_are_read() -> None:
    people = [Person(1, "Ann")]
    saved = snapshot(State(Seating(people), options=Options(turn_time=30, locale="de")))
    second = {
        name: value
        for name, value in saved.items()
        if name not in ("invited", "again_of", "again", "learning", "removed", "heirs", "successors")
        and name not in ("offers", "offered")
    }
    assert restore(second, people, 1).options == Options(turn_time=30, locale="de")
    first = {
        **second,
        "schema": 1,
        **{name: saved["terms"][name] for name in ("rules", "length", "turn_time", "locale")},
    }
    del first["terms"]
    assert restore(first, people, 1) == restore(second, people, 1)
