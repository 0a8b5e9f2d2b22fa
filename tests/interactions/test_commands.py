"""What the commands offer is what the model lets be chosen."""

import pytest

from bot.interactions.commands.uno import UnoCommands
from bot.model.guild_settings import NUDGES
from bot.model.options import HANDS, LEVELS, TARGETS, TURN_TIMES
from engine.actions import MOST_SEATS


def options(command):
    return {parameter.name: parameter for parameter in command.parameters}


START = options(UnoCommands.start)


def test_a_level_is_offered_by_its_name():
    assert [choice.value for choice in START["level"].choices] == list(LEVELS)


def test_a_time_for_a_turn_is_offered_in_few_words():
    names = [choice.name for choice in START["turn_time"].choices]
    assert names == ["15 s", "30 s", "60 s", "2 min", "5 min", "10 min", "off"]
    assert len(names) == len(TURN_TIMES)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("hands", min(HANDS), max(HANDS)), ("target", min(TARGETS), max(TARGETS)), ("cpus", 0, MOST_SEATS - 1)],
)
def test_a_number_is_offered_within_its_bounds(name, least, most):
    assert (START[name].min_value, START[name].max_value) == (least, most)


def test_each_wish_for_calls_is_offered():
    assert [choice.value for choice in options(UnoCommands.notify)["when"].choices] == list(NUDGES)
