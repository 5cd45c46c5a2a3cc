"""MJCF: models of MuJoCo, read into a model.

    da.load_mjcf("ant.xml")                        meshes from its folder; da.load_mjcf(..., meshes=[folder, …]) allows more

The drawing is the reference position (qpos0), and coordinates count from it: MuJoCo's are larger by the joint's ref.

    body                  Body, its frame that of the file; one without joints is part of the body (or ground) it sits on
    hinge, slide, ball    Revolute, Prismatic, Spherical; a free joint is none; several joints of a body are a chain of carriers
    armature              a rotor on the ground that turns with the coordinate (model/rotors.py): ½ a q̇², exactly
    damping               a Motor with the law −d·rate          stiffness, springref: a TorsionSpring (hinge), a Motor (slide)
    geom                  a shape; its mass where the file says so (inertiafromgeom, inertiagrouprange, settotalmass …)
    equality              connect: Spherical, weld: Weld, joint: Equation; rigid here, soft in MuJoCo
    actuator              Motor with its control as a parameter ctrl_NAME (0 at first); fixed gain, affine bias, no dynamics
    range, ctrlrange      model.limits[joint or motor]: listed, not enforced

Not carried over, and listed in model.notes: contacts, tendons, friction, sensors, keyframes, fluid, other actuators.
What makes bodies by rule (composite, flexcomp, replicate, attach) is refused: MuJoCo's "save xml" writes them out.
"""

from dalembert.io.mjcf.reader import load_mjcf, read_mjcf

__all__ = ["load_mjcf", "read_mjcf"]
