"""Add up what is ranked, by server, period and person; keep what each seat did, and when a hand counts.

The tallies themselves are recounted when the store is opened.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

#: Those for whom a match counted: nobody was asked yet whether a host had removed somebody.
COUNTED = "outcome IN ('won', 'lost', 'forfeit') AND user_id IS NOT NULL"
BOARDS = {
    "points": ("points", "hands_won"),
    "hands": ("hands_won", "points"),
    "matches": ("matches_won", "points"),
    "rate": ("win_bound", "hands"),
    "average": ("average", "hands"),
    "skill": ("settled", "skill"),
}


def _give_periods(name: str) -> None:
    with op.batch_alter_table(name, recreate="always") as table:
        table.add_column(sa.Column("day", sa.String(), nullable=False, server_default=""))
        table.add_column(sa.Column("season", sa.Integer(), nullable=False, server_default="1"))
    op.execute(f"UPDATE {name} SET day = substr(ended_at, 1, 10)")  # noqa: S608  # no value comes from outside
    with op.batch_alter_table(name, recreate="always") as table:
        table.alter_column("day", existing_type=sa.String(), server_default=None)
        table.alter_column("season", existing_type=sa.Integer(), server_default=None)


def upgrade() -> None:
    _give_periods("hands")
    _give_periods("matches")
    op.create_index(op.f("ix_matches_guild_id_ended_at"), "matches", ["guild_id", "ended_at"], unique=False)
    with op.batch_alter_table("hand_scores", recreate="always") as scores:
        scores.add_column(sa.Column("facts", sa.JSON(none_as_null=True), nullable=True))
    op.create_index(
        "ix_hand_scores_without_facts",
        "hand_scores",
        ["table_id", "hand_no"],
        unique=False,
        sqlite_where=sa.text("facts IS NULL"),
    )
    with op.batch_alter_table("match_players", recreate="always") as players:
        players.add_column(sa.Column("ranked", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute(
        f"UPDATE match_players SET ranked = 1 WHERE {COUNTED} AND table_id IN (SELECT table_id "  # noqa: S608
        "FROM match_players WHERE outcome != 'left' AND user_id IS NOT NULL "
        "GROUP BY table_id HAVING count(*) > 1)"
    )
    with op.batch_alter_table("match_players", recreate="always") as players:
        players.alter_column("ranked", existing_type=sa.Boolean(), server_default=None)
    op.create_table(
        "seasons",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("began_at", sa.DateTime(), nullable=False),
        sa.Column("closed_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "number", name=op.f("pk_seasons")),
    )
    op.execute(
        "INSERT INTO seasons (guild_id, number, began_at) SELECT guild_id, 1, min(ended_at) "
        "FROM (SELECT guild_id, ended_at FROM hands UNION SELECT guild_id, ended_at FROM matches) "
        "GROUP BY guild_id"
    )
    op.create_table(
        "tallies",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("period", sa.String(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("hands_won", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("matches_won", sa.Integer(), nullable=False),
        sa.Column("forfeits", sa.Integer(), nullable=False),
        sa.Column("others", sa.Integer(), nullable=False),
        sa.Column("win_bound", sa.Integer(), nullable=False),
        sa.Column("average", sa.Integer(), nullable=True),
        sa.Column("mu", sa.Float(), nullable=True),
        sa.Column("sigma", sa.Float(), nullable=True),
        sa.Column("rated_at", sa.DateTime(), nullable=True),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("skill", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "period", "user_id", name=op.f("pk_tallies")),
        sqlite_with_rowid=False,
    )
    for name, order in BOARDS.items():
        op.create_index(
            f"ix_tallies_by_{name}",
            "tallies",
            ["guild_id", "period", *order, "user_id", "others"],
            unique=False,
        )
    op.create_index(
        "ix_tallies_settled", "tallies", ["rated_at"], unique=False, sqlite_where=sa.text("settled")
    )
    op.create_table(
        "meetings",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("other_id", sa.BigInteger(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "other_id", name=op.f("pk_meetings")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "skill_changes",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("period", sa.String(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("mu_before", sa.Float(), nullable=False),
        sa.Column("sigma_before", sa.Float(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["matches.table_id"], name=op.f("fk_skill_changes_table_id_matches")
        ),
        sa.PrimaryKeyConstraint("guild_id", "period", "user_id", "table_id", name=op.f("pk_skill_changes")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_skill_changes_table_id"), "skill_changes", ["table_id"], unique=False)


def downgrade() -> None:
    for name in ("skill_changes", "meetings", "tallies", "seasons"):
        op.drop_table(name)
    op.execute("DELETE FROM facts WHERE key = 'tallies'")
    with op.batch_alter_table("match_players", recreate="always") as players:
        players.drop_column("ranked")
    op.drop_index("ix_hand_scores_without_facts", "hand_scores")
    with op.batch_alter_table("hand_scores", recreate="always") as scores:
        scores.drop_column("facts")
    op.drop_index(op.f("ix_matches_guild_id_ended_at"), "matches")
    for name in ("matches", "hands"):
        with op.batch_alter_table(name, recreate="always") as table:
            table.drop_column("season")
            table.drop_column("day")
