"""What results add up to: periods, boards, skill. Pure; imports nothing else of the project."""
