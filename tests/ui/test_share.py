"""The picture of a match's standings, and the words that say the same."""

import io

import pytest
from PIL import Image

from bot.ui.kit.lettering import drawable
from bot.ui.kit.standings import WIDTH, Row, draw_standings
from bot.ui.screens.share import MOST_WORDS, Player, standings
from engine.rules import ONE_HAND, Length
from tests.ui.positions import CYRILLIC, ENGLISH, FLAGS, PSEUDO, STARS, WORDLESS, untranslated

FOUR = [
    Player("Ann", 20, won=False, left=False, held=30),
    Player("Bob", 130, won=True, left=False, held=0),
    Player("Cleo", 90, won=False, left=True),
    Player("Dai", 20, won=False, left=False, held=7),
]


def shown(png):
    image = Image.open(io.BytesIO(png))
    image.load()
    return image


def test_the_best_come_first_and_who_left_last():
    assert standings(ENGLISH, Length(hands=3), FOUR).words.splitlines() == [
        "Bob wins the match!",
        "1 · Bob · 130 points",
        "2 · Ann · 20 points",
        "2 · Dai · 20 points",
        "4 · Cleo · has left",
        "Match: 3 hands",
    ]


def test_after_one_hand_the_others_stand_by_what_they_have_left():
    assert standings(ENGLISH, ONE_HAND, FOUR).words.splitlines()[1:] == [
        "1 · Bob · 130 points",
        "2 · Dai · 7 points in hand",
        "3 · Ann · 30 points in hand",
        "4 · Cleo · has left",
        "Match: 1 hand",
    ]


def test_nobody_or_several_may_have_won():
    nobody = [Player("Ann", 0, won=False, left=False)] * 2
    both = [Player(name, 9, won=True, left=False) for name in ("Ann", "Bob")]
    assert standings(ENGLISH, Length(hands=2), nobody).title == "The match is over: nobody wins."
    assert standings(ENGLISH, Length(hands=2), both).title == "The match is over: Ann and Bob share the win!"


@pytest.mark.parametrize("length", [ONE_HAND, Length(target=1000)])
@pytest.mark.parametrize(("text", "names"), [(ENGLISH, STARS), (PSEUDO, STARS), (CYRILLIC, FLAGS)])
def test_ten_players_with_the_longest_names_fit(length, text, names):
    players = [Player(name, 9999, won=True, left=False, held=999) for name in names]
    made = standings(text, length, players)
    assert len(made.words) <= MOST_WORDS
    assert all(row.name in made.words for row in made.rows)
    image = shown(made.png())
    assert image.width == WIDTH


def test_every_word_is_translated():
    players = [Player(name, 1, won=seat == 0, left=seat == 2, held=1) for seat, name in enumerate(WORDLESS)]
    for length in (ONE_HAND, Length(hands=2), Length(target=100)):
        assert not untranslated(standings(PSEUDO, length, players).words)


def test_the_picture_has_a_stripe_for_each_player_and_marks_the_winner():
    rows = [Row("1", "Ann", "20 points", won=True), Row("2", "Bob", "0 points")]
    two, one = shown(draw_standings("Ann wins", rows, "")), shown(draw_standings("Ann wins", rows[1:], ""))
    assert two.height > one.height
    assert two.getpixel((2, 110)) != one.getpixel((2, 110))


def test_what_has_no_letter_is_left_out():
    assert drawable("Ann 🏁 of  Hagen") == "Ann of Hagen"
    assert drawable("🏁") == ""
