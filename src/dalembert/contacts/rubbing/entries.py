"""The compiled entry points of joints that rub, for plane and space."""

from dalembert._jit import entry
from dalembert.contacts.rubbing.active import events, forces, project, rhs, survey
from dalembert.contacts.rubbing.tables import Rub
from dalembert.system.arrays import Arrays
from dalembert.system.tables import PlanarSystem, SpatialSystem

ENTRIES = {dim: {name: entry(group, name, f, system, Arrays, Rub, module=__name__)
                 for name, f in (("rhs", rhs), ("events", events), ("project", project), ("survey", survey), ("forces", forces))}
           for dim, group, system in ((2, "planar_rubbing", PlanarSystem), (3, "spatial_rubbing", SpatialSystem))}
