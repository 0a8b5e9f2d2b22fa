"""Try the real Discord: `python -m bot smoke --channel ID` shows every screen at its worst, and tidies up.

`made_up` draws the screens of tables there are not, `checks` posts, edits, follows up and deletes. Nothing of
the bot's own is touched: no database, no commands, no live table.
"""

from bot.ops.smoke.checks import Plan, smoke

__all__ = ["Plan", "smoke"]
