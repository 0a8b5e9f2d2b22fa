"""For the people who run the bot: its health, and a trial of every screen on Discord."""
