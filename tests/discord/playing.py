"""Tables to test at: started by clicks, put into the position a test needs, and played by what they show.

`Table` looks into the bot only to set a position up and to check what the screens say. `Driver` plays for
everybody and decides by the labels of the buttons alone.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import discord
from simcord import MemberActor

from bot.client import Lastlap
from bot.model.state import State
from bot.tables import Click as TableClick
from bot.tables import Table as LiveTable
from bot.tables import seat_name
from bot.tables.draft import Draft
from bot.ui.text.translation import Text, face
from engine.actions import Play
from engine.awaiting import Awaiting
from engine.events import public
from engine.match import Match
from engine.notation import read_scenario
from engine.rules import Length, RuleSet
from engine.views import SeatView, seat_view, table_view
from tests.discord.clicking import Answer, Click, Room, Screen

ENGLISH = Text("en-US")
NAMES = ("Ann", "Bob", "Cleo", "Dai", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon")
ALL_RULES = RuleSet(
    stack=True, draw_until_playable=True, force_play=True, seven_zero=True, jump_in=True, no_bluff=True
)
#: What a hand shows at any time; every other button of its first page answers the decision awaited.
ALWAYS = frozenset({"UNO!", "UNO! ✓", "Catch!", "More"})
#: Draw piles of numbers that match nothing much: nobody's turn goes on by chance.
PILE = ("G1", "G2", "G3", "G4", "Y1", "Y2", "Y3", "Y4", "G5", "G6")


def bot_of(room: Room) -> Lastlap:
    """Give the bot that runs now; it is another one after a restart."""
    assert isinstance(room.simulation.bot, Lastlap)
    return room.simulation.bot


class Table:
    """The table of a room and the people at it, in the order of their seats."""

    def __init__(self, room: Room, members: Sequence[MemberActor]) -> None:
        self.room = room
        self.members = list(members)
        self._arranged = 0

    # --- looking into the bot, to check

    @property
    def live(self) -> LiveTable:
        live = bot_of(self.room).tables.in_channel(self.room.channel.id)
        assert live is not None, "the table is over"
        return live

    @property
    def state(self) -> State:
        return self.live.state

    @property
    def match(self) -> Match:
        assert self.state.match is not None
        return self.state.match

    def view(self, member: MemberActor) -> SeatView:
        return seat_view(self.match, self.members.index(member))

    def cards(self, member: MemberActor) -> list[str]:
        return [face(ENGLISH, card) for card in self.view(member).hand]

    # --- what is shown

    def hand(self, member: MemberActor) -> Screen:
        """Return the newest hand of a member, whichever step it shows."""
        messages = self.room.simulation.backend.messages[self.room.channel.id]
        for message_id in sorted(messages, reverse=True):
            message = messages[message_id]
            if message.is_ephemeral and message.visible_to(member.id):
                screen = self.room.read(message_id)
                if is_hand(screen):
                    return screen
        raise AssertionError(f"{member.name} has no hand")

    def board(self) -> Screen:
        return self.room.table()

    async def press(self, member: MemberActor, label: str | re.Pattern[str]) -> Answer:
        """Press a button of a member's newest hand."""
        return await self.room.click(member, self.hand(member), label)

    async def press_board(self, member: MemberActor, label: str | re.Pattern[str]) -> Answer:
        """Press a button of the table."""
        return await self.room.click(member, self.board(), label)

    # --- positions

    async def arrange(
        self,
        *hands: Iterable[str],
        top: str = "R7",
        turn: int = 0,
        draw: Iterable[str] = PILE,
        below: Sequence[str] = ("B9",),
        actions: Sequence[Sequence[Any]] = (),
        rules: RuleSet | None = None,
        length: Length | None = None,
        **position: Any,
    ) -> None:
        """Lay the cards so, saved as every move is, and let the bot show it.

        `actions` lead on from there as in a scenario, by the seats' numbers: `(0, "play", "R5")`.
        """
        old = self.state
        rules, length = rules or old.options.rules, length or old.options.length
        names = [seat_name(seat) for seat in range(len(hands))]
        scenario = {
            "players": names,
            "rules": dict.fromkeys(rules.names(), True),
            "match": {"hands": length.hands} if length.target is None else {"target": length.target},
            "position": {
                "hands": dict(zip(names, map(list, hands), strict=True)),
                "draw": list(draw),
                "discard": [top, *below],
                "turn": names[turn],
                **position,
            },
            "actions": [_by_name(action) for action in actions],
        }
        read = read_scenario(scenario)
        events = list(read.start)
        after = old.clone()
        assert after.match is not None
        read.match.game.decision = after.match.decision + 1
        read.match.hand_no = after.match.hand_no
        read.match.hand_seeds = after.match.hand_seeds[:]
        for move in read.moves:
            events += read.match.apply(move.seat, move.action, move.auto)
        after.match, after.options = read.match, replace(old.options, rules=rules, length=length)
        after.log.head = {key: value for key, value in scenario.items() if key != "actions"}
        after.log.recent = tuple(public(event) for event in events)
        after.clock.played_at, after.log.failed, after.seating.gone = None, frozenset(), {}
        await self.put(after)

    async def put(self, state: State) -> None:
        """Make this the state of the table, saved as if somebody had clicked."""
        live = self.live
        self._arranged -= 1
        click = TableClick(self._arranged, 0, "", discord.utils.utcnow())
        # Moves that were logged stay logged, whatever comes after them now.
        moves = max(state.log.moves, live.state.log.moves)
        after = replace(state.clone(), version=live.state.version)
        after.log.moves = moves
        after.clock.full_at = after.clock.began_at = click.now
        with self.room.simulation._bot_scope():  # what the bot begins by this is the bot's own
            async with live.lock:
                draft = Draft(live, click)
                draft.after = after
                await bot_of(self.room).tables._commit(draft)
        await self.room.simulation.settle()


def _by_name(action: Sequence[Any]) -> list[Any]:
    seat, verb, *rest = action
    return [seat_name(seat), verb, *(seat_name(part) if isinstance(part, int) else part for part in rest)]


async def open_lobby(
    room: Room, host: MemberActor, *, rules: RuleSet | None = None, **options: Any
) -> Screen:
    """Let the host start a table, with house rules that no command sets yet."""
    answer = await room.command(host, "uno start", **options)
    assert answer.screen is not None
    if rules is not None:
        live = bot_of(room).tables.in_channel(room.channel.id)
        assert live is not None
        live.state = replace(live.state, options=replace(live.state.options, rules=rules))
    return answer.screen


async def seat(
    room: Room, players: int | Sequence[MemberActor], *, rules: RuleSet | None = None, **options: Any
) -> Table:
    """Start a match by clicks: the first is the host, the rest join in order."""
    members = room.members(*NAMES[:players]) if isinstance(players, int) else list(players)
    lobby = await open_lobby(room, members[0], rules=rules, **options)
    await room.together(*[Click(member, lobby, "Join") for member in members[1:]])
    await room.click(members[0], room.look(lobby), "Start")
    return Table(room, members)


async def leave(room: Room, member: MemberActor) -> Answer:
    """Leave a match by the command, and mean it."""
    question = (await room.command(member, "uno leave")).screen
    assert question is not None
    return await room.click(member, question, "Yes, leave")


async def end(room: Room, member: MemberActor) -> Answer:
    """End a table by the command, and mean it."""
    question = (await room.command(member, "uno end")).screen
    assert question is not None
    return await room.click(member, question, "Yes, end it")


def is_hand(screen: Screen | None) -> bool:
    """Tell a hand from other private messages."""
    buttons = [] if screen is None or not screen.private else screen.custom_ids
    return any(f":{verb}:" in custom_id for verb in ("more", "back") for custom_id in buttons)


def within_limits(screen: Screen) -> None:
    """Check a message against Discord's limits, and a hand against its own."""
    most = 34 if screen.private else 40
    assert len(screen.components) <= most, screen
    assert screen.characters <= 4000, screen
    for button in screen.buttons:
        assert 0 < len(button.label) <= 80, button
    assert len(set(screen.custom_ids)) == len(screen.custom_ids), screen


def calls_by_kind(room: Room, since: int) -> Counter[str]:
    """Count the REST calls since that many had been made, by what they are for."""
    kinds: Counter[str] = Counter()
    for call in room.simulation.http_requests[since:]:
        kinds[_kind(call.method, call.path, said=_calls_somebody(call.json))] += 1
    return kinds


def _calls_somebody(sent: Any) -> bool:
    """Tell whether a message mentions people."""
    return isinstance(sent, dict) and bool((sent.get("allowed_mentions") or {}).get("users"))


def _kind(method: str, path: str, *, said: bool) -> str:
    if said and method == "POST" and path.endswith("/messages"):
        return "nudge"
    patterns = {
        "answer": r"POST /interactions/.*/callback",
        "table edit": r"PATCH /channels/\d+/messages/\d+",
        "post": r"POST /channels/\d+/messages",
        "delete": r"DELETE /channels/\d+/messages/\d+",
        "hand refresh": r"PATCH /webhooks/.*/messages/\d+",
        "hand sent": r"POST /webhooks/\d+/\S+",
        "history": r"GET /channels/\d+/messages",
        "look": r"GET /channels/\d+",
    }
    return next((kind for kind, p in patterns.items() if re.fullmatch(p, f"{method} {path}")), path)


class Driver:
    """Plays for everybody at a table by pressing what is shown to them, with seeded dice."""

    def __init__(self, table: Table, seed: int, *, mischief: float = 0.25, pace: float = 6) -> None:
        self.table = table
        self.room = table.room
        self.dice = random.Random(seed)
        self.mischief = mischief
        self.pace = pace
        #: What the table was seen to wait for.
        self.awaited: set[str] = set()
        #: How often each button was pressed, by the verb it carries, and the REST calls of each.
        self.pressed: Counter[str] = Counter()
        self.calls: dict[str, list[Counter[str]]] = {}
        #: Whose hand did not come by itself.
        self.fetched: list[str] = []
        self._old: dict[int, list[Screen]] = {}
        self._mine: dict[int, Screen] = {}
        self.here = {member.id for member in table.members}

    # --- a whole match

    async def play(self, *, most: int = 3000) -> Screen:
        """Play to the end; return the standings."""
        for _ in range(most):
            if not await self.step():
                return self.room.table()
        raise AssertionError(f"not over after {most} steps: {self.room.table()}")

    async def step(self) -> bool:
        """Do one thing that somebody could do; False once the match is over."""
        board = self.table.board()
        within_limits(board)
        if board.has("Rematch"):
            return False
        self.room.simulation.elapse(self.dice.uniform(0, 2 * self.pace))
        self._note()
        if self.dice.random() < self.mischief:
            await self._mischief(board)
        elif board.has("Next hand"):
            await self._next_hand(board)
        else:
            await self._turn(board)
        return True

    def seated(self) -> list[MemberActor]:
        return [member for member in self.table.members if member.id in self.here]

    def _note(self) -> None:
        """Check what is shown against what is so, and note what is waited for."""
        view = table_view(self.table.match)
        kind = view.awaiting.value
        if view.awaiting is Awaiting.TARGET:
            kind = "swap" if view.swap else "shell"
        elif view.awaiting is Awaiting.TURN and view.due:
            kind = "stack"
        self.awaited.add(kind)
        if view.awaiting in (Awaiting.DEAL, Awaiting.OVER):
            return
        board = self.table.board()
        for info in view.seats:
            name = self.table.members[info.seat].user.global_name
            if not info.left:
                cards = "card" if info.cards == 1 else "cards"
                folded = f"{name} ({info.cards}" if info.seat != view.turn else f"**{name}** ({info.cards}"
                counted = folded if len(view.seats) > 6 else f"**{name}**: {info.cards} {cards}"
                assert counted in board.text.replace("\xa0", " "), board
        assert f"Top card: {face(ENGLISH, view.top)}" in board.text, board

    def _awaited_member(self, board: Screen) -> MemberActor:
        """Read from the table's headline whom it waits for."""
        headline = board.texts[0].splitlines()[0].removeprefix("### ")
        for member in self.seated():
            if re.match(rf"{member.user.global_name}\b", headline):
                return member
        raise AssertionError(f"nobody is named in {headline!r}")

    # --- one press

    async def click(self, member: MemberActor, screen: Screen, *, old: bool = False, **button: Any) -> Answer:
        verb = "old" if old else screen.button(**button).custom_id.split(":")[3]
        if len(self.room.simulation.http_requests) > 200:
            self.room.simulation.http_requests.clear()  # every look at them would take longer and longer
        since = len(self.room.simulation.http_requests)
        answer = await self.room.click(member, screen, **button)
        self.pressed[verb] += 1
        self.calls.setdefault(verb, []).append(calls_by_kind(self.room, since))
        if answer.screen is not None:
            within_limits(answer.screen)
        if is_hand(screen):
            self._old.setdefault(member.id, []).append(screen)
        if answer.screen is not None and is_hand(answer.screen):
            self._mine[member.id] = answer.screen
        return answer

    def hand(self, member: MemberActor) -> Screen:
        """Return the hand that a member looked at last, as it is now."""
        if member.id not in self._mine:
            self._mine[member.id] = self.table.hand(member)
        return self.room.look(self._mine[member.id])

    async def _turn(self, board: Screen) -> None:
        member = self._awaited_member(board)
        hand = self.hand(member)
        if self._answers(hand) == [] and "More" in hand.labels:
            self.fetched.append(member.name)
            answer = await self.click(member, board, label="My hand")
            assert answer.private
            hand = answer.screen or hand
        if "Back" in hand.labels and not set(hand.labels) & {"Red", "Yellow", "Green", "Blue"}:
            await self.click(member, hand, label="Back")
            return
        self._check_hand(member, hand)
        toggle = [button for button in hand.buttons if ":toggle:" in button.custom_id]
        if toggle and toggle[0].label == "UNO!" and self.dice.random() < 0.6:
            await self.click(member, hand, custom_id=toggle[0].custom_id)
            return
        both = [
            label for label in (re.compile(r"Challenge .*"), re.compile(r"Accept .*")) if board.has(label)
        ]
        if both and self.dice.random() < 0.4:
            await self.click(member, board, label=self.dice.choice(both))
            return
        answers = self._answers(hand)
        passing = [label for label in answers if re.fullmatch(r"Draw( \d+)?|Keep|Back", label)]
        active = [label for label in answers if label not in passing]
        choice = active if active and (not passing or self.dice.random() < 0.9) else passing
        assert choice, hand
        await self.click(member, hand, label=self.dice.choice(choice))

    @staticmethod
    def _answers(hand: Screen) -> list[str]:
        return [button.label for button in hand.buttons if button.label not in ALWAYS and not button.disabled]

    def _check_hand(self, member: MemberActor, hand: Screen) -> None:
        within_limits(hand)
        if "Back" in hand.labels:
            return  # a step that is not about the cards, or about the colour of one
        view = self.table.view(member)
        playable = {face(ENGLISH, answer.card) for answer in view.answers if isinstance(answer, Play)}
        shown = {
            re.sub(r" ×\d+$", "", button.label)
            for button in hand.buttons
            if re.search(r":(?:play|pick):", button.custom_id)
        }
        assert shown == playable, (hand, view)

    async def _next_hand(self, board: Screen) -> None:
        self._mine.clear()  # a new hand is a new message
        members = self.dice.sample(self.seated(), min(2, len(self.seated())))
        if self.dice.random() < 0.5:
            answers = await self.room.together(*[Click(member, board, "Next hand") for member in members])
            for member, answer in zip(members, answers, strict=True):
                assert answer.screen is not None
                assert is_hand(answer.screen)
                self._mine[member.id] = answer.screen
        else:
            await self.click(members[0], board, label="Next hand")

    # --- what people do besides

    async def _mischief(self, board: Screen) -> None:
        member = self.dice.choice(self.seated())
        deed = self.dice.choice(
            [self._call, self._call, self._fetch, self._look_around, self._old_hand, self._jump, self._meddle]
        )
        await deed(member, board)

    async def _call(self, member: MemberActor, board: Screen) -> None:
        """Press UNO! or Catch!, under the table or in one's hand."""
        screen = self.dice.choice([board, self.hand(member)])
        labels = [label for label in ("UNO!", "Catch!") if screen.has(label)]
        if labels:
            await self.click(member, screen, label=self.dice.choice(labels))

    async def _fetch(self, member: MemberActor, board: Screen) -> None:
        if board.has("My hand"):
            answer = await self.click(member, board, label="My hand")
            assert answer.private

    async def _look_around(self, member: MemberActor, board: Screen) -> None:
        """Press More, then something behind it."""
        hand = self.hand(member)
        if not hand.has("More"):
            return
        more = (await self.click(member, hand, label="More")).screen
        assert more is not None
        deed = self.dice.choice(["Back", "Rules", "Table here", "Leave"])
        answer = await self.click(member, more, label=deed)
        if deed == "Leave":
            assert answer.screen is not None
            await self.click(member, answer.screen, label="Keep playing")

    async def _old_hand(self, member: MemberActor, board: Screen) -> None:
        """Press something on a hand as it was some time ago."""
        if old := self._old.get(member.id):
            screen = self.dice.choice(old)
            labels = [b.label for b in screen.buttons if not b.disabled and b.label != "Yes, leave"]
            before = self.table.match.clone()
            label = self.dice.choice(labels)
            answer = await self.click(member, screen, old=True, label=label)
            number = screen.custom_ids[-1].split(":")[2]
            if int(number) != before.decision and label not in ALWAYS:
                assert self.table.match == before, f"{label} of an old hand did something"
                assert answer.kind == "update"

    async def _jump(self, member: MemberActor, board: Screen) -> None:
        if board.has("Jump in"):
            await self.click(member, board, label="Jump in")

    async def _meddle(self, member: MemberActor, board: Screen) -> None:
        """Press Challenge or Accept without being the one asked."""
        others = [member for member in self.seated() if member.user.global_name not in board.texts[0]]
        for label in (re.compile(r"Challenge .*"), re.compile(r"Accept .*")):
            if board.has(label) and others:
                before = self.table.match.clone()
                answer = await self.click(self.dice.choice(others), board, label=label)
                assert answer.private
                assert self.table.match == before
                return

    async def leave(self, member: MemberActor) -> None:
        """Leave for good by More, Leave, Yes."""
        hand = self.hand(member)
        if "Back" in hand.labels:
            hand = (await self.click(member, hand, label="Back")).screen or hand
        for label in ("More", "Leave", "Yes, leave"):
            hand = (await self.click(member, hand, label=label)).screen or hand
        self.here.discard(member.id)
