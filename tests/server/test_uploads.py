"""Uploads: whole or not at all, whatever happens to the client, the size or the disk; memory stays where it was."""

import fcntl
import hashlib
import os
import resource
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from server_under_test import LIMITS, Live
from shoal.peak_memory import PeakMemory
from shoal.server.settings import Limits
from shoal.server.store import Role
from shoal.server.uploads import remove_abandoned
from shoal.server.work.folder import JobFolder


@pytest.fixture(scope="module")
def http(live: Live) -> Iterator[httpx.Client]:
    headers = {"authorization": f"Bearer {live.token('ada', Role.OWNER)}"}
    with httpx.Client(base_url=f"{live.address}/api/v1", headers=headers, timeout=120) as client:
        yield client


def _new(http: httpx.Client, name: str = "a.csv") -> str:
    return http.post("/datasets", json={"name": name}).json()["id"]


def _files(live: Live, dataset: str) -> list[str]:
    folder = live.service.dataset_folder(dataset)
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file())


def test_an_upload_that_is_cut_off_leaves_nothing(live: Live, http: httpx.Client) -> None:
    dataset = _new(http)
    host, port = live.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as wire:
        head = (
            f"PUT /api/v1/datasets/{dataset}/content HTTP/1.1\r\nHost: {host}:{port}\r\n"
            f"Authorization: {http.headers['authorization']}\r\nContent-Length: 1000000\r\n\r\n"
        )
        wire.sendall(head.encode() + b"a,b\n" * 1000)
        time.sleep(0.5)
    end = time.monotonic() + 20
    while time.monotonic() < end and _files(live, dataset):
        time.sleep(0.05)
    assert _files(live, dataset) == []
    assert http.get(f"/datasets/{dataset}").json()["state"] == "empty"


def test_a_disk_that_is_full_is_told_and_leaves_nothing(
    live: Live, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = _new(http)
    write = os.write

    def full(file: int, block: bytes) -> int:
        if len(block) > 10_000:
            raise OSError(28, "No space left on device")
        return write(file, block)

    monkeypatch.setattr("shoal.server.uploads.os.write", full)
    answer = http.put(f"/datasets/{dataset}/content", content=b"a,b\n" * 100_000)
    assert answer.status_code == 507
    assert "disk is full" in answer.json()["title"]
    assert "/" not in answer.json()["title"]  # where the service keeps files is its own affair
    monkeypatch.undo()
    assert _files(live, dataset) == []
    assert http.put(f"/datasets/{dataset}/content", content=b"a,b\n1,2\n").status_code == 200


def test_a_job_for_which_there_is_no_room_costs_that_job_alone(
    live: Live, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = _new(http)
    http.put(f"/datasets/{dataset}/content", content=b"a,b\n1,2\n")

    def full(_folder: JobFolder, _order: object) -> None:
        raise OSError(28, "No space left on device")

    asked = {"kind": "describe", "dataset": dataset}
    monkeypatch.setattr(JobFolder, "make", full)
    assert http.post("/jobs", json=asked).status_code == 507
    assert http.get("/jobs").json()[0]["state"] == "failed"
    monkeypatch.undo()
    assert http.post("/jobs", json=asked, params={"wait": 60}).json()["state"] == "done"


def test_of_files_that_come_at_once_the_one_that_is_kept_is_told(live: Live, http: httpx.Client) -> None:
    dataset = _new(http)
    contents = [b"a,b\n" + b"%d,2\n" % i * 50_000 for i in range(6)]

    def put(content: bytes) -> None:
        assert httpx.put(f"{http.base_url}datasets/{dataset}/content", content=content, headers=http.headers).is_success

    threads = [threading.Thread(target=put, args=(each,)) for each in contents]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    kept = (live.service.dataset_folder(dataset) / "content" / "a.csv").read_bytes()
    told = http.get(f"/datasets/{dataset}").json()
    assert kept in contents
    assert (told["bytes"], told["sha256"]) == (len(kept), hashlib.sha256(kept).hexdigest())
    assert _files(live, dataset) == ["content/a.csv"]


def test_what_a_killed_service_left_of_uploads_is_removed_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "datasets" / "x" / "content"
    folder.mkdir(parents=True)
    for name in (".1.coming", ".2.coming", "a.coming", "a.csv"):
        (folder / name).write_text("a", encoding="utf-8")
    with (folder / ".2.coming").open("rb") as coming:
        fcntl.flock(coming, fcntl.LOCK_EX)  # another service writes it
        remove_abandoned(tmp_path)
    assert sorted(each.name for each in folder.iterdir()) == [".2.coming", "a.coming", "a.csv"]


def test_a_file_is_stored_though_too_many_jobs_wait(new_service) -> None:
    live = new_service(limits=replace(LIMITS, queued=0))
    headers = {"authorization": f"Bearer {live.token('ada', Role.OWNER)}"}
    with httpx.Client(base_url=f"{live.address}/api/v1", headers=headers, timeout=60) as http:
        dataset = _new(http)
        assert http.put(f"/datasets/{dataset}/content", content=b"a,b\n1,2\n").status_code == 200
        assert http.put(f"/datasets/{dataset}/schema", json={"a": "sensitive"}).status_code == 200
        assert http.get(f"/datasets/{dataset}").json()["has_schema"]
        assert http.get(f"/datasets/{dataset}/overview").status_code == 429


def test_an_upload_above_the_limit_is_refused(new_service) -> None:
    live = new_service(limits=Limits(upload=100_000, requests_per_second=1e6, burst=10**6))
    headers = {"authorization": f"Bearer {live.token('ada', Role.OWNER)}"}
    with httpx.Client(base_url=f"{live.address}/api/v1", headers=headers, timeout=60) as http:
        dataset = _new(http)
        assert http.put(f"/datasets/{dataset}/content", content=b"x" * 100_001).status_code == 413
        pieces = (b"x" * 10_000 for _ in range(11))
        assert http.put(f"/datasets/{dataset}/content", content=pieces).status_code == 413
        assert _files(live, dataset) == []


def test_memory_stays_where_it_was_however_large_the_file(live: Live, http: httpx.Client) -> None:
    dataset, block = _new(http), os.urandom(1 << 20)
    before = PeakMemory()
    start = before.mib
    stored = http.put(f"/datasets/{dataset}/content", content=(block for _ in range(300)))
    assert stored.json()["bytes"] == 300 << 20
    assert before.mib - start < 60
    http.delete(f"/datasets/{dataset}")


def test_an_empty_upload_and_odd_names_are_refused(http: httpx.Client) -> None:
    assert http.put(f"/datasets/{_new(http)}/content", content=b"").status_code == 400
    for name in ("../x.csv", ".hidden", "a/b.csv", "", "x" * 300, "a\x00b"):
        assert http.post("/datasets", json={"name": name}).status_code == 422
    assert http.put(f"/datasets/{_new(http)}/files/schema.toml", content=b"x").status_code == 400
    assert http.put(f"/datasets/{_new(http)}/files/..%2f..%2fx", content=b"x").status_code in (404, 422)


def test_a_slow_client_holds_nobody_up(live: Live, http: httpx.Client) -> None:
    dataset = _new(http)

    def slowly() -> Iterator[bytes]:
        for _ in range(20):
            yield b"a,b\n"
            time.sleep(0.1)

    other = threading.Thread(target=http.put, args=(f"/datasets/{dataset}/content",), kwargs={"content": slowly()})
    other.start()
    began = time.monotonic()
    with httpx.Client(headers=http.headers) as another:
        for _ in range(10):
            assert another.get(f"{live.address}/api/v1/version").status_code == 200
    took = time.monotonic() - began
    other.join()
    assert took < 2
    assert http.get(f"/datasets/{dataset}").json()["bytes"] == 80


def test_what_is_stored_is_private(live: Live, http: httpx.Client, tmp_path: Path) -> None:
    dataset = _new(http)
    http.put(f"/datasets/{dataset}/content", content=b"a,b\n1,2\n")
    for path in live.service.settings.folder.rglob("*"):
        assert not path.stat().st_mode & 0o077, path.name
    assert resource.getrlimit(resource.RLIMIT_DATA)[0] == resource.RLIM_INFINITY  # limits are of jobs, not of us
