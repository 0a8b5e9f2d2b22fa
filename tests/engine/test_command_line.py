"""`python -m engine`: what it prints, and that whatever is wrong is one line and exit status 2."""

import io
import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import main

SCENARIO = {"players": ["ann", "bob"], "seed": 7, "actions": [["ann", "draw"], ["bob", "draw"]]}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs the command line on some standard input."""

    def go(*arguments: str, given: bytes | str | object = b"") -> tuple[int, str, str]:
        if not isinstance(given, bytes):
            given = (given if isinstance(given, str) else json.dumps(given)).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        status = main(arguments)
        out, err = capsys.readouterr()
        return status, out, err

    return go


def test_replay_of_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "hand.json"
    path.write_text(json.dumps(SCENARIO))
    status, out, err = run("replay", str(path))
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert out.count("\n") == 1
    assert set(answer) == {"start", "results", "state"}
    assert len(answer["results"]) == 2


def test_replay_of_standard_input(run: Run) -> None:
    status, out, err = run("replay", "-", given=SCENARIO)
    assert (status, err) == (0, "")
    assert json.loads(out)["state"]["hand_no"] == 1


def test_replay_answers_in_ascii_and_in_full(run: Run) -> None:
    _, out, _ = run("replay", "-", given={"players": ["ännchen", "bob"]})
    assert out.isascii()
    state = json.loads(out)["state"]
    assert list(state["hands"]) == ["ännchen", "bob"]
    assert set(state) == {
        *("awaiting", "turn", "direction", "colour", "top", "hands", "draw_count", "discard_count"),
        *("uno_said", "uno_owed", "out", "autopilot", "hand_no", "hand_winner", "scores", "winners"),
    }


def test_replay_lines(run: Run) -> None:
    lines = [
        json.dumps(SCENARIO).encode(),
        b'{"players": ["ann"]}',
        b"",
        b"nonsense",
        b"\xff\xfe",
        json.dumps(SCENARIO).encode() + b"\r",
        b"[]",
    ]
    status, out, err = run("replay", "--lines", "-", given=b"\n".join(lines))
    answers = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert ["bad_input" in answer for answer in answers] == [False, True, True, True, True, False, True]
    assert answers[1] == {"bad_input": "players: must be 2 to 10"}
    assert answers[0] == answers[5]


@pytest.mark.parametrize(("given", "lines"), [(b"", 0), (b"{}", 1), (b"{}\n", 1), (b"{}\n\n", 2), (b"\n", 1)])
def test_replay_lines_answers_as_many(run: Run, given: bytes, lines: int) -> None:
    _, out, _ = run("replay", "--lines", "-", given=given)
    assert out.count("\n") == lines


GARBAGE: list[tuple[bytes, str]] = [
    (b"", "scenario"),
    (b"{", "scenario"),
    (b"\xff", "scenario"),
    (b"\xef\xbb\xbf{}", "scenario"),
    (b"null", "scenario"),
    (b"[" * 100_000, "scenario"),
    (b'{"players": ' + b"[" * 500 + b"]" * 500 + b"}", "players"),
    (b"9" * 5000, "scenario"),
    (b'{"players": ["ann", "bob"], "seed": ' + b"9" * 5000 + b"}", "scenario"),
    (b'{"players": ["ann", "bob"], "seed": NaN}', "seed"),
    (b'{"players": ["ann", "bob"], "seed": "\xc3\xa9"}', "seed"),
    (b'{"players": ["ann", "bob"], "a\\nb": 1}', "a b"),
    (b'{"players": ["ann", "bob"], "\\ud800": 1}', "\\ud800"),
    (b'{"players": ["ann", "bob"], "actions": [["ann", "si\\nng"]]}', "actions[0]"),
    (b'{"players": ["ann", "bob"], "actions": [["ann", "play", "' + b"R" * 9999 + b'"]]}', "actions[0]"),
    (b'{"players": ["ann", "bob"], "deck": [' + b"[" * 500 + b"]" * 500 + b"]}", "deck[0]"),
]


@pytest.mark.parametrize(("given", "key"), GARBAGE, ids=range(len(GARBAGE)))
def test_bad_input_is_one_line_naming_the_key(run: Run, given: bytes, key: str) -> None:
    status, out, err = run("replay", "-", given=given)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith(f"{key}: ")
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        ([], "python -m engine"),
        (["play"], "python -m engine"),
        (["replay"], "python -m engine replay"),
        (["replay", "-", "-"], "python -m engine"),
        (["replay", "--fast", "-"], "python -m engine"),
        (["replay", "no/such/file"], "no/such/file"),
        (["replay", "."], "."),
        (["simulate", "--players", "1"], "--players"),
        (["simulate", "--players", "0"], "--players"),
        (["simulate", "--players", "11"], "--players"),
        (["simulate", "--players", "x"], "python -m engine simulate"),
        (["simulate", "--hands", "0"], "--hands"),
        (["simulate", "--seed", "é"], "--seed"),
        (["simulate", "--policy", "clever"], "--policy"),
        (["simulate", "--policy", ""], "--policy"),
        (["simulate", "--policy", "random,normal,clever"], "--policy"),
        (["simulate", "--policy", "random,normal", "--players", "3"], "--policy"),
        (["simulate", "--policy", ",".join(["random"] * 11)], "--players"),
    ],
    ids=lambda value: " ".join(value) or "nothing" if isinstance(value, list) else "bad",
)
def test_bad_arguments_are_one_line(run: Run, arguments: list[str], key: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"{key}: ")
    assert err.count("\n") == 1


def test_help_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
    assert "replay" in capsys.readouterr().out


def simulated(run: Run, *arguments: str) -> dict[str, Any]:
    status, out, err = run("simulate", "--json", *arguments)
    assert (status, err) == (0, "")
    answer: dict[str, Any] = json.loads(out)
    return answer


def test_simulate(run: Run) -> None:
    answer = simulated(run, "--players", "4", "--hands", "20", "--seed", "7", "--policy", "random")
    assert list(answer) == [
        *(
            "hands",
            "moves",
            "seconds",
            "hands_per_s",
            "moves_per_s",
            "blocked",
            "mean_moves",
            "wins",
            "digest",
        )
    ]
    assert answer["hands"] == 20
    assert sum(answer["wins"]) + answer["blocked"] == 20
    assert len(answer["wins"]) == 4
    assert answer["mean_moves"] == pytest.approx(answer["moves"] / 20, abs=0.01)
    assert simulated(run, "--players", "4", "--hands", "20", "--seed", "7")["digest"] == answer["digest"]


def test_simulate_a_policy_a_seat(run: Run) -> None:
    answer = simulated(run, "--policy", "normal,random,random", "--hands", "6", "--rotate")
    assert len(answer["wins"]) == 3
    assert len(simulated(run, "--hands", "3")["wins"]) == 2


def test_simulate_for_people(run: Run) -> None:
    status, out, _ = run("simulate", "--hands", "2")
    assert status == 0
    assert out.splitlines()[0].split() == ["hands", "2"]


def test_module_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["engine", "simulate", "--hands", "1"])
    monkeypatch.delitem(sys.modules, "engine.__main__")
    with pytest.raises(SystemExit) as left:
        runpy.run_module("engine", run_name="__main__")
    assert left.value.code == 0
    assert "digest" in capsys.readouterr().out
