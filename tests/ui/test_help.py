"""The two screens for whoever does not know the bot: how to play, and what it is."""

import re
import tomllib

import pytest

from bot import VERSION
from bot.ui.kit.custom_ids import Verb, read
from bot.ui.screens.about import Links, about_screen
from bot.ui.screens.help import help_screen
from bot.ui.text.translation import item
from engine.cards import Item
from tests.ui.positions import ENGLISH, PLAIN, ROOT, UPLOADED, buttons, words

LINKS = {
    "support": "https://example.org/help",
    "privacy": "https://example.org/privacy",
    "terms": "https://example.org/terms",
    "source": "https://example.org/code",
}


def test_the_help_is_one_screen_with_the_way_to_the_rules():
    view = help_screen(ENGLISH, PLAIN, table=7)
    told = words(view)
    for name in ("/uno start", "/uno rules", "/uno leaderboard", "/uno settings", "/uno notify"):
        assert name in told
    for label in ("Join", "Start", "My hand", "UNO!", "Catch!", "More", "Draw"):
        assert f"**{label}**" in told
    (rules,) = [read(made.custom_id) for made in buttons(view)]
    assert (rules.verb, rules.table) == (Verb.RULES, 7)
    assert len(told) < 2000, "read in a minute"


def test_the_help_says_what_the_items_do_with_their_pictures():
    told = words(help_screen(ENGLISH, UPLOADED))
    for which in Item:
        assert f"{UPLOADED[which.value]} **{item(ENGLISH, which)}**" in told


def test_every_command_the_help_names_is_there():
    named = re.findall(r"/uno (\w+)", words(help_screen(ENGLISH, PLAIN)))
    source = "".join(path.read_text() for path in (ROOT / "bot" / "interactions" / "commands").glob("*.py"))
    assert not {name for name in named if f'"command name", "{name}"' not in source}


def test_about_names_the_version_and_the_owners_of_the_marks():
    told = words(about_screen(ENGLISH, PLAIN, VERSION, Links()))
    assert told.startswith(f"### 🏁 Lastlap {VERSION}\n")
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION
    assert "not affiliated with, endorsed or sponsored by Mattel, Nintendo or Discord" in told
    assert "trade marks of their owners" in told
    assert "15 minutes" in told


def test_no_address_is_made_up():
    assert "http" not in words(about_screen(ENGLISH, PLAIN, VERSION, Links()))


@pytest.mark.parametrize("name", LINKS)
def test_an_address_that_was_given_is_a_link(name):
    told = words(about_screen(ENGLISH, PLAIN, VERSION, Links(**{name: LINKS[name]})))
    assert f"](<{LINKS[name]}>)" in told
    assert told.count("http") == 1
