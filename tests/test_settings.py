"""The settings and .env.example say the same."""

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.settings import Settings

EXAMPLE = Path(__file__).parents[1] / ".env.example"


def named() -> dict[str, str]:
    return dict(re.findall(r"^#?([A-Z_]+)=(.*)$", EXAMPLE.read_text(encoding="utf-8"), re.MULTILINE))


def test_the_example_names_every_setting_and_no_other() -> None:
    assert sorted(named()) == sorted(name.upper() for name in Settings.model_fields)


def test_the_example_gives_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    defaults = Settings(_env_file=None)
    for name, value in named().items():
        if value:
            monkeypatch.setenv(name, value)
    assert Settings(_env_file=None) == defaults


def test_the_example_itself_is_a_good_env_file() -> None:
    assert Settings(_env_file=EXAMPLE) == Settings(_env_file=None)


@pytest.mark.parametrize(
    "address",
    [
        "https://discord.com",
        "http://10.0.0.1:80",
        "http://127.0.0.1.example.com",
        "http://localhost:1",
        "ws://127.0.0.1",
    ],
)
def test_nothing_but_this_machine_stands_in_for_discord(address: str) -> None:
    with pytest.raises(ValidationError, match="discord_loopback"):
        Settings(_env_file=None, discord_loopback=address)


def test_a_token_is_never_printed() -> None:
    settings = Settings(_env_file=None, discord_token="MTAwMA.very.secret")
    assert "secret" not in f"{settings!r} {settings}"
