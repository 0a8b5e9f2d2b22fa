"""What each button and menu does: its custom_id read, the table asked, the press answered.

`dispatch` takes them all in and answers those of the game; `panels`, `seating` and `rematch` answer theirs.
"""

from bot.interactions.components.dispatch import Components

__all__ = ["Components"]
