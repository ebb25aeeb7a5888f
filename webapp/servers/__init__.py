"""Minecraft servers of the users' own: where they are, their RCON passwords, and whether they do what is asked."""
