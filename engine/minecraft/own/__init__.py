"""Episodes on a Minecraft server of the user's own.

What differs from the embedded server, under the same world (`engine.minecraft.world`):

    OwnStage (stage.py)        carries out the environment's commands, and passes the bots' actions on
      ├─ Operator (operator.py)  speaks RCON, and says in plain words what is wrong
      ├─ Arena (arena.py)        the box of the server that the episode takes place in, at an offset
      │    └─ Slot (slots.py)      which offset: no two episodes on a server have the same
      ├─ Originals (originals.py)  the server's own settings, which the last episode that leaves puts back
      ├─ Bodies (bodies.py)      what the agents are like: attributes, items, effects, regions
      │    └─ Harm (harm.py)       hurting them where Minecraft itself would not
      ├─ Mobs (mobs.py)          the environment's mobs, known by their UUID
      └─ js/own.js, js/witness/  bots that join over the network; what happens is what they hear of

Coordinates are the task's everywhere but in commands. Time is the wall's: a tick takes 50 ms, or a little longer when
this machine is late. While a policy decides in sync mode the bots' own clock stands, and the server is stopped as far
as its version can be (`unfrozen` says what goes on).
"""
