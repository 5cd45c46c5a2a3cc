"""Given motions: what kinematics and inverse_dynamics are made of."""
