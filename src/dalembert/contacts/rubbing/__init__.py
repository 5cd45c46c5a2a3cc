"""Friction in joints: surfaces pressed together by the joints' own reactions, from event to event.

    tables.py    arrays                 rows.py      where surfaces slide, and what presses them, joint by joint
    active.py    friction in the equations, event functions, projection          entries.py   what is compiled
    machine.py   modes (slides, sticks …) and how they change                    search.py    which modes hold
    granted.py   what is taken for granted of a drawing      samples.py   what is kept at a state
    words.py     why there is no answer
"""
