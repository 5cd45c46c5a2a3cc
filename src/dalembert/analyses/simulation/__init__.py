"""One run in time: what simulate and resume are made of."""
