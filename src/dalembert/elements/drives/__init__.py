"""Drives: motion laws on coordinates."""
