"""What Discord shows: pure functions from what somebody may see to components and pictures."""
