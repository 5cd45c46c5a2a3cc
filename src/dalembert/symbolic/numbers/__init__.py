"""Formulas that run: compiled, integrated, compared with the engine."""
