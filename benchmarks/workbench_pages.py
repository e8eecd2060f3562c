"""How heavy the pages of the workbench are and how soon they are there: for a million rows, beside a running job.

The service is a process of its own. Pages of a table with a million rows, and of a release of a small one, are asked
for one after another, first while nothing runs and then while a job takes a core.
"""

import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import polars as pl

from shoal.client import Client

_ROWS = 1_000_000
_TIMES = 20
_MODEL = "model=k-anonymity%3Ak%3D5"
_SCHEMA: dict[str, Any] = {
    "kind": "table",
    "columns": {
        "person": {"role": "identifier"},
        "age": {"role": "quasi-identifier"},
        "town": {"role": "quasi-identifier"},
        "job": {"role": "quasi-identifier"},
        "disease": {"role": "sensitive"},
    },
}


def main(folder: Path, rows: int = _ROWS) -> dict[str, Any]:
    """Return bytes, and milliseconds until a page is there whole."""
    large, small = _people(folder / "large.csv", rows), _people(folder / "small.csv", 2_000)
    command = [sys.executable, "-c", "from shoal.cli.main import main; main()", "workbench", "--no-browser"]
    service = subprocess.Popen([*command, "--folder", str(folder / "home")], stdout=subprocess.PIPE, text=True)
    assert service.stdout is not None
    address = service.stdout.readline().strip()
    try:
        with Client(address) as client, httpx.Client(base_url=address.partition("/enter")[0], timeout=60) as browser:
            browser.get(address, follow_redirects=True)  # opens a session
            dataset = client.upload(large, _SCHEMA)["id"]
            client.overview(dataset)
            other = client.upload(small, _SCHEMA)["id"]
            made = client.run("publish", dataset=other, models=["k-anonymity:k=5"], method="mondrian")
            pages = _pages(dataset, made["result"]["release"])
            found = _timed(browser, pages, "alone")
            job = client.submit("sweep", dataset=dataset, k=list(range(2, 40)), method=["mondrian"])["id"]
            while client.job(job)["state"] == "queued":
                time.sleep(0.1)
            found |= _timed(browser, pages, "beside a job")
            assert client.job(job)["state"] == "running", "the job ended before the pages were timed"
            client.cancel(job)
            client.wait(job)
        return {"rows": rows, **found}
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait(60)


def _people(file: Path, rows: int) -> Path:
    draw = np.random.default_rng(1)
    numbers = {"age": draw.integers(0, 100, rows), "town": draw.integers(0, 2_000, rows)}
    words = {"job": draw.integers(0, 50, rows), "disease": draw.integers(0, 20, rows)}
    table = {"person": [f"p{i}" for i in range(rows)], **numbers}
    pl.DataFrame(table | {name: [f"{name} {i}" for i in codes] for name, codes in words.items()}).write_csv(file)
    return file


def _pages(dataset: str, release: str) -> dict[str, str]:
    data, made = f"/data/{dataset}", f"/releases/{release}"
    return {
        "home": "/",
        "open": "/open",
        "look": f"{data}/look",
        "columns": f"{data}/columns",
        "rows": f"{data}/rows",
        "risk": f"{data}/risk",
        "promise": f"{data}/promise?{_MODEL}",
        "explore": f"{data}/explore?{_MODEL}",
        "publish": f"{data}/publish?{_MODEL}",
        "proof": f"{made}/proof",
        "use": f"{made}/use",
        "report": f"{made}/report",
        "jobs": "/jobs",
    }


def _timed(browser: httpx.Client, pages: dict[str, str], how: str) -> dict[str, float]:
    found: dict[str, float] = {}
    everything: list[float] = []
    for name, address in pages.items():
        answer = browser.get(address)  # templates are compiled once
        times = []
        for _ in range(_TIMES):
            began = time.perf_counter()
            answer = browser.get(address)
            times.append((time.perf_counter() - began) * 1000)
            answer.raise_for_status()
        found[f"{name}: kB"] = round(len(answer.content) / 1000, 1)
        found[f"{name} {how}: p50 ms"] = round(statistics.median(times), 1)
        found[f"{name} {how}: p95 ms"] = round(sorted(times)[int(0.95 * _TIMES)], 1)
        everything += times
    found[f"all pages {how}: p50 ms"] = round(statistics.median(everything), 1)
    found[f"all pages {how}: p95 ms"] = round(sorted(everything)[int(0.95 * len(everything))], 1)
    return found
