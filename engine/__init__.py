"""The game itself, pure: cards, rules, matches, computer players. Imports the standard library alone."""
