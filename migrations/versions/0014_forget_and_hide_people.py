"""Remember who asked to be forgotten or hidden and who led closed seasons; find seats by person."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "forgotten",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "guild_id", name=op.f("pk_forgotten")),
    )
    op.create_table(
        "hidden",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_hidden")),
    )
    op.create_table(
        "champions",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("board", sa.String(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "season", "board", "user_id", name=op.f("pk_champions")),
    )
    op.create_index(op.f("ix_seats_user_id"), "seats", ["user_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_seats_user_id"), "seats")
    op.drop_table("champions")
    op.drop_table("hidden")
    op.drop_table("forgotten")
