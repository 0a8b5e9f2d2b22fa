"""Slash commands: parse, ask the tables, answer."""
