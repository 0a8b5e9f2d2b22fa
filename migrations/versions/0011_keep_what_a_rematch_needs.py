"""Keep of a finished match who was its host, who was removed from it, and whether it ranks."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

PEOPLE = """
    SELECT count(*) FROM match_players
    WHERE match_players.table_id = matches.table_id AND user_id IS NOT NULL AND outcome != 'left'
"""


def upgrade() -> None:
    with op.batch_alter_table("matches", recreate="always") as matches:
        matches.add_column(sa.Column("host_user_id", sa.BigInteger()))
        matches.add_column(sa.Column("ranked", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("match_players", recreate="always") as players:
        players.add_column(sa.Column("removed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute(f"UPDATE matches SET ranked = ({PEOPLE}) > 1")  # noqa: S608  # no value comes from outside
    with op.batch_alter_table("matches", recreate="always") as matches:
        matches.alter_column("ranked", existing_type=sa.Boolean(), server_default=None)
    with op.batch_alter_table("match_players", recreate="always") as players:
        players.alter_column("removed", existing_type=sa.Boolean(), server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("match_players", recreate="always") as players:
        players.drop_column("removed")
    with op.batch_alter_table("matches", recreate="always") as matches:
        matches.drop_column("ranked")
        matches.drop_column("host_user_id")
