"""respond in the augmented form: (M⁻¹ − M⁻¹Dᵀ S⁺ D M⁻¹) w with the factors of S, D and T = D M⁻¹ at hand."""

from dalembert._jit import entry, kernel
from dalembert.elements.bodies.markers import at_v, weigh
from dalembert.equations.saddle import by_factors, multiply, spread
from dalembert.formulations.response import Response
from dalembert.system.arrays import Arrays
from dalembert.system.tables import PlanarSystem, SpatialSystem


@kernel
def respond(s, w, r):
    nv = w.v.size
    for k in range(r.count[0]):
        a = r.answer[nv * k:nv * (k + 1)]
        for b in range(s.bodies.size):
            weigh(s, b, True, r.wrench, nv * k + at_v(s, b), a, at_v(s, b))
        for _ in range(2):  # the second time mends the rounding of the first
            multiply(s, w, a, r.mu)
            by_factors(s, w, w.wide, r.mu)
            spread(s, w, r.mu, a)
    return 0


ENTRIES = {2: entry("planar_augmented", "respond", respond, PlanarSystem, Arrays, Response, module=__name__),
           3: entry("spatial_augmented", "respond", respond, SpatialSystem, Arrays, Response, module=__name__)}
