"""Make the first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "facts",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_facts")),
    )
    op.create_table(
        "names",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("updated_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "guild_id", name=op.f("pk_names")),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("snapshot", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("updated_at", sa.DateTime(), nullable=False),
        sa.Column("closed_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
    )
    op.create_table(
        "hands",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("hand_no", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.DateTime(), nullable=False),
        sa.Column("end", sa.String(), nullable=False),
        sa.Column("winner_user_id", sa.BigInteger(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("scenario", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_hands_table_id_tables")),
        sa.PrimaryKeyConstraint("table_id", "hand_no", name=op.f("pk_hands")),
    )
    op.create_table(
        "log",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("hand_no", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("interaction_id", sa.BigInteger(), nullable=True),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("move", sa.JSON(), nullable=False),
        sa.Column("auto", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_log_table_id_tables")),
        sa.PrimaryKeyConstraint("table_id", "hand_no", "position", name=op.f("pk_log")),
        sa.UniqueConstraint("interaction_id", "part", name=op.f("uq_log_interaction_id_part")),
    )
    op.create_table(
        "matches",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.DateTime(), nullable=False),
        sa.Column("ended", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_matches_table_id_tables")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_matches")),
    )
    op.create_table(
        "screens",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("posted_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_screens_table_id_tables")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_screens")),
    )
    op.create_table(
        "seats",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("cpu", sa.String(), nullable=True),
        sa.CheckConstraint("(user_id IS NULL) = (cpu IS NOT NULL)", name=op.f("ck_seats_person_or_cpu")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_seats_table_id_tables")),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("pk_seats")),
    )
    op.create_table(
        "tokens",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("issued_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_tokens_table_id_tables")),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_tokens")),
    )
    op.create_table(
        "hand_scores",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("hand_no", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("cards", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id", "hand_no"],
            ["hands.table_id", "hands.hand_no"],
            name=op.f("fk_hand_scores_table_id_hand_no_hands"),
        ),
        sa.PrimaryKeyConstraint("table_id", "hand_no", "seat", name=op.f("pk_hand_scores")),
    )
    with op.batch_alter_table("hand_scores", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_hand_scores_guild_id_user_id"), ["guild_id", "user_id"], unique=False
        )

    op.create_table(
        "match_players",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("hands_won", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["matches.table_id"], name=op.f("fk_match_players_table_id_matches")
        ),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("pk_match_players")),
    )


def downgrade() -> None:
    op.drop_table("match_players")
    with op.batch_alter_table("hand_scores", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_hand_scores_guild_id_user_id"))

    op.drop_table("hand_scores")
    op.drop_table("tokens")
    op.drop_table("seats")
    op.drop_table("screens")
    op.drop_table("matches")
    op.drop_table("log")
    op.drop_table("hands")
    op.drop_table("tables")
    op.drop_table("names")
    op.drop_table("facts")
