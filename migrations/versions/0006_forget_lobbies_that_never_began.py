"""Remove what closed tables have left: people of lobbies that never began, tokens, places of messages."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

CLOSED = "table_id IN (SELECT id FROM tables WHERE closed_at IS NOT NULL)"
PLAYED = "SELECT table_id FROM log UNION SELECT table_id FROM hands UNION SELECT table_id FROM matches"


def upgrade() -> None:
    op.execute(f"DELETE FROM tokens WHERE {CLOSED}")  # noqa: S608  # no value comes from outside
    op.execute(f"DELETE FROM screens WHERE {CLOSED}")  # noqa: S608
    op.execute(f"DELETE FROM seats WHERE {CLOSED} AND table_id NOT IN ({PLAYED})")  # noqa: S608
    op.execute(
        "DELETE FROM names WHERE NOT EXISTS (SELECT 1 FROM hand_scores "
        "WHERE hand_scores.guild_id = names.guild_id AND hand_scores.user_id = names.user_id)"
    )


def downgrade() -> None:
    """Change nothing: what was removed is gone."""
