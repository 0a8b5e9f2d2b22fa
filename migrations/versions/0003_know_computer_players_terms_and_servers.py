"""Keep the scores of computer players, the terms of a match, and what a server has chosen."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("hand_scores", recreate="always") as scores:
        scores.alter_column("user_id", existing_type=sa.BigInteger(), nullable=True)
        scores.add_column(sa.Column("ranked", sa.Boolean(), nullable=False, server_default=sa.true()))
    with op.batch_alter_table("hand_scores", recreate="always") as scores:
        scores.alter_column("ranked", existing_type=sa.Boolean(), server_default=None)
    with op.batch_alter_table("match_players", recreate="always") as players:
        players.alter_column("user_id", existing_type=sa.BigInteger(), nullable=True)
    with op.batch_alter_table("matches", recreate="always") as matches:
        matches.add_column(sa.Column("terms", sa.JSON(), nullable=False, server_default="{}"))
    with op.batch_alter_table("matches", recreate="always") as matches:
        matches.alter_column("terms", existing_type=sa.JSON(), server_default=None)
    op.create_table(
        "servers",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_servers")),
    )


def downgrade() -> None:
    op.drop_table("servers")
    with op.batch_alter_table("matches", recreate="always") as matches:
        matches.drop_column("terms")
    op.execute("DELETE FROM match_players WHERE user_id IS NULL")
    with op.batch_alter_table("match_players", recreate="always") as players:
        players.alter_column("user_id", existing_type=sa.BigInteger(), nullable=False)
    op.execute("DELETE FROM hand_scores WHERE user_id IS NULL")
    with op.batch_alter_table("hand_scores", recreate="always") as scores:
        scores.drop_column("ranked")
        scores.alter_column("user_id", existing_type=sa.BigInteger(), nullable=False)
