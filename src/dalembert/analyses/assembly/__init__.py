"""What assemble is made of."""
