"""How fast watching is: a real browser and real sockets against the real dashboard. Nothing here is a test."""
