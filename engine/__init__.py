"""The game itself, pure: cards, rules, a hand, a match, and computer players. Imports the standard library alone."""
