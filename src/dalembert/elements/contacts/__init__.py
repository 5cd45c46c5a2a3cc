"""Contacts between bodies, what surfaces they have, and what stands still."""
