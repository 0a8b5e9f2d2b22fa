import ast
import re
import unicodedata
from datetime import UTC, datetime, timedelta

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from discord.utils import escape_markdown
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from bot.ops.smoke import worst_cases
from bot.ui.text import translation as text_module
from bot.ui.text.translation import (
    OWN_LABELS,
    PUBLIC_LABELS,
    Players,
    Text,
    colour,
    face,
    item,
    plain_name,
    safe_name,
    text_for,
)
from engine.cards import CODE, COLOUR_NAMES, FACES, Item
from tests.architecture.code import modules
from tests.ui.catalogues import placeholders
from tests.ui.positions import (
    ENGLISH,
    PSEUDO,
    ROOT,
    UPLOADED,
    buttons,
    compiled,
    extracted,
    sentences,
    untranslated,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HEBREW = "\u05e9\u05dc\u05d5\u05dd"
HOSTILE = [
    "@everyone",
    "@here",
    "<@123456789012345678>",
    "<@&123456789012345678>",
    "<#123456789012345678>",
    "<t:0:R>",
    "</uno start:123456789012345678>",
    "<:x:123456789012345678>",
    "**x**",
    "__x__",
    "~~x~~",
    "||x||",
    "`x`",
    "```x",
    "[x](https://example.invalid)",
    "https://example.invalid/a_b",
    "# x",
    "-# x",
    "- x",
    "> x",
    ">>> x",
    "1. x",
    "\\",
    "\\**x\\**",
    "a\nb\r\nc",
    "\u202eesrever\u202c",
    "\u200b\u200d\u2060",
    "\u3164",
    "\u2800\u115f",
    "   ",
    "",
    "\u0301\u0301",
    "x" + "\u0301" * 30,
    "*" * 32,
    "x" * 500,
    HEBREW,
    "\ud800",
    "👩\u200d🚀",
]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("width", [2, 10, 20])
def test_a_hostile_name_becomes_harmless(name, width):
    plain, safe = plain_name(name, width), safe_name(name, width)
    assert 1 <= len(plain.strip("\u2068\u2069")) <= width
    assert len(safe) <= 2 * width + 2
    for shown in (plain, safe):
        assert shown.strip()
        assert not set(shown) & set("\n\r\t\u202e\u202c\u200d\u2060\u3164\u2800\u115f\ud800")
    assert not re.search(r"@(everyone|here|[!&]?[0-9]{17,20})", safe)
    assert not re.search(r"(?<!\\)<", safe)
    assert not re.search(r"://|\]\(|^#|^-|^>(>>)?\s|^[0-9]+\.", safe)
    assert not re.search(r"(?<!\\)(?:\\\\)*[*_~|`]", safe), "unescaped markdown"


@given(st.text(max_size=80))
def test_any_name_is_short_on_one_line_and_seen(name):
    plain, safe = plain_name(name), safe_name(name)
    assert 1 <= len(plain.strip("\u2068\u2069")) <= 20
    assert len(safe) <= 42
    assert not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in safe)
    assert not re.search(r"(?<!\\)(?:\\\\)*[*_~|`]", safe.replace("\u200b", ""))


def test_a_plain_name_stays_as_it_is():
    assert plain_name("Ann") == safe_name("Ann") == "Ann"
    assert safe_name("Łukasz Ż. 🏁") == "Łukasz Ż. 🏁"
    assert plain_name("a_b") == "a_b"
    assert safe_name("a_b") == escape_markdown("a_b")


def test_a_name_is_shortened_with_an_ellipsis():
    assert plain_name("abcdefghijklmnopqrstuvwxyz") == "abcdefghijklmnopqrs…"
    assert plain_name("abcdefghijklmnopqrs uvwxyz") == "abcdefghijklmnopqrs…"
    assert plain_name("abcdef", 4) == "abc…"


def test_a_name_from_right_to_left_keeps_the_line_in_order():
    assert plain_name(HEBREW) == f"\u2068{HEBREW}\u2069"


def test_an_empty_looking_name_is_told_by_its_seat():
    players = Players(ENGLISH, ("Ann", "\u200b", "\u3164"))
    assert [players[seat] for seat in range(3)] == ["Ann", "Player 2", "Player 3"]
    assert [players.plain(seat) for seat in range(3)] == ["Ann", "Player 2", "Player 3"]


def test_names_that_look_alike_are_told_apart():
    players = Players(ENGLISH, ("Ann", "Bob", "ann", "An\u200bn"))
    assert [players[seat] for seat in range(4)] == ["Ann (1)", "Bob", "ann (3)", "Ann (4)"]
    assert [players.plain(seat) for seat in range(4)] == ["Ann (1)", "Bob", "ann (3)", "Ann (4)"]


def test_every_card_has_its_own_name():
    names = [face(ENGLISH, card) for card in range(FACES)]
    assert len(set(names)) == FACES
    words = {"S": "Skip", "R": "Reverse", "D": "Draw Two"}
    for card, code in enumerate(CODE[:52]):
        name = {"R": "Red", "Y": "Yellow", "G": "Green", "B": "Blue"}[code[0]]
        assert names[card] == f"{name} {words.get(code[1], code[1])}"
    assert names[52:] == ["Wild Draw Four", "Wild Item Box"]


def test_every_card_colour_and_item_is_translated():
    named = [face(PSEUDO, card) for card in range(FACES)]
    named += [colour(PSEUDO, number) for number in range(4)] + [item(PSEUDO, which) for which in Item]
    assert not "".join(map(untranslated, named))


def test_colours_and_items_are_named():
    assert [colour(ENGLISH, number).lower() for number in range(4)] == list(COLOUR_NAMES)
    assert item(ENGLISH, Item.BANANA_PEEL) == "Banana Peel"


# --- catalogues


@pytest.fixture
def welsh(tmp_path, monkeypatch):
    """Give a folder with one catalogue, whose language has six plural forms."""
    catalogue = Catalog(locale="cy")
    catalogue.add("Draw", "Codi")
    catalogue.add("{player} is to play.", "Tro {player}.")
    catalogue.add("{player} has left", "{player ")
    catalogue.add("{player} was removed", "{chwaraewr} wedi mynd")
    catalogue.add("{player}: {card}", "{}: {card}")
    catalogue.add(("{number} card", "{number} cards"), ("{number} cerdyn", *["{number"] * 5))
    catalogue.add(("{number} more", "{number} more"), tuple(f"{{number}} arall {form}" for form in range(6)))
    catalogue.add("Keep", "Cadw?", flags=["fuzzy"])
    folder = tmp_path / "cy" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "lastlap.po").open("wb") as file:
        write_po(file, catalogue)
    monkeypatch.setattr(text_module, "LOCALES", tmp_path)


@pytest.mark.usefixtures("welsh")
@pytest.mark.parametrize("locale", ["cy", "cy-GB"])
def test_a_catalogue_is_found_by_its_language(locale):
    text = Text(locale)
    assert text.gettext("Draw") == "Codi"
    assert {text.ngettext("{number} more", "{number} more", n) for n in (0, 1, 2, 3, 6, 4)} == {
        f"{n} arall {form}" for form, n in enumerate((0, 1, 2, 3, 6, 4))
    }


@pytest.mark.usefixtures("welsh")
def test_what_is_not_translated_for_sure_stays_english():
    assert Text("cy").gettext("Keep") == "Keep"
    assert Text("cy").gettext("More") == "More"


@pytest.mark.parametrize("locale", [None, "", "en-US", "xx", "zh-CN", "es-419", "../../etc", "cy/../cy"])
def test_without_a_catalogue_the_language_is_english(locale):
    text = Text(locale)
    assert text.gettext("Draw {number}", number=4) == "Draw 4"
    assert text.ngettext("{number} card", "{number} cards", 1) == "1 card"


def test_a_language_is_read_once():
    assert text_for("en-GB") is text_for("en-GB")


@pytest.mark.usefixtures("welsh")
def test_a_translation_that_cannot_be_filled_in_stays_english_and_is_logged_once():
    text = Text("cy")
    with capture_logs() as logs:
        for _ in range(3):
            assert text.gettext("{player} is to play.", player="Ann") == "Tro Ann."
            assert text.gettext("{player} has left", player="Ann") == "Ann has left"
            assert text.gettext("{player} was removed", player="Ann") == "Ann was removed"
            assert text.gettext("{player}: {card}", player="Ann", card="7") == "Ann: 7"
            assert text.ngettext("{number} card", "{number} cards", 0) == "0 cerdyn"
            assert text.ngettext("{number} card", "{number} cards", 1) == "1 card"
            assert text.ngettext("{number} card", "{number} cards", 3) == "3 cards"
    assert {entry["event"] for entry in logs} == {"sentence_not_filled"}
    assert {entry["language"] for entry in logs} == {"cy"}
    assert [entry["sentence"] for entry in logs] == [
        *("{player} has left", "{player} was removed", "{player}: {card}"),
        *("{number} card", "{number} cards"),
    ]


def test_a_sentence_of_ours_that_cannot_be_filled_in_is_a_mistake():
    with pytest.raises(KeyError):
        ENGLISH.gettext("{player} is to play.", name="Ann")


#: Lists of one, two and three names, a number and two durations, as each language writes them.
WRITTEN = {
    "en-GB": ("A", "A and B", "A, B and C", "12,345", "90 seconds", "2 minutes"),
    "cy": ("A", "A, B", "A, B, C", "12,345", "90 eiliad", "2 funud"),
    "be": ("A", "A \u0456 B", "A, B \u0456 C", "12\xa0345", "90 секунд", "2 хвіліны"),
    "sq": ("A", "A dhe B", "A, B dhe C", "12\xa0345", "90 sekonda", "2 minuta"),
    "de": ("A", "A und B", "A, B und C", "12.345", "90 Sekunden", "2 Minuten"),
    "pl": ("A", "A i B", "A, B i C", "12\xa0345", "90 sekund", "2 minuty"),
    "pt-BR": ("A", "A e B", "A, B e C", "12.345", "90 segundos", "2 minutos"),
    "es-419": ("A", "A y B", "A, B y C", "12,345", "90 segundos", "2 minutos"),
    "es-ES": ("A", "A y B", "A, B y C", "12.345", "90 segundos", "2 minutos"),
}


def written(text):
    lists = [text.join(names) for names in (["A"], ["A", "B"], ["A", "B", "C"])]
    return (*lists, text.number(12345), text.duration(90), text.duration(120))


@pytest.mark.parametrize("locale", WRITTEN)
def test_lists_numbers_and_durations_are_written_as_the_language_does(locale, tmp_path, monkeypatch):
    language = locale if locale == "pt-BR" else locale.partition("-")[0]
    folder = tmp_path / language.replace("-", "_") / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "lastlap.po").open("wb") as file:
        write_po(file, Catalog(locale=language.replace("-", "_")))
    monkeypatch.setattr(text_module, "LOCALES", tmp_path)
    assert written(Text(locale)) == WRITTEN[locale]
    assert Text(locale).join([]) == ""


@pytest.mark.parametrize("locale", [None, "en-US", "de", "ja"])
def test_without_a_catalogue_lists_and_numbers_are_english_too(locale, tmp_path, monkeypatch):
    monkeypatch.setattr(text_module, "LOCALES", tmp_path)
    assert written(Text(locale)) == WRITTEN["en-GB"]


def test_a_number_in_a_sentence_is_written_as_the_language_does():
    assert ENGLISH.gettext("Draw {number}", number=1234) == "Draw 1,234"
    assert ENGLISH.ngettext("{number} card", "{number} cards", 1234) == "1,234 cards"


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0, "0 seconds"),
        (90, "90 seconds"),
        (120, "2 minutes"),
        (5400, "90 minutes"),
        (3600, "1 hour"),
        (86400, "1 day"),
    ],
)
def test_a_duration_is_written_in_its_largest_whole_unit(seconds, written):
    assert ENGLISH.duration(seconds) == written
    assert ENGLISH.gettext("Time for a turn: {time}", time=timedelta(seconds=seconds - 0.5)).endswith(written)


def test_a_value_is_never_taken_for_a_placeholder():
    assert (
        ENGLISH.gettext("{player} played: {card}.", player="{card}", card="Red 7") == "{card} played: Red 7."
    )


# --- buttons that sentences name


def test_a_sentence_names_a_button_of_the_table_by_the_word_on_it():
    english = "Press {my_hand}, then {draw}."
    private, public = Catalog(locale="de"), Catalog(locale="cy")
    private.add(english, "Drück {my_hand}, dann {draw}.")
    for catalogue, hand, draw in ((private, "Meine Karten", "Ziehen"), (public, "Fy llaw", "Tynnu")):
        catalogue.add("My hand", hand)
        catalogue.add("Draw", draw)
    alone = Text("de", compiled(private))
    assert alone.gettext(english) == "Drück Meine Karten, dann Ziehen."
    beside = alone.beside(Text("cy", compiled(public)))
    assert beside.gettext(english) == "Drück Fy llaw, dann Ziehen."
    assert beside.gettext(english, draw="nichts") == "Drück Fy llaw, dann nichts."


def test_every_named_button_is_on_a_screen():
    shown = {made.label for _, view in worst_cases.screens(ENGLISH, UPLOADED, NOW) for made in buttons(view)}
    for name, label in (PUBLIC_LABELS | OWN_LABELS).items():
        assert ENGLISH.label(name) == label
        assert label in shown


def test_no_sentence_spells_out_a_button_where_its_placeholder_could_stand():
    names = [
        label for label in (PUBLIC_LABELS | OWN_LABELS).values() if label not in ("Draw", "More", "Keep")
    ]
    for message in sentences():
        for form in message if isinstance(message, tuple) else (message,):
            assert not [
                name for name in names if re.search(rf"[Pp]ress(es)? \**{name}|\*\*{name}\*\*.", form)
            ], form


def described(catalogue):
    """Give what a template has of each sentence, but for where in the code it stands."""
    return sorted(
        (str(message.id), message.context or "", sorted(message.flags), message.auto_comments)
        for message in catalogue
        if message.id
    )


def test_the_template_has_the_sentences_of_the_code():
    with (ROOT / "bot" / "locale" / "lastlap.pot").open("rb") as file:
        assert described(read_po(file)) == described(extracted()), "`make messages` brings it up to date"


def sentences_given(tree):
    """Find the sentences that a module gives to be translated: one to gettext, two to ngettext."""
    places = {
        "gettext": slice(1),
        "ngettext": slice(2),
        "N_": slice(1),
        "pgettext": slice(2),
        "NP_": slice(2),
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            yield from node.args[places.get(called, slice(0))]


@pytest.mark.parametrize("module", modules("bot"), ids=lambda module: module.name)
def test_a_sentence_is_translated_before_it_is_filled_in(module):
    """It is written whole, or looked up in a table of marked ones, so that it is found in the template."""
    for sentence in sentences_given(module.tree):
        kinds = ast.Constant | ast.Name | ast.Attribute | ast.Subscript
        assert isinstance(sentence, kinds), ast.unparse(sentence)


def test_placeholders_are_named_and_the_same_in_both_forms():
    for message in sentences():
        forms = message if isinstance(message, tuple) else (message,)
        assert all("" not in placeholders(form) for form in forms), message
        assert len({frozenset(placeholders(form)) for form in forms}) == 1, message
