"""What a command takes with all processes that it starts: time, memory and disk; it is not a benchmark itself.

Memory is the sum of the proportional shares of all its processes, looked at twice a second, and at least the largest
that the system saw of any one of them. Seconds of the processor include those of processes that it waited for.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

__all__ = ["Taken", "run_command", "shoal_command"]

_EVERY = 0.5


@dataclass(frozen=True)
class Taken:
    """What a command took."""

    clock: float
    """Seconds on the clock."""
    processor: float
    """Seconds of the processor."""
    peak_mib: int
    """The most memory of all processes together."""
    spilled_mib: int
    """The most room of temporary files on disk."""
    written_mib: int
    """All that was written, temporary files and results; what it wrote in its last half second may be missing."""
    load: float
    """The load of the machine when it ended, this command included: how many processes wanted to run."""

    def told(self) -> dict[str, Any]:
        """Return it as named numbers."""
        return asdict(self)


def shoal_command(*arguments: str | Path) -> list[str]:
    """Return the command line of a command of shoal, by this interpreter."""
    return [sys.executable, "-c", "from shoal.cli.main import main; main()", *map(str, arguments)]


def run_command(command: Sequence[str], temporary: Path, expected: Sequence[int] = (0,)) -> Taken:
    """Run a command whose temporary files go to a folder of their own, and return what it took."""
    temporary.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(temporary)})
    watch = _Watch(process.pid, temporary)
    _, status, usage = os.wait4(process.pid, 0)
    clock = time.perf_counter() - began
    watch.end()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in expected:
        raise SystemExit(f"{' '.join(command[3:5])} ended with {process.returncode}")
    peak = max(watch.peak, usage.ru_maxrss << 10) >> 20
    processor = round(usage.ru_utime + usage.ru_stime, 2)
    load = round(os.getloadavg()[0], 1)
    return Taken(round(clock, 2), processor, peak, watch.spilled >> 20, sum(watch.written.values()) >> 20, load)


class _Watch:
    """Looks at the processes of a command and at its temporary files until it ends."""

    def __init__(self, root: int, temporary: Path) -> None:
        self.peak = self.spilled = 0
        self.written: dict[int, int] = {}
        self._root, self._temporary, self._ended = root, temporary, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._ended.wait(_EVERY):
            family = _family(self._root)
            self.peak = max(self.peak, sum(map(_shared_bytes, family)))
            self.written |= {each: written for each in family if (written := _written_bytes(each))}
            self.spilled = max(self.spilled, sum(_sizes(self._temporary)))

    def end(self) -> None:
        self._ended.set()
        self._thread.join()


def _family(root: int) -> list[int]:
    """Return a process and all that descend from it."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue  # it ended meanwhile
            children.setdefault(parent, []).append(int(entry.name))
    found = [root]
    for each in found:
        found += children.get(each, [])
    return found


def _shared_bytes(process: int) -> int:
    """Return the memory of a process, of what it shares with others its part."""
    return _number_in(Path(f"/proc/{process}/smaps_rollup"), "Pss:") << 10


def _written_bytes(process: int) -> int:
    return _number_in(Path(f"/proc/{process}/io"), "wchar:")


def _number_in(file: Path, name: str) -> int:
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return 0  # the process ended meanwhile
    return next((int(line.split()[1]) for line in lines if line.startswith(name)), 0)


def _sizes(folder: Path) -> Iterator[int]:
    for path, _, files in os.walk(folder):
        for name in files:
            try:
                yield os.stat(os.path.join(path, name)).st_size
            except OSError:
                continue  # it was removed meanwhile
