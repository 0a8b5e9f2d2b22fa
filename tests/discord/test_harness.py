"""The harness itself: a dead button is caught, whatever kills it, and what members see is read right."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import discord
import pytest
from discord import app_commands

from tests.discord.clicking import Click, Room, UnansweredError, UnreachableError
from tests.discord.conftest import refused_errors
from tests.discord.simulation import Simulation


class Toy(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"toy:(?P<verb>[a-z]+)"):
    """A button that does what its verb says, broken in every way a button can be."""

    def __init__(self, verb: str, *, disabled: bool = False) -> None:
        self.verb = verb
        label = verb.capitalize()
        super().__init__(discord.ui.Button(label=label, custom_id=f"toy:{verb}", disabled=disabled))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: Any, match: Any) -> "Toy":
        if match["verb"] == "unmade":
            raise RuntimeError("cannot be made")
        return cls(match["verb"])

    async def interaction_check(self, interaction: discord.Interaction) -> bool:
        if self.verb == "unchecked":
            raise RuntimeError("cannot be checked")
        return True

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        interaction.client.clicks.append((interaction.user.display_name, str(interaction.locale)))
        match self.verb:
            case "raises":
                raise RuntimeError("broken")
            case "late":
                await interaction.response.edit_message(view=menu("told"))
                raise RuntimeError("broken after the answer")
            case "silent":
                pass
            case "twice":
                await interaction.response.defer()
                interaction.response._response_type = None  # discord.py would stop it by itself
                with suppress(discord.HTTPException):
                    await interaction.response.defer()
            case "later":
                await interaction.response.edit_message(view=menu("later"))
                interaction.client.started = asyncio.create_task(later(interaction))
            case "lost":
                with suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.Event().wait(), 2)
                await interaction.response.send_message("One moment.", ephemeral=True)
            case "tell":
                await interaction.response.send_message("Only you see this.", ephemeral=True)
            case "hand":
                await interaction.response.send_message(view=menu("tell", "late"), ephemeral=True)
            case "told":
                await interaction.response.edit_message(view=menu("hand"))
            case "count":
                await asyncio.sleep(0)
                await interaction.response.edit_message(view=menu("count", "told"))


async def later(interaction: discord.Interaction) -> None:
    await asyncio.sleep(0.25)
    await interaction.edit_original_response(view=menu("hand"))


class Rules(discord.ui.DynamicItem[discord.ui.Select[Any]], template=r"rules"):
    """A select menu that says what was chosen."""

    def __init__(self) -> None:
        options = [discord.SelectOption(label=f"Rule {n}", value=str(n), default=n == 1) for n in range(3)]
        super().__init__(discord.ui.Select(custom_id="rules", options=options, min_values=0, max_values=3))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: Any, match: Any) -> "Rules":
        return cls()

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(" ".join(interaction.data["values"]), ephemeral=True)


def menu(*verbs: str) -> discord.ui.LayoutView:
    view = discord.ui.LayoutView(timeout=None)
    picture = discord.ui.Thumbnail("https://pictures.example/red-7.png")
    view.add_item(
        discord.ui.Container(
            discord.ui.Section(discord.ui.TextDisplay("## Toys"), accessory=picture),
            discord.ui.TextDisplay("Press one."),
            discord.ui.ActionRow(*[Toy(verb, disabled=verb == "grey") for verb in verbs]),
            discord.ui.ActionRow(Rules()),
            accent_colour=0xFF0000,
        )
    )
    view.stop()
    return view


class ToyClient(discord.AutoShardedClient):
    """A client with one command, which shows the buttons named in it."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), shard_count=1, max_messages=None)
        self.clicks: list[tuple[str, str]] = []
        self.tree = app_commands.CommandTree(self)
        group = app_commands.Group(name="toy", description="Toys", guild_only=True)
        deep = app_commands.Group(name="deep", description="Deeper toys", parent=group)

        @group.command(name="show", description="Show buttons")
        async def show(interaction: discord.Interaction, verbs: str) -> None:
            await interaction.response.send_message(view=menu(*verbs.split()))

        @deep.command(name="where", description="Say where and in which language")
        async def where(interaction: discord.Interaction) -> None:
            told = f"{interaction.channel} {interaction.locale} {interaction.guild_locale}"
            await interaction.response.send_message(told, ephemeral=True)

        @group.command(name="silent", description="Say nothing")
        async def silent(interaction: discord.Interaction) -> None:
            pass

        @group.command(name="raises", description="Break")
        async def raises(interaction: discord.Interaction) -> None:
            raise RuntimeError("broken")

        self.tree.add_command(group)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Toy, Rules)
        await self.tree.sync()


@pytest.fixture
async def client() -> ToyClient:
    return ToyClient()


@pytest.fixture
async def simulation(client: ToyClient, simulate: Callable[..., Awaitable[Simulation]]) -> Simulation:
    return await simulate(client)


async def shown(room: Room, verbs: str) -> list[Any]:
    ann, bob = room.members("Ann", "Bob")
    answer = await room.command(ann, "toy show", verbs=verbs)
    return [ann, bob, answer.screen]


@pytest.mark.parametrize("verb", ["raises", "unmade"])
async def test_a_button_that_raises_is_caught_twice(
    room: Room, verb: str, logged_errors: list[logging.LogRecord]
) -> None:
    ann, _, screen = await shown(room, verb)
    with pytest.raises(UnansweredError, match="not answered"):
        await room.click(ann, screen, verb.capitalize())
    assert [record.name for record in logged_errors] == ["discord.ui.view"]
    logged_errors.clear()


@pytest.mark.parametrize("verb", ["silent", "unchecked"])
async def test_a_button_that_never_answers_is_caught(room: Room, verb: str) -> None:
    ann, _, screen = await shown(room, verb)
    with pytest.raises(UnansweredError, match="not answered"):
        await room.click(ann, screen, verb.capitalize())


async def test_one_dead_button_among_many_clicks_is_caught(room: Room) -> None:
    ann, bob, screen = await shown(room, "tell silent")
    with pytest.raises(UnansweredError, match="Silent"):
        await room.together(
            Click(ann, screen, "Tell"), Click(bob, screen, "Silent"), Click(bob, screen, "Tell")
        )


async def test_a_button_that_raises_after_its_answer_is_logged(
    room: Room, logged_errors: list[logging.LogRecord]
) -> None:
    ann, _, screen = await shown(room, "late")
    answer = await room.click(ann, screen, "Late")
    assert answer.kind == "update"
    assert "broken after the answer" in str(logged_errors.pop().exc_info)


async def test_a_button_that_answers_twice_is_caught(room: Room) -> None:
    ann, _, screen = await shown(room, "twice")
    with pytest.raises(UnansweredError, match="answered 2 times"):
        await room.click(ann, screen, "Twice")


async def test_a_command_that_never_answers_is_caught(room: Room) -> None:
    (ann,) = room.members("Ann")
    with pytest.raises(UnansweredError, match="/toy silent"):
        await room.command(ann, "toy silent")


async def test_a_command_that_raises_is_caught_three_times(
    room: Room, logged_errors: list[logging.LogRecord]
) -> None:
    (ann,) = room.members("Ann")
    with pytest.raises(UnansweredError, match="/toy raises"):
        await room.command(ann, "toy raises")
    assert logged_errors.pop().name == "discord.app_commands.tree"
    assert len(room.simulation.errors) == 1  # raised when the simulation closes, had it not been read here


@pytest.mark.parametrize("name", ["discord.ui.view", "bot.messages", "asyncio"])
def test_a_logged_error_fails_the_test(name: str, logged_errors: list[logging.LogRecord]) -> None:
    with pytest.raises(pytest.fail.Exception, match="errors were logged"), refused_errors():
        logging.getLogger(name).error("dead")
    logged_errors.clear()


def test_a_warning_or_an_expected_error_does_not_fail_the_test(
    logged_errors: list[logging.LogRecord],
) -> None:
    with refused_errors() as errors:
        logging.getLogger("discord").warning("slow")
        logging.getLogger("discord").error("dead")
        assert errors.pop().getMessage() == "dead"
    logged_errors.clear()


async def test_a_screen_is_read_as_it_is_shown(room: Room) -> None:
    _, _, screen = await shown(room, "tell hand grey")
    assert screen.texts == ["## Toys", "Press one."]
    assert screen.characters == 17
    assert screen.labels == ["Tell", "Hand", "Grey"]
    assert screen.rows == [["Tell", "Hand", "Grey"]]
    assert screen.custom_ids == ["toy:tell", "toy:hand", "toy:grey", "rules"]
    assert screen.thumbnails == ["https://pictures.example/red-7.png"]
    assert screen.accents == [0xFF0000]
    assert screen.menus[0].options == (("Rule 0", "0"), ("Rule 1", "1"), ("Rule 2", "2"))
    assert screen.menus[0].chosen == ("1",)
    assert len(screen.components) == 11
    assert not screen.private
    assert screen.has("Tell")
    assert not screen.has("Grey")


async def test_a_private_message_is_seen_by_its_member_alone(room: Room) -> None:
    ann, bob, screen = await shown(room, "hand")
    answer = await room.click(ann, screen, "Hand")
    assert answer.private
    assert room.hand(ann).labels == ["Tell", "Late"]
    assert room.private(bob) == []
    assert [s.id for s in room.screens()] == [screen.id] == [room.table().id]
    with pytest.raises(UnreachableError, match="no such message"):
        room.hand(bob)
    with pytest.raises(UnreachableError, match="bob does not see"):
        await room.click(bob, room.hand(ann), "Tell")
    assert (await room.click(ann, room.hand(ann), "Tell")).text == "Only you see this."


async def test_what_cannot_be_pressed_is_refused(room: Room) -> None:
    ann, _, screen = await shown(room, "tell grey")
    for label in ("Grey", "Absent"):
        with pytest.raises(UnreachableError):
            await room.click(ann, screen, label)
    room.simulation.backend.delete_message(room.channel.id, screen.id)
    with pytest.raises(UnreachableError, match="is gone"):
        await room.click(ann, screen, "Tell")


async def test_an_old_screen_sends_its_old_button(room: Room, client: ToyClient) -> None:
    ann, bob, screen = await shown(room, "told")
    await room.click(ann, screen, "Told")
    assert room.look(screen).labels == ["Hand"]
    assert (await room.click(bob, screen, "Told")).kind == "update"
    assert [name for name, _ in client.clicks] == ["Ann", "Bob"]


async def test_a_choice_is_made_and_an_impossible_one_refused(room: Room) -> None:
    ann, _, screen = await shown(room, "tell")
    assert (await room.choose(ann, screen, ["0", "2"])).text == "0 2"
    with pytest.raises(UnreachableError, match="not among"):
        await room.choose(ann, screen, ["9"])


async def test_many_clicks_arrive_at_once(room: Room, client: ToyClient) -> None:
    _, _, screen = await shown(room, "count")
    crowd = room.members(*[f"Member {n}" for n in range(10)])
    answers = await room.together(*[Click(member, screen, "Count") for member in crowd for _ in range(2)])
    assert {answer.kind for answer in answers} == {"update"}
    assert [name for name, _ in client.clicks] == [
        member.user.global_name for member in crowd for _ in range(2)
    ]


async def test_an_interaction_can_be_delivered_again(
    room: Room, client: ToyClient, logged_errors: list[logging.LogRecord]
) -> None:
    ann, _, screen = await shown(room, "tell")
    answer = await room.click(ann, screen, "Tell")
    await room.simulation.deliver_again(answer.id)
    assert len(client.clicks) == 2
    assert "40060" in str(logged_errors.pop().exc_info)  # the toy does not expect it


async def test_an_injected_error_loses_the_answer(room: Room, logged_errors: list[logging.LogRecord]) -> None:
    ann, _, screen = await shown(room, "tell")
    room.simulation.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062)
    await room.click(ann, screen, "Tell", lost=True)
    assert "10062" in str(logged_errors.pop().exc_info)
    with pytest.raises(UnansweredError, match="answered after all"):
        await room.click(ann, screen, "Tell", lost=True)


async def test_each_member_and_each_server_has_a_language(simulation: Simulation) -> None:
    room = Room(
        simulation, simulation.create_guild("Serveur", preferred_locale="fr").create_text_channel("uno")
    )
    ann, bob = room.members("Ann", "Bob")
    simulation.locales[ann.id] = "de"
    assert (await room.command(ann, "toy deep where")).text == "uno de fr"
    assert (await room.command(bob, "toy deep where")).text == "uno en-US fr"


async def test_buttons_work_in_every_kind_of_channel(simulation: Simulation) -> None:
    guild = simulation.create_guild("Server")
    text, forum = guild.create_text_channel("text"), guild.create_forum_channel("forum")
    owner = guild.owner.id
    simulation.backend.create_thread(text.id, "thread", owner)
    simulation.backend.create_thread(forum.id, "post", owner, broadcast=False)
    simulation.backend.announce_thread_create(forum.threads[0]._channel)
    channels = [text, guild.create_voice_channel("voice"), guild.create_news_channel("news"), *text.threads]
    for channel in [*channels, *forum.threads]:
        room = Room(simulation, channel)
        (ann,) = room.members(f"Ann in {channel.name}")
        screen = (await room.command(ann, "toy show", verbs="hand")).screen
        assert (await room.click(ann, screen, "Hand")).private


async def test_time_stands_still_until_it_is_moved(room: Room) -> None:
    ann, _, screen = await shown(room, "later")
    await room.click(ann, screen, "Later")
    await asyncio.sleep(0.3)
    await room.simulation.settle()
    assert room.look(screen).labels == ["Later"]
    before = discord.utils.utcnow()
    await room.simulation.advance_time(0.3)
    assert room.look(screen).labels == ["Hand"]
    assert (discord.utils.utcnow() - before).total_seconds() == pytest.approx(0.3)


async def test_a_bot_that_waits_in_vain_can_give_up(room: Room) -> None:
    ann, _, screen = await shown(room, "lost")
    click = asyncio.create_task(room.click(ann, screen, "Lost"))
    while not room.simulation.bot.clicks:  # noqa: ASYNC110  # nothing tells of it
        await asyncio.sleep(0.001)
    assert not click.done()
    room.simulation.elapse(2)
    assert (await click).text == "One moment."


async def test_buttons_work_after_a_restart(room: Room) -> None:
    ann, _, screen = await shown(room, "tell hand")
    await room.click(ann, screen, "Hand")
    again = ToyClient()
    await room.simulation.restart(again)
    assert (await room.click(ann, room.hand(ann), "Tell")).text == "Only you see this."
    assert again.clicks == [("Ann", "en-US")]


async def test_a_follow_up_goes_through_an_old_token_and_is_edited_by_its_id(room: Room) -> None:
    ann, bob, screen = await shown(room, "told")
    token = room.simulation.delivered[(await room.click(ann, screen, "Told")).id]["token"]
    await room.simulation.advance_time(10 * 60)
    again = ToyClient()
    await room.simulation.restart(again)
    hook = discord.Webhook.partial(again.application_id, token, client=again)
    hook.type = discord.WebhookType.application  # a partial webhook does not know that it may send privately
    sent = await hook.send(view=menu("tell"), ephemeral=True, wait=True)
    assert sent.flags.ephemeral
    assert room.private(bob) == []
    assert room.hand(ann).labels == ["Tell"]
    await hook.edit_message(sent.id, view=menu("hand"))
    assert room.hand(ann).labels == ["Hand"]
    await room.simulation.advance_time(5 * 60)
    with pytest.raises(discord.NotFound) as gone:
        await hook.edit_message(sent.id, view=menu("tell"))
    assert gone.value.code == 10015  # Discord itself says 50027
