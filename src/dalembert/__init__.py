"""dalembert: dynamics of connected rigid bodies by the principle of virtual work."""

__version__ = "0.1.0"
