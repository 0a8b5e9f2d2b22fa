"""Index matches by person, to find out who has never finished one."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_match_players_user_id"), "match_players", ["user_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_match_players_user_id"), "match_players")
