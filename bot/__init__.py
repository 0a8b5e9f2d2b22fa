"""The Discord side of Lastlap. Nothing here knows a rule."""
