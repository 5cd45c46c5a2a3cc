"""Results with names on them."""
