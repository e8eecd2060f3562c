"""Processes as the system knows them: a number may be given out again, so the time of the beginning belongs to it."""

import subprocess
from pathlib import Path

__all__ = ["start_of"]


def start_of(pid: int) -> str | None:
    """Return when a process began, in the system's own words; None if there is none, or it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return None if Path("/proc/self/stat").exists() else _start_by_ps(pid)
    return None if fields[0] in "ZX" else fields[19]


def _start_by_ps(pid: int) -> str | None:
    """Return the same where the system has no folder of processes."""
    asked = ["ps", "-o", "lstart=", "-p", str(pid)]
    told = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return told or None
