"""A model that is stepped from outside: inputs, one stepper, many of them, real time."""
