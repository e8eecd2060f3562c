"""How much memory this process needed at its peak, and how much there is."""

import os
import resource
import sys
from pathlib import Path

__all__ = ["PeakMemory", "memory_there_is"]

_LIMIT = Path("/sys/fs/cgroup/memory.max")


def memory_there_is() -> int:
    """Return the bytes of memory of this machine, or those that a container is allowed."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        limit = _LIMIT.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError):
        return machine
    return min(machine, int(limit)) if limit.isdecimal() else machine


class PeakMemory:
    """The peak from now on; where the system cannot forget an earlier one, the peak since the process began."""

    def __init__(self) -> None:
        try:
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forgets the peak: man 5 proc
        except OSError:
            self._forgotten = False
        else:
            self._forgotten = True

    @property
    def mib(self) -> int:
        """The peak in MiB."""
        if not self._forgotten:
            return self.of_process()
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return int(status.partition("VmHWM:")[2].split()[0]) // 1024

    @staticmethod
    def of_process() -> int:
        """Return the peak in MiB since the process began."""
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak // (1024 * 1024) if sys.platform == "darwin" else peak // 1024
