"""Ratios against a reference, measured in one run, and what they taught."""
