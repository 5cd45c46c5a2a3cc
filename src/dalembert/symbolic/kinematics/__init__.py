"""Coordinates, frames and their rates as formulas."""
