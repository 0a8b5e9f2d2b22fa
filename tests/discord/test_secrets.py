"""Nobody is sent what they may not know: all requests of a whole match are read, and all lines of the log."""

import logging
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from simcord import HttpLogEntry, MemberActor

from bot.model.state import State
from bot.ui.kit.emoji import Emojis
from bot.ui.screens.asides import Step
from bot.ui.text import cards as card_words
from bot.ui.text.translation import text_for
from engine.awaiting import Awaiting
from engine.cards import CARD_OF_CODE, FACES
from engine.rules import RuleSet
from tests.discord.clicking import Answer, Room, Screen
from tests.discord.playing import ALL_RULES, ENGLISH, Driver, Table, bot_of, face, seat

CARD_OF_NAME = {face(ENGLISH, card): card for card in range(FACES)}
_NAMED = re.compile(rf"\b(?:{'|'.join(sorted(CARD_OF_NAME, key=len, reverse=True))})\b")
_CODED = re.compile(r"(?:(?:play|pick):|\b)([RYGB][0-9SRD]|W4|WI)(?=[:._]|\b)")
_BY_COLOUR = re.compile(r"\*\*(Red|Yellow|Green|Blue|Wild)\*\*: ([^\n]+)")
#: Everybody, in the place of one person's id.
EVERYBODY = 0


def strings(value: Any) -> Iterator[str]:
    """List every string in a request, whatever it is for."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


def cards_in(text: str, pictures: dict[str, int]) -> set[int]:
    """Find every card that a text names, carries as a code, or shows as a picture."""
    found = {CARD_OF_NAME[name] for name in _NAMED.findall(text)}
    found |= {CARD_OF_CODE[code] for code in _CODED.findall(text)}
    for colour, line in _BY_COLOUR.findall(text):
        for part in line.split(" · "):
            symbol = re.sub(r" ×\d+| = \d+", "", part).strip()
            if f"{colour} {symbol}" in CARD_OF_NAME:
                found.add(CARD_OF_NAME[f"{colour} {symbol}"])
    return found | {card for picture, card in pictures.items() if picture in text}


def test_every_way_to_write_a_card_is_read() -> None:
    lines = card_words.by_colour(ENGLISH, Emojis(), range(FACES))
    assert cards_in("\n".join(lines), {}) == set(range(FACES))
    assert cards_in(" · ".join(CARD_OF_NAME), {}) == set(range(FACES))
    for code, card in CARD_OF_CODE.items():
        for written in ("ll:1:2:play:{}:", "ll:1:2:pick:{}:u", "ll:1:2:play:{}.red:", "{}_0123abcd"):
            assert cards_in(written.format(code), {}) == {card}
    assert cards_in("Ann played: Red 7.", {}) == {CARD_OF_CODE["R7"]}
    assert cards_in("**Match Red or 7**", {}) == set()


class Watched(Driver):
    """Plays on, and reads after every press all that was sent."""

    def __init__(self, table: Table, seed: int, **options: Any) -> None:
        super().__init__(table, seed, **options)
        self.live = table.live
        self.known: dict[int, set[int]] = {member.id: set() for member in table.members}
        self.public: set[int] = set()
        self.read = 0
        self.requests = 0
        self.compared = 0
        self.shuffling = random.Random(seed)
        pictures = bot_of(self.room).renderer.emojis
        self.pictures = {str(pictures[code].id): card for code, card in CARD_OF_CODE.items()}
        assert "None" not in self.pictures
        self.learn()

    def learn(self) -> None:
        """Note what everybody has come to know by the state as it is."""
        state = self.live.state
        assert state.match is not None
        game = state.match.game
        self.public |= set(game.discard) | {card for hand in game.remaining for card in hand}
        for seat_no, member in enumerate(self.table.members):
            self.known[member.id] |= set(game.hands[seat_no])
            if game.shown is not None and game.shown.seat == seat_no:
                self.known[member.id] |= set(game.shown.cards)

    async def click(self, member: MemberActor, screen: Screen, **button: Any) -> Answer:
        answer = await super().click(member, screen, **button)
        self.learn()
        self.check_requests()
        return answer

    def check_requests(self) -> None:
        log = self.room.simulation.http_requests
        if self.read > len(log):
            self.read = 0  # the driver forgets them from time to time, right before a press
        for call in log[self.read :]:
            if call.path.startswith("/applications/"):
                continue  # the pictures and the commands
            self.requests += 1
            audience = self.audience(call)
            may_know = self.public | (set() if audience == EVERYBODY else self.known[audience])
            sent = set().union(*(cards_in(text, self.pictures) for text in strings(call.json)))
            assert sent <= may_know, (audience, [face(ENGLISH, card) for card in sent - may_know], call)
        self.read = len(log)

    def audience(self, call: HttpLogEntry) -> int:
        """Tell who sees what a request sends."""
        if found := re.match(r"/webhooks/\d+/simcord_interaction_(\d+)", call.path):
            if call.method != "PATCH":  # an edit stays as private as it was
                assert call.json["flags"] & 64
            return self.user(int(found[1]))
        if found := re.match(r"/interactions/(\d+)/", call.path):
            delivered = self.room.simulation.delivered[int(found[1])]
            flags = (
                call.json["data"].get("flags", 0) if call.json["type"] == 4 else delivered["message"]["flags"]
            )
            return self.user(int(found[1])) if flags & 64 else EVERYBODY
        return EVERYBODY

    def user(self, interaction_id: int) -> int:
        return int(self.room.simulation.delivered[interaction_id]["member"]["user"]["id"])

    # --- the same with other cards where nobody can see them

    async def step(self) -> bool:
        going = await super().step()
        if going and self.live.state.playing:
            self.compare()
        return going

    def compare(self) -> None:
        """Draw the screens of each viewer again with all they cannot see dealt anew: nothing may differ."""
        state = self.live.state
        board = self.table.board()
        renderer = bot_of(self.room).renderer
        for seat_no in range(len(self.table.members)):
            other = permuted(state, seat_no, self.shuffling)
            self.compared += other.match != state.match
            drawn = renderer.table_message(1, other).to_components()
            assert list(strings_of_screen(drawn)) == list(strings_of_screen(board.payload["components"]))
            text = text_for("en-US")
            assert state.match is not None
            for step in Step if state.match.turn == seat_no else (Step.MAIN,):
                hands = [
                    renderer.hand(1, each, seat_no, text, step=step).to_components()
                    for each in (state, other)
                ]
                assert hands[0] == hands[1]


def strings_of_screen(components: Any) -> Iterator[str]:
    """List what is read and pressed on a message, in order."""
    for component in components:
        for key in ("content", "label", "custom_id", "description"):
            if component.get(key):
                yield component[key]
        yield from strings_of_screen(component.get("components") or [])


def permuted(state: State, viewer: int, dice: random.Random) -> State:
    """Deal anew whatever a viewer cannot see: the other hands and the draw pile."""
    other = state.clone()
    assert other.match is not None
    game = other.match.game
    if game.awaiting is Awaiting.OVER:
        return other
    hidden = [
        card for seat_no, hand in enumerate(game.hands) if seat_no != viewer for card in hand
    ] + game.draw
    dice.shuffle(hidden)
    for seat_no, hand in enumerate(game.hands):
        if seat_no != viewer:
            game.hands[seat_no] = [hidden.pop() for _ in hand]
    game.draw = hidden
    if game.wild_four is not None and game.wild_four.seat != viewer:
        game.wild_four = game.wild_four._replace(hand=tuple(sorted(game.hands[game.wild_four.seat])))
    return other


@pytest.mark.parametrize(
    ("rules", "dealt"),
    [(RuleSet(), 1), (replace(ALL_RULES, no_bluff=False), 5)],
    ids=["the official game", "all house rules"],
)
async def test_a_whole_match_tells_nobody_what_they_may_not_know(
    room: Room,
    dealt_alike: Callable[[int], None],
    caplog: pytest.LogCaptureFixture,
    rules: RuleSet,
    dealt: int,
) -> None:
    caplog.set_level(logging.DEBUG, logger="bot")
    dealt_alike(dealt)
    table = await seat(room, 4, rules=rules)
    driver = Watched(table, 9, mischief=0.3)
    driver.check_requests()
    await driver.play()
    driver.learn()
    driver.check_requests()
    assert driver.pressed["challenge"] >= 2
    assert driver.requests > 100
    assert driver.compared > 100
    match = driver.live.state.match
    assert match is not None
    lines = [record.getMessage() for record in caplog.records if record.name.startswith(("bot", "discord"))]
    for line in lines:
        assert not cards_in(line, {}), line
        assert not re.search(r"\b(cards?|hand)\b", line), line
        for secret in ("simcord_interaction_", match.seed, *match.hand_seeds):
            assert secret not in line
