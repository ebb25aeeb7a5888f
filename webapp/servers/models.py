"""Minecraft servers as they are stored, and what checking them came to."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import models
from django.urls import reverse
from django.utils import timezone

from engine.minecraft.own.limits import unfrozen
from engine.minecraft.servers import PORT, RCON_PORT
from webapp.core import encryption

SILENCE = timedelta(seconds=60)
"""A check that has shown no sign of life for so long is lost; one command may take ten seconds."""


class MinecraftServer(models.Model):
    """A Minecraft server of the user's own; the fields mean what they mean in `engine.minecraft.servers`.

    Attributes:
        name: as in launches; runs remember the server by it.
        password_token: the RCON password, encrypted.
        origin_x, origin_z: where the first arena's [0, 0] is.
    """

    name = models.CharField(max_length=60, unique=True)
    host = models.CharField(max_length=253)
    port = models.PositiveIntegerField(default=PORT)
    version = models.CharField(max_length=20, blank=True)
    rcon_port = models.PositiveIntegerField(default=RCON_PORT)
    password_token = models.TextField()
    origin_x = models.IntegerField(default=0)
    origin_z = models.IntegerField(default=0)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        """The name."""
        return self.name

    def get_absolute_url(self) -> str:
        """The server's page."""
        return reverse("servers:server", args=[self.name])

    def store_password(self, password: str) -> None:
        """Keep a password, encrypted; nothing is saved yet.

        Raises:
            SettingsError: passwords cannot be stored until the operator says with what to encrypt them.
        """
        self.password_token = encryption.encrypt(password)

    @property
    def address(self) -> str:
        """Host and port for players."""
        return f"{self.host}:{self.port}"

    @property
    def last_check(self) -> ServerCheck | None:
        """The newest check; None if there was none."""
        return self.checks.first()

    @property
    def known_version(self) -> str:
        """The release that is set, else the one that answered last; empty if neither is known."""
        if self.version:
            return self.version
        return self.checks.exclude(version="").values_list("version", flat=True).first() or ""

    @property
    def goes_on(self) -> list[str]:
        """What does not stand still there in synchronous mode while a policy decides; empty if it is not known."""
        return [line.replace("`", "") for line in unfrozen(self.known_version)] if self.known_version else []


class ServerCheck(models.Model):
    """One check of a server.

    Attributes:
        player: somebody who is online, to be given items; empty for nobody.
        answer: what the server's status says, in words; empty if it did not answer.
        version: the release that answered; empty if none of them is known.
        rows: what was tried so far, as `{"what", "state", "detail"}` (`engine.minecraft.selftest.Row`).
        error: why the check could not go on, and what to do; empty if it could.
        seen_at: when whoever carries it out last showed a sign of life.
    """

    class State(models.TextChoices):
        """Where the check stands."""

        QUEUED = "queued", "Waiting for a free worker"
        RUNNING = "running", "Running"
        STOPPING = "stopping", "Stopping"
        FINISHED = "finished", "Finished"
        CANCELLED = "cancelled", "Cancelled"
        ERROR = "error", "Not done"

    server = models.ForeignKey(MinecraftServer, on_delete=models.CASCADE, related_name="checks")
    player = models.CharField(max_length=16, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    asked_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    answer = models.TextField(blank=True)
    version = models.CharField(max_length=20, blank=True)
    rows: models.JSONField[list[dict[str, Any]]] = models.JSONField(default=list)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        """`Check 3 of home`."""
        return f"Check {self.pk} of {self.server.name}"

    @property
    def is_lost(self) -> bool:
        """Whether its worker has fallen silent."""
        is_running = self.state in (self.State.RUNNING, self.State.STOPPING)
        return is_running and (self.seen_at is None or self.seen_at < timezone.now() - SILENCE)

    @property
    def is_active(self) -> bool:
        """Whether it waits or runs, so that it still changes by itself."""
        is_open = self.state in (self.State.QUEUED, self.State.RUNNING, self.State.STOPPING)
        return is_open and not self.is_lost

    @property
    def tally(self) -> dict[str, int]:
        """How many things are in each state, in the order in which the states first occur."""
        states = [row["state"] for row in self.rows]
        return {state: states.count(state) for state in dict.fromkeys(states)}

    @property
    def rows_to_read(self) -> list[dict[str, Any]]:
        """The rows in the order in which they came; once that is over, what failed first."""
        return self.rows if self.is_active else sorted(self.rows, key=lambda row: row["state"] != "fails")

    @property
    def works(self) -> bool:
        """Whether the check came to its end and nothing failed."""
        return self.state == self.State.FINISHED and not self.tally.get("fails")
