"""Positions, events, names and languages that the tests of screens share, each the worst of its kind."""

import io
import math
import re
import shlex
from contextlib import chdir
from functools import cache
from gettext import GNUTranslations
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import discord
from babel.messages.catalog import Catalog
from babel.messages.frontend import CommandLineInterface
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from bot.ui.kit.emoji import FALLBACKS, Emojis
from bot.ui.kit.scene import Scene
from bot.ui.text.translation import Text
from engine import events as happened
from engine.cards import CODE, FACES, Item
from engine.errors import IllegalAction
from engine.events import End, Why, public
from engine.notation import read_scenario

ROOT = Path(__file__).parents[2]
SEATS = tuple("abcdefghij")
#: As long and as full of markdown as Discord lets a name be.
STARS = ("*" * 32,) * 10
#: As many bytes as a name can have.
FLAGS = ("🏁" * 32,) * 10
#: No letter in any of them, so that every letter on a screen is a word of ours.
WORDLESS = tuple(f"{seat}{seat}" for seat in range(10))
ALL_FACES = [CODE[card] for card in range(FACES)]
HUGE = ALL_FACES + [CODE[card] for card in range(51)]

ENGLISH = Text("en-GB")


def uploaded():
    """Give pictures whose emojis are as long as they can be."""
    emojis = Emojis()
    for key in FALLBACKS:
        emojis.learn(key, SimpleNamespace(name=f"{key}_12345678", id=2**63 - 1))
    return emojis


PLAIN, UPLOADED = Emojis(), uploaded()


# --- the pseudo-language


def extracted():
    """Collect every sentence of the bot as `make messages` does."""
    recipe = (ROOT / "Makefile").read_text().replace("\\\n", " ")
    (command,) = re.findall(r"pybabel (--quiet extract .*)", recipe)
    with TemporaryDirectory() as folder:
        output = Path(folder) / "lastlap.pot"
        command = [str(output) if part.endswith(".pot") else part for part in shlex.split(command)]
        with chdir(ROOT):
            CommandLineInterface().run(["pybabel", *command])
        with output.open("rb") as file:
            return read_po(file)


@cache
def messages():
    """Give what is to be translated, as Babel's messages."""
    return [message for message in extracted() if message.id]


def sentences():
    """Give the sentences to translate: msgids, and (singular, plural) pairs."""
    return {message.id for message in messages()}


#: Each letter with a sign above or below it, or another that looks like it.
ACCENTED = str.maketrans("aceilnorstuwyzACEILNORSTUWYZ", "âçêîłñöŕşťûŵŷžÂÇÊÎŁÑÖŔŞŤÛŴŶŽ")


def accented(sentence):
    """Put signs on the letters of a sentence; its placeholders and commands stay."""
    parts = re.split(r"(\{\w+\}|/uno(?: [a-z]+)?|cpus:)", sentence)
    return "".join(part if place % 2 else part.translate(ACCENTED) for place, part in enumerate(parts))


def stretched(msgid):
    """Make a sentence 40 % longer, with accents, between marks of a language written from right to left."""
    return f"\u200f⟦{accented(msgid)}{'·' * math.ceil(len(msgid) * 0.4)}⟧\u200f"


def in_two_bytes(msgid):
    """Make a sentence of letters that take two bytes each."""
    return re.sub(r"\{\w+\}|[A-Za-z]", lambda found: found[0] if len(found[0]) > 1 else "ж", msgid)


def pseudo_catalogue(translate):
    """Translate all messages into a made-up language with the plural forms of Welsh, which are six."""
    catalogue = Catalog(locale="cy", fuzzy=False)
    for message in messages():
        if message.context in ("command name", "option name"):
            string = accented(message.id)
        elif message.context in ("choice", "description"):
            string = accented(message.id)[:100]
        elif isinstance(message.id, tuple):
            string = tuple(translate(message.id[form != 1]) + "\u200f" * form for form in range(6))
        else:
            string = translate(message.id)
        catalogue.add(message.id, string, context=message.context, flags=message.flags)
    return catalogue


def compiled(catalogue):
    """Compile a catalogue as the bot does."""
    file = io.BytesIO()
    write_mo(file, catalogue)
    file.seek(0)
    return GNUTranslations(file)


PSEUDO_CATALOGUE = pseudo_catalogue(stretched)
PSEUDO = Text("cy", compiled(PSEUDO_CATALOGUE))
#: Longer too, in letters of two bytes.
CYRILLIC = Text("cy", compiled(pseudo_catalogue(lambda msgid: in_two_bytes(stretched(msgid)))))


def untranslated(words):
    """Give the letters of a text that are outside every translated sentence."""
    depth, left = 0, ""
    for char in re.sub(r"<:\w+:\d+>|<t:\d+:\w>|\(<https:[^>]*>\)", "", words):
        depth += (char == "⟦") - (char == "⟧")
        left += char if depth == 0 and char.isalpha() else ""
    return left


# --- screens


def texts(view):
    return [child.content for child in view.walk_children() if isinstance(child, discord.ui.TextDisplay)]


def words(view):
    return "\n".join(texts(view))


def buttons(view):
    return [child for child in view.walk_children() if isinstance(child, discord.ui.Button)]


def labels(view):
    return [button.label for button in buttons(view)]


def label_rows(view):
    return [
        [button.label for button in child.children]
        for child in view.walk_children()
        if isinstance(child, discord.ui.ActionRow)
    ]


def custom_ids(view):
    return {button.label: button.custom_id for button in buttons(view)}


def components(view):
    return len(list(view.walk_children()))


def characters(view):
    return sum(map(len, texts(view)))


def size(view):
    return sum(len(words.encode()) for words in texts(view))


# --- positions


def play(scenario):
    """Play a scenario; every action of it must be accepted. Gives the match and all events."""
    read = read_scenario({"players": list(SEATS[:2]), **scenario})
    told = list(read.start)
    for move in read.moves:
        try:
            told += read.match.apply(move.seat, move.action, move.auto)
        except IllegalAction as error:
            raise AssertionError(f"{move}: {error}") from error
    return read.match, told


def scene(events=(), names=SEATS, host=0):
    return Scene(table=7, names=tuple(names), host=host, recent=tuple(map(public, events)))


def position(hands, top="R7", turn="a", draw=("G1", "G2", "G3", "G4", "Y1", "Y2"), **more):
    """Describe a position of as many players as there are hands, in seat order."""
    players = list(SEATS[: len(hands)])
    at = {key: more.pop(key) for key in ("direction", "colour") if key in more}
    return {
        "players": players,
        "position": {
            "hands": dict(zip(players, hands, strict=True)),
            "draw": list(draw),
            "discard": [top, "B9"],
            "turn": turn,
            **at,
        },
        **more,
    }


def crowd(own, others=("R1", "R2")):
    """Give ten hands, the first of them its own."""
    return [list(own), *([list(others)] * 9)]


def all_events(seats=10):
    """Make events of every type and of every kind that has words of its own."""
    a, b = 0, seats - 1
    everybody = tuple(range(seats))
    return [
        happened.HandStarted(20, a),
        happened.HandDealt(a, (1, 2, 3)),
        happened.CardFlipped(25),
        happened.WildFourReturned(),
        happened.PileShuffled(1),
        happened.PileShuffled(98),
        happened.CardPlayed(a, 25, jumped=False),
        happened.CardPlayed(a, 25, jumped=True),
        happened.ColourNamed(a, 1),
        happened.DirectionTurned(1),
        happened.DirectionTurned(-1),
        happened.TurnSkipped(b),
        *(happened.CardsDrawn(a, 2, why, (3, 4)) for why in Why),
        *(happened.CardsDrawn(a, 1, why, (3,)) for why in Why),
        happened.CardsDrawn(a, 0, Why.TURN, ()),
        happened.CardKept(a),
        *(happened.ItemFired(a, item) for item in Item),
        happened.TargetChosen(a, b),
        happened.HandsSwapped(a, b),
        happened.HandsPassedOn(1),
        happened.HandsPassedOn(-1),
        happened.ChallengeMade(a, b, bluff=True),
        happened.ChallengeMade(a, b, bluff=False),
        happened.HandShown(a, b, (1, 2, 3)),
        happened.PenaltyVoid(a),
        happened.UnoSaid(a),
        happened.UnoCaught(a, b),
        happened.TimedOut(a),
        happened.AutopilotSet(a, on=True),
        happened.AutopilotSet(a, on=False),
        happened.PlayerLeft(a),
        happened.HandEnded(End.WON, a, 1),
        happened.HandEnded(End.WON, a, 1234),
        happened.HandEnded(End.BLOCKED, None, 0),
        happened.HandEnded(End.ABANDONED, None, 0),
        happened.MatchEnded(()),
        happened.MatchEnded((a,)),
        happened.MatchEnded(everybody),
    ]
