"""How far a result can be trusted: certificate, estimates, limits beside singular poses."""
