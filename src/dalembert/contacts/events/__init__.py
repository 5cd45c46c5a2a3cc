"""Contact from event to event: the motion between two changes is smooth and error-controlled, and the changes are located.

    features.py   what may touch where: a rounded point of one shape against the core of another, its gap and its motion
    tables.py     arrays of the rows                active.py      active rows in the equations, event functions
    small.py      the small dense solve             hold.py      projection             entries.py   what is compiled
    candidates.py features of a scene, and what is refused
    law.py        Coulomb's law of all points at once: impulses of a blow, forces and the modes that follow
    machine.py    modes and their changes: closing, opening, stick and slip, series of bounces summed
    sharing.py    of many ways to share a load one   admissible.py whether any way is left, how far it goes
    leading.py    shares that came to their limits   launch.py     the first moments of slow sliding in space
    beginnings.py first steps and slacks of a stretch
    giving.py     which places give way at an event, and on which face a corner lands
    blows.py      impulses and what they change     directions.py normal and tangents of a place
    words.py      why there is no answer            samples.py     what a run keeps
"""
