"""Forged presses against the running bot: each is refused in words, shows no card, and changes nothing."""

import random
import re
import string

import pytest

from bot.ui.kit.custom_ids import Verb
from engine.awaiting import Awaiting
from engine.cards import CODE, COLOUR_NAMES
from tests.loopback import playing
from tests.loopback.books import Books, Kept
from tests.loopback.conftest import StartBot
from tests.loopback.limits import UNLIMITED, Limits
from tests.loopback.mirror import Mirror
from tests.loopback.room import Answer, Room
from tests.loopback.screens import Screen
from tests.loopback.server import Loopback
from tests.loopback.world import Member

#: What shows a card: its picture, a colour with its cards behind it, or a button that plays one.
CARDS = re.compile(
    r"<:(?:[RYGB][0-9SRD]|W[4I])_|\*\*(?:Red|Yellow|Green|Blue|Wild)\*\*:"
    r"|(?:Red|Yellow|Green|Blue) \d|:(?:play|pick):"
)
#: Presses that anybody may make wherever they see a table, and those by which a player goes.
OPEN = {Verb.RULES, Verb.DETAILS, Verb.HELP, Verb.BOARD}
GOING = {Verb.QUIT, Verb.LEAVE_YES}
#: Presses of panels and of a summary, which are answered by a message of its own.
PANELS = {
    *(
        Verb.PANEL,
        Verb.OPTION,
        Verb.THREAD,
        Verb.SERVER,
        Verb.AGAIN,
        Verb.SHARE,
        Verb.END,
        Verb.STATS,
        Verb.HISTORY,
        Verb.FORGET,
    ),
    *(Verb.COMPUTERS, Verb.ADD, Verb.REMOVE, Verb.OFFER),
}


@pytest.fixture
def limits() -> Limits:
    return UNLIMITED


class Place:
    """A table in a channel of its own, and those who play there."""

    def __init__(self, loopback: Loopback, guild: str, books: Books) -> None:
        self.books = books
        self.room = Room(loopback, loopback.guild(guild).channel("uno"))
        self.people: list[Member] = self.room.channel.guild.join("Ann", "Bob", "Cem")

    async def open(self, *, hands: int = 1) -> None:
        host, *others = self.people
        await self.room.command(host, "uno start", hands=hands, turn_time="off")
        for member in others:
            await self.room.click(member, self.room.table(), "Join")
        await self.room.click(host, self.room.table(), "Start")
        for member in self.people:
            await self.room.until(lambda member=member: self.room.hand(member), member.name)
        while (
            self.kept.match.awaiting is not Awaiting.TURN
        ):  # a wild card lies: whoever begins names a colour
            await playing.play(self.room, self.people, random.Random(1), most=1)
            await self.room.loopback.quiet()

    @property
    def kept(self) -> Kept:
        return self.books.in_channel(self.room.channel.id)

    async def forge(self, member: Member, custom_id: str, screen: Screen | None = None) -> Answer:
        """Press what is not there; everything stays as it was, and so does what everybody sees."""
        table = self.room.table()
        before, shown = list(self.books.tables()), table.payload
        answer = await self.room.forge(member, screen or table, custom_id)
        assert answer.kind == ("message" if screen is None else "update"), custom_id
        assert answer.screen is not None
        assert answer.screen.private, custom_id
        assert list(self.books.tables()) == before, custom_id
        assert self.room.look(table).payload == shown, custom_id
        return answer


@pytest.fixture
async def place(loopback: Loopback, start_bot: StartBot) -> Place:
    bot = await start_bot(ready=False, AWAY_TIME="86400")
    place = Place(loopback, "Here", Books(bot.folder / "bot.db"))
    await bot.start()
    await place.open()
    await loopback.quiet()
    return place


def presses(table: int, number: int, *, without: set[Verb]) -> list[str]:
    """Write one press of every verb, and several of those that take an argument."""
    arguments = {
        Verb.PLAY: ["R7", "WI", "W4.red", "B0"],
        Verb.PICK: ["W4"],
        Verb.COLOUR: ["red", "blue"],
        Verb.TARGET: ["0", "1", "9"],
        Verb.DETAILS: ["1", "2", "99"],
        Verb.RULES: ["", "uno", "no_such_topic"],
        Verb.ADD: ["easy", "sharp"],
        Verb.REMOVE: ["Turbo"],
        Verb.OFFER: ["seat"],
        Verb.TAKE: ["0", "9"],
        Verb.VOTE: ["0", "9"],
        Verb.FORGET: ["ask.here", "back"],
        Verb.PANEL: ["rules", "table"],
        Verb.ADD: ["easy", "sharp"],
        Verb.REMOVE: ["Turbo"],
        Verb.TAKE: ["0", "2"],
        Verb.VOTE: ["0", "2"],
        Verb.OFFER: ["seat"],
        Verb.OPTION: ["stack.1", "calls_uno.1", "invite_only.0", "length", "invite"],
        Verb.BOARD: ["points.all.first", "skill.season.own", "by.all", "points.week.after.1"],
        Verb.SERVER: ["page.server", "page.reset", "reset", "thread.1", "moderators_only.0", "channels"],
    }
    return [
        f"ll:{table}:{number}:{verb}:{argument}:"
        for verb in Verb
        if verb not in without
        for argument in arguments.get(verb, [""])
    ]


def no_card(answer: Answer) -> None:
    assert answer.screen is not None
    told = "\n".join([answer.text, *answer.screen.labels, *answer.screen.custom_ids])
    assert not CARDS.search(told), told
    assert answer.text


async def test_who_does_not_play_gets_no_card(place: Place) -> None:
    (eve,) = place.room.channel.guild.join("Eve")
    number = place.kept.match.decision
    assert CARDS.search(place.room.hand(place.people[0]).text), "a hand would be known by this"
    for custom_id in presses(place.kept.id, number, without=OPEN):
        no_card(await place.forge(eve, custom_id))


async def test_who_was_removed_gets_no_card(place: Place) -> None:
    host, _, gone = place.people
    screen = place.room.hand(gone)
    await place.room.command(host, "uno kick", player=gone)
    await place.room.loopback.quiet()
    number = place.kept.match.decision
    for custom_id in presses(place.kept.id, number, without=OPEN):
        no_card(await place.forge(gone, custom_id))
    answer = await place.room.forge(gone, screen, f"ll:{place.kept.id}:{number}:hand::")
    no_card(answer)


async def test_a_button_of_another_table_or_server_is_nobodys(loopback: Loopback, place: Place) -> None:
    there = Place(loopback, "There", place.books)
    await loopback.quiet()
    await there.open(hands=2)
    await playing.play(there.room, there.people, random.Random(3), most=2000)
    assert playing.is_over(there.room), "a hand is finished there"
    await loopback.quiet()
    other, number = there.kept.id, there.kept.match.decision
    for custom_id in presses(other, number, without={Verb.RULES}):
        no_card(await place.forge(place.people[0], custom_id))
    # In the right channel, but by somebody of this server alone.
    for custom_id in presses(place.kept.id, number, without=OPEN):
        no_card(await there.forge(there.people[0], custom_id))


async def test_altered_presses_of_a_player_show_their_own_hand_at_most(place: Place) -> None:
    mirror, kept = Mirror(), place.kept
    turn, number = kept.match.turn, kept.match.decision
    held = set(kept.match.game.hands[turn])
    others = [seat for seat in range(3) if seat != turn]
    tries = [
        (seat, custom_id)
        for seat in others
        for custom_id in presses(kept.id, number, without=OPEN | GOING | PANELS | {Verb.OFFER})
    ]
    for wrong in (0, number - 1, number + 1, 10**17):
        tries += [
            (turn, f"ll:{kept.id}:{wrong}:play:{CODE[card]}:") for card in sorted(held) if CODE[card] != "W4"
        ]
        tries += [
            (turn, f"ll:{kept.id}:{wrong}:{verb}::u") for verb in ("draw", "keep", "accept", "challenge")
        ]
    tries += [
        (turn, f"ll:{kept.id}:{number}:play:{CODE[card]}:")
        for card in range(len(CODE))
        if card not in held and CODE[card] != "W4"
    ]
    tries += [(turn, f"ll:{kept.id}:{number}:target:{seat}:") for seat in range(10)]
    tries += [(turn, f"ll:{kept.id}:{number}:colour:{colour}:") for colour in COLOUR_NAMES]
    tries += [(turn, f"ll:{kept.id}:{number}:{verb}::") for verb in ("keep", "accept", "challenge", "next")]
    if kept.match.game.discard[-1] not in held:  # else it is a play like any other
        tries.append((turn, f"ll:{kept.id}:{number}:jump::"))
    skipped = {Verb.CATCH, Verb.HERE, Verb.LOG}  # any player may do these, and the log has what all saw
    for seat, custom_id in tries:
        if custom_id.split(":")[3] in skipped:
            continue
        member = place.people[seat]
        answer = await place.forge(member, custom_id, place.room.hand(member))
        assert answer.screen is not None
        assert mirror.is_hand(kept, seat, answer.screen), f"{custom_id}: {answer.screen}"


async def test_random_garbage_is_answered(place: Place) -> None:
    dice = random.Random(11)
    kept = place.kept
    turn = kept.match.turn
    member, known = place.people[turn], presses(kept.id, kept.match.decision, without=OPEN)
    (eve,) = place.room.channel.guild.join("Eve")
    for _ in range(150):
        garbage = "".join(dice.choices(string.printable + "é☃\u202e\x00", k=dice.randint(1, 100)))
        if dice.random() < 0.6:  # a good one with one character changed
            good = dice.choice(known)
            spot = dice.randrange(len(good))
            garbage = good[:spot] + dice.choice(string.printable + "٣") + good[spot + 1 :]
        no_card(await place.forge(eve, garbage))
        if ":" + garbage not in known and not garbage.startswith("ll:"):
            no_card(await place.forge(member, garbage))


async def test_forged_choices_are_refused_without_a_trace(loopback: Loopback, start_bot: StartBot) -> None:
    bot = await start_bot(ready=False, AWAY_TIME="86400")
    place = Place(loopback, "Here", Books(bot.folder / "bot.db"))
    await bot.start()
    host, guest, _ = place.people
    await place.room.command(host, "uno start")
    await place.room.click(guest, place.room.table(), "Join")
    await loopback.quiet()
    table = place.kept.id
    (eve,) = place.room.channel.guild.join("Eve")
    chosen = {
        "length": ["hands.3"],
        "preset": ["party"],
        "turn_time": ["off"],
        "seats": ["5"],
        "invite": [str(eve.id)],
    }
    for member in (guest, eve):
        for name, values in chosen.items():
            await refused(place, member, f"ll:{table}:0:agree:{name}:", values)
        await refused(place, member, f"ll:{table}:0:offer:seat:", [str(eve.id)])
    nonsense = [
        *(
            [],
            ["hands.99"],
            ["hands.3", "hands.5"],
            ["hands.3"] * 2,
            ["x" * 4000],
            [7],
            [None],
            [["hands.3"]],
        ),
        *("hands.3", 7, {"0": "hands.3"}, None),
    ]
    for values in nonsense:
        await refused(place, host, f"ll:{table}:0:agree:length:", values)
    for custom_id in ("stack.1", "stack.2", "stack", "length.hands.3", "page", "__class__"):
        await refused(place, host, f"ll:{table}:0:agree:{custom_id}:", ["1"])
    for name in ("channels", "locale", "nudges", "preset", "length"):
        for member in (host, eve):
            await refused(place, member, f"ll:0:0:server:{name}:", ["own"])
    # Somebody of whom Discord tells nothing is nobody, however their id is written.
    for resolved in ({}, None, {"users": {}}, {"members": {str(eve.id): {"nick": "eve"}}}):
        await refused(place, host, f"ll:{table}:0:agree:invite:", [str(eve.id)], resolved=resolved)


async def refused(place: Place, member: Member, custom_id: str, values: object, **more: object) -> None:
    """Send a choice that is answered in words, in private, and changes nothing that is kept or shown."""
    screen = place.room.table()
    before, shown = list(place.books.tables()), screen.payload
    answer = await place.room.forge(member, screen, custom_id, component_type=3, values=values, **more)
    assert answer.private, (custom_id, values)
    assert answer.text
    assert list(place.books.tables()) == before, (custom_id, values)
    assert place.room.look(screen).payload == shown, (custom_id, values)
