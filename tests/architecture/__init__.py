"""Tests of how the code hangs together."""
