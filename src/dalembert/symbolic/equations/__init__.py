"""From kinematics to equations."""
