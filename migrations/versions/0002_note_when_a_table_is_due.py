"""Note when a table is due, who wants to be nudged, and where a nudge stands."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables", recreate="always") as table:
        table.add_column(sa.Column("due_at", sa.DateTime(), nullable=True))
    with op.batch_alter_table("screens", recreate="always") as table:
        table.add_column(sa.Column("nudge_id", sa.BigInteger(), nullable=True))
    op.create_table(
        "wishes",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("nudges", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_wishes")),
    )


def downgrade() -> None:
    op.drop_table("wishes")
    with op.batch_alter_table("screens", recreate="always") as table:
        table.drop_column("nudge_id")
    with op.batch_alter_table("tables", recreate="always") as table:
        table.drop_column("due_at")
