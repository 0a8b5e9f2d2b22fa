"""Every catalogue is complete and sound, and every screen fits in its language."""

import copy
from datetime import UTC, datetime

import pytest
from babel.messages.catalog import Catalog

from bot.ops.smoke import worst_cases
from bot.ui.kit.lettering import font
from bot.ui.text.translation import Text
from tests.ui import catalogues
from tests.ui.catalogues import CATALOGUES, faults
from tests.ui.positions import ENGLISH, PSEUDO, PSEUDO_CATALOGUE, STARS, UPLOADED, buttons, compiled
from tests.ui.test_budgets import check

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LANGUAGES = pytest.mark.parametrize("language", CATALOGUES)
#: The width of one line of a button on a phone, in pixels of a font of 14: what 360 leave between the margins
#: of the message, its frame and the button's own; and what an emoji takes of the first.
LINE, EMOJI = 250, 24


def text_in(language):
    return PSEUDO if language == "pseudo" else Text(language, compiled(CATALOGUES[language]))


@LANGUAGES
def test_a_catalogue_is_complete_and_sound(language):
    assert list(faults(CATALOGUES[language])) == []


@pytest.mark.parametrize(
    ("language", "forms"),
    [("cy", 6), ("be", 3), ("pl", 3), ("uk", 3), ("sq", 2), ("de", 2), ("nl", 2), ("tr", 2)]
    + [("fr", 3), ("es", 3), ("it", 3), ("pt_BR", 3)],
)
def test_each_language_has_so_many_plural_forms(language, forms):
    assert Catalog(locale=language).num_plurals == forms


@LANGUAGES
def test_every_screen_fits_with_the_longest_names(language):
    for name, view in worst_cases.screens(text_in(language), UPLOADED, NOW, STARS):
        check(name, view)


def lines_of(button):
    """Return how many lines a button's label takes on a phone, where a word that is too long is broken."""
    number, left, begun = 1, LINE - (EMOJI if button.emoji else 0), False
    for word in button.label.replace("\u200f", "").split():
        width = font(14, bold=True).getlength(word)
        if begun and width > left:
            number, left = number + 1, LINE
        while width > left:
            number, width, left = number + 1, width - left, LINE
        left, begun = left - width - font(14, bold=True).getlength(" "), True
    return number


@LANGUAGES
def test_no_button_takes_more_than_two_lines_of_a_phone(language):
    for name, view in worst_cases.screens(text_in(language), UPLOADED, NOW, STARS):
        assert [made.label for made in buttons(view) if lines_of(made) > 2] == [], name


def test_the_lines_of_a_button_are_counted():
    def lines(label):
        return lines_of(type("Made", (), {"label": label, "emoji": None}))

    assert [lines(words) for words in ("Draw", "W" * 20, "W" * 40, "seven letters " * 4)] == [1, 2, 3, 2]


# --- what is found in a faulty one

ENGLISH_OF = "{player} is to play."
COUNTED = ("{player} drew {number} card.", "{player} drew {number} cards.")


@pytest.mark.parametrize(
    ("msgid", "string", "fault"),
    [
        (ENGLISH_OF, "", "is not translated"),
        (ENGLISH_OF, "{player is to play.", "cannot be filled in"),
        (ENGLISH_OF, "{} is to play.", "has other placeholders"),
        (ENGLISH_OF, "{chwaraewr} is to play.", "has other placeholders"),
        (ENGLISH_OF, "**{player}** is to play.", "has other bold marks"),
        (ENGLISH_OF, "{player} is to play. ", "begins, ends or breaks otherwise"),
        (ENGLISH_OF, "{player} is to play: /uno hand", "has other commands"),
        (COUNTED, ("{player} {number}",) * 5, "has 5 forms"),
        (COUNTED, ("{player} {number}",) * 5 + ("{player}",), "has other placeholders"),
        (COUNTED, ("{player} {number}",) * 5 + ("",), "is not translated"),
    ],
)
def test_a_faulty_translation_is_found(msgid, string, fault):
    catalogue = copy.copy(PSEUDO_CATALOGUE)
    catalogue._messages = dict(PSEUDO_CATALOGUE._messages)
    catalogue.delete(msgid)
    catalogue[msgid] = catalogues.Message(msgid, string)
    (found,) = faults(catalogue)
    assert found.startswith(f"{msgid!r} {fault}")


def test_a_fuzzy_a_missing_and_an_old_translation_are_found():
    catalogue = copy.copy(PSEUDO_CATALOGUE)
    catalogue._messages = dict(PSEUDO_CATALOGUE._messages)
    catalogue.delete("Draw")
    catalogue.delete("Keep")
    catalogue["Keep"] = catalogues.Message("Keep", "Cadw", flags=["fuzzy"])
    catalogue["No longer said"] = catalogues.Message("No longer said", "x")
    found = sorted(fault for fault in faults(catalogue) if "header" not in fault)
    assert found == ["'Draw' is missing", "'Keep' is fuzzy", "'No longer said' is not in the template"]


def test_other_plural_forms_than_babels_are_found():
    catalogue = Catalog(locale="pl")
    catalogue._num_plurals, catalogue._plural_expr = 2, "(n != 1)"
    assert "plural forms nplurals=2; plural=(n != 1);, not Babel's" in list(faults(catalogue))


# --- adding and updating


def test_a_language_is_begun_and_brought_up_to_the_template(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(catalogues, "LOCALES", tmp_path)
    assert catalogues.add("pt-BR") == 0
    path = tmp_path / "pt_BR" / "LC_MESSAGES" / "lastlap.po"
    written = path.read_text()
    assert catalogues.paths() == {"pt-BR": path}
    assert "EMAIL" not in written
    assert "fuzzy" not in written
    assert catalogues.update() == 0
    assert path.read_text() == written
    begun = catalogues.read(path, "pt-BR")
    assert catalogues.translated(begun) == 0
    assert [fault for fault in faults(begun) if not fault.endswith(" is not translated")] == []
    assert catalogues.add("pt-BR") == 2
    assert catalogues.add("klingonish") == 2
    assert "is there already" in capsys.readouterr().err


def test_what_is_translated_is_counted():
    assert catalogues.translated(PSEUDO_CATALOGUE) == len(catalogues.messages())


def test_each_of_six_plural_forms_is_used():
    told = [PSEUDO.ngettext(*COUNTED, number, player="0") for number in (0, 1, 2, 3, 6, 4)]
    assert len(set(told)) == 6
    assert ENGLISH.ngettext(*COUNTED, 2, player="0") == "0 drew 2 cards."
