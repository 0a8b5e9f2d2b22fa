"""What is sent to Discord: pure functions from what one may see to components and pictures."""
