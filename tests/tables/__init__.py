"""The live tables: locks, moves, restarts."""
