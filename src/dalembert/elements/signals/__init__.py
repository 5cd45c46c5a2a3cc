"""Signals: numbers with names that laws read; states with rates of their own; numbers that equations define."""
