"""Every element of the registry in at least one small mechanism, in each dimension it exists in."""

from contract_cases_gears import CASES as GEAR_CASES
from contract_cases_plane import CASES as PLANE_CASES
from contract_cases_space import CASES as SPACE_CASES

CASES = [*PLANE_CASES, *SPACE_CASES, *GEAR_CASES]
