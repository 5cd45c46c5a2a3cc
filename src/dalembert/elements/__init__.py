"""What a mechanism is made of: one concept, one file (equations, table row, user class, kernels)."""
