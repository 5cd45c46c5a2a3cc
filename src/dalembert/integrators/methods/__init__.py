"""The methods, one file each: coefficients or kernels, and the record (``METHOD``) that registry.py lists."""
