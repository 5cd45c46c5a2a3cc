"""Files: what comes in from other formats and goes out to them."""
