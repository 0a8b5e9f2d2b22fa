"""Index the live tables by deadline, so that a start does not read every closed one."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_tables_due_at"), "tables", ["due_at"], sqlite_where=sa.text("closed_at IS NULL"))


def downgrade() -> None:
    op.drop_index(op.f("ix_tables_due_at"), "tables")
