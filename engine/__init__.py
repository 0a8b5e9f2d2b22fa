"""The game itself, pure: cards, rules, hands, matches, computer players. Imports the standard library alone."""
