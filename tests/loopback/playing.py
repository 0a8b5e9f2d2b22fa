"""Playing by clicks alone: what a member's hand lets them do, and one move after another."""

import random
import re

from tests.loopback.room import Answer, Click, Room
from tests.loopback.screens import Button, Screen, UnreachableError
from tests.loopback.world import Member

#: The custom_ids of buttons that answer a decision, or are a step towards that.
DECIDES = re.compile(r"ll:\d+:\d+:(?:play|pick|draw|keep|colour|target|accept|challenge):.*")


def choices(screen: Screen) -> list[Button]:
    """Return the buttons by which a hand answers the decision awaited; none if it waits for another."""
    return [b for b in screen.buttons if DECIDES.fullmatch(b.custom_id) and not b.disabled]


def deciding(room: Room, members: list[Member]) -> list[tuple[Member, Screen]]:
    """Return who can decide something, with their hands."""
    found = []
    for member in members:
        try:
            hand = room.hand(member)
        except UnreachableError:
            continue
        if choices(hand):
            found.append((member, hand))
    return found


def a_move(room: Room, members: list[Member], dice: random.Random) -> Click | None:
    """Choose a press of somebody whose turn it is; None if nobody can decide anything now."""
    able = deciding(room, members)
    if not able:
        return None
    member, hand = dice.choice(able)
    offered = [button.custom_id for button in choices(hand)]
    # A player who may draw only for want of a card comes to an end.
    better = [custom_id for custom_id in offered if ":draw:" not in custom_id and ":keep:" not in custom_id]
    return Click(member, hand, custom_id=dice.choice(better or offered))


async def play(room: Room, members: list[Member], dice: random.Random, *, most: int) -> list[Answer]:
    """Play up to `most` presses, or until the hand is over; returns the answers."""
    answers: list[Answer] = []
    while len(answers) < most:
        await room.until(lambda: deciding(room, members) or is_over(room), "somebody's turn")
        click = a_move(room, members, dice)
        if click is None:
            break
        answers.append(await room.click(click.member, click.screen, custom_id=click.custom_id))
    return answers


def is_over(room: Room) -> bool:
    """Say whether the hand is over: its summary has Details."""
    return any(":details:" in custom_id for custom_id in room.table().custom_ids)
