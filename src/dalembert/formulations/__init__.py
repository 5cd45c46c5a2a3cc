"""Forms of the equations of motion, interchangeable: embedded and recursive here, augmented in equations/saddle.py."""
