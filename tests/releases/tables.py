"""The tables of a memory: one in every decision that can be awaited, lobbies, matches that are over.

Those at which time has to pass come first; all others then stand as they were left a moment ago.
"""

from typing import Any

from simcord import MemberActor

from bot.ui.kit.custom_ids import CustomId, Verb
from engine.awaiting import Awaiting
from engine.match import Match
from tests.discord.playing import end, leave
from tests.releases import leads
from tests.releases.stage import Playing, Stage

ALL_RULES = ("stack", "draw_until_playable", "force_play", "seven_zero", "jump_in", "no_bluff")
TEN = "Ann Bob Cleo Dai Eve Fay Gus Hal Ivy Jon"
#: The channels that are not on the first server.
ELSEWHERE = {"on the second server": 1, "settings reset": 2}
#: A channel for each table, and two for what is asked at no table.
CHANNELS = (
    "computers", "between with computers", "autopilot", "autopilot and back",
    "turn", "turn with two cards", "turn late in a hand", "turn with jump-in", "turn with a stack",
    "turn after a challenge", "turn by all house rules", "turn with UNO by itself", "turn of ten",
    "drawn", "drawn until playable", "drawn and to be played", "colour of the first card", "colour",
    "shell", "last shell", "swap", "challenge", "challenge of a stack", "challenge without bluffs",
    "UNO owed", "nobody caught", "paused", "vote", "left and removed", "between", "second hand",
    "in a thread", "on the second server",
    "lobby", "lobby by invitation", "lobby of one", "rematch",
    "won", "ended", "abandoned", "over", "no table", "settings reset",
)  # fmt: skip


async def play(stage: Stage) -> None:
    """Play all of them; the last move of the last is saved and not shown yet."""
    await _with_time(stage)
    await _finished(stage)
    await _decisions(stage)
    await _comings_and_goings(stage)
    await _lobbies(stage)
    await _choose(stage)
    await stage.lobby("lobby of the second server", "Ann", where="on the second server", cpus=1)
    await stage.wait(0.5)
    await _over(stage)


# --- tables at which time passes


def _late(actions: int) -> leads.Goal:
    return lambda match: match.awaiting is Awaiting.TURN and match.game.actions >= actions


async def _with_time(stage: Stage) -> None:
    table = await stage.lobby("computers", "Ann Bob", cpus=2, level="sharp", turn_time="off", hands=3)
    await table.press(table.people[0], Verb.COMPUTERS)
    await table.press(table.people[0], Verb.ADD, "easy", private=True)
    await table.start()
    await table.play_on(_late(9))

    for name in ("autopilot", "autopilot and back"):
        await _sleeper(stage, name)

    table = await stage.lobby("between with computers", "Cleo Dai", cpus=1, hands=5, turn_time="off")
    await table.start()
    await table.play_on(leads.between)
    # Fay takes over from the computer player, Dai's seat is promised to Gus and Cleo's is offered to Hal.
    fay, gus, hal = (stage.person(name, "between with computers") for name in ("Fay", "Gus", "Hal"))
    await table.press(fay, Verb.JOIN)
    await _offer(table, table.people[1], gus)
    await table.press(gus, Verb.TAKE, str(table.seat_of(table.people[1])), number=0)
    await _offer(table, table.people[0], hal)


async def _offer(table: Playing, member: MemberActor, other: MemberActor) -> None:
    for verb in (Verb.MORE, Verb.SEAT):
        await table.press(member, verb, private=True)
    await table.room.choose(member, table.screen(member, private=True), [other])


async def _sleeper(stage: Stage, name: str) -> None:
    """Let the time of one player run out until the computer plays for them."""
    table = await stage.play(name, "Eve Fay Gus", _late(4), turn_time="30 s")
    sleeper = table.match.turn
    for _ in range(60):
        match = table.match
        if match.game.on_autopilot(sleeper):
            break
        if match.turn == sleeper:
            await stage.wait(30)
        else:
            await table.do(table.people[match.turn], match.legal_actions(match.turn)[-1])
    assert table.match.game.on_autopilot(sleeper)
    if name == "autopilot and back":
        await table.press(table.people[sleeper], Verb.HAND)
        assert table.state.seating.woken == {sleeper}


# --- matches that are over


async def _finished(stage: Stage) -> None:
    won = await stage.play("won", "Ann Bob Cleo", leads.over, hands=2)
    assert won.state.ended == "won"

    again = await stage.play("rematch", "Dai Eve Fay", leads.over, target=100, rules=("stack",))
    await again.press(again.people[1], Verb.AGAIN, number=0)
    live = stage.bot.tables.in_channel(again.room.channel.id)
    assert live is not None
    stage.tables["match of the rematch"], stage.tables["rematch"] = again.live.id, live.id
    assert len(live.state.seating.absent) == 2

    ended = await stage.play("ended", "Gus Hal Ivy Jon", leads.between, hands=3)
    await leave(ended.room, ended.people[3])
    await end(ended.room, ended.people[0])
    assert ended.state.ended == "ended"

    abandoned = await stage.play("abandoned", "Hal Ivy", leads.between, hands=2)
    await leave(abandoned.room, abandoned.people[0])
    assert abandoned.state.ended is not None


async def _over(stage: Stage) -> None:
    """Let a match be won and the bot be stopped before it shows that."""
    table = await stage.play("over", "Ann Bob", leads.over, but=1)
    messages = stage.bot.messages
    messages._settings = messages._settings.model_copy(update={"table_edit_delay": 60.0})
    lead = leads.look("over", 2, leads.over)
    seat, action = lead.moves[-1]
    await table.do(table.people[seat], action)
    assert table.state.ended == "won"


# --- every decision


async def _decisions(stage: Stage) -> None:
    play = stage.play
    await play("turn", "Ann Bob Cleo", leads.turn, hands=3, turn_time="60 s")
    await play("turn with two cards", "Dai Eve", leads.two_cards)
    await play("turn late in a hand", "Fay Gus Hal Ivy", leads.long_turn, target=200, turn_time="off")
    await play("turn with jump-in", "Ann Cleo Eve Gus", leads.jump, rules=("jump_in",), turn_time="5 min")
    await play("turn with a stack", "Bob Dai Fay", leads.stack, rules=("stack",), turn_time="2 min")
    await play("turn after a challenge", "Hal Ivy Jon", leads.shown, turn_time="10 min")
    await play("turn by all house rules", "Ann Jon Bob", _late(12), rules=ALL_RULES, turn_time="15 s")
    await play("turn with UNO by itself", "Cleo Ivy Dai", _late(5), rules=("calls_uno",), hands=2)
    await play("turn of ten", TEN, _late(20))
    await play("drawn", "Ann Bob Cleo Dai", leads.drawn)
    await play("drawn until playable", "Eve Fay", leads.drawn, rules=("draw_until_playable",))
    await play("drawn and to be played", "Gus Hal", leads.drawn_and_forced, rules=("force_play",))
    await play("colour of the first card", "Ivy Jon Ann", leads.first_colour, least=0)
    await play("colour", "Bob Cleo Dai", leads.colour)
    await play("shell", "Eve Fay Gus Hal", leads.shell)
    await play("last shell", "Ivy Jon Ann", leads.last_shell, hands=2)
    await play("swap", TEN, leads.swap, rules=("seven_zero",))
    await play("challenge", "Dai Eve Fay", leads.challenge, hands=2)
    await play("challenge of a stack", "Gus Hal Ivy", leads.challenge_of_stack, rules=("stack",))
    await play("challenge without bluffs", "Ann Cleo Eve", leads.challenge, rules=("stack", "no_bluff"))
    await play("UNO owed", "Bob Dai Fay", leads.owed)
    await play("in a thread", "Jon Ann Bob", leads.turn, thread=True)


# --- people come, go, vote and wait


async def _comings_and_goings(stage: Stage) -> None:
    table = await stage.play("nobody caught", "Ann Bob Cleo", leads.turn)
    await table.press(table.people[1], Verb.CATCH)
    assert table.state.log.failed == {1}

    table = await stage.play("paused", "Dai Eve Fay", _late(6))
    await table.room.command(table.people[0], "uno pause")
    assert table.state.clock.paused_at is not None

    table = await stage.play("vote", "Gus Hal Ivy Jon", _late(7), turn_time="10 min")
    await table.room.command(table.people[1], "uno kick", player=table.people[3])
    assert table.state.removals.votes

    table = await stage.play("left and removed", "Ann Bob Cleo Dai Eve", _late(11), hands=2)
    await leave(table.room, table.people[0])
    host = table.people[table.state.seating.host]
    await table.room.command(host, "uno kick", player=table.people[3])
    assert table.state.seating.heirs
    assert table.state.removals.seats == {3}

    # Hal waits behind the last seat, Ivy's seat is promised to Jon and Gus's is offered to Mia.
    table = await stage.play("between", "Fay Gus Ivy", leads.between, hands=3)
    hal, jon, mia = (stage.person(name, "between") for name in ("Hal", "Jon", "Mia"))
    await table.press(hal, Verb.JOIN)
    await _offer(table, table.people[2], jon)
    await table.press(jon, Verb.TAKE, "2", number=0)
    await _offer(table, table.people[1], mia)
    assert table.state.newcomers
    assert table.state.seating.successors
    assert table.state.seating.offers

    table = await stage.play("second hand", "Cleo Dai Eve", _second, target=500)
    await table.press(stage.person("Fay", "second hand"), Verb.HAND)

    await stage.play("on the second server", "Ann Bob", leads.turn)


def _second(match: Match) -> bool:
    return match.hand_no == 2 and match.awaiting is Awaiting.TURN and match.game.actions > 4


# --- lobbies


async def _lobbies(stage: Stage) -> None:
    table = await stage.lobby("lobby", "Ann Bob Cleo", cpus=1, level="easy", hands=7)
    await table.press(table.people[0], Verb.COMPUTERS)
    await table.agree("stack", "1")
    await table.agree("seats", "6")

    table = await stage.lobby("lobby by invitation", "Dai", target=250, turn_time="2 min")
    host = table.people[0]
    for rule in ("seven_zero", "no_bluff", "calls_uno", "invite_only"):
        await table.agree(rule, "1")
    await table.agree("seats", "4")
    await table.press(host, Verb.PANEL, "table")
    invited = [stage.person(name, "lobby by invitation") for name in ("Eve", "Fay", "Gus")]
    menu = f"ll:{table.live.id}:0:agree:invite:"
    await table.room.choose(host, table.screen(host, private=True), invited, menu=menu)
    await table.press(invited[0], Verb.JOIN)
    assert len(table.state.seating.invited) == 3

    await stage.lobby("lobby of one", "Jon", thread=False)


# --- what is no table's


async def _choose(stage: Stage) -> None:
    """Choose settings for two servers and wishes for three people, and ask for what anybody may ask for."""
    room = stage.room("on the second server")
    mia = stage.person("Mia", "on the second server")
    await room.command(mia, "uno settings")
    await room.choose(mia, room.hand(mia), [room.channel], menu="ll:0:0:server:channels:")
    for name, value in _CHOSEN:
        await room.forge(mia, room.hand(mia), _setting(name, value))

    room, mia = stage.room("settings reset"), stage.person("Mia", "settings reset")
    await room.command(mia, "uno settings")
    await room.forge(mia, room.hand(mia), _setting("nudges", "never"))
    await room.forge(mia, room.hand(mia), _setting("reset", None))

    room = stage.room("no table")
    for name, wish in (("Ann", "always"), ("Bob", "away"), ("Cleo", "never")):
        await room.command(stage.person(name, "no table"), "uno notify", when=wish)
    for name, command in (("Ann", "rules"), ("Bob", "help"), ("Cleo", "about"), ("Dai", "leaderboard")):
        await room.command(stage.person(name, "no table"), f"uno {command}")


_CHOSEN = (
    ("preset", "party"),
    ("no_bluff.1", None),
    ("length", "target.250"),
    ("turn_time", "120"),
    ("seats", "6"),
    ("calls_uno.1", None),
    ("invite_only.1", None),
    ("locale", "en"),
    ("nudges", "away"),
    ("thread.1", None),
    ("moderators_only.1", None),
)


def _setting(name: str, value: str | None) -> dict[str, Any]:
    custom_id = CustomId(0, 0, Verb.SERVER, tuple(name.split(".")))
    return {"custom_id": custom_id.encoded} | ({} if value is None else {"values": [value]})
