"""Files of this machine that are locked by whoever uses something of a server; the lock ends with its holder."""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from pathlib import Path

from engine.errors import InfrastructureError


class LockedFile:
    """A small file that is ours until it is let go. When there is nothing in it then, it goes as well."""

    def __init__(self, file: int, path: Path) -> None:
        self._file = file
        self._path = path

    def read(self) -> str:
        """All of it."""
        return os.pread(self._file, os.fstat(self._file).st_size, 0).decode(errors="replace")

    def write(self, text: str) -> None:
        """Replace all of it."""
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, text.encode(), 0)

    def release(self) -> None:
        """Let others have it."""
        if not os.fstat(self._file).st_size:
            self._path.unlink(
                missing_ok=True
            )  # before the lock is gone, or it might be somebody else's by now
        os.close(self._file)


def path_of(address: str, name: object, folder: Path | None = None) -> Path:
    """The file of that name that belongs to the server, in the folder or where this machine keeps what is temporary."""
    server = hashlib.sha256(address.encode()).hexdigest()[:16]
    here = folder or Path(tempfile.gettempdir())
    return here / f"ticking-minecraft-{os.getuid()}-{server}-{name}.lock"


def lock(path: Path) -> LockedFile | None:
    """The file, if nobody else has it; it is made if there is none.

    Raises:
        InfrastructureError: this machine does not let it be locked.
    """
    try:
        while True:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(file)
                return None
            if _is_at(file, path):
                return LockedFile(file, path)
            os.close(file)  # whoever had it has removed it since it was opened
    except OSError as fault:
        raise InfrastructureError(
            f"the file {path}, which keeps episodes on one server apart, cannot be locked ({fault.strerror}); "
            "see that this user may write there"
        ) from None


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False
