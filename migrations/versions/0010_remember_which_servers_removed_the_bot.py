"""Remember which servers have removed the bot, and since when: what is kept of them goes after 30 days."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "departures",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("left_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_departures")),
    )


def downgrade() -> None:
    op.drop_table("departures")
