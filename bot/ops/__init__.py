"""For the people who run the bot: its health, copies of its database, a trial on Discord."""
