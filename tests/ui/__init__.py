"""What the screens look like, and that each fits into Discord's limits at its worst."""
