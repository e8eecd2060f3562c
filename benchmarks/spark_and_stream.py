"""The same jobs on a cluster of Spark and on the disk of this machine, side by side; it is not a benchmark itself.

Spark has two executors of one core and 1 GiB each, on this machine (``local-cluster[2,1,1024]``). Its driver may take
1 GiB for Java and 1 GiB for Python, at any moment: more is an error. That is what it holds, not what it has mapped:
allocators keep what was freed.
"""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Any

from shoal.backends import Backend

__all__ = ["compared", "run_here"]

_MEMORY = 1 << 28
_GIB = 1 << 30


def compared(program: str, folder: Path) -> dict[str, Any]:
    """Run the jobs of a program on both, refuse answers that differ, and return what each took and what is known."""
    found = {engine: _apart(program, engine, folder) for engine in ("stream", "spark")}
    answers = [each.pop("answers") for each in found.values()]
    assert answers[0] == answers[1], "the answers differ"
    names = [name.removesuffix("_processor") for name in found["stream"] if name.endswith("_processor")]
    overhead = {
        f"{job}_overhead": round(found["spark"][f"{job}_processor"] / max(found["stream"][f"{job}_processor"], 0.1), 2)
        for job in names
        if job != "begin"
    }
    measured = {f"{engine}_{name}": value for engine, each in found.items() for name, value in each.items()}
    return {**answers[0]["known"], **overhead, **measured}


def _apart(program: str, engine: str, folder: Path) -> dict[str, Any]:
    """Run in a process of its own, so that peaks are its own; what was measured before is taken from the folder."""
    kept = folder / f"measured-{Path(program).stem}-{engine}.json"
    if not kept.exists():
        command = [sys.executable, program, engine, str(folder)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        kept.write_text(done.stdout.splitlines()[-1])
    return json.loads(kept.read_text())


def run_here(jobs: Callable[[Backend, Path, Callable[[str], None]], dict[str, Any]]) -> None:
    """Run jobs on the engine and in the folder that the command line names; print what they took and their answers.

    Each job says its name when it is done.
    """
    engine, folder = sys.argv[1], Path(sys.argv[2])
    watch, taken = _Watch(), {}
    last = [time.perf_counter(), watch.processor]

    def done(job: str) -> None:
        now = [time.perf_counter(), watch.processor]
        taken[f"{job}_clock"], taken[f"{job}_processor"] = (round(b - a, 1) for a, b in zip(last, now, strict=True))
        last[:] = now

    with _opened(engine, folder) as backend:
        done("begin")
        answers = jobs(backend, folder, done)
        peaks = watch.ended()
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        assert engine == "stream" or most <= _GIB >> 20, f"the driver took {most} MiB for Python"
    print(json.dumps({**taken, **peaks, "python_most_mib": most, "answers": answers}))


def _opened(engine: str, folder: Path) -> Backend:
    if engine == "stream":
        from shoal.backends.stream import StreamBackend

        return StreamBackend(folder / "spill", _GIB)
    from shoal.backends.spark import SparkBackend

    settings = {"spark.driver.memory": "1g", "spark.local.dir": str(folder / "spark"), "spark.driver.host": "127.0.0.1"}
    return SparkBackend("local-cluster[2,1,1024]", str(folder), memory=_MEMORY, settings=settings)


class _Watch:
    """Looks at the memory and the processor's seconds of this process and of those it began, twice a second."""

    def __init__(self) -> None:
        self._peaks: dict[str, int] = {}
        self._seconds: dict[int, float] = {}
        self._over = Event()
        self._thread = Thread(target=self._look, daemon=True)
        self._thread.start()

    @property
    def processor(self) -> float:
        """The processor's seconds so far; those of a process in the last half second of its life are missing."""
        self._look_once()
        return sum(self._seconds.values())

    def ended(self) -> dict[str, int]:
        """Return the peaks of each kind of process together, in MiB."""
        self._over.set()
        self._thread.join()
        return {f"{kind}_mib": kib >> 10 for kind, kib in self._peaks.items()}

    def _look(self) -> None:
        while not self._over.wait(0.5):
            self._look_once()

    def _look_once(self) -> None:
        held = {"driver": 0, "all": 0}
        for number in _descendants(os.getpid()):
            kind, kib = _memory_of(number)
            for each in (kind, "all", *(["driver"] if kind.endswith("_driver") else [])):
                held[each] = held.get(each, 0) + kib
            self._seconds[number] = max(_seconds_of(number), self._seconds.get(number, 0.0))
        for kind, kib in held.items():
            self._peaks[kind] = max(kib, self._peaks.get(kind, 0))


def _descendants(process: int) -> list[int]:
    """Return a process and all that it began, as far as they are there."""
    try:
        tasks = list(Path(f"/proc/{process}/task").iterdir())
    except OSError:
        return []
    children = {int(child) for task in tasks for child in _words(task / "children")}
    return [process, *(each for child in children for each in _descendants(child))]


def _words(file: Path) -> list[str]:
    try:
        return file.read_text(errors="replace").replace("\0", " ").split()
    except OSError:
        return []


def _memory_of(process: int) -> tuple[str, int]:
    """Return the kind of a process and the memory it holds, in KiB."""
    command = " ".join(_words(Path(f"/proc/{process}/cmdline")))
    status = _words(Path(f"/proc/{process}/smaps_rollup"))
    kib = int(status[status.index("Pss:") + 1]) if "Pss:" in status else 0
    if process == os.getpid():
        return "python_driver", kib
    if "CoarseGrainedExecutorBackend" in command:
        return "java_executors", kib
    return ("java_driver" if "SparkSubmit" in command else "python_executors"), kib


def _seconds_of(process: int) -> float:
    """Return the processor's seconds of a process, without those of others that it waited for."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
