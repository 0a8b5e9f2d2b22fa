"""What screens are built with: custom_ids, layout, emojis and pictures."""
