"""Name the host of a live table beside its snapshot, and make room for the packed moves of finished hands."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
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
    op.create_table(
        "packed_moves",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("hand_no", sa.Integer(), nullable=False),
        sa.Column("moves", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id", "hand_no"],
            ["hands.table_id", "hands.hand_no"],
            name=op.f("fk_packed_moves_table_id_hand_no_hands"),
        ),
        sa.PrimaryKeyConstraint("table_id", "hand_no", name=op.f("pk_packed_moves")),
    )


def downgrade() -> None:
    op.drop_table("packed_moves")
    with op.batch_alter_table("tables", recreate="always") as tables:
        tables.drop_column("host_id")
