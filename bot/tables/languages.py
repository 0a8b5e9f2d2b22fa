"""The languages that people have chosen with `/uno language`, read once and kept. Imports the store."""

from __future__ import annotations

import asyncio

from bot.store import Store


class Languages:
    """The language of each person who has chosen one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        #: By user id; None until they are read.
        self.known: dict[int, str] | None = None
        self._lock = asyncio.Lock()

    async def choose(self, user_id: int, language: str | None) -> None:
        """Save the language a person has chosen, None for no choice; it counts once it is saved."""
        chosen = await self.read()
        await self._store.set_language(user_id, language)
        if language is None:
            chosen.pop(user_id, None)
        else:
            chosen[user_id] = language

    async def forget(self, user_id: int) -> None:
        """Forget what a person had chosen, after it was deleted."""
        (await self.read()).pop(user_id, None)

    async def read(self) -> dict[int, str]:
        """Return the languages that people have chosen, by user id."""
        async with self._lock:
            if self.known is None:
                self.known = await self._store.languages()
            return self.known
