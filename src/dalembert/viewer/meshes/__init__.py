"""Triangles: of simple shapes, and read from files."""
