"""A player's hand, which only that player sees: made for a thumb, complete for any number of cards.

What can be played is a button, everything else is text. A step within a decision shows other buttons in the
same message. May import `discord`, views, actions, awaiting and cards of the engine, `bot.ui.kit`,
`bot.ui.text`, and its panels and the result from `bot.ui.screens`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import discord
from discord import ButtonStyle

from bot.ui.kit.custom_ids import CustomId, Verb
from bot.ui.kit.emoji import Emojis
from bot.ui.kit.layout import (
    MOST_CHARACTERS,
    Button,
    Item,
    Row,
    Separator,
    Words,
    button,
    characters,
    countdown,
    fit,
    fit_newest,
    pictured,
    rows,
    screen,
)
from bot.ui.kit.scene import Scene
from bot.ui.screens.asides import Asides, Log, Step
from bot.ui.screens.result import rematch, result
from bot.ui.text import cards, prompts
from bot.ui.text.events import story
from bot.ui.text.hints import hint
from bot.ui.text.options import clock_stopped, not_updated
from bot.ui.text.since import since_last_turn
from bot.ui.text.translation import Players, Text, bold, colour, face
from engine.actions import ACCEPT, CHALLENGE, DRAW, KEEP, ChooseTarget, Play
from engine.awaiting import Awaiting
from engine.cards import CODE, COLOUR_NAMES, WILD_FOUR
from engine.views import SeatInfo, SeatView

#: Most different cards that can be playable at once: thirteen of a colour, three more of a symbol, two wilds.
MOST_CARD_BUTTONS: Final = 18
#: How many characters the words above the cards may take.
_MOST_LABEL: Final = 80
#: How many characters the pictures of a hand may take that a challenge showed.
_MOST_SHOWN: Final = 600
#: Of more others than these only the next few are counted, and those with so few cards.
_MOST_OTHERS: Final = 5
_NEXT: Final = 3
_DANGEROUS: Final = 2
#: How many sentences of what happened last are told, and how many of what touched this player.
_MOST_TOLD: Final = 2
_MOST_TOUCHES: Final = 4


def hand_screen(
    text: Text,
    emojis: Emojis,
    scene: Scene,
    view: SeatView,
    *,
    step: Step | Log = Step.MAIN,
    uno: bool = False,
    note: str | None = None,
) -> discord.ui.LayoutView:
    """Return the hand of one seat.

    `uno` is whether UNO! is pressed, to be said with the next play; it is dropped where it cannot be. `note`
    is a sentence about the click that led here. A step that does not fit the decision awaited becomes MAIN.
    """
    uno = uno and may_toggle(view) and not scene.calls_uno
    hand = _Hand(text, emojis, scene, view, Players(text, scene.names), uno, note)
    if view.seats[view.seat].left:
        return screen(hand.result())
    if view.awaiting is Awaiting.OVER:
        return screen(hand.result(), Row(rematch(text, scene.table)))
    if (aside := hand.side_screen(step)) is not None:
        return aside
    if view.awaiting is Awaiting.DEAL:
        return screen(hand.result(), Row(hand.more()))
    if not view.my_turn:
        return hand.screen(Row(*hand.last_buttons()))
    if step is Step.COLOURS and hand.may_play_wild_four():
        return hand.colours_screen()
    return hand.main_screen()


def may_toggle(view: SeatView) -> bool:
    """Whether UNO! is a switch now: the seat has two cards and has to play."""
    return view.may_say_uno and not view.seats[view.seat].owes


@dataclass(frozen=True, slots=True)
class _Hand(Asides):
    """One hand to be shown."""

    # --- whole screens

    def main_screen(self) -> discord.ui.LayoutView:
        """Return the hand with the answers to the decision awaited."""
        offered = self.playable()
        return self.screen(*rows(self.answers(offered)), Row(*self.last_buttons()), offered=offered)

    def colours_screen(self) -> discord.ui.LayoutView:
        """Return the hand with the colours of a Wild Draw Four, each a whole play."""
        wild = CODE[WILD_FOUR]
        buttons = [
            self.colour_button(number, self.custom_id(Verb.PLAY, wild, name))
            for number, name in enumerate(COLOUR_NAMES)
        ]
        question = self.text.gettext("Wild Draw Four: which colour do you name?")
        return self.screen(Row(*buttons), Row(self.back()), headline=question)

    def screen(
        self, *controls: Item, offered: tuple[int, ...] = (), headline: str | None = None
    ) -> discord.ui.LayoutView:
        """Return the hand's words above some rows; `offered` are the cards that are buttons."""
        view = self.view
        words = [*self.odds(), *self.hindrance(), *self.autopilot()]
        if view.my_turn:
            words += [*self.status(), *(f"-# {line}" for line in prompts.about_bluff(self.text, view))]
        words += [f"-# {line}" for line in prompts.by_house_rules(self.text, view)]
        words += self.shown()
        parts = [self.heading(headline)]
        if words:
            parts.append(Words(fit_newest(words, 1300)))
        if held := self.held(offered, MOST_CHARACTERS - characters(parts)):
            parts += [Separator(), Words(fit(held, 1700 if len(held) > 2 else MOST_CHARACTERS))]
        return screen(*parts, *controls, colour=view.colour if view.my_turn else None)

    # --- words

    def heading(self, headline: str | None) -> Item:
        """Return the prompt beside the top card, or the number of cards out of turn."""
        text, view = self.text, self.view
        if not view.my_turn:
            number = len(view.hand)
            lines = ["### " + text.ngettext("Your hand: {number} card", "Your hand: {number} cards", number)]
            return Words("\n".join([*self.with_notes(lines), *self.hints()]))
        top = face(text, view.top)
        lines = ["### " + (headline or prompts.for_seat(text, view, self.players))]
        lines.append(text.gettext("Top card: {card}", card=top))
        lines = [*self.with_notes(lines), *([] if headline else self.hints())]
        name = cards.laid(text, view.top, view.colour)
        return pictured(self.emojis, view.top, name, "\n".join(lines), named=view.colour)

    def with_notes(self, lines: list[str]) -> list[str]:
        """Return the first lines of the hand with the notes; the verdict of a challenge comes first."""
        return [*self.notes(), *lines] if self.view.shown is not None else [*lines, *self.notes()]

    def odds(self) -> list[str]:
        """Return what a challenge is judged by and what it costs, with the colour that counts."""
        line, before = prompts.odds(self.text, self.view, self.players), self.view.wild_four_on
        return [] if line is None or before is None else [f"{self.emojis[COLOUR_NAMES[before]]} {line}"]

    def hints(self) -> list[str]:
        """Return a hint for somebody in their first match, if there is one."""
        if self.view.seat not in self.scene.learning or self.view.shown is not None:
            return []
        uno, first = self.uno or self.scene.calls_uno, self.view.seat not in self.scene.had_turn
        line, more = hint(self.text, self.emojis, self.view, uno=uno, first=first)
        return [] if line is None else [f"-# 💡 {line}", *(f"-# {each}" for each in more)]

    def status(self) -> list[str]:
        """Return the last events, the time limit, and how many cards the others hold, next first."""
        touched = self.scene.touched.get(self.view.seat, ())
        since = since_last_turn(self.text, touched, self.view.seat, self.players)[-_MOST_TOUCHES:]
        told = [] if since else story(self.text, self.scene, _MOST_TOLD)
        if self.scene.paused:
            told.append(clock_stopped(self.text))
        elif self.scene.until is not None:
            told.append(self.text.gettext("⏳ Your turn ends: {when}", when=countdown(self.scene.until)))
        elif self.scene.since is not None:
            told.append(self.text.gettext("⏳ Your turn began: {when}", when=countdown(self.scene.since)))
        others = self.view.in_turn_order(self.view.seat)
        many = len(others) > _MOST_OTHERS
        named = [
            info for place, info in enumerate(others) if not many or place < _NEXT or info.cards <= _DANGEROUS
        ]
        # On a phone no line ends between a name and its number.
        counts = [self.count(info).replace(" ", "\N{NO-BREAK SPACE}") for info in named]
        rest = ["…"] if len(named) < len(others) else []
        told.append(self.text.gettext("Up next: {players}", players=" · ".join([*counts, *rest])))
        lines = [f"-# {line}" for line in told]
        if not since:
            return lines
        # Translators: {events} are whole sentences.
        return [self.text.gettext("Since your last turn: {events}", events=" ".join(since)), *lines]

    def count(self, info: SeatInfo) -> str:
        """Return the name of a seat with its number of cards."""
        player = self.players[info.seat]
        # Translators: {number} is how many cards the player holds.
        if info.said:
            return self.text.gettext("{player} ({number}, UNO!)", player=player, number=info.cards)
        return self.text.gettext("{player} ({number})", player=player, number=info.cards)

    def hindrance(self) -> list[str]:
        """Say that the table is not kept up to date, and why."""
        hindrance = self.scene.hindrance
        return [] if hindrance is None else [not_updated(self.text, hindrance)]

    def autopilot(self) -> list[str]:
        """Return a line that says how to come back from autopilot, if the seat is on it."""
        view = self.view
        if not view.seats[view.seat].autopilot or view.seat in self.scene.woken:
            return []
        return [self.text.gettext("🤖 The computer plays for you until you press any button here.")]

    def shown(self) -> list[str]:
        """Return the hand that a challenge showed to this player."""
        if self.view.shown is None:
            return []
        other, held = self.view.shown
        words = self.text.gettext("{player} held:", player=bold(self.players[other]))
        return [words, *self.listed(held, _MOST_SHOWN)]

    def listed(self, held: Iterable[int], most: int) -> list[str]:
        """Return cards as pictures of `most` characters, or in words where those are wanted or fit better."""
        held = tuple(held)
        pictures = cards.in_pictures(self.emojis, held)
        if pictures is None or len(pictures) > most or self.view.seat in self.scene.in_words:
            return cards.by_colour(self.text, self.emojis, held)
        return [pictures]

    def held(self, offered: tuple[int, ...], room: int) -> list[str]:
        """Return the cards that are no buttons: as pictures, where that fits into so many characters."""
        view = self.view
        rest = Counter(view.hand)
        for card in offered:
            del rest[card]
        if view.awaiting is Awaiting.DRAWN and view.drawn in offered:
            rest.update([view.drawn] * (Counter(view.hand)[view.drawn] - 1))
        lines = self.listed(rest.elements(), room - _MOST_LABEL)
        if lines and view.shown is not None:
            lines.insert(0, self.text.gettext("**You** hold:"))
        elif lines and offered:
            lines.insert(0, self.text.gettext("Also in your hand:"))
        elif lines and view.my_turn:
            lines.insert(0, self.text.gettext("Your hand:"))
        return lines

    def result(self) -> Item:
        """Return how the hand or the match ended for this player."""
        return result(self.text, self.emojis, self.scene, self.view, self.notes())

    # --- buttons

    def playable(self) -> tuple[int, ...]:
        """Return the different cards that can be played now."""
        played = {answer.card for answer in self.view.answers if type(answer) is Play}
        return tuple(sorted(played))[:MOST_CARD_BUTTONS]

    def may_play_wild_four(self) -> bool:
        """Whether a Wild Draw Four can be played now."""
        return any(type(answer) is Play and answer.card == WILD_FOUR for answer in self.view.answers)

    def answers(self, offered: tuple[int, ...]) -> list[Button]:
        """Return the buttons that answer the decision awaited, without Draw and Keep."""
        awaiting = self.view.awaiting
        if awaiting is Awaiting.COLOUR:
            return [
                self.colour_button(number, self.custom_id(Verb.COLOUR, name))
                for number, name in enumerate(COLOUR_NAMES)
            ]
        if awaiting is Awaiting.TARGET:
            return [self.target(answer) for answer in self.view.answers if isinstance(answer, ChooseTarget)]
        return [*self.challenge_buttons(), *(self.card_button(card) for card in offered)]

    def challenge_buttons(self) -> list[Button]:
        """Return Accept and Challenge, if they are answers."""
        text, answers = self.text, self.view.answers
        buttons = []
        if ACCEPT in answers:
            label = text.gettext("Accept +{number}", number=self.view.due)
            buttons.append(button(label, self.custom_id(Verb.ACCEPT), ButtonStyle.primary))
        if CHALLENGE in answers:
            label = prompts.challenge_label(text, self.view)
            buttons.append(button(label, self.custom_id(Verb.CHALLENGE), ButtonStyle.danger))
        return buttons

    def card_button(self, card: int) -> Button:
        """Return the button of a card; that of a Wild Draw Four asks for its colour first."""
        code, view = CODE[card], self.view
        verb = Verb.PICK if card == WILD_FOUR else Verb.PLAY
        number = 1 if view.awaiting is Awaiting.DRAWN else view.hand.count(card)
        label = cards.times(face(self.text, card), number)
        return button(label, self.custom_id(verb, code), ButtonStyle.primary, emoji=self.emojis[code])

    def colour_button(self, number: int, custom_id: CustomId) -> Button:
        """Return the button of a colour."""
        return button(colour(self.text, number), custom_id, emoji=self.emojis[COLOUR_NAMES[number]])

    def target(self, answer: ChooseTarget) -> Button:
        """Return the button of an opponent."""
        label = self.text.ngettext(
            "{player}: {number} card",
            "{player}: {number} cards",
            self.view.seats[answer.seat].cards,
            player=self.players.plain(answer.seat),
        )
        return button(label, self.custom_id(Verb.TARGET, str(answer.seat)))

    def last_buttons(self) -> list[Button]:
        """Return the last row: Draw or Keep in turn, UNO!, Catch!, More, each always in its place."""
        calls = [] if self.scene.calls_uno else [self.uno_button(), self.catch()]
        return [*self.pass_buttons(), *calls, self.more()]

    def pass_buttons(self) -> list[Button]:
        """Return Draw or Keep, disabled where a card must be played; they stand out where none can be."""
        text, view = self.text, self.view
        if not view.my_turn:
            return []
        style = ButtonStyle.secondary if self.playable() else ButtonStyle.primary
        if view.awaiting is Awaiting.DRAWN:
            custom_id, may = self.custom_id(Verb.KEEP), KEEP in view.answers
            return [button(text.gettext("Keep"), custom_id, style, disabled=not may)]
        if view.awaiting is Awaiting.TURN:
            label = text.gettext("Draw {number}", number=view.due) if view.due else text.gettext("Draw")
            custom_id, may = self.custom_id(Verb.DRAW), DRAW in view.answers
            return [button(label, custom_id, style, emoji=self.emojis["draw"], disabled=not may)]
        return []

    def uno_button(self) -> Button:
        """Return UNO!: a switch with two cards, said at once with one, disabled once said.

        Out of turn it is never disabled, because this hand is not refreshed when that changes.
        """
        text, view = self.text, self.view
        mine = view.seats[view.seat]
        emoji = self.emojis["uno"]
        if mine.said:
            custom_id = self.custom_id(Verb.UNO)
            return button(text.gettext("UNO! ✓"), custom_id, ButtonStyle.success, emoji=emoji, disabled=True)
        if may_toggle(view):
            custom_id = self.custom_id(Verb.TOGGLE, uno=not self.uno)
            if self.uno:
                return button(text.gettext("UNO! ✓"), custom_id, ButtonStyle.success, emoji=emoji)
            return button(text.gettext("UNO!"), custom_id, emoji=emoji)
        useless = view.my_turn and not view.may_say_uno
        return button(text.gettext("UNO!"), self.custom_id(Verb.UNO), emoji=emoji, disabled=useless)

    def catch(self) -> Button:
        """Return Catch!."""
        return button(self.text.gettext("Catch!"), self.custom_id(Verb.CATCH), emoji=self.emojis["catch"])

    def more(self) -> Button:
        """Return More, which leads to leaving, the rules and the table."""
        return button(self.text.gettext("More"), self.custom_id(Verb.MORE))
