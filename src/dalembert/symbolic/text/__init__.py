"""Derivations to read."""
