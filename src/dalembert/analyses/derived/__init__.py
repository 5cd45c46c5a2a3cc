"""Derivatives of results in parameters: what a parameter moves (parameters), runs with tangents (forward), reading (readings)."""
