"""A motion by name: bodies, elements, gears, channels."""
