"""The catalogues there are, and a made-up one, and what a catalogue can have wrong."""

from __future__ import annotations

from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from bot.ui.text.translation import LOCALES
from tests.ui.positions import PSEUDO_CATALOGUE


def catalogues() -> dict[str, Catalog]:
    """Read the catalogues in `bot/locale`, by language as Discord spells it."""
    found = {}
    for path in sorted(LOCALES.glob("*/LC_MESSAGES/lastlap.po")):
        name = path.parents[1].name
        with path.open("rb") as file:
            found[name.replace("_", "-")] = read_po(file, locale=name)
    return found


CATALOGUES: Final = {"pseudo": PSEUDO_CATALOGUE, **catalogues()}
