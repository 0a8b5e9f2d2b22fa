"""Three levels of computer players: each stronger than the one below, and none knows more than its seat."""

import random
from collections.abc import Iterator

import pytest

from engine.actions import ACCEPT, CHALLENGE, DRAW, KEEP, SAY_UNO, Action, ChooseTarget, NameColour, Play
from engine.awaiting import NO_SEAT, Awaiting
from engine.cards import BLUE, CARD_OF_CODE, GREEN, WILD_FOUR
from engine.chance import words
from engine.codec import decode, encode
from engine.match import Match
from engine.players import POLICIES, EasyPlayer, SharpPlayer
from engine.players.position import Position
from engine.players.race import chances
from engine.rules import RULE_NAMES, Length, RuleSet
from engine.simulate import play_hand
from engine.views import SeatView, seat_view
from tests.engine import strength
from tests.engine.tables import table
from tests.engine.test_views import permuted


def random_rules(dice: random.Random) -> RuleSet:
    return RuleSet(**{name: dice.random() < 0.4 for name in RULE_NAMES})


def random_match(number: int, seats: int) -> Match:
    dice = random.Random(number)
    length = dice.choice((Length(hands=1), Length(hands=9), Length(target=500)))
    match = Match(seats, random_rules(dice), length, f"levels/{number}")
    match.scores = (
        [dice.randrange(0, 450, 5) for _ in range(seats)] if length != Length(hands=1) else match.scores
    )
    match.start_scores = match.scores[:]
    match.begin()
    return match


# --- nobody sees what is hidden


def decisions(view: SeatView, policy: str) -> list[Action | bool | None]:
    """All that a player decides at this view, each on the same dice."""
    player = lambda: POLICIES[policy](words("same"))  # noqa: E731  # afresh, as the bot does
    return [
        player().answer(view) if view.my_turn else None,
        player().jumps_in(view) if view.answers and not view.my_turn else None,
        player().says_uno(view) if view.may_say_uno else None,
        player().catches(view) if view.owed_by not in (None, view.seat) else None,
    ]


def hidden_positions() -> Iterator[tuple[Match, random.Random]]:
    """Yield every third position of random matches under random rules, the answers random too."""
    for number in range(40):
        dice = random.Random(f"hidden {number}")
        match = random_match(number, dice.randint(2, 10))
        for step in range(90):
            if match.turn == NO_SEAT:
                break
            if step % 3 == 0:
                yield match, dice
            if match.game.may_say_uno(match.turn) and dice.random() < 0.5:
                match.apply(match.turn, SAY_UNO)
            match.apply(match.turn, dice.choice(match.legal_actions()))


def test_what_is_hidden_changes_no_decision() -> None:
    seen = dict.fromkeys(["answers", "jumps", "uno", "catches"], 0)
    for match, dice in hidden_positions():
        for seat in range(len(match.scores)):
            view = seat_view(match, seat)
            other = permuted(match, seat, dice)
            if match.game.drawn != -1 and match.turn != seat:
                other.game.drawn = other.game.hands[match.turn][0]
            for policy in POLICIES:
                mine, theirs = decisions(view, policy), decisions(seat_view(other, seat), policy)
                assert mine == theirs, (policy, view)
            for name, decision in zip(seen, mine, strict=True):
                seen[name] += decision is not None
    assert seen["answers"] > 900
    assert min(seen.values()) > 20, seen


# --- always legal, always to the end


class Checked:
    """A player whose answers are looked at."""

    def __init__(self, policy: str, dice: str) -> None:
        self.player = POLICIES[policy](words(dice))
        self.jumps_in, self.says_uno = self.player.jumps_in, self.player.says_uno
        self.catches = self.player.catches

    def answer(self, view: SeatView) -> Action:
        answer = self.player.answer(view)
        assert answer in view.answers
        return answer


@pytest.mark.parametrize("seats", range(2, 11))
def test_hands_end_and_answers_are_legal(seats: int) -> None:
    for number in range(6):
        match = random_match(100 * seats + number, seats)
        dice = random.Random(number)
        names = [dice.choice(list(POLICIES)) for _ in range(seats)]
        play_hand(match, [Checked(name, f"{number}/{seat}") for seat, name in enumerate(names)])
        assert match.awaiting is (Awaiting.DEAL if match.winners is None else Awaiting.OVER)
        assert not match.invariants()


@pytest.mark.parametrize("policy", ["easy", "normal", "sharp"])
def test_two_alike_end_a_hand_under_every_rule(policy: str) -> None:
    for name in RULE_NAMES:
        match = Match(2, RuleSet(**{name: True}), Length(hands=1), f"alike/{name}")
        match.begin()
        play_hand(match, [POLICIES[policy](words(str(seat))) for seat in range(2)])
        assert match.game.winner != NO_SEAT


def test_a_player_decides_alike_after_its_match_was_saved_and_read() -> None:
    for number in range(12):
        match = random_match(number, 4)
        for step in range(25):
            if match.turn == NO_SEAT:
                break
            again = decode(encode(match))
            for policy in POLICIES:
                mine = POLICIES[policy](words(str(step))).answer(seat_view(match, match.turn))
                assert POLICIES[policy](words(str(step))).answer(seat_view(again, match.turn)) == mine
            match.apply(match.turn, mine)


# --- how strong


@pytest.mark.parametrize(("stronger", "weaker"), strength.PAIRINGS)
def test_each_level_beats_the_one_below(stronger: str, weaker: str) -> None:
    won = strength.wins([stronger, weaker] * 2, 600, "test")
    assert won[stronger] > 0.52 * sum(won.values())


def test_strength_is_measured_and_printed(capsys: pytest.CaptureFixture[str]) -> None:
    strength.main(["--hands", "4"])
    out = capsys.readouterr().out
    assert "sharp against normal, 2 seats" in out
    assert "a decision of sharp" in out


def test_wilson_interval() -> None:
    assert strength.wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert strength.wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)


# --- what each does


def cards(codes: str) -> list[int]:
    return [CARD_OF_CODE[code] for code in codes.split()]


def sharp(match: Match) -> Action:
    return SharpPlayer(words("")).answer(seat_view(match, match.turn))


def turn(hand: str, others: tuple[int, ...] = (7, 7), on: str = "R5") -> Match:
    """Return a match in which the first seat holds that hand on that top card, the others so many cards."""
    match = Match(len(others) + 1, seed="turn")
    match.begin(len(others))
    game = match.game
    game.hands[0] = cards(hand)
    for seat, number in enumerate(others, 1):
        game.hands[seat] = cards("Y1 G2 B3 R4 Y6 G7 B8")[:number]
    game.discard[:] = cards(on)
    game.colour = game.discard[-1] // 13
    game.begin_turn(0)
    return match


def test_easy_plays_the_first_card_that_matches_and_never_challenges() -> None:
    match = turn("R9 R1 RD W4")
    assert EasyPlayer(words("")).answer(seat_view(match, 0)) == Play(CARD_OF_CODE["R1"])
    match.game.hands[0] = cards("B1 W4")
    answers = {EasyPlayer(words(str(dice))).answer(seat_view(match, 0)) for dice in range(60)}
    assert answers == {Play(WILD_FOUR, colour) for colour in range(4)}
    match = table("challenge")
    match.game.hands[0] = cards("R1 R2 R3 R4 R5 R6 R7 R8")
    assert EasyPlayer(words("")).answer(seat_view(match, match.turn)) is ACCEPT


def test_easy_forgets_and_overlooks_some() -> None:
    owed = table("turn-uno-owed")
    said = [EasyPlayer(words(str(dice))).says_uno(seat_view(owed, 0)) for dice in range(400)]
    caught = [EasyPlayer(words(str(dice))).catches(seat_view(owed, 1)) for dice in range(400)]
    assert said.count(False) == pytest.approx(100, abs=30)
    assert caught.count(True) == pytest.approx(80, abs=30)
    assert SharpPlayer(words("")).says_uno(seat_view(owed, 0))
    assert SharpPlayer(words("")).catches(seat_view(owed, 1))


def test_sharp_keeps_wilds_while_a_coloured_card_will_do() -> None:
    assert sharp(turn("WI W4 R1 B5 G7")) == Play(CARD_OF_CODE["R1"])


def test_sharp_goes_out_when_it_can() -> None:
    for last in ("R1", "WI"):
        assert sharp(turn(last, (1, 1))) == Play(CARD_OF_CODE[last])


def test_sharp_hinders_a_player_about_to_go_out() -> None:
    assert sharp(turn("R9 R8 RD B4", (1, 7))) == Play(CARD_OF_CODE["RD"])
    assert sharp(turn("R9 R8 RS B4", (1, 7))) == Play(CARD_OF_CODE["RS"])


def test_sharp_draws_rather_than_bluff_with_a_full_hand() -> None:
    match = turn("W4 R1 R2 B5 B6 B7 G1 G2")
    assert sharp(match) != Play(WILD_FOUR, BLUE)


def test_sharp_names_the_colour_it_holds() -> None:
    match = table("colour-bob-omb")
    match.game.hands[match.turn] = cards("B1 B2 B5 R1")
    assert sharp(match) == NameColour(BLUE)


def test_sharp_names_the_colour_that_others_lack() -> None:
    """Holding as much of each, it names the one of which fewest are left in the others' hands."""
    match = table("colour-bob-omb")
    match.game.hands[match.turn] = cards("G5 B5")
    match.game.discard[:0] = cards("G1 G1 G2 G2 G3 G3 G4 G4 G6 G6 G7 G7 G8 G8 G9 G9")
    assert sharp(match) == NameColour(GREEN)


def test_sharp_aims_at_a_player_about_to_win() -> None:
    match = table("target-shell")
    match.game.hands[1], match.game.hands[2] = cards("Y1 Y2 Y3 Y4"), cards("Y5")
    assert sharp(match) == ChooseTarget(2)


def test_sharp_swaps_for_the_fewest_cards() -> None:
    match = table("target-swap")
    match.game.hands[match.turn] = cards("B1 B2 B3 B4 B5")
    match.game.hands[1], match.game.hands[2] = cards("Y1 Y2 Y3 Y4"), cards("Y5")
    assert sharp(match) == ChooseTarget(2)


def test_sharp_aims_at_the_leader_of_a_match() -> None:
    match = table("target-shell")
    match.length = Length(target=500)
    match.game.hands[1], match.game.hands[2] = cards("Y1 Y2 Y3"), cards("Y5 Y6 Y7")
    aimed = set()
    for leader in (1, 2):
        match.scores = [0, 0, 0]
        match.scores[leader] = 480
        aimed.add((leader, sharp(match)))
    assert aimed == {(1, ChooseTarget(1)), (2, ChooseTarget(2))}


def challenged(number: int, seen: str = "") -> Action:
    """Let sharp judge a Wild Draw Four of somebody with so many cards, having seen some of that colour."""
    match = table("challenge")
    match.game.hands[0] = cards("Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y1 Y2 Y3 Y4 Y5 Y6 Y7")[:number]
    match.game.discard[:0] = cards(seen)
    return sharp(match)


def test_sharp_challenges_by_the_cards_it_has_not_seen() -> None:
    assert challenged(2) is ACCEPT
    assert challenged(14) is CHALLENGE
    reds = "R0 " + " ".join(f"R{number} R{number}" for number in (1, 3, 4, 5, 6, 7, 8, 9))
    assert challenged(14, f"{reds} R2 RS RS RR RR RD RD WI WI WI WI WI WI WI WI") is ACCEPT


def test_sharp_keeps_a_wild_it_has_drawn_but_plays_a_colour() -> None:
    match = table("drawn")
    assert sharp(match) == Play(match.game.drawn)
    match.game.hands[0] = [*cards("B1 B2 B3 G4 Y5"), WILD_FOUR]
    match.game.drawn = WILD_FOUR
    assert sharp(match) is KEEP


def test_sharp_takes_a_stack_or_answers_it() -> None:
    match = table("turn-stack")
    match.game.hands[match.turn] = cards("B1 B2 B3")
    assert sharp(match) is DRAW
    match.game.hands[match.turn] = cards("BD B2 B3")
    assert sharp(match) == Play(CARD_OF_CODE["BD"])


def test_chances_add_up_and_favour_the_player_who_is_closer() -> None:
    match = turn("R1 R2 B3 W4", (4, 4, 4))
    odds = chances(Position(seat_view(match, 0)))
    assert sum(odds) == pytest.approx(1)
    match.game.hands[2] = cards("R1")
    assert chances(Position(seat_view(match, 0)))[2] > odds[2]
    match.game.out[2] = True
    match.game.hands[2] = []
    assert chances(Position(seat_view(match, 0)))[2] == 0
    assert Position(seat_view(match, 0)).after(1) == 3
