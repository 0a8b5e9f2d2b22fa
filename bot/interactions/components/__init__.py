"""Buttons and menus.

`dispatch` receives them all and answers those of the game; `panels`, `seating`, `rematch`, `leaderboard`,
`statistics`, `history` and `anywhere` answer theirs.
"""

from bot.interactions.components.dispatch import Components

__all__ = ["Components"]
