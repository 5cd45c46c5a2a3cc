"""The equations in numbers, block by block: layouts, the partition of coordinates, the multiplier theorem."""
