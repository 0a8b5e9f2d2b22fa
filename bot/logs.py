"""How the bot logs: structlog through the standard library, as lines for people or as JSON.

A line carries references (table, interaction, the one a player was shown), never a token and never somebody's
cards.
"""

from __future__ import annotations

import logging
import sys
from typing import Any, Final

import structlog

_SHARED: Final[list[Any]] = [
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def route() -> None:
    """Send what the bot logs through the standard library, where discord.py's own lines go."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def configure(level: str, form: str) -> None:
    """Print log lines of this level and above to standard error; `form` is "console" or "json"."""
    route()
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *([structlog.processors.format_exc_info] if form == "json" else []),
                renderer,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    # At DEBUG these print what goes over the wire and into the database: tokens and cards.
    for name, least in (
        ("discord", logging.INFO),
        ("aiosqlite", logging.INFO),
        ("sqlalchemy", logging.WARNING),
    ):
        logging.getLogger(name).setLevel(max(root.level, least))
