"""Linear algebra of constraints and small helpers that several verbs use."""
