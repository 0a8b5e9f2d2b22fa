"""Remember what is not on screen yet, how many messages a table has had, and which of them are to go."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("screens", recreate="always") as screens:
        screens.add_column(sa.Column("posting", sa.Integer(), nullable=False, server_default="0"))
        screens.add_column(
            sa.Column("posting_tried", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        screens.add_column(sa.Column("pending", sa.Boolean(), nullable=False, server_default=sa.false()))
        screens.add_column(sa.Column("leftovers", sa.JSON(), nullable=False, server_default="{}"))
    with op.batch_alter_table("screens", recreate="always") as screens:
        screens.alter_column("posting", existing_type=sa.Integer(), server_default=None)
        screens.alter_column("posting_tried", existing_type=sa.Boolean(), server_default=None)
        screens.alter_column("pending", existing_type=sa.Boolean(), server_default=None)
        screens.alter_column("leftovers", existing_type=sa.JSON(), server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("screens", recreate="always") as screens:
        screens.drop_column("leftovers")
        screens.drop_column("pending")
        screens.drop_column("posting_tried")
        screens.drop_column("posting")
