"""Channels: what a motion says by name over time, with units.  One naming for tables, files, sweeps and pictures."""
