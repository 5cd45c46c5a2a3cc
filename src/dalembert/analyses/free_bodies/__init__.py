"""Bodies cut free: what acts on them, about which point, and how they are displaced."""
