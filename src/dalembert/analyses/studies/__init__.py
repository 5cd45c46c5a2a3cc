"""Many variants: what sweep, optimize and fit are made of."""
