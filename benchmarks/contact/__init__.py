"""make bench-contact: bodies that touch, beside MuJoCo, Bullet and Rapier."""
