"""From results to scenes: plain data that every picture is made from."""
