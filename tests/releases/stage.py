"""The bot on a simulated Discord, and tables on it that are opened, seated and played by presses."""

from collections import deque
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from simcord import MemberActor

from bot.client import Lastlap
from bot.model.options import FLAGS, SWITCHES
from bot.model.state import State
from bot.tables import Table as LiveTable
from bot.ui.kit.custom_ids import CustomId, Verb
from engine import actions as act
from engine.awaiting import Awaiting
from engine.cards import CODE, COLOUR_NAMES
from engine.match import Match
from engine.rules import RULE_NAMES
from tests.discord.clicking import Answer, Room, Screen
from tests.releases.leads import Goal, Lead, look
from tests.releases.world import World

#: The people of a memory; Mia manages the servers, Zoe is never at a table.
_NAMES = ("Ann", "Bob", "Cleo", "Dai", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon", "Mia", "Zoe")
PEOPLE = {name: name for name in _NAMES}
PEOPLE |= {"Dai": "Dai_*_", "Eve": "~~Eve~~ @everyone", "Ivy": "🐢 Ivy"}


class Seeds:
    """Stands in for `secrets`: gives these texts first, then ones that nobody asked for."""

    def __init__(self) -> None:
        self.next: deque[str] = deque()
        self._given = 0

    def token_hex(self, size: int) -> str:
        self._given += 1
        return self.next.popleft() if self.next else f"{self._given:0{2 * size}x}"

    @property
    def stand_in(self) -> SimpleNamespace:
        return SimpleNamespace(token_hex=self.token_hex)


class Stage:
    """The bot, the places and the people; `tables` has the number of each table by the name it is given."""

    def __init__(self, world: World, seeds: Seeds, channels: dict[str, int]) -> None:
        self.world = world
        self.seeds = seeds
        self.channels = channels
        self.tables: dict[str, int] = {}

    @property
    def bot(self) -> Lastlap:
        assert isinstance(self.world.simulation.bot, Lastlap)
        return self.world.simulation.bot

    def room(self, name: str) -> Room:
        return self.world.room(self.channels[name])

    def person(self, name: str, channel: str) -> MemberActor:
        people = dict(zip(PEOPLE, self.world.places.people, strict=True))
        return self.world.member(people[name], self.channels[channel])

    async def wait(self, seconds: float) -> None:
        await self.world.simulation.advance_time(seconds)

    async def lobby(
        self, name: str, people: str, *, where: str = "", rules: Sequence[str] = (), **options: Any
    ) -> "Playing":
        """Open a lobby in the channel of this name, or another: the first is the host, the rest join."""
        channel = where or name
        await self.wait(0.1)
        self.world.simulation.http_requests.clear()
        table = Playing(self.room(channel), [self.person(person, channel) for person in people.split()])
        await table.room.command(table.people[0], "uno start", **options)
        live = max(self.bot.tables.live(), key=lambda live: live.id)
        parent = table.room.channel.id
        if live.channel_id != parent:  # it is in a thread of its own
            places = self.world.places
            places.channels[live.channel_id] = (places.channels[parent][0], parent)
            self.channels[name] = live.channel_id
            table.room = self.room(name)
        table.live = live
        self.tables[name] = live.id
        for rule in rules:
            await table.agree(rule, "1")
        for member in table.people[1:]:
            await table.press(member, Verb.JOIN)
        return table

    async def play(
        self,
        name: str,
        people: str,
        goal: Goal,
        *,
        rules: Sequence[str] = (),
        least: int = 6,
        but: int = 0,
        **options: Any,
    ) -> "Playing":
        """Play a table to a goal, or so many moves less."""
        table = await self.lobby(name, people, rules=rules, **options)
        agreed = table.live.state.options
        assert set(agreed.rules.names()) == {rule for rule in rules if rule in RULE_NAMES}
        lead = look(name, len(table.people), goal, rules=agreed.rules, length=agreed.length, least=least)
        self.seeds.next.extend(lead.seeds)
        await table.follow(lead, but=but)
        return table


class Playing:
    """One table and the people at it, in the order of their seats."""

    def __init__(self, room: Room, people: list[MemberActor]) -> None:
        self.room = room
        self.people = people
        self.live: LiveTable

    @property
    def state(self) -> State:
        return self.live.state

    @property
    def match(self) -> Match:
        assert self.state.match is not None
        return self.state.match

    def seat_of(self, member: MemberActor) -> int:
        seat = self.state.seat_of(member.id)
        assert seat is not None
        return seat

    def screen(self, member: MemberActor, *, private: bool) -> Screen:
        """Return the newest message with buttons, of this member's own where there is one."""
        shown = [
            screen
            for screen in self.room.screens(member)
            if screen.custom_ids and (private or not screen.private)
        ]
        return next((screen for screen in reversed(shown) if screen.private), shown[-1])

    async def press(
        self,
        member: MemberActor,
        verb: Verb,
        *args: str,
        number: int | None = None,
        private: bool = False,
        values: Sequence[str] | None = None,
    ) -> Answer:
        if number is None:
            number = 0 if self.state.match is None else self.match.decision
        custom_id = CustomId(self.live.id, number, verb, args)
        given = {} if values is None else {"values": list(values)}
        return await self.room.forge(
            member, self.screen(member, private=private), {"custom_id": custom_id.encoded, **given}
        )

    async def agree(self, name: str, value: str) -> Answer:
        """Let the host agree on something; menus take a value, switches have it in their name."""
        if name in (*SWITCHES, *FLAGS):
            return await self.press(self.people[0], Verb.OPTION, f"{name}.{value}", number=0)
        return await self.press(self.people[0], Verb.OPTION, name, number=0, values=[value])

    async def start(self) -> None:
        await self.press(self.people[self.state.seating.host], Verb.START)
        for member in self.people:
            await self.press(member, Verb.HAND)

    async def follow(self, lead: Lead, *, but: int = 0) -> None:
        """Play as a lead does."""
        await self.start()
        for seat, action in lead.moves[: len(lead.moves) - but]:
            await self.do(self.people[seat], action)
        if not but:
            assert self.match == lead.match

    async def do(self, member: MemberActor, action: act.Action) -> None:
        """Press what carries out an action, in the hand of the one who does it."""
        verb, args = written(action)
        before = self.match.clone()
        await self.press(member, verb, *args, private=verb is not Verb.NEXT)
        assert self.match != before

    async def play_on(self, goal: Callable[[Match], bool]) -> None:
        """Play with the computer players at the table, whose moves take time, until it is so."""
        for _ in range(400):
            match = self.match
            if goal(match) and (match.turn < 0 or not self.state.computer_plays(match.turn)):
                return
            if match.awaiting is Awaiting.DEAL:
                await self.do(self.people[0], act.DEAL)
            elif self.state.computer_plays(match.turn):
                await self.room.simulation.advance_time(2.5)
            else:
                user = self.state.seating.people[match.turn].user_id
                member = next(each for each in self.people if each.id == user)
                await self.do(member, match.legal_actions(match.turn)[0])
        raise AssertionError("it never comes to that")


_PLAIN = {
    act.Draw: Verb.DRAW,
    act.Keep: Verb.KEEP,
    act.Accept: Verb.ACCEPT,
    act.Challenge: Verb.CHALLENGE,
    act.SayUno: Verb.UNO,
    act.Deal: Verb.NEXT,
}


def written(action: act.Action) -> tuple[Verb, tuple[str, ...]]:
    """Return the verb and the arguments of the button that carries an action."""
    if isinstance(action, act.Play):
        colour = () if action.colour is None else (COLOUR_NAMES[action.colour],)
        return Verb.PLAY, (CODE[action.card], *colour)
    if isinstance(action, act.NameColour):
        return Verb.COLOUR, (COLOUR_NAMES[action.colour],)
    if isinstance(action, act.ChooseTarget):
        return Verb.TARGET, (str(action.seat),)
    return _PLAIN[type(action)], ()
