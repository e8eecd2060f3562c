"""What one action takes: seconds of the processor, and by how much it raises memory."""

import ctypes
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Cost", "cost_of"]

_PAGE = 1 / 256
"""The system counts in pages of 4 KiB: what takes less is not seen."""
_ENOUGH, _TIMES = 0.5, 7
"""What is short is done several times, for so many seconds together, and the quickest counts: others were disturbed."""


@dataclass(frozen=True)
class Cost:
    """Seconds of the processor, which other processes hardly change, and MiB above what the process held before."""

    seconds: float
    mib: float


def cost_of(action: Callable[[], object]) -> Cost:
    """Do something, and return what it took. Do it once beforehand, on little, so that compiling is not counted."""
    costs = [_once(action)]
    while sum(cost.seconds for cost in costs) < _ENOUGH and len(costs) < _TIMES:
        costs.append(_once(action))
    return Cost(min(cost.seconds for cost in costs), max(cost.mib for cost in costs))


def _once(action: Callable[[], object]) -> Cost:
    before = _forget_peak()
    began = time.process_time()
    action()
    seconds = time.process_time() - began
    return Cost(seconds, max(_status("VmHWM") - before, _PAGE))


def _forget_peak() -> float:
    """Hand free memory back, let the system count the peak anew, and return the MiB held now."""
    with suppress(OSError, AttributeError):  # elsewhere than on Linux
        ctypes.CDLL("libc.so.6").malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return _status("VmRSS")


def _status(name: str) -> float:
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0.0
    return int(status.partition(f"{name}:")[2].split()[0]) / 1024
