"""Constraint families: rows Φ, D, ν, γ from tables.  Scalar ones hold measures (see elements/measures)."""
