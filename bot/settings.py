"""What whoever runs the bot may set: the lower-case names of .env.example. Imports pydantic only."""

from __future__ import annotations

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
    #: Stands in for Discord in tests, as http://127.0.0.1:PORT; nothing but this machine is let in.
    discord_loopback: str | None = None

    #: Least time between two edits of one table's message.
    table_edit_delay: float = Field(default=1.0, ge=0)
    #: How long after a play a catch is too early (RULES.md, UNO).
    catch_grace: float = Field(default=2.0, ge=0)
    #: Age at which a table's message may be posted anew below what was written since, and at which it must
    #: be, lest Discord refuse its edits.
    repost_after: float = Field(default=180.0, gt=0)
    repost_before: float = Field(default=3300.0, gt=0)
    #: Least time between two such posts, and between two looks at what was written.
    repost_pause: float = Field(default=60.0, ge=0)
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

    @field_validator("discord_loopback")
    @classmethod
    def _loopback(cls, url: str | None) -> str | None:
        if url is not None and (
            urlsplit(url).scheme != "http" or urlsplit(url).hostname not in ("127.0.0.1", "::1")
        ):
            raise ValueError("must be http://127.0.0.1:PORT; the bot talks to no other stand-in for Discord")
        return url
