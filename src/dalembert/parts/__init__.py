"""Ready parts made of signals, states and forces: each function gives a list of elements for ``m.add``.

    m.add(da.parts.pid("control", "target - pin.angle", kp=40, ki=20, kd=6, limits=(-30, 30)))
    m.add(da.parts.dc_motor("drive", "shaft", voltage="control", resistance=2.0, inductance=0.01, constant=0.1))

Numbers may be formulas over parameters, inputs formulas over whatever laws may read.  Names of what a part is made of begin with
its own: ``run["drive_current"].value``.  A model file holds the elements themselves.
"""

from dalembert.parts.cable import cable
from dalembert.parts.dc_motor import dc_motor
from dalembert.parts.first_order import first_order
from dalembert.parts.hydraulic_cylinder import hydraulic_cylinder
from dalembert.parts.pid import pid

__all__ = ["cable", "dc_motor", "first_order", "hydraulic_cylinder", "pid"]
