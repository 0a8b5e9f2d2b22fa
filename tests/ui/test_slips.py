"""A second press in the same place never does what was not meant: where confirmations stand."""

import discord
import pytest

from bot.model.guild_settings import GuildSettings
from bot.model.options import Options
from bot.ui.screens import hand, lobby, server_settings
from bot.ui.screens.asides import Step
from engine.views import seat_view
from tests.ui.positions import ENGLISH, PLAIN, PSEUDO, label_rows, play, position, scene

#: What a button takes beside its label, one of its letters, and the gap after it, in pixels.
EDGE, LETTER, GAP = 32, 8, 8


def places(view, width):
    """Return from where to where across the screen each button is, in rows that wrap at a width."""
    found = {}
    for row in (child for child in view.walk_children() if isinstance(child, discord.ui.ActionRow)):
        left = 0
        for made in row.children:
            if not isinstance(made, discord.ui.Button):
                continue
            wide = EDGE + LETTER * len(made.label) + (24 if made.emoji else 0)
            if left and left + wide > width:
                left = 0
            found[made.custom_id.split(":", 3)[3]] = (left, left + wide)
            left += wide + GAP
    for section in (child for child in view.walk_children() if isinstance(child, discord.ui.Section)):
        if isinstance(made := section.accessory, discord.ui.Button):
            found[made.custom_id.split(":", 3)[3]] = (width - EDGE - LETTER * len(made.label), width)
    return found


def overlap(one, other):
    return one[0] < other[1] and other[0] < one[1]


def panels(text):
    """Give what was pressed on which screen before, and what confirms on which screen after it."""
    match, _ = play(position([["R1", "G5"], ["R3", "B4"]]))
    view, at = seat_view(match, 0), scene()
    steps = {step: hand.hand_screen(text, PLAIN, at, view, step=step) for step in (Step.MORE, Step.LEAVE)}
    server = {
        page: server_settings.server_panel(text, GuildSettings(), page)
        for page in ("server", "rules", "table", "reset")
    }
    yield steps[Step.MORE], "leave::", steps[Step.LEAVE], "leave_yes::"
    for page in ("server", "rules", "table"):
        yield server[page], "server:page.reset:", server["reset"], "server:reset:"


@pytest.mark.parametrize("width", [300, 700], ids=["phone", "desktop"])
@pytest.mark.parametrize("text", [ENGLISH, PSEUDO], ids=["English", "pseudo"])
def test_a_confirmation_never_stands_where_the_press_before_it_was(text, width):
    for before, pressed, after, confirmed in panels(text):
        was, stands = places(before, width)[pressed], places(after, width)[confirmed]
        assert not overlap(was, stands), (pressed, was, stands)


def test_every_confirmation_is_among_them():
    asked = {confirmed.split(":")[0] for *_, confirmed in panels(ENGLISH)}
    dangerous = set()
    match, _ = play(position([["R1", "G5"], ["R3", "B4"]]))
    screens = [hand.hand_screen(ENGLISH, PLAIN, scene(), seat_view(match, 0), step=step) for step in Step]
    screens += [server_settings.server_panel(ENGLISH, GuildSettings(), "reset")]
    for view in screens:
        for made in (child for child in view.walk_children() if isinstance(child, discord.ui.Button)):
            if made.style is discord.ButtonStyle.danger:
                dangerous.add(made.custom_id.split(":")[3])
    assert dangerous == asked | {"leave"}, "Leave asks, and needs no question itself"


def test_leave_is_last_and_start_and_cancel_are_no_neighbours():
    match, _ = play(position([["R1", "G5"], ["R3", "B4"]]))
    more = hand.hand_screen(ENGLISH, PLAIN, scene(), seat_view(match, 0), step=Step.MORE)
    assert label_rows(more)[-1] == ["Leave"]
    first, second = label_rows(lobby.lobby_screen(ENGLISH, PLAIN, lobby.Lobby(7, ("a", "b"), 0, Options())))
    assert first == ["Join", "Start", "Leave"]
    assert second == ["Add CPU", "Rules", "How to play", "Cancel"]
