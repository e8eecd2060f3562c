"""Kills of the service and of its jobs at random moments: what is told afterward is true, and nothing half-made stays.

Each round asks for a few jobs, requests to the desk among them, sends a file, and after a random time kills the
service, or its workers. Then the service is started again, and every job is followed to its end. A release or a view
must be there and hold exactly where a job says that it is done; a file must be as its data set says, or not be there;
the log of the desk must be whole. All of it once with the books in a file, and once in PostgreSQL, where there is one.
"""

import hashlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

import shoal
from shoal.client import Client, ServiceProblem
from shoal.server.work.folder import JobFolder

_ROUNDS = 10
_SCHEMA: dict[str, Any] = {
    "kind": "table",
    "columns": {
        "name": {"role": "identifier"},
        "age": {"role": "quasi-identifier"},
        "town": {"role": "quasi-identifier"},
        "disease": {"role": "sensitive"},
    },
}


class _Service:
    """A service in a process of its own."""

    def __init__(self, folder: Path, desk: str | None) -> None:
        command = [sys.executable, "-c", "from shoal.cli.main import main; main()", "serve", "--port", "0"]
        command += ["--folder", str(folder), "--jobs", "2", *([] if desk is None else ["--desk", desk])]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.client = Client(self._process.stdout.readline().strip())

    def end(self, number: signal.Signals) -> None:
        """Send a signal, and wait for the end."""
        self._process.send_signal(number)
        self._process.wait(60)
        self.client.close()


@dataclass
class _Story:
    """What was asked for in one store, and what was killed."""

    home: Path
    desk: str | None
    drawn: random.Random = field(default_factory=lambda: random.Random(0))
    counted: Counter[str] = field(default_factory=Counter)
    uploads: dict[str, str] = field(default_factory=dict)
    """The hash of the file that was sent, by data set."""

    def run(self, people: Path) -> dict[str, int]:
        """Return how many kills there were, how jobs ended, and how many things were told wrongly."""
        service = _Service(self.home, self.desk)
        dataset = service.client.upload(people, _SCHEMA)["id"]
        service.client.add_purpose("care")
        service.client.set_requester("clinic", 0.9)
        service.client.register("people", dataset, {"promises": ["k-anonymity:k=5"]})
        for _ in range(_ROUNDS):
            jobs = [self._submitted(service.client, dataset) for _ in range(self.drawn.randint(1, 4))]
            sending = self._sending(service.client)
            time.sleep(self.drawn.uniform(0, 6))
            if self.drawn.random() < 0.6:
                self.counted["uploads cut off"] += sending.is_alive()
                service.end(signal.SIGKILL)
                service = _Service(self.home, self.desk)
                self.counted["kills of the service"] += 1
            else:
                self.counted["kills of jobs"] += sum(self._killed(job) for job in jobs)
            sending.join()
            for job in jobs:
                service.client.wait(job)
        wrong = self._wrongs(service.client)
        service.end(signal.SIGTERM)
        return {**self.counted, "told wrongly": wrong}

    def _submitted(self, client: Client, dataset: str) -> str:
        k, kind = self.drawn.randint(2, 20), self.drawn.choice(["publish", "check", "request", "request"])
        if kind == "request":
            return client.submit_request("people", "care", requester="clinic")["id"]
        more = {"method": "mondrian"} if kind == "publish" else {}
        return client.submit(kind, dataset=dataset, models=[f"k-anonymity:k={k}"], **more)["id"]  # type: ignore[arg-type]

    def _sending(self, client: Client) -> threading.Thread:
        """Send a file for some seconds, and remember what was sent."""
        made = client._asked("POST", "/datasets", json={"name": "sent.csv"})["id"]  # noqa: SLF001
        blocks = [self.drawn.randbytes(50_000) for _ in range(self.drawn.randint(1, 60))]
        self.uploads[made] = hashlib.sha256(b"".join(blocks)).hexdigest()

        def slowly() -> Iterator[bytes]:
            for block in blocks:
                yield block
                time.sleep(0.1)

        def send() -> None:
            try:
                client._http.put(f"/datasets/{made}/content", content=slowly())  # noqa: SLF001
            except (httpx.HTTPError, RuntimeError):
                return  # the service was killed, and then the client was closed

        thread = threading.Thread(target=send)
        thread.start()
        return thread

    def _killed(self, job: str) -> bool:
        """Kill the worker of a job, if it is at work."""
        folder = JobFolder(self.home / "jobs" / job)
        found = folder.process()
        if found is None or folder.outcome() is not None:
            return False
        try:
            os.kill(found[0], signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def _wrongs(self, client: Client) -> int:
        """Count how jobs ended by their own account, and return how many accounts are not true."""
        wrong = 0 if client._asked("GET", "/desk/audit", params={"folders": True})["holds"] else 1  # noqa: SLF001
        releases = {each["id"] for each in client._asked("GET", "/releases", params={"most": 1000})}  # noqa: SLF001
        views = {each["number"] for each in client.book("releases", state="done")}
        given = set()
        for job in client._asked("GET", "/jobs", params={"most": 1000}):  # noqa: SLF001
            self.counted[f"{job['kind']} {job['state']}"] += 1
            is_made = job["kind"] in ("publish", "desk-request") and job["state"] == "done"
            folder = self.home / "releases" / job["id"]
            wrong += is_made != folder.exists()
            wrong += is_made and not shoal.verify(folder / "release").holds
            wrong += (is_made and job["kind"] == "publish") != (job["id"] in releases)
            if is_made and job["kind"] == "desk-request":
                given.add(job["result"]["number"])
        return wrong + (given != views) + sum(self._is_wrong(client, each) for each in self.uploads)

    def _is_wrong(self, client: Client, dataset: str) -> bool:
        """Tell whether a data set is not as it says: its file is all that was sent, or there is no part of one."""
        try:
            told = client.dataset(dataset)
        except ServiceProblem:
            return True
        self.counted[f"uploads {told['state']}"] += 1
        folder = self.home / "datasets" / dataset
        files = [each for each in folder.rglob("*") if each.is_file()]
        whole = [each for each in files if hashlib.sha256(each.read_bytes()).hexdigest() == self.uploads[dataset]]
        return files != whole or (told["state"] == "ready" and told["sha256"] != self.uploads[dataset])


def main(folder: Path) -> dict[str, Any]:
    """Return what was counted in each store."""
    sys.path.append(str(Path(__file__).parent.parent / "tests"))
    from postgres_server import postgres_server, why_there_is_none  # pyright: ignore[reportMissingImports]

    people, found = folder / "people.csv", {}
    people.write_text(_people(5000), encoding="utf-8")
    with ExitStack() as stack:
        stores: dict[str, str | None] = {"SQLite": None}
        if why_there_is_none() is None:
            stores["PostgreSQL"] = stack.enter_context(postgres_server())
        for name, desk in stores.items():
            told = _Story(folder / f"service-{name}", desk).run(people)
            found |= {f"{name}: {what}": number for what, number in sorted(told.items())}
    return found


def _people(n: int) -> str:
    rows = (f"p{i},{i * 7919 % 97},{i * 104729 % 211},{i % 7}" for i in range(n))
    return "name,age,town,disease\n" + "\n".join(rows) + "\n"
