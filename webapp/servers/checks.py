"""Checking a server: who answers there is asked at once, what it can do in a worker."""

from __future__ import annotations

import logging
from dataclasses import asdict, replace

from django.db.models import QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from engine.episode.settings import Cancelled
from engine.errors import EngineError
from engine.minecraft.selftest import Place, Row, check
from engine.minecraft.status import Status, ask_status
from webapp.runs.models import Episode
from webapp.runs.models import Status as EpisodeStatus
from webapp.servers.models import MinecraftServer, ServerCheck
from webapp.servers.registry import checked_address, server_of

logger = logging.getLogger(__name__)

KEPT = 5
"""Newest checks of a server that are kept."""
ASK_SECONDS = 5.0
HIGH = 200
"""The y of the box in which things are tried: above all that tasks build."""
LONGEST_DETAIL = 500
BUSY = "An episode runs on this server, and the check would stop its world. Wait for its end, or cancel it."
ALREADY = "A check of this server is under way."
NO_WORKERS = "The workers cannot be told of the check: Redis does not answer. Start it, and check again."
UNEXPECTED = "An unexpected fault stopped the check. The worker's output says more."

State = ServerCheck.State


class CannotStartError(Exception):
    """A check cannot begin now; its text says why."""


def start(server: MinecraftServer, player: str = "") -> ServerCheck:
    """Ask who is there and, if that is as it should be, queue the check of what it can do.

    Args:
        server: the server to check.
        player: somebody who is online, to be given items; empty for nobody.

    Raises:
        CannotStartError: an episode or another check is at work there.
    """
    if _episodes_on(server).exists():
        raise CannotStartError(BUSY)
    last = server.last_check
    if last is not None and last.is_active:
        raise CannotStartError(ALREADY)
    asked = ServerCheck(server=server, player=player)
    _ask(asked)
    asked.save()
    kept = server.checks.values_list("pk", flat=True)[:KEPT]
    server.checks.exclude(pk__in=list(kept)).delete()
    if asked.state == State.QUEUED:
        _send(asked)
    return asked


def cancel(server: MinecraftServer) -> bool:
    """Stop the server's check; whether there was one. One that runs puts back what it has changed first."""
    waiting = server.checks.filter(state=State.QUEUED).update(state=State.CANCELLED)
    running = server.checks.filter(state=State.RUNNING).update(state=State.STOPPING)
    return bool(waiting + running)


def carry_out(check_id: int) -> None:
    """Check the server if that is still wanted; otherwise do nothing."""
    mine = ServerCheck.objects.filter(pk=check_id)
    if not mine.filter(state=State.QUEUED).update(state=State.RUNNING, seen_at=timezone.now()):
        return
    asked = mine.select_related("server").get()
    try:
        _try_all(asked)
    except Cancelled:
        _end(asked, State.CANCELLED)
    except EngineError as fault:
        _end(asked, State.ERROR, str(fault))
    except Exception:
        logger.exception("%s failed", asked)
        _end(asked, State.ERROR, UNEXPECTED)
    else:
        _end(asked, State.FINISHED)


def _episodes_on(server: MinecraftServer) -> QuerySet[Episode]:
    running = Episode.objects.filter(status=EpisodeStatus.RUNNING, world="minecraft")
    return running.filter(run__settings__server=server.name)


def _ask(asked: ServerCheck) -> None:
    """Note who answers at the server, or why that will not do."""
    server = asked.server
    try:
        status = ask_status(checked_address(server), server.port, ASK_SECONDS)
    except EngineError as fault:
        asked.state, asked.error = State.ERROR, _sentence(str(fault))
        return
    status = replace(status, where=server.address)
    asked.answer, asked.version = in_words(status), status.version or ""
    if misfit := status.misfit(server.version or None):
        asked.state, asked.error = State.ERROR, _sentence(misfit)


def in_words(status: Status) -> str:
    """What a server says of itself, as `mc:25565 is Minecraft 1.20.4 (“Paper 1.20.4”). 2 of 20 players are online`."""
    version = f"Minecraft {status.version}" if status.version else "no known release of Minecraft"
    named = "" if status.name == status.version else f" (“{status.name[:80]}”)"
    verb = "is" if status.most == 1 else "are"
    players = f"{status.online:,} of {status.most:,} player{'' if status.most == 1 else 's'} {verb} online"
    return f"{status.where} is {version}{named}. {players}."


def _try_all(asked: ServerCheck) -> None:
    stored = asked.server
    server = server_of(stored)

    def tell(row: Row) -> None:
        asked.rows.append(asdict(replace(row, detail=row.detail[:LONGEST_DETAIL])))
        is_wanted = ServerCheck.objects.filter(pk=asked.pk, state=State.RUNNING)
        if not is_wanted.update(rows=asked.rows, seen_at=timezone.now()):
            raise Cancelled

    x, z = server.origin
    place = Place(
        server.host,
        server.port,
        server.rcon_port,
        (x, HIGH, z),
        server.version or None,
        asked.player or None,
    )
    check(place, server.rcon_password.get_secret_value(), tell=tell)


def _end(asked: ServerCheck, state: State, error: str = "") -> None:
    mine = ServerCheck.objects.filter(pk=asked.pk, state__in=(State.RUNNING, State.STOPPING))
    mine.update(state=state, error=_sentence(error), seen_at=timezone.now())


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""


def _send(asked: ServerCheck) -> None:
    from webapp.servers.jobs import check_server

    try:
        check_server.delay(asked.pk)
    except OperationalError:
        asked.state, asked.error = State.ERROR, NO_WORKERS
        asked.save()
