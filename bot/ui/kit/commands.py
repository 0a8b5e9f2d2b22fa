"""Commands in texts made clickable, once Discord has told their ids.

May import `discord`, and `layout` from `bot.ui.kit`.
"""

from __future__ import annotations

import re
from typing import Final

import discord

from bot.ui.kit.layout import MOST_CHARACTERS

#: A command as the sentences write it, and not one that is a mention already.
_WRITTEN: Final = re.compile(r"(?<![<\w])/(uno [a-z]+)")


class Commands:
    """The ids of the commands by their names."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def mention(self, command: str) -> str:
        """Return a clickable mention of a command such as "uno start"; plain text if its id is not known."""
        command_id = self._ids.get(command.partition(" ")[0])
        return f"/{command}" if command_id is None else f"</{command}:{command_id}>"

    def in_words(self, words: str) -> str:
        """Return words in which every command can be clicked."""
        return _WRITTEN.sub(lambda found: self.mention(found[1]), words)

    def in_view(self, view: discord.ui.LayoutView) -> discord.ui.LayoutView:
        """Make the commands in the texts of a view clickable, unless it gets too long by that."""
        texts = [child for child in view.walk_children() if isinstance(child, discord.ui.TextDisplay)]
        written = [self.in_words(each.content) for each in texts]
        if sum(map(len, written)) <= MOST_CHARACTERS:
            for each, words in zip(texts, written, strict=True):
                each.content = words
        return view
