"""Time and peak memory of one action."""

import contextlib
import ctypes
import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["SHARED", "measured", "peak"]

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
"""Where the real data sets lie, if they are there."""


def measured(action: Callable[[], Any], repeat: int = 1) -> tuple[Any, float, float]:
    """Return the result, the best of ``repeat`` times in seconds, and by how many MiB memory rose."""
    best, rise, result = float("inf"), 0.0, None
    for _ in range(repeat):
        before = _forget_peak()
        began = time.perf_counter()
        result = action()
        best = min(best, time.perf_counter() - began)
        rise = max(rise, _status("VmHWM") - before)
    return result, round(best, 4), round(rise, 1)


def peak() -> float:
    """Return the most memory this process has held since it began or forgot, in MiB."""
    return round(_status("VmHWM"), 1)


def _forget_peak() -> float:
    """Hand free memory back, let the kernel of the system count the peak anew, and give the memory held now."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS")


def _status(field: str) -> float:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(field)), 0.0)
