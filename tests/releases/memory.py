"""A memory as it lies in its folder, and the bot of today opened on it.

`database.sql` is the database as that release left it. `discord.json` says what stood on Discord then, and
what each table was made for. `kept.json` says what is to be found in the database. `custom_ids.json` lists
what could be pressed: see `Press`.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Self

from simcord import ChannelHandle, MemberActor
from simcord.enums import ComponentType
from simcord.interactions import resolve_handle

from bot import create_bot
from bot.client import Lastlap
from bot.settings import Settings
from bot.store import migrate
from bot.ui.kit.pictures import all_pictures, emoji_name
from tests.discord.clicking import Answer
from tests.discord.simulation import Simulation
from tests.releases.world import Places, World

FOLDER = Path(__file__).parent
#: Presses sent together before the bot sees the first.
_TOGETHER = 100


@dataclass(frozen=True)
class Press:
    """One press of a button, or one choice in a menu: by whom, in which channel, on which message.

    `message` is None for a private message of the presser's own. `values` are what is chosen in a menu, None
    for a button; `kind` is Discord's number of the component. `change` is 0 for a press that changes no
    table; those that do are counted for each table, because each needs it as it was left. The presses of a
    lobby's panel count as one, for they can follow each other. `moves` are what a press writes into the log.
    """

    custom_id: str
    by: int
    channel: int
    message: int | None = None
    kind: int = ComponentType.BUTTON.value
    values: tuple[str, ...] | None = None
    change: int = 0
    moves: tuple[Any, ...] = ()

    @property
    def table(self) -> int:
        """The number of the table that it is about, 0 for none."""
        return int(self.custom_id.split(":")[1])

    def written(self) -> dict[str, Any]:
        usual = asdict(Press("", 0, 0))
        return {name: value for name, value in asdict(self).items() if value != usual[name]}

    @classmethod
    def read(cls, saved: dict[str, Any]) -> "Press":
        lists = {name: tuple(saved[name]) for name in ("values", "moves") if name in saved}
        return cls(**saved | lists)


@dataclass(frozen=True)
class Memory:
    """A memory of one release.

    `tables` has the number of each table by what it was made for. `kept` is what is to be found in the
    database, whatever form it has.
    """

    version: str
    sql: str
    places: Places
    tables: dict[str, int]
    presses: tuple[Press, ...] = ()
    kept: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, version: str) -> "Memory":
        folder = FOLDER / version
        told = json.loads((folder / "discord.json").read_text())
        presses = json.loads((folder / "custom_ids.json").read_text())
        return cls(
            version=version,
            sql=(folder / "database.sql").read_text(),
            places=Places.read(told),
            tables=dict(told["tables"]),
            presses=tuple(map(Press.read, presses)),
            kept=json.loads((folder / "kept.json").read_text()),
        )

    def write(self) -> None:
        folder = FOLDER / self.version
        folder.mkdir(exist_ok=True)
        (folder / "database.sql").write_text(self.sql)
        told = self.places.written() | {"tables": [[name, table] for name, table in self.tables.items()]}
        (folder / "discord.json").write_text(_by_line(told))
        (folder / "kept.json").write_text(_by_line(self.kept))
        (folder / "custom_ids.json").write_text(_by_line([press.written() for press in self.presses]))

    def load(self, database: Path) -> Path:
        """Make a database file of it, as it was left."""
        connection = sqlite3.connect(database)
        connection.executescript(self.sql)
        connection.close()
        return database

    def migrated(self, database: Path) -> Path:
        """Make a database file of it and bring it to the newest form, as the bot does when it starts."""
        migrate(url_of(self.load(database)))
        return database


def versions() -> list[str]:
    """List the releases of which there is a memory."""
    return sorted(path.parent.name for path in FOLDER.glob("*/database.sql"))


def _by_line(value: Any) -> str:
    """Write JSON with a line for each entry, so that two of them can be compared."""
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {_entries(each)}" for key, each in value.items()]
        return "{\n" + ",\n".join(parts) + "\n}\n"
    return _entries(value) + "\n"


def _entries(value: Sequence[Any]) -> str:
    return "[\n" + ",\n".join(json.dumps(each, ensure_ascii=False) for each in value) + "\n]"


# --- the bot


def url_of(database: Path) -> str:
    return f"sqlite+aiosqlite:///{database}"


def settings_for(database: Path) -> Settings:
    """Give the bot a database and no delay, but for the time that computer players take."""
    delays = {name: 0 for name in Settings.model_fields if name.endswith(("_delay", "_pause", "_grace"))}
    del delays["computer_pause"], delays["computer_uno_pause"]
    return Settings(
        _env_file=None, database_url=url_of(database), shard_count=1, tables_per_person=100, **delays
    )


def simulated(database: Path) -> Simulation:
    """Put the bot on a simulated Discord, not started yet; its pictures were uploaded before."""
    simulation = Simulation(create_bot(settings_for(database)), settle_timeout=60.0)
    for key, picture in all_pictures().items():
        simulation.backend.create_application_emoji(emoji_name(key, picture))
    return simulation


class Opened:
    """The bot of today on a database that a release has left, and what then stood on Discord."""

    def __init__(
        self,
        memory: Memory,
        database: Path,
        *,
        later: timedelta = timedelta(seconds=5),
        channels: Iterable[int] | None = None,
    ) -> None:
        """Open a database, so long after it was left; with `channels`, without the tables of all others."""
        self.memory = memory
        self.database = database
        if channels is not None:
            _close_all_but(database, channels)
        self.simulation = simulated(database)
        backend = self.simulation.backend
        backend.advance_clock((memory.places.left_at + later - backend.clock.now()).total_seconds())
        self.world = World(self.simulation, memory.places)

    @property
    def bot(self) -> Lastlap:
        assert isinstance(self.simulation.bot, Lastlap)
        return self.simulation.bot

    async def __aenter__(self) -> Self:
        await self.simulation.start()
        await self.simulation.settle()
        await self.bot.tables.restore([idle.id for idle in self.bot.tables.idle()], self.bot.now())
        await self.simulation.settle()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.simulation.close()

    async def press(self, presses: Iterable[Press]) -> list[Answer]:
        """Press all of these; each has to be answered, exactly once."""
        waiting = list(presses)
        answers = []
        while waiting:
            together, waiting = waiting[:_TOGETHER], waiting[_TOGETHER:]
            self.simulation.http_requests.clear()
            sent = [self._send(press) for press in together]
            await self.simulation.settle()
            for (room, result), press in zip(sent, together, strict=True):
                answers.append(room._answered(result, f"{press}"))
        return answers

    def _send(self, press: Press) -> Any:
        room, member = self.world.room(press.channel), self.world.member(press.by, press.channel)
        message = press.message or self.world.private(press.channel, press.by)
        if message not in self.simulation.backend.messages[press.channel]:
            self.world.post(press.channel, message, None if press.message else press.by)
        given: dict[str, Any] = {"custom_id": press.custom_id, "component_type": press.kind}
        if press.values is not None:
            given |= {"values": list(press.values), "resolved": self._resolved(member, press)}
        return room, room._send(member, room.read(message), given)

    def _resolved(self, member: MemberActor, press: Press) -> dict[str, Any]:
        resolved: dict[str, Any] = {}
        for value in press.values or ():
            chosen: MemberActor | ChannelHandle | None = None
            if press.kind == ComponentType.USER_SELECT:
                chosen = self.world.member(int(value), press.channel)
            elif press.kind == ComponentType.CHANNEL_SELECT:
                chosen = self.world.room(int(value)).channel
            if chosen is not None:
                resolve_handle(member, chosen, resolved, channel_id=press.channel)
        return resolved


def _close_all_but(database: Path, channels: Iterable[int]) -> None:
    """Let no table live but those of these channels: a bot with few tables is opened in no time."""
    connection = sqlite3.connect(database)
    of_these = ", ".join(map(str, channels))
    with connection:
        connection.execute(
            "UPDATE tables SET closed_at = updated_at, snapshot = NULL"
            f" WHERE closed_at IS NULL AND channel_id NOT IN ({of_these})"
        )
    connection.close()


def stand(opened: Opened) -> list[tuple[int, int, int]]:
    """Say how all live tables stand: which there are, after how many changes, and in which channel."""
    return sorted((table.id, table.state.version, table.channel_id) for table in opened.bot.tables.live())


async def moves(opened: Opened, table: int) -> list[Any]:
    """Read the moves of a live table's match from its log."""
    live = opened.bot.tables.get(table)
    match = None if live is None else live.state.match
    if match is None:
        return []
    store = opened.bot.store
    hands = range(1, match.hand_no + 1)
    return [record.move for hand in hands for record in await store.moves(table, hand)]
