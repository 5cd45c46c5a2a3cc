"""Free-body diagrams: bodies cut out of a mechanism, with everything that acts on them drawn to scale."""
