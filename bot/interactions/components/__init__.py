"""What each button and menu does: its custom_id read, the table asked, the press answered.

`clicks` takes them all in and answers those of the game; `panels`, `seating` and `rematch` answer theirs.
"""

from bot.interactions.components.dispatch import Clicks

__all__ = ["Clicks"]
