"""The real client on a simulated Discord: everything a member can do."""
