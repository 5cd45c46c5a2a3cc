"""Points of two shapes: one file per kind of pair; dispatch.py chooses."""
