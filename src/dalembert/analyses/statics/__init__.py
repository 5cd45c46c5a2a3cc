"""Poses at rest: what equilibrium, equilibria and hold are made of."""
