"""What the client's cache says the bot may do in the channel of a table, without asking Discord.

The cache is kept up to date by events of the intent `guilds`: servers, channels, threads, roles, and the
bot's own membership. A private thread that the bot is not in is not there, nor is an archived one.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import datetime

import discord

from bot.messages.requests import ARCHIVED, LOCKED, code_of
from bot.tables import Table
from bot.ui.kit.scene import Hindrance


@dataclass(frozen=True, slots=True)
class Place:
    """The channel of a table as the bot may use it.

    `view` and `post` are whether its permissions let it edit and post there; both are true if nothing is
    known. `timed_out_until` is when its time-out ends. `known` is whether the channel is in the cache, and
    `locked` whether it is a thread that only moderators open again.
    """

    known: bool = False
    view: bool = True
    post: bool = True
    locked: bool = False
    timed_out_until: datetime | None = None

    @property
    def standing(self) -> Hashable:
        """What has to change before something that was refused is worth another try."""
        return self.known, self.view, self.post, self.locked, self.timed_out_until

    def hindrance(self, *, posting: bool) -> Hindrance | None:
        """Return why the bot cannot edit its message, or post one; None if it may be able to."""
        if posting and self.timed_out_until is not None:
            return Hindrance.TIMED_OUT
        if not self.view or (posting and not self.post):
            return Hindrance.PERMISSIONS
        if posting and self.locked:
            return Hindrance.LOCKED
        return None

    def refused(self, error: Exception) -> Hindrance:
        """Return why Discord has refused something, as far as that can be told."""
        if code_of(error) in (ARCHIVED, LOCKED):
            return Hindrance.LOCKED
        found = self.hindrance(posting=True)
        return found or (Hindrance.PERMISSIONS if self.known else Hindrance.NOT_LET_IN)


def place_of(client: discord.Client, table: Table) -> Place:
    """Look a table's channel up in the cache."""
    guild = client.get_guild(table.guild_id)
    # The bot is in its servers, whatever discord.py's types promise while one is unavailable.
    me: discord.Member | None = None if guild is None or guild.unavailable else guild.me
    if guild is None or me is None:
        return Place(known=True)
    until = me.timed_out_until if me.is_timed_out() else None
    channel = guild.get_channel_or_thread(table.channel_id)
    if channel is None:
        return Place(timed_out_until=until)
    try:
        permissions = channel.permissions_for(me)
    except discord.ClientException:  # a thread whose channel is not known
        return Place(timed_out_until=until)
    thread = isinstance(channel, discord.Thread)
    locked = (
        isinstance(channel, discord.Thread)
        and channel.locked
        and channel.archived
        and not permissions.manage_threads
    )
    return Place(
        known=True,
        view=permissions.view_channel,
        post=permissions.send_messages_in_threads if thread else permissions.send_messages,
        locked=locked,
        timed_out_until=until,
    )
