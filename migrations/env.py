"""Run the migrations on the bot's connection, or on one of its own for Alembic's command line."""

import asyncio
from typing import Literal

from alembic import context
from sqlalchemy import Connection

from bot.settings import Settings
from bot.store.migration import in_transaction
from bot.store.models import UtcTime, metadata


def render_type(kind: str, value: object, autogen: object) -> str | Literal[False]:
    """Render a time as its type in the database, because a migration outlives the types of the code."""
    return "sa.DateTime()" if kind == "type" and isinstance(value, UtcTime) else False


def run(connection: Connection) -> None:
    """Run the migrations in the open transaction."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=True,  # SQLite changes a table by copying it
        transactional_ddl=True,
        render_item=render_type,
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    asyncio.run(in_transaction(Settings().database_url, run))
