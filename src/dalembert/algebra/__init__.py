"""Mathematics with no mechanics in it: kernels on scalars, tuples and 1-D arrays."""
