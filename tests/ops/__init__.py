"""Tests of what the people who run the bot use."""
