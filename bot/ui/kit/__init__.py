"""The parts of every screen: custom_ids, layout, emojis, pictures, and the scene of a table."""
