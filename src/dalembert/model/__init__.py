"""The user's description: Model, its topology, and compile: the only bridge to tables."""
