"""Keep a person's language and how their cards are shown, beside when they are called; any may be unsaid."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("wishes", recreate="always") as wishes:
        wishes.alter_column("nudges", existing_type=sa.String(), nullable=True)
        wishes.add_column(sa.Column("language", sa.String(), nullable=True))
        wishes.add_column(sa.Column("cards", sa.String(), nullable=True))


def downgrade() -> None:
    op.execute("DELETE FROM wishes WHERE nudges IS NULL")
    with op.batch_alter_table("wishes", recreate="always") as wishes:
        wishes.drop_column("cards")
        wishes.drop_column("language")
        wishes.alter_column("nudges", existing_type=sa.String(), nullable=False)
