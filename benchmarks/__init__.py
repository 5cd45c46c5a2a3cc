"""The scoreboard: speed and accuracy of dalembert beside its peers, measured in one run (``python -m benchmarks``)."""
