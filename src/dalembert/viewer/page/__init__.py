"""The page that opens offline."""
