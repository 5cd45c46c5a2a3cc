"""Rigid bodies: state, inertia, and the points and axes fixed on them (markers)."""
