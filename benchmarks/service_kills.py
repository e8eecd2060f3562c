"""Kills of the service and of its jobs at random moments: what is told afterwards is true, and nothing half-made stays.

Each round asks for a few jobs, and after a random time kills the service, or its workers. Then the service is started
again, and every job is followed to its end. A release must be there and hold exactly where a publish job says
that it is done; the log of the desk must be whole.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import shoal
from shoal.client import Client
from shoal.server.work.folder import JobFolder

_ROUNDS = 30
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

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-c", "from shoal.cli.main import main; main()", "serve", "--port", "0"]
        self._process = subprocess.Popen(
            [*command, "--folder", str(folder), "--jobs", "2"], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.client = Client(self._process.stdout.readline().strip())

    def end(self, number: signal.Signals) -> None:
        self._process.send_signal(number)
        self._process.wait(60)
        self.client.close()


def main(folder: Path) -> dict[str, Any]:
    """Return how many kills there were, how jobs ended, and how many things were told wrongly."""
    drawn, home = random.Random(0), folder / "service"
    (folder / "people.csv").write_text(_people(5000), encoding="utf-8")
    service = _Service(home)
    dataset = service.client.upload(folder / "people.csv", _SCHEMA)["id"]
    service.client.overview(dataset)
    killed: Counter[str] = Counter()
    for _ in range(_ROUNDS):
        jobs = [_submitted(service.client, dataset, drawn) for _ in range(drawn.randint(1, 4))]
        time.sleep(drawn.uniform(0, 6))
        if drawn.random() < 0.5:
            service.end(signal.SIGKILL)
            service = _Service(home)
            killed["kills of the service"] += 1
        else:
            killed["kills of jobs"] += sum(_killed(home, job) for job in jobs)
        for job in jobs:
            service.client.wait(job)
    ended, wrong = _told(service.client, home, folder)
    service.end(signal.SIGTERM)
    return {**killed, **{f"jobs {state}": n for state, n in ended.items()}, "told wrongly": wrong}


def _submitted(client: Client, dataset: str, drawn: random.Random) -> str:
    k = drawn.randint(2, 20)
    kind = drawn.choice(["publish", "publish", "check"])
    more = {"method": "mondrian"} if kind == "publish" else {}
    return client.submit(kind, dataset=dataset, models=[f"k-anonymity:k={k}"], **more)["id"]  # type: ignore[arg-type]


def _killed(home: Path, job: str) -> bool:
    """Kill the worker of a job, if it is at work."""
    folder = JobFolder(home / "jobs" / job)
    found = folder.process()
    if found is None or folder.outcome() is not None:
        return False
    try:
        os.kill(found[0], signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def _told(client: Client, home: Path, folder: Path) -> tuple[Counter[str], int]:
    """Return how jobs ended by their own account, and how many accounts are not true."""
    ended: Counter[str] = Counter()
    wrong = 0 if client.audit()["holds"] else 1
    releases = {each["id"] for each in client.releases()}
    for job in client._asked("GET", "/jobs", params={"most": 1000}):  # noqa: SLF001
        ended[job["state"]] += 1
        is_made = job["kind"] == "publish" and job["state"] == "done"
        wrong += is_made != (job["id"] in releases)
        if is_made:
            got = client.download(job["id"], folder / "got" / job["id"])
            wrong += not shoal.verify(got).holds
        else:
            wrong += (home / "releases" / job["id"]).exists()
    return ended, wrong


def _people(n: int) -> str:
    rows = (f"p{i},{i * 7919 % 97},{i * 104729 % 211},{i % 7}" for i in range(n))
    return "name,age,town,disease\n" + "\n".join(rows) + "\n"
