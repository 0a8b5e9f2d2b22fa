"""Tries the real Discord: `python -m bot smoke --channel ID` posts every screen at its worst, and tidies up.

`worst_cases` renders screens of made-up tables; `checks` posts, edits, follows up and deletes. Nothing of the
bot's own is touched: no database, no commands, no live table.
"""

from bot.ops.smoke.checks import Plan, smoke

__all__ = ["Plan", "smoke"]
