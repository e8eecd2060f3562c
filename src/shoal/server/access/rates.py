"""How often somebody may come: a bucket that fills at a steady rate and is emptied by each request."""

import threading
import time
from collections import OrderedDict

__all__ = ["Rates"]

_MOST = 10_000
"""How many clients are remembered: those not heard of for the longest time are forgotten first."""


class Rates:
    """Buckets of requests by client."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._rate, self._burst = per_second, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, client: str) -> float:
        """Take one from the bucket of a client; return 0, or after how many seconds there will be one."""
        with self._lock:
            left = self._refilled(client)
            taken = left - 1 if left >= 1 else left
            self._keep(client, taken)
            return 0.0 if left >= 1 else (1 - left) / self._rate

    def _refilled(self, client: str) -> float:
        left, at = self._left.get(client, (float(self._burst), time.monotonic()))
        return min(self._burst, left + (time.monotonic() - at) * self._rate)

    def _keep(self, client: str, left: float) -> None:
        self._left[client] = (left, time.monotonic())
        self._left.move_to_end(client)
        if len(self._left) > _MOST:
            self._left.popitem(last=False)
