"""Commands in texts are mentions that can be clicked, once their ids are known."""

from bot.ui.kit.commands import Commands
from bot.ui.kit.layout import Words, screen
from tests.ui.positions import texts


def known():
    commands = Commands()
    commands._ids = {"uno": 42}
    return commands


def test_a_command_is_a_mention_where_its_id_is_known():
    words = "Start with /uno start. `cpus:3`, and/or /uno help: see https://example.org/uno x"
    clickable = "Start with </uno start:42>. `cpus:3`, and/or </uno help:42>: see https://example.org/uno x"
    assert known().in_words(words) == clickable
    assert known().in_words(clickable) == clickable
    assert Commands().in_words(words) == words


def test_a_message_that_would_get_too_long_stays_as_it_is():
    short, long = screen(Words("/uno start")), screen(Words("/uno start" + "x" * 3990))
    assert texts(known().in_view(short)) == ["</uno start:42>"]
    assert texts(known().in_view(long)) == ["/uno start" + "x" * 3990]
