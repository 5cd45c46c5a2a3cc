"""Assembled quantities, one compiled function each; entries.py makes them callable from Python."""
