import discord
import pytest
from structlog.testing import capture_logs

from bot.ui.kit import emoji as emoji_module
from bot.ui.kit.emoji import FALLBACKS, Emojis, upload
from bot.ui.kit.pictures import all_pictures, emoji_name

PICTURES = {"R7": b"red seven", "W4": b"draw four", "counter_clockwise": b"round"}


class FakeEmoji:
    def __init__(self, client, name, number):
        self.client, self.name, self.id = client, name, number

    async def delete(self):
        if self.name in self.client.undeletable:
            raise discord.ClientException("no")
        self.client.emojis.remove(self)
        self.client.deleted.append(self.name)


class FakeClient:
    """The emojis of one application, as much of a client as `upload` needs."""

    def __init__(self, *names):
        self.emojis = [FakeEmoji(self, name, 100 + i) for i, name in enumerate(names)]
        self.created, self.deleted, self.refused, self.undeletable = [], [], set(), set()
        self.listed = True

    async def fetch_application_emojis(self):
        if not self.listed:
            raise OSError("unreachable")
        return list(self.emojis)

    async def create_application_emoji(self, *, name, image):
        if name in self.refused:
            raise discord.ClientException("refused")
        made = FakeEmoji(self, name, 1000 + len(self.created))
        self.emojis.append(made)
        self.created.append(name)
        return made


def names(pictures):
    return {key: emoji_name(key, png) for key, png in pictures.items()}


async def test_the_first_start_uploads_everything_and_the_second_nothing():
    client = FakeClient()
    first = await upload(client, pictures=PICTURES)
    assert {key: emoji.name for key, emoji in first.items()} == names(PICTURES)
    client.created.clear()
    assert await upload(client, pictures=PICTURES) == first
    assert (client.created, client.deleted) == ([], [])


async def test_a_changed_picture_is_uploaded_and_its_older_one_deleted():
    client = FakeClient()
    await upload(client, pictures=PICTURES)
    client.created.clear()
    changed = PICTURES | {"R7": b"a finer red seven"}
    found = await upload(client, pictures=changed)
    assert client.created == [names(changed)["R7"]]
    assert client.deleted == [names(PICTURES)["R7"]]
    assert {key: emoji.name for key, emoji in found.items()} == names(changed)


async def test_an_older_picture_left_beside_todays_is_deleted_and_never_used():
    for order in (["R7_00000000", names(PICTURES)["R7"]], [names(PICTURES)["R7"], "R7_00000000"]):
        client = FakeClient(*order)
        found = await upload(client, pictures={"R7": PICTURES["R7"]})
        assert found["R7"].name == names(PICTURES)["R7"]
        assert (client.created, client.deleted) == ([], ["R7_00000000"])


async def test_emojis_of_others_stay():
    client = FakeClient("party", "R7", "R7_party", "other_00000000")
    await upload(client, pictures=PICTURES)
    assert client.deleted == []
    assert len(client.created) == len(PICTURES)


async def test_a_failing_upload_leaves_the_rest():
    client, emojis = FakeClient(), Emojis()
    client.refused = {names(PICTURES)["R7"]}
    with capture_logs() as logs:
        found = await upload(client, emojis, PICTURES)
    assert set(found) == set(PICTURES) - {"R7"}
    assert [entry["event"] for entry in logs] == ["emoji_not_created"]
    assert str(emojis["R7"]) == "🟥"
    assert emojis["W4"].id == found["W4"].id


async def test_the_older_picture_is_used_where_the_new_one_fails():
    client, emojis = FakeClient("R7_00000000"), Emojis()
    client.refused = {names(PICTURES)["R7"]}
    await upload(client, emojis, PICTURES)
    assert str(emojis["R7"]) == "<:R7_00000000:100>"
    assert client.deleted == []


async def test_a_failing_deletion_leaves_the_rest():
    client = FakeClient("R7_00000000", "W4_00000000")
    client.undeletable = {"R7_00000000"}
    with capture_logs() as logs:
        found = await upload(client, pictures=PICTURES)
    assert client.deleted == ["W4_00000000"]
    assert len(found) == len(PICTURES)
    assert [entry["event"] for entry in logs] == ["emoji_not_deleted"]


async def test_an_unreachable_list_uploads_nothing():
    client = FakeClient()
    client.listed = False
    with capture_logs() as logs:
        assert await upload(client, pictures=PICTURES) == {}
    assert client.created == []
    assert [entry["event"] for entry in logs] == ["emojis_not_listed"]


async def test_only_as_many_are_uploaded_as_discord_has_room_for(monkeypatch):
    monkeypatch.setattr(emoji_module, "MOST_EMOJIS", 3)
    client = FakeClient("party", "R7_00000000")
    with capture_logs() as logs:
        await upload(client, pictures=PICTURES)
    assert len(client.created) == 1
    assert [entry["event"] for entry in logs] == ["emojis_do_not_fit"]


async def test_an_uploaded_picture_has_an_address_and_a_missing_one_has_not():
    client, emojis = FakeClient(), Emojis()
    assert emojis.url("R7") is None
    found = await upload(client, emojis, PICTURES)
    assert emojis.url("R7") == f"{discord.Asset.BASE}/emojis/{found['R7'].id}.png"
    assert Emojis(found).url("R7") == emojis.url("R7")
    assert emojis.url("hand") is None


def test_every_picture_has_a_unicode_emoji_to_stand_in():
    assert set(FALLBACKS) == set(all_pictures())
    for key in FALLBACKS:
        assert Emojis()[key].is_unicode_emoji()


def test_an_unknown_key_is_a_mistake():
    with pytest.raises(KeyError):
        Emojis()["R10"]
