"""Models as parts of other simulations: FMUs for co-simulation, written by export_fmu, run by part.py."""
