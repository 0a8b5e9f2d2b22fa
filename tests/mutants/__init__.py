"""Mutation testing: small faults put into the code one at a time, and which of them the tests notice."""
