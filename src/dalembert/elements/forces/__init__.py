"""Active forces: everything that enters Q.

Each row carries the number of its element; when ``w.only`` names an element, every other one is left out, which is
how the share of a single force (its wrench, its virtual work, its power) is read.
"""
