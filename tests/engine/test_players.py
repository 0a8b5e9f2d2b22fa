"""Computer players answer legally, and the better one wins more; simulations repeat."""

import random
from types import SimpleNamespace
from typing import Any

import pytest

from engine.actions import ACCEPT, CHALLENGE, DRAW, KEEP, ChooseTarget, NameColour, Play
from engine.awaiting import NO_SEAT
from engine.cards import CARD_OF_CODE
from engine.chance import words
from engine.events import CardPlayed
from engine.match import Match
from engine.players import POLICIES, NormalPlayer, RandomPlayer
from engine.rules import RULE_NAMES, Length, RuleSet
from engine.simulate import play_hand, simulate
from engine.views import seat_view
from tests.engine.tables import SETTINGS, table


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("rules", [(), RULE_NAMES, *((name,) for name in RULE_NAMES)], ids="-".join)
def test_every_answer_is_legal(policy: str, rules: tuple[str, ...]) -> None:
    for number in range(6):
        match = Match(2 + number, RuleSet(**dict.fromkeys(rules, True)), Length(target=9999), str(number))
        match.begin()
        players = [POLICIES[policy](words(f"{number}/{seat}")) for seat in range(2 + number)]
        while match.turn != NO_SEAT:
            view = seat_view(match, match.turn)
            answer = players[match.turn].answer(view)
            assert answer in view.answers
            match.apply(match.turn, answer)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "name", [name for name, case in SETTINGS.items() if not name.startswith(("deal", "over"))]
)
def test_every_decision_is_answered(policy: str, name: str) -> None:
    match = table(name)
    view = seat_view(match, match.turn)
    assert POLICIES[policy](words(name)).answer(view) in view.answers


def test_a_player_answers_alike_on_the_same_dice() -> None:
    view = seat_view(table("turn"), 0)
    for policy in POLICIES.values():
        answers = {policy(words("7")).answer(view) for _ in range(5)}
        assert len(answers) == 1


def random_answers(name: str, hand: str | None = None, number: int = 60) -> list[object]:
    match = table(name)
    if hand:
        match.game.hands[match.turn] = [CARD_OF_CODE[code] for code in hand.split()]
    player = RandomPlayer(words("dice"))
    return [player.answer(seat_view(match, match.turn)) for _ in range(number)]


def test_random_plays_any_playable_card_alike() -> None:
    answers = random_answers("turn", "R5 R5 B2 G9", 600)
    five, two = Play(CARD_OF_CODE["R5"]), Play(CARD_OF_CODE["B2"])
    assert set(answers) == {five, two}
    assert answers.count(five) == pytest.approx(400, abs=50)  # two cards of three


def test_random_names_any_colour_with_a_wild_four() -> None:
    wild_four = CARD_OF_CODE["W4"]
    assert set(random_answers("turn", "W4 B5")) == {Play(wild_four, colour) for colour in range(4)}


def test_random_draws_without_a_playable_card_and_plays_what_it_draws() -> None:
    assert set(random_answers("turn", "B5 B6")) == {DRAW}
    assert set(random_answers("drawn")) == {Play(CARD_OF_CODE["R8"])}


def test_random_accepts_and_chooses_at_random() -> None:
    assert set(random_answers("challenge")) == {ACCEPT}
    assert set(random_answers("colour-bob-omb")) == {NameColour(colour) for colour in range(4)}
    assert set(random_answers("target-shell")) == {ChooseTarget(1), ChooseTarget(2)}


def test_random_says_uno_and_catches_nobody() -> None:
    view = seat_view(table("turn-uno-owed"), 1)
    assert RandomPlayer(words("")).says_uno(view)
    assert not RandomPlayer(words("")).catches(view)
    assert NormalPlayer(words("")).says_uno(view)
    assert NormalPlayer(words("")).catches(view)


def normal(name: str, hand: str | None = None, others: dict[int, int] | None = None) -> object:
    """Let a normal player answer, with another hand, and others holding so many cards."""
    match = table(name)
    if hand:
        match.game.hands[match.turn] = [CARD_OF_CODE[code] for code in hand.split()]
    for seat, number in (others or {}).items():
        match.game.hands[seat] = [CARD_OF_CODE["Y1"]] * number
    return NormalPlayer(words("")).answer(seat_view(match, match.turn))


def play(code: str, colour: int | None = None) -> Play:
    return Play(CARD_OF_CODE[code], colour)


def test_normal_gets_rid_of_points_first() -> None:
    assert normal("turn", "R5 R9 R1", {1: 7}) == play("R9")


def test_normal_keeps_wilds_for_last() -> None:
    assert normal("turn", "WI W4 R1", {1: 7}) == play("R1")


def test_normal_stops_a_player_close_to_going_out() -> None:
    assert normal("turn", "R9 RD RS", {1: 2}) == play("RD")
    assert normal("turn", "R9 RS", {1: 2}) == play("RS")


def test_normal_does_not_bluff() -> None:
    assert normal("turn", "W4 R1 B5", {1: 1}) == play("R1")
    assert normal("turn", "W4 B5 B6", {1: 7}) == play("W4", 3)


def test_normal_names_the_colour_it_holds_most_of() -> None:
    assert normal("colour-bob-omb", "Y1 Y2 R1") == NameColour(1)


def test_normal_aims_at_the_fewest_cards() -> None:
    assert normal("target-shell", None, {1: 3, 2: 2}) == ChooseTarget(2)


def test_normal_challenges_a_full_hand_only() -> None:
    assert normal("challenge", None, {0: 7}) == CHALLENGE
    assert normal("challenge", None, {0: 6}) == ACCEPT


def test_normal_draws_and_keeps_rather_than_bluff() -> None:
    assert normal("turn", "B5 B6") == DRAW
    match = table("drawn")
    match.game.hands[0] = [CARD_OF_CODE[code] for code in ("R9", "W4")]
    match.game.drawn = CARD_OF_CODE["W4"]
    assert NormalPlayer(words("")).answer(seat_view(match, 0)) is KEEP


def test_normal_catches_in_a_simulated_hand() -> None:
    class Silent(NormalPlayer):
        def says_uno(self, view: object) -> bool:
            return False

    caught = 0
    for number in range(20):
        match = Match(3, seed=str(number))
        match.begin()
        players = [Silent(words("a")), NormalPlayer(words("b")), NormalPlayer(words("c"))]
        caught += sum(type(event).__name__ == "UnoCaught" for event in play_hand(match, players))
    assert caught > 5


def test_play_goes_on_from_the_player_who_jumped_in() -> None:
    jumps = 0
    for number in range(20):
        match = Match(4, RuleSet(jump_in=True), seed=str(number))
        match.begin()
        events = play_hand(match, [NormalPlayer(words("a")) for _ in range(4)])
        jumps += sum(type(event) is CardPlayed and event.jumped for event in events)
    assert jumps > 20
    match = Match(4, RuleSet(jump_in=True), seed="0")
    match.begin()
    events = play_hand(match, [RandomPlayer(words("a")) for _ in range(4)])
    assert not any(type(event) is CardPlayed and event.jumped for event in events)


def test_normal_beats_random() -> None:
    two = simulate(["normal", "random"], 300, "1", rotate=True)
    assert two.wins[0] > 1.3 * two.wins[1]
    four = simulate(["normal", "random", "random", "random"], 400, "1", rotate=True)
    assert four.wins[0] > 1.15 * max(four.wins[1:])


def test_a_simulation_is_the_same_on_any_machine() -> None:
    result = simulate(["random"] * 4, 40, "7")
    assert (result.hands, result.moves, result.blocked, result.wins) == (40, 2783, 0, [8, 11, 9, 12])
    assert result.digest == "0346dc6e3d2d4826994e08ad72d868b2c03af0759020f1c35d26240c8a7c9b82"
    mixed = simulate(["normal", "random", "normal"], 40, "7", rotate=True)
    assert mixed.digest == "dc7fe5ed86ec451c535574f8eca7911fa87fcb129c864c0073094a571b716eed"


def test_another_seed_is_another_simulation() -> None:
    assert simulate(["random"] * 2, 3, "7").digest != simulate(["random"] * 2, 3, "8").digest


def test_wins_are_per_policy_when_they_rotate() -> None:
    still = simulate(["random", "normal"], 60, "3")
    moved = simulate(["random", "normal"], 60, "3", rotate=True)
    assert sum(still.wins) == sum(moved.wins) == 60
    assert moved.wins[1] > moved.wins[0]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_rotating_lets_every_policy_deal_equally_often(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"alike {number}" for number in range(seats)]
    dealt: list[str] = []

    def sits_down(match: Match, players: list[Any]) -> list[Any]:
        dealt.append(players[match.game.dealer].name)
        return []

    for name in names:
        monkeypatch.setitem(POLICIES, name, lambda dice, name=name: SimpleNamespace(name=name))
    monkeypatch.setattr("engine.simulate.play_hand", sits_down)
    simulate(names, seats * seats, "1", rotate=True)
    assert [dealt.count(name) for name in names] == [seats] * seats


def test_dice_are_the_seeded_stream() -> None:
    state = random.getstate()
    simulate(["random", "normal"], 2, "1")
    assert random.getstate() == state
