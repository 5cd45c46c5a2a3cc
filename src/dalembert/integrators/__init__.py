"""Time integration: t, y and callables, nothing of mechanics.

``solve`` (solve.py) runs a method on a bound right-hand side; registry.py lists the methods, contract.py says what one must do.

    contract.py   rules for a method, and its record       registry.py  the methods there are
    methods/      one file each                            explicit.py  the step of all explicit ones
    tableaus.py   coefficients as kernels read them        stages.py    sums over stages
    control.py    step size, stiffness                     dense.py     output between steps
    events.py     zeros of functions                       delivery.py  events and outputs of a step
    loop.py       the loop of all methods                  layout.py    their arrays
    stations.py   breaks of laws                           tangents.py  when tangents are taken
    collocation.py  coefficients of Radau                  status.py    why a run ended
    solve.py      the driver
"""
