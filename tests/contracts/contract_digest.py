"""Print what a handful of cases compute, as JSON: run in both modes and compared."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

NAMES = ("plane_drive", "plane_equation", "plane_rolling_disc", "plane_bushing", "plane_field",
         "plane_torsion_spring", "plane_user_force", "plane_drive_on_body", "gear", "screw", "drive",
         "velocity_equation", "rolling_disc", "knife_edge",
         "field", "spring", "bushing", "universal", "revolute_on", "user_force")


def digest():
    from contract_cases import CASES

    found = {}
    for case in CASES:
        if case.name not in NAMES:
            continue
        for k, (w, _) in enumerate(case.states(1)):
            status = w.run("accelerations")
            w.run("reactions")
            values = [w.qdot, w.vdot, w.lam, w.Q, w.phi, w.nu, w.gamma, w.jacobian().ravel(), w.reaction]
            found[f"{case.name} {k}"] = [status, *(x.tolist() for x in values)]
            w.run("project")
            found[f"{case.name} {k} projected"] = [0, w.q.tolist(), w.v.tolist()]
    return found


if __name__ == "__main__":
    json.dump(digest(), sys.stdout)
