"""What whoever runs the bot may set: the lower-case names of .env.example. Imports pydantic only."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """The settings, read from the environment and from .env; times are in seconds."""

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True)

    discord_token: SecretStr | None = None
    database_url: str = "sqlite+aiosqlite:///data/lastlap.db"
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["console", "json"] = "console"
    shard_count: int | None = Field(default=None, ge=1)
    #: Where /healthz and /metrics are served; nowhere without a port.
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = Field(default=None, ge=1, le=65535)
    #: Addresses that /uno about gives; what is not set is not mentioned.
    support_url: str | None = None
    privacy_url: str | None = None
    terms_url: str | None = None
    source_url: str | None = None
    #: Stands in for Discord in tests, as http://127.0.0.1:PORT; nothing but this machine is let in.
    discord_loopback: str | None = None

    #: Least time between two edits of one table's message.
    table_edit_delay: float = Field(default=1.0, ge=0)
    #: How long a Wild Item Box lies on the table before the card it turns over is shown; 0: not at all.
    item_box_pause: float = Field(default=1.2, ge=0)
    #: Least time between two requests for tables, all together: 30 of the 50 a second that a bot may make.
    table_request_pause: float = Field(default=1 / 30, ge=0)
    #: How long after a play a catch is too early (docs/rules.md, Catching).
    catch_grace: float = Field(default=2.0, ge=0)
    #: Age at which a table's message may be reposted below what was written since, and at which it must be,
    #: because Discord refuses to edit older ones.
    repost_after: float = Field(default=180.0, gt=0)
    repost_before: float = Field(default=3300.0, gt=0)
    #: Least time between two such posts, and between two looks at the channel.
    repost_pause: float = Field(default=60.0, ge=0)
    #: Whether the bot looks if something was written below a table; off, tables come down with each new hand,
    #: when somebody asks, and before they are too old.
    look_at_channel: bool = True
    #: How long after a decision began the computer answers it for somebody on autopilot (computer players
    #: take from 2/3 to 4/3 of it), and how long it waits while somebody may be caught, whom computer players
    #: catch then.
    computer_pause: float = Field(default=1.5, ge=0)
    computer_uno_pause: float = Field(default=3.0, ge=0)
    #: How long what a Wild Item Box did is on screen before a computer moves, and how long it waits after the
    #: play where that cannot be shown (docs/rules.md, Computer players).
    item_shown_pause: float = Field(default=2.0, ge=0)
    item_unseen_pause: float = Field(default=5.0, ge=0)
    #: After how long without a press a lobby ends, the next hand comes by itself, and a table where nobody
    #: acts ends; how long the clock may be stopped.
    lobby_time: float = Field(default=900.0, gt=0)
    next_hand_time: float = Field(default=120.0, gt=0)
    idle_time: float = Field(default=3600.0, gt=0)
    longest_break: float = Field(default=86400.0, gt=0)
    #: How long without a press somebody counts as away, and up to which turn time nobody is nudged.
    away_time: float = Field(default=120.0, ge=0)
    no_nudge_up_to: float = Field(default=20.0, ge=0)
    #: How many presses and commands of one person are taken at once, and how long each then takes to be
    #: allowed again (0: no limit); least time between two tables opened by one person.
    click_burst: int = Field(default=10, ge=1)
    click_pause: float = Field(default=1 / 3, ge=0)
    start_pause: float = Field(default=5.0, ge=0)
    #: Least time between two pictures of standings in one channel.
    share_pause: float = Field(default=30.0, ge=0)
    #: How many tables one person may be host of, and one server may have, at the same time.
    tables_per_person: int = Field(default=3, ge=1)
    tables_per_server: int = Field(default=100, ge=1)
    #: How many people one person may invite in ten minutes; an offer of a seat is an invitation.
    invitations_per_person: int = Field(default=30, ge=1)
    #: How long a click waits for its move to be saved.
    save_timeout: float = Field(default=2.0, gt=0)
    #: How long an interaction's token is used; Discord forgets it after 15 minutes.
    token_life: float = Field(default=840.0, gt=0)

    @field_validator("database_url")
    @classmethod
    def _sqlite(cls, url: str) -> str:
        if not url.startswith("sqlite+aiosqlite://"):
            raise ValueError("must begin with sqlite+aiosqlite://")
        return url

    @field_validator("support_url", "privacy_url", "terms_url", "source_url")
    @classmethod
    def _address(cls, url: str | None) -> str | None:
        if url is not None and not re.fullmatch(r"https?://[^\s<>()]{1,200}", url):
            raise ValueError("must be an address such as https://example.org/privacy")
        return url

    @field_validator("discord_loopback")
    @classmethod
    def _loopback(cls, url: str | None) -> str | None:
        if url is not None and (
            urlsplit(url).scheme != "http" or urlsplit(url).hostname not in ("127.0.0.1", "::1")
        ):
            raise ValueError("must be http://127.0.0.1:PORT; the bot talks to no other stand-in for Discord")
        return url
