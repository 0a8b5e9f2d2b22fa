"""Words in pictures: the font has the letters of every language, and says what it lacks."""

import pytest

from bot.ui.kit.lettering import font, has_letters
from tests.ui.catalogues import CATALOGUES

#: The letters of each language beside a to z.
LETTERS = {
    "cy": "âêîôûŵŷ áéíóú ẁẃẅ äëïö ỳýÿ ÂÊÎÔÛŴŶ",
    "be": "абвгдеёжзійклмнопрстуўфхцчшыьэюя АБВГДЕЁЖЗІЙКЛМНОПРСТУЎФХЦЧШЫЬЭЮЯ ’",
    "sq": "çë ÇË",
    "de": "äöüß ÄÖÜ „“",
    "fr": "àâæçéèêëîïôœùûüÿ ÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ «»",
    "es": "áéíñóúü ¡¿ ÁÉÍÑÓÚÜ",
    "pt-BR": "áâãàçéêíóôõú ÁÂÃÀÇÉÊÍÓÔÕÚ",
    "it": "àèéìòù ÀÈÉÌÒÙ",
    "pl": "ąćęłńóśźż ĄĆĘŁŃÓŚŹŻ",
    "tr": "çğıİöşü ÇĞIÖŞÜ",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя ҐЄІЇ",
    "nl": "áéëïóöü ÉËÏ",
}


@pytest.mark.parametrize("language", LETTERS)
def test_the_font_has_the_letters_of_each_language(language):
    assert has_letters(LETTERS[language])


@pytest.mark.parametrize("language", CATALOGUES)
def test_the_font_has_every_letter_of_every_catalogue(language):
    said = set()
    for message in CATALOGUES[language]:
        said |= set("".join([message.string] if isinstance(message.string, str) else message.string))
    assert [char for char in sorted(said) if char.isalpha() and not has_letters(char)] == []


def test_what_the_font_lacks_is_known():
    assert has_letters("Red 7 · ×2")
    assert not has_letters("\N{HIRAGANA LETTER A}")
    assert not has_letters("a🏁")


def test_bold_is_wider_and_a_size_is_made_once():
    assert font(20, bold=True).getlength("Ynys Môn") > font(20).getlength("Ynys Môn")
    assert font(20) is font(20)
