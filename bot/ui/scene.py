"""What a screen needs to know beside what the rules let one see. May import `engine.events`."""

from __future__ import annotations

from dataclasses import dataclass

from engine.events import Event


@dataclass(frozen=True, slots=True)
class Scene:
    """One table as screens draw it.

    `names` are raw, by seat; `host` is a seat; `recent` are the public versions of what happened last, oldest
    first.
    """

    table: int
    names: tuple[str, ...]
    host: int | None = None
    recent: tuple[Event, ...] = ()
