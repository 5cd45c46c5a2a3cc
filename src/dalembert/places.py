"""Where the elements live: the one list a new element is added to (one line).

    RECIPES    elements made of the shared rows:             file → public names
    FAMILIES   files with a table row and a kernel of their own (families.py), in the order in which they are evaluated;
               with the names of the elements in them, none where several elements share the rows

Plain text, so that ``import dalembert`` knows all names without loading a file.
"""

RECIPES: dict[str, tuple[str, ...]] = {
    "elements.joints.revolute": ("Revolute",),
    "elements.joints.prismatic": ("Prismatic",),
    "elements.joints.weld": ("Weld",),
    "elements.joints.cylindrical": ("Cylindrical",),
    "elements.joints.spherical": ("Spherical",),
    "elements.joints.planar": ("Planar",),
    "elements.joints.pin_in_slot": ("PinInSlot",),
    "elements.joints.universal": ("Universal",),
    "elements.joints.screw": ("Screw",),
    "elements.joints.distance": ("Distance", "DoubleRevolute"),
    "elements.joints.revolute_spherical": ("RevoluteSpherical",),
    "elements.constraints.basic": ("DP1", "DP2", "CD", "D"),
    "elements.constraints.parallel": ("Parallel",),
    "elements.constraints.relative_angle": ("RelativeAngle",),
    "elements.constraints.gears": ("Gear", "GearOnCarrier"),
    "elements.constraints.rack": ("RackPinion",),
    "elements.constraints.equation": ("Equation",),
    "elements.constraints.capstan": ("Capstan",),
    "elements.drives.drive": ("Drive",),
    "elements.drives.orientation": ("Orientation",),
    "elements.drives.pose": ("Pose",),
    "elements.forces.spring": ("Spring",),
    "elements.forces.torsion_spring": ("TorsionSpring",),
    "elements.forces.motor": ("Motor",),
    "elements.forces.limit": ("Limit",),
    "elements.forces.clutch": ("Clutch",),
    "elements.forces.band_brake": ("BandBrake",),
    "elements.signals.signal": ("Signal",),
    "elements.signals.differential": ("Differential",),
    "elements.signals.algebraic": ("Algebraic",),
}
FAMILIES: dict[str, tuple[str, ...]] = {
    "elements.rows.coincide": (),
    "elements.rows.hold": (),
    "elements.rows.combine": (),
    "elements.rows.equation": (),
    "elements.constraints.velocity_equation": ("VelocityEquation",),
    "elements.constraints.knife_edge": ("KnifeEdge",),
    "elements.constraints.rolling_disc": ("RollingDisc",),
    "elements.forces.field": ("Field",),
    "elements.forces.force": ("Force",),
    "elements.forces.torque": ("Torque",),
    "elements.rows.effort": (),
    "elements.forces.bushing": ("Bushing",),
    "elements.forces.user_force": ("UserForce",),
}
PLACES = {**RECIPES, **{place: names for place, names in FAMILIES.items() if names}}
