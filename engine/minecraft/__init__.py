"""The second world: Mineflayer bots on an embedded Minecraft server, both on one virtual clock.

Or on a server of one's own: `engine.minecraft.own` says what is different there.

How it is put together:

    MinecraftWorld (world.py)      implements `engine.world.protocol.World`; mirrors blocks, mobs and positions
      └─ Stage (stage.py)          the embedded server and its bots; `OwnStage` on a server of one's own
          └─ Thread (bridge.py)    asks the JavaScript side through the PyPI package `javascript`, one call a tick
               └─ js/bridge.js     main thread of Node: one worker thread for each episode, nothing else
                   └─ js/episode.js   the worker: virtual clock and bots; passes commands on, reports events
                       ├─ js/fleet/     one Mineflayer bot for each agent, one module for each family of actions
                       ├─ js/embedded.js   the embedded server
                       │   └─ js/server/      flying-squid, and one module for each thing that it lacks
                       └─ js/own.js     a server of one's own
                           └─ js/witness/    what happens there, as bots hear of it

A tick goes like this. The episode's calls (`begin`, `set_blocks`, `spawn_mob`, …) are collected as commands. `advance`
sends them in one request; the worker carries them out at the present instant, lets 50 ms of virtual time pass, and
answers with what happened and with who is where. Between two requests the virtual clock stands, so everything stands:
that is the sound freeze of synchronous mode, however long a model thinks.

Bots speak Minecraft's protocol with the server, every packet serialised and parsed, over a pipe within the process;
so nothing waits for sockets, and an episode runs as fast as its computing allows. The server listens on a free port
of the loopback interface as well, for whoever wants to watch; and for RCON that only looks, if that is asked for.
What an action comes to and how long it takes follows from the packets that its bot receives: Mineflayer's physics
walks, prismarine-block's digging times are kept by the server, which makes a bot wait that says too early that it is
done.

If the Python process dies, Node's standard input closes and Node ends at once, with all threads and ports. A worker
that does not answer in time, or that ends, is an `InfrastructureError`, never a failure of the task.
"""
