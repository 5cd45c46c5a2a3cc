"""Rows that several elements write: equations (coincide, hold, combine, equation) and forces along a measure (effort).

Elements reach them through the builder: ``b.coincide``, ``b.hold``, ``b.combine``, ``b.equation``, ``b.effort``.
"""
