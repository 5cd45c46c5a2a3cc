"""Small motions: what linearize is made of."""
