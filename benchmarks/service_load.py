"""The service under load, on loopback: requests a second and their times, 10,000 releases in the store, a large upload.

The service is a process of its own, whose limits of requests are raised: otherwise most of them would be refused. Those
that are refused all the same are counted apart. Requests come one after the other from one client and then from eight
threads, for a bounded time, first alone and then beside a running job. 10,000 releases of the service and 10,000 of the
desk are in the books. Memory is that of the service's process; an upload of 1.5 GB must leave it where it was.
"""

import csv
import json
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shoal.client import Client
from shoal.desk.store.tables import RELEASES as VIEWS
from shoal.server.store import Books
from shoal.server.store.tables import RELEASES

_SECONDS = 3.0
_THREADS = 8
_RELEASES = 10_000
_UPLOAD = 1_500_000_000


_SERVICE = """
import sys
from pathlib import Path
from shoal.server.run import serve
from shoal.server.settings import Limits, ServiceSettings
limits = Limits(requests_per_second=1e6, burst=10**6)
serve(ServiceSettings(folder=Path(sys.argv[1]), port=0, limits=limits), lambda address: print(address, flush=True))
"""
_ASKED = {
    "version": "/version",
    "jobs": "/jobs",
    "releases": "/releases",
    "promises": "/promises",
    "views": "/desk/releases",
    "one view": "/desk/releases/5000",
}


def main(folder: Path) -> dict[str, Any]:
    """Return times in milliseconds, requests a second, and memory in MiB."""
    home = folder / "service"
    service = subprocess.Popen([sys.executable, "-c", _SERVICE, str(home)], stdout=subprocess.PIPE, text=True)
    assert service.stdout is not None
    address = service.stdout.readline().strip()
    try:
        _fill(home)
        with Client(address) as client:
            found = _of_requests(address, "one client", threads=1)
            found |= _of_requests(address, "eight at once", threads=_THREADS)
            found |= _of_upload(client, service.pid)
            with _Busy(client, folder):
                found |= _of_requests(address, "eight beside a job", threads=_THREADS)
        return found | {"releases of the service": _RELEASES, "releases of the desk": _RELEASES}
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait(60)


def _fill(home: Path) -> None:
    """Write releases into the books, as jobs would have."""
    books = Books(str(home / "desk.db"))
    certificate = json.dumps({"promises": [{"promise": "k-anonymity:k=5", "meaning": "", "level": {"k": 5}}]})
    rows = [
        {"id": secrets.token_hex(12), "user": "owner", "job": "0", "dataset": None, "made": f"2026-01-01T{n:06d}"}
        for n in range(_RELEASES)
    ]
    named = {"dataset": "people", "version": 1, "requester": "clinic", "purpose": "care", "folder": "gone"}
    degrees = {"trust": "9/10", "degree_asked": "1/10", "degree_reached": "1/10", "node": "[0]"}
    views = [
        {**named, **degrees, "number": n, "decided": "2026-01-01T00:00:00+00:00", "token": str(n), "state": "revoked"}
        for n in range(1, _RELEASES + 1)
    ]
    with books.transaction() as connection:
        connection.execute(RELEASES.insert(), [{**row, "certificate": certificate} for row in rows])
        connection.execute(VIEWS.insert(), views)


def _of_requests(address: str, how: str, threads: int) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, path in _ASKED.items():
        began = time.perf_counter()
        times, refused = _loaded(address, path, threads)
        seconds = time.perf_counter() - began
        found[f"{name}, {how}: p50 ms"] = round(_quantile(times, 0.5), 2)
        found[f"{name}, {how}: p99 ms"] = round(_quantile(times, 0.99), 2)
        found[f"{name}, {how}: requests a second"] = round(len(times) / seconds, 1)
        found[f"{name}, {how}: refused"] = len(refused)
    return found


def _loaded(address: str, path: str, threads: int) -> tuple[list[float], list[float]]:
    """Return how long each request took that was answered, and each that was refused, in milliseconds."""
    times: list[float] = []
    refused: list[float] = []

    def ask() -> None:
        with Client(address) as client:
            end = time.monotonic() + _SECONDS
            while time.monotonic() < end:
                began = time.perf_counter()
                answer = client._http.get(path)  # noqa: SLF001 - the times of answers, refused ones too
                (times if answer.is_success else refused).append((time.perf_counter() - began) * 1000)

    asking = [threading.Thread(target=ask) for _ in range(threads)]
    for each in asking:
        each.start()
    for each in asking:
        each.join()
    return times, refused


def _quantile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


def _of_upload(client: Client, pid: int) -> dict[str, float]:
    before, began = _memory(pid), time.perf_counter()
    peak, over = [before], threading.Event()
    watcher = threading.Thread(target=_watch, args=(pid, peak, over))
    watcher.start()
    made = client._asked("POST", "/datasets", json={"name": "large.bin"})  # noqa: SLF001
    client._asked("PUT", f"/datasets/{made['id']}/content", content=_blocks(), timeout=600)  # noqa: SLF001
    over.set()
    watcher.join()
    client.remove_dataset(made["id"])
    return {
        "upload GB": _UPLOAD / 1e9,
        "upload s": round(time.perf_counter() - began, 2),
        "memory before MiB": before,
        "memory at the peak of the upload MiB": max(peak),
    }


def _blocks() -> Iterator[bytes]:
    block = bytes(1 << 20)
    for _ in range(_UPLOAD // len(block)):
        yield block


def _watch(pid: int, peak: list[int], over: threading.Event) -> None:
    while not over.wait(0.05):
        peak.append(_memory(pid))


def _memory(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


class _Busy:
    """A job at work for as long as the block lasts."""

    def __init__(self, client: Client, folder: Path) -> None:
        self._client = client
        with (folder / "people.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["age", "town", "disease"])
            writer.writerows((n * 7919 % 97, n * 104729 % 1013, n % 11) for n in range(200_000))
        schema: dict[str, Any] = {"age": "quasi-identifier", "town": "quasi-identifier", "disease": "sensitive"}
        self._dataset = client.upload(folder / "people.csv", schema)["id"]
        client.overview(self._dataset)

    def __enter__(self) -> None:
        asked = {"k": list(range(2, 30)), "method": ["mondrian"]}
        self._job = self._client.submit("sweep", dataset=self._dataset, **asked)["id"]
        while self._client.job(self._job)["state"] == "queued":
            time.sleep(0.1)

    def __exit__(self, *_: object) -> None:
        self._client.cancel(self._job)
        self._client.wait(self._job)
