"""Add the owner of the database; at first there is none.

Every release reads this table before it migrates, so its columns stay as they are.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    owner = op.create_table(
        "owner",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("lock", sa.String(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("beat", sa.Integer(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_owner_one_row")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_owner")),
    )
    op.bulk_insert(owner, [{"id": 1, "owner": "", "lock": "", "epoch": 0, "beat": 0}])


def downgrade() -> None:
    op.drop_table("owner")
