"""Φ, D, ν and γ of all constraint rows."""

from dalembert._jit import kernel
from dalembert.elements import families


@kernel
def constraints(s, w):
    for k in range(w.D.size):
        w.D[k] = 0.0
    for k in range(w.phi.size):  # velocity-level rows write no Φ, rows without a law of time no ν
        w.phi[k] = 0.0
        w.nu[k] = 0.0
    families.equations(s, w)
