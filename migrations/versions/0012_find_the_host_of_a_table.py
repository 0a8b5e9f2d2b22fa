"""Name the host of a live table beside its snapshot, so that they can be counted without reading it."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables", recreate="always") as tables:
        tables.add_column(sa.Column("host_id", sa.BigInteger(), nullable=True))
    op.execute(
        "UPDATE tables SET host_id = (SELECT user_id FROM seats"
        " WHERE table_id = tables.id AND seat = json_extract(tables.snapshot, '$.host'))"
        " WHERE closed_at IS NULL AND json_valid(snapshot)"
    )


def downgrade() -> None:
    with op.batch_alter_table("tables", recreate="always") as tables:
        tables.drop_column("host_id")
