"""A lock that the kernel releases when its process ends, however it ends.

Imports the standard library only.
"""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from typing import Final

if sys.platform != "win32":
    import fcntl

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


class FileLock:
    """A lock on a file, between the processes of one machine.

    Where file locks do not exist (Windows, some network drives) it counts as held, but has no `name`: it says
    nothing about other processes then.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._descriptor: int | None = None
        #: The name of the lock that is held, of the boot of this machine and of the file. A process that held
        #: a lock of the same name before has ended.
        self.name = ""

    def take(self) -> bool:
        """Take the lock, again if its file was removed; returns False while another process holds it."""
        if self._file is None or sys.platform == "win32":
            return True
        if self._descriptor is not None:
            if self._is_of(self._descriptor, self._file):
                return True
            self.release()
        descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        except OSError:
            os.close(descriptor)
            return True
        if not self._is_of(descriptor, self._file):
            os.close(descriptor)  # removed just now by somebody else
            return False
        found = os.fstat(descriptor)
        self._descriptor, self.name = descriptor, f"{_boot()}:{found.st_dev}:{found.st_ino}"
        return True

    def release(self) -> None:
        """Release the lock; its file stays, because others wait for that very file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
        self._descriptor, self.name = None, ""

    @staticmethod
    def _is_of(descriptor: int, file: Path) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), file.stat())
        except OSError:
            return False


def _boot() -> str:
    """Return the id of this boot of the machine, which is the same in all containers."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return platform.node()
