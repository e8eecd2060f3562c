"""Services to try: each listens on loopback, in a thread of the tests, and stops by itself."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from shoal.client import Client
from shoal.server.app import Pages
from shoal.server.run import address_of, listening_socket, server_of
from shoal.server.service import Service
from shoal.server.settings import Limits, ServiceSettings
from shoal.server.store import Role

PEOPLE = {
    "kind": "table",
    "columns": {
        "name": {"role": "identifier"},
        "age": {"role": "quasi-identifier", "hierarchy": {"kind": "interval", "widths": [10, 20]}},
        "town": {"role": "quasi-identifier"},
        "disease": {"role": "sensitive"},
    },
}


def write_people(folder: Path, n: int = 120, name: str = "people.csv") -> Path:
    """Write a table of people."""
    lines = ["name,age,town,disease"]
    lines += [f"p{i},{i % 40},{'Ulm' if i % 3 else 'Bonn'},{('flu', 'cancer', 'asthma')[i % 3]}" for i in range(n)]
    file = folder / name
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


@dataclass
class Live:
    """A service that listens."""

    service: Service
    address: str
    server: uvicorn.Server
    thread: threading.Thread

    def stop(self) -> None:
        """Stop it as a signal would."""
        self.server.should_exit = True
        self.thread.join(60)

    def token(self, name: str, role: Role, requester: str | None = None) -> str:
        """Let a user in, and return a token."""
        if name not in {each.name for each in self.service.users.all()}:
            self.service.users.add(name, role, requester)
        return self.service.users.add_token(name)[1]

    def client(self, name: str = "ada", role: Role = Role.OWNER, requester: str | None = None) -> Client:
        """Return a client of a user in a role."""
        return Client(self.address, self.token(name, role, requester))


class Process:
    """A service in a process of its own, as ``shoal serve`` runs it; it can be killed."""

    def __init__(self, folder: Path, desk: str | None = None) -> None:
        command = [sys.executable, "-c", "from shoal.cli.main import main; main()", "serve", "--port", "0"]
        command += ["--folder", str(folder), "--jobs", "2", *([] if desk is None else ["--desk", desk])]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.client = Client(self._process.stdout.readline().strip())

    def end(self, number: signal.Signals) -> int:
        """Send a signal, and return how the service ended."""
        self.client.close()
        self._process.send_signal(number)
        status = self._process.wait(60)
        assert self._process.stdout is not None
        self._process.stdout.close()
        return status


LIMITS = Limits(running=2, requests_per_second=10_000, burst=100_000, failures_per_minute=60_000, patience=5)


@contextmanager
def living(settings: ServiceSettings, pages: Pages | None = None) -> Iterator[Live]:
    """Yield a service that listens until the block is left."""
    service = Service(settings)
    listener = listening_socket(settings)
    server = server_of(service, pages)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield Live(service, address_of(settings, listener), server, thread)
    finally:
        server.should_exit = True
        thread.join(60)
        listener.close()
