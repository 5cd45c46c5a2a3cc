"""Drivers: motion laws on coordinates."""
