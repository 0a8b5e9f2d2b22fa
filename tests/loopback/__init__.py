"""A small honest Discord on this machine, for `python -m bot` as a process of its own.

What it does as Discord does and what it leaves out is told in README.md beside this file.
"""
