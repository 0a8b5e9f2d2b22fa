"""Every custom_id that the screens of a memory's tables can make, found by pressing them all.

What changes nothing leads on to further screens. Each that changes a table is pressed on the table as it was
left. What no screen of these tables shows, but the grammar has, comes last.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from simcord.enums import SELECT_TYPES, ComponentType

from bot.model import guild_settings, options
from bot.model.computers import NAMES
from bot.tallies.boards import By, Turn
from bot.tallies.periods import Period
from bot.ui.kit.custom_ids import LOBBY_PAGES, SERVER_PAGES, CustomId, Verb
from bot.ui.kit.custom_ids import read as read_custom_id
from bot.ui.screens.rules import TOPICS
from engine.actions import MOST_SEATS
from engine.cards import CODE, COLOUR_NAMES, WILD_FOUR
from tests.discord.clicking import Screen
from tests.releases.memory import Memory, Opened, Press, moves, stand

#: The tables whose terms are still to be agreed on.
_LOBBIES = ("lobby", "lobby by invitation", "lobby of one", "lobby of the second server", "rematch")


class Explorer:
    """Presses whatever is found; `found` are the presses in the order in which they were found."""

    def __init__(self, memory: Memory, database: Path) -> None:
        self.memory = memory
        self.database = database
        self.found: dict[tuple[Any, ...], Press] = {}
        self.changes: Counter[int] = Counter()
        self.panels: dict[int, int] = {}
        self.alike: Counter[tuple[Any, ...]] = Counter()

    async def explore(self, first: Sequence[Press]) -> None:
        """Press these and all that they lead to, channel by channel, and note what each of them does."""
        for channel in dict.fromkeys(press.channel for press in first):
            waiting = [press for press in first if press.channel == channel]
            while waiting:
                waiting = await self._until_something_changes(channel, waiting)

    async def _until_something_changes(self, channel: int, waiting: list[Press]) -> list[Press]:
        """Press one after the other until one changes a table; returns what is left, and what was found."""
        with tempfile.TemporaryDirectory() as name:
            copy = Path(name) / "copy.sqlite3"
            copy.write_bytes(self.database.read_bytes())
            async with Opened(self.memory, copy, channels=[channel]) as opened:
                while waiting:
                    press, *waiting = waiting
                    if _key(press) in self.found or not self._is_new(press):
                        continue
                    before, old = stand(opened), await moves(opened, press.table)
                    (answer,) = await opened.press([press])
                    self.found[_key(press)] = press
                    if stand(opened) != before:
                        new = (await moves(opened, press.table))[len(old) :]
                        self.found[_key(press)] = replace(press, change=self._number(press), moves=tuple(new))
                        return waiting
                    if answer.screen is not None:
                        by = press.by
                        waiting += on_screen(answer.screen, by, self.stranger, alone=answer.screen.private)
        return []

    def _number(self, press: Press) -> int:
        """Count a press among those that change its table; those of a lobby's panel count as one."""
        if _read(press).verb is Verb.OPTION and press.table in self.panels:
            return self.panels[press.table]
        self.changes[press.table] += 1
        if _read(press).verb is Verb.OPTION:
            self.panels[press.table] = self.changes[press.table]
        return self.changes[press.table]

    def _is_new(self, press: Press) -> bool:
        """Whether a press is worth a try: it is not the third of its kind."""
        read = _read(press)
        kind: tuple[Any, ...] = read.verb, read.args, press.values
        lobby = any(name in _LOBBIES and table == press.table for name, table in self.memory.tables.items())
        if press.by == self.stranger:
            kind += ("a stranger",)
        elif read.verb in (Verb.OPTION, Verb.PANEL) and not lobby:
            kind += ("too late",)
        elif read.verb is not Verb.RULES:
            kind += (press.table, press.by)
        self.alike[kind] += 1
        return self.alike[kind] <= 2

    @property
    def stranger(self) -> int:
        """The one who was never at a table."""
        return list(self.memory.places.people)[-1]

    # --- what no screen showed

    def unseen(self) -> list[Press]:
        """Make what the grammar has beside what was found, and a press of each kind that comes too late."""
        tables = self.memory.tables
        seen = {_read(press).encoded.split(":", 3)[3] for press in self.found.values()}
        hand = self._sample(Verb.MORE, tables["turn"])
        lobby = self._sample(Verb.PANEL, tables["lobby"])
        server = self._sample(Verb.SERVER, 0)
        of_verb = {Verb.SERVER: server, Verb.OPTION: lobby, Verb.PANEL: lobby, Verb.ADD: lobby}
        made = []
        for verb, args in _grammar():
            sample = of_verb.get(verb, hand)
            custom_id = replace(_read(sample), verb=verb, args=args).encoded
            if custom_id.split(":", 3)[3] not in seen:
                made.append(Press(custom_id, sample.by, sample.channel))
        return made + self._late()

    def _sample(self, verb: Verb, table: int) -> Press:
        found = (press for press in self.found.values() if press.table == table and _read(press).verb is verb)
        return next(press for press in found if press.message is None)

    def _late(self) -> list[Press]:
        """Make one press of each verb for a decision that is past."""
        by_verb = {_read(press).verb: press for press in self.found.values() if _read(press).number > 1}
        return [
            Press(
                replace(_read(press), number=_read(press).number - 1).encoded,
                press.by,
                press.channel,
                press.message,
            )
            for press in by_verb.values()
            if press.values is None
        ]


_SWITCHES = (*options.SWITCHES, *options.FLAGS)
#: The arguments of each verb that takes some, but for menus, whose values were all found.
_ARGUMENTS: dict[Verb, list[tuple[str, ...]]] = {
    Verb.PLAY: [
        *((code,) for code in CODE if code != CODE[WILD_FOUR]),
        *((CODE[WILD_FOUR], colour) for colour in COLOUR_NAMES),
    ],
    Verb.PICK: [(CODE[WILD_FOUR],)],
    Verb.COLOUR: [(colour,) for colour in COLOUR_NAMES],
    Verb.TARGET: [(str(seat),) for seat in range(MOST_SEATS)],
    Verb.TAKE: [(str(seat),) for seat in range(MOST_SEATS)],
    Verb.VOTE: [(str(seat),) for seat in range(MOST_SEATS)],
    Verb.ADD: [(level,) for level in options.LEVELS],
    Verb.REMOVE: [(name,) for name in NAMES],
    Verb.OFFER: [],
    Verb.RULES: [(), *((topic,) for topic in TOPICS)],
    Verb.DETAILS: [("3",)],
    Verb.PANEL: [(page,) for page in LOBBY_PAGES],
    Verb.OPTION: list(product(_SWITCHES, ("0", "1"))),
    Verb.SERVER: [
        ("reset",),
        *product(("page",), SERVER_PAGES),
        *product((*_SWITCHES, *guild_settings.FLAGS), ("0", "1")),
    ],
    Verb.BOARD: [
        *product(By, Period, (Turn.FIRST, Turn.OWN)),
        *product(By, Period, (Turn.AFTER, Turn.BEFORE), ("1",)),
    ],
}


def _grammar() -> Iterator[tuple[Verb, tuple[str, ...]]]:
    """List every verb with each of its arguments."""
    for verb in Verb:
        for args in _ARGUMENTS.get(verb, [()]):
            yield verb, args


# --- presses


def on_screen(screen: Screen, by: int, stranger: int, *, alone: bool) -> Iterator[Press]:
    """List what one person can press on a screen; in a menu each value, or somebody.

    `alone`: the screen is private.
    """
    message = None if alone else screen.id
    for component in screen.components:
        if not component.get("custom_id") or component.get("disabled"):
            continue
        press = Press(component["custom_id"], by, screen.channel.id, message, component["type"])
        if component["type"] not in SELECT_TYPES:
            yield press
        elif component["type"] == ComponentType.STRING_SELECT:
            for option in component["options"]:
                yield replace(press, values=(option["value"],))
        else:
            users = component["type"] == ComponentType.USER_SELECT
            yield replace(press, values=(str(stranger if users else screen.channel.id),))
            if component.get("min_values") == 0:
                yield replace(press, values=())


def _key(press: Press) -> tuple[Any, ...]:
    """Return what makes a press another one; of what is private, one presser is enough."""
    return press.custom_id, press.values, press.by if press.message else None


def _read(press: Press) -> CustomId:
    read = read_custom_id(press.custom_id, press.values)
    assert read is not None, press
    return read
