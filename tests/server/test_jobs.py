"""Jobs as processes: what a crash, a kill, a limit or a restart of the service does to them, and what is left."""

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest
import tomli_w

import shoal
from server_under_test import LIMITS, PEOPLE, Live, Process, write_people
from shoal.assumed import assumptions
from shoal.client import Client
from shoal.client_types import Job
from shoal.desk import Desk, Policy, Purpose
from shoal.errors import FileError
from shoal.jobs.desk import register, request
from shoal.server.service import Service
from shoal.server.settings import Limits, ServiceSettings
from shoal.server.store import Identity, JobRow, Role
from shoal.server.store.tables import JOBS
from shoal.server.work.asks import MeasureAsk, VerifyAsk
from shoal.server.work.events import EventWriter, read_events
from shoal.server.work.folder import JobFolder, Order, Place
from shoal.server.work.leftovers import cleared
from shoal.server.work.processes import start_of
from shoal.server.work.runs import run

SLOW = {"k": list(range(2, 102)), "method": ["mondrian", "top-down", "lattice", "microaggregation"]}
"""A sweep that would take many minutes, however fast the machine is: no test waits for its end."""


def _slow(client: Client, folder: Path) -> str:
    dataset = client.upload(write_people(folder, 20_000), PEOPLE)["id"]
    return client.submit("sweep", dataset=dataset, **SLOW)["id"]


def _until(client: Client, job: str, *states: str, seconds: float = 60) -> Job:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = client.job(job)
        if found["state"] in states:
            return found
        time.sleep(0.05)
    raise AssertionError(f"the job is {client.job(job)['state']}")


def _title(job: Job) -> str:
    """Return what went wrong with a job, in its own words."""
    return (job["problem"] or {}).get("title", "")


def _pid(live: Live, job: str) -> int:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = live.service.supervisor.folder_of(job).process()
        if found is not None:
            return found[0]
        time.sleep(0.02)
    raise AssertionError("no process")


def _is_gone(pid: int, seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while start_of(pid) is not None and time.monotonic() < end:
        time.sleep(0.05)
    return start_of(pid) is None


def test_a_job_is_cancelled_and_nothing_is_left(live: Live, tmp_path: Path) -> None:
    with live.client() as client:
        job = _slow(client, tmp_path)
        pid = _pid(live, job)
        client.cancel(job)
        found = _until(client, job, "cancelled", "failed", "done", "lost")
        assert found["state"] == "cancelled"
        assert _title(found).startswith("The job was canceled")
        assert _is_gone(pid)
        assert not live.service.release_folder(job).exists()
        client.remove_job(job)
        assert not live.service.supervisor.folder_of(job).path.exists()


def test_a_job_that_waits_is_cancelled_before_it_begins(new_service, tmp_path: Path) -> None:
    live = new_service(limits=Limits(running=1, requests_per_second=1e6, burst=10**6, patience=5))
    with live.client() as client:
        first = _slow(client, tmp_path)
        _until(client, first, "running")
        second = client.submit("describe", dataset=client.job(first)["asked"]["dataset"])["id"]
        assert client.job(second)["state"] == "queued"
        client.cancel(second)
        assert client.job(second)["state"] == "cancelled"
        client.cancel(first)
        _until(client, first, "cancelled")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_worker_that_is_killed_costs_one_job(live: Live, tmp_path: Path, number: signal.Signals) -> None:
    with live.client() as client:
        job = _slow(client, tmp_path)
        os.kill(_pid(live, job), number)
        found = _until(client, job, "failed", "lost", "done")
        assert found["state"] == "failed"
        assert "without a word" in _title(found)
        assert client.overview(found["asked"]["dataset"])["records"] == 20_000


def test_a_worker_that_does_not_stop_when_asked_is_killed(new_service, tmp_path: Path) -> None:
    live = new_service(limits=replace(LIMITS, patience=1))
    with live.client() as client:
        job = _slow(client, tmp_path)
        pid = _pid(live, job)
        os.kill(pid, signal.SIGSTOP)  # it hears of nothing any more
        client.cancel(job)
        found = _until(client, job, "cancelled", "failed", "done", "lost")
        assert (found["state"], "was killed" in _title(found)) == ("cancelled", True)
        assert _is_gone(pid)
        assert not live.service.release_folder(job).exists()


def test_a_service_whose_books_are_away_is_stopped_all_the_same(new_service, tmp_path: Path) -> None:
    """And the next one tells what became of its jobs."""
    live = new_service(limits=replace(LIMITS, patience=1))
    with live.client() as client:
        job = _slow(client, tmp_path)
        pid = _pid(live, job)

    def away(*_: object, **__: object) -> None:
        raise FileError("The books are away.")

    live.service.jobs.end = away  # type: ignore[method-assign]
    began = time.monotonic()
    live.stop()
    assert time.monotonic() - began < 30
    assert not live.thread.is_alive()
    assert _is_gone(pid)
    with new_service().client("ada") as client:  # it may have been killed before it could say a word
        assert _until(client, job, "cancelled", "lost")


def test_memory_is_limited(new_service, tmp_path: Path) -> None:
    live = new_service(limits=Limits(running=1, memory=90 << 20, requests_per_second=1e6, burst=10**6))
    with live.client() as client:
        dataset = client.upload(write_people(tmp_path, 1000), PEOPLE)["id"]
        job = client.submit("check", dataset=dataset, models=["k-anonymity:k=2"])["id"]
        assert _until(client, job, "failed", "done", "lost")["state"] == "failed"


def test_a_service_that_is_stopped_stops_its_jobs_and_says_so(new_service, tmp_path: Path, store: str | None) -> None:
    live = new_service(desk=store)
    with live.client() as client:
        job = _slow(client, tmp_path)
        pid = _pid(live, job)
    live.stop()
    assert _is_gone(pid)
    again = new_service(desk=store)
    with again.client("ada") as client:
        assert client.job(job)["state"] == "cancelled"


def _pid_in(folder: Path, job: str) -> int:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = JobFolder(folder / "jobs" / job).process()
        if found is not None:
            return found[0]
        time.sleep(0.02)
    raise AssertionError("no process")


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest) -> str | None:
    """Return where the books of a service are: in its folder, or in PostgreSQL."""
    return None if request.param == "sqlite" else request.getfixturevalue("postgres")


def test_after_a_kill_of_the_service_every_job_is_told_truthfully(tmp_path: Path, store: str | None) -> None:
    """A service that is killed leaves workers behind: those that live are watched further, those that died are lost."""
    folder = tmp_path / "service"
    service = Process(folder, store)
    running, dead = (_slow(service.client, tmp_path) for _ in range(2))
    waiting = service.client.submit("describe", dataset=service.client.job(running)["asked"]["dataset"])["id"]
    _until(service.client, dead, "running")
    pids = [_pid_in(folder, each) for each in (running, dead)]
    service.end(signal.SIGKILL)
    os.kill(pids[1], signal.SIGKILL)
    assert _is_gone(pids[1])
    service = Process(folder, store)
    try:
        assert service.client.job(running)["state"] == "running"
        found = _until(service.client, dead, "lost")
        assert "without a word" in _title(found)
        assert _until(service.client, waiting, "done")["result"]["records"] == 20_000
        service.client.cancel(running)
        _until(service.client, running, "cancelled")
        assert _is_gone(pids[0])
        assert service.client.audit()["holds"]
    finally:
        assert service.end(signal.SIGTERM) == 143


def test_a_worker_that_ended_while_no_service_ran_is_told_as_it_ended(tmp_path: Path, store: str | None) -> None:
    folder = tmp_path / "service"
    service = Process(folder, store)
    dataset = service.client.upload(write_people(tmp_path), PEOPLE)["id"]
    service.client.overview(dataset)
    job = service.client.submit("publish", dataset=dataset, models=["k-anonymity:k=5"], method="mondrian")["id"]
    pid = _pid_in(folder, job)
    service.end(signal.SIGKILL)
    assert _is_gone(pid, 60)
    service = Process(folder, store)
    try:
        assert service.client.job(job)["state"] == "done"
        assert service.client.release(job)["certificate"]["records"] == 120
    finally:
        service.end(signal.SIGTERM)


def test_two_workers_do_not_do_one_job(tmp_path: Path) -> None:
    import fcntl

    from shoal.server.work.worker import TAKEN, main

    folder = JobFolder(tmp_path / "job")
    order = Order(job="x", ask={"kind": "none"}, actor="user ada", out=str(tmp_path / "out"), desk="", memory=1 << 40)
    folder.make(order)
    with folder.lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert main(str(folder.path)) == TAKEN
    assert folder.outcome() is None


def test_events_are_numbered_on_however_many_there_were_before(tmp_path: Path) -> None:
    path = tmp_path / "events"
    for _ in range(2):
        writer = EventWriter(path)
        outer = writer.begin("outer", 10)
        inner = writer.begin("inner", None, outer)
        for _ in range(10):
            writer.advance(outer, 1)
        writer.end(inner)
        writer.end(outer)
    found = list(read_events(path))
    assert [each["id"] for each in found] == list(range(1, len(found) + 1))
    assert found[1]["parent"] == found[0]["stage"]
    assert [each["done"] for each in found if each["event"] == "advance"][-1] == 10
    assert list(read_events(path, after=5)) == found[5:]
    with path.open("ab") as file:
        file.write(b'{"id": 99, "ev')
    assert list(read_events(path)) == found
    EventWriter(path).begin("after an entry that was cut off", None)
    assert [each["id"] for each in read_events(path)] == [*range(1, len(found) + 2)]


def test_a_stream_ends_with_its_job_and_with_the_right_to_follow_it(live: Live, tmp_path: Path) -> None:
    """It ends for whoever is let in no more; and for everybody when the job is gone before its end could be told."""
    with live.client("ada") as ada:
        job = _slow(ada, tmp_path)
        with Client(live.address, live.token("ada", Role.OWNER)) as follower:
            events = follower.events(job)
            assert next(events)["event"] == "begin"
            live.service.users.revoke(live.service.users.tokens()[-1].id)
            assert "over" not in {each["event"] for each in events}  # and there is an end
        events = ada.events(job)
        assert next(events)["event"] == "begin"
        with live.service.books.transaction() as connection:
            connection.execute(JOBS.delete().where(JOBS.c.id == job))
        assert "over" not in {each["event"] for each in events}
        live.service.supervisor.cancel(job)
        assert _is_gone(_pid(live, job))


def test_whatever_fails_when_a_job_is_settled_the_others_are_looked_after(
    live: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with live.client() as client:
        dataset = client.upload(write_people(tmp_path), PEOPLE)["id"]
        client.overview(dataset)
        tried: list[str] = []

        def fails(job: JobRow) -> None:
            tried.append(job.id)
            if tried.count(first) < 3 and job.id == first:
                raise KeyError("s3cr3t")

        monkeypatch.setattr(live.service.supervisor, "_ended", fails)
        first = ""
        first = client.submit("describe", dataset=dataset)["id"]
        second = client.submit("describe", dataset=dataset)["id"]
        assert {_until(client, each, "done", "failed")["state"] for each in (first, second)} == {"done"}
    assert tried.count(first) == 3
    assert tried.count(second) == 1


def test_all_jobs_together_take_no_more_memory_than_they_may(tmp_path: Path) -> None:
    """Each has its share, or more where its data need it; then fewer of them run."""
    limits = Limits(running=4, memory=8 << 30)
    service = Service(ServiceSettings(folder=tmp_path / "service", limits=limits))
    assert service._share([1000]) == 2 << 30
    assert service._share([300 << 20]) == (512 << 20) + 12 * (300 << 20)
    assert service._share([1 << 40]) == 8 << 30


def test_a_job_on_a_release_has_as_much_memory_as_its_files_need(tmp_path: Path) -> None:
    service = Service(ServiceSettings(folder=tmp_path / "service", limits=Limits(running=4, memory=8 << 30)))
    release, who = "0" * 24, Identity("ada", Role.OWNER)
    service.releases.add(release, "ada", release, None, {})
    (service.release_folder(release) / "release").mkdir(parents=True)
    with (service.release_folder(release) / "ledger").open("wb") as file:
        file.truncate(300 << 20)
    for ask in (VerifyAsk(kind="verify", release=release), MeasureAsk(kind="measure", release=release)):
        assert service.submit(ask, who).memory == (512 << 20) + 12 * (300 << 20)


def test_records_that_need_more_memory_than_a_job_may_take_stay_on_disk(tmp_path: Path) -> None:
    """The limit of the process is what counts, not what the machine has; and who asks may choose."""
    data = write_people(tmp_path, 50_000)
    (tmp_path / "schema.toml").write_text(tomli_w.dumps(PEOPLE), encoding="utf-8")
    place = Place(path=str(data), schema_file=str(tmp_path / "schema.toml"))
    found = []
    for memory, engine in ((16 << 20, "auto"), (8 << 30, "auto"), (8 << 30, "stream")):
        ask = {"kind": "check", "dataset": "0" * 16, "models": ["k-anonymity:k=5"], "engine": engine}
        order = Order(job="x", ask=ask, actor="a", datasets={"0" * 16: place}, out="", desk="", memory=memory)
        with assumptions() as assumed:
            told = run(order, tmp_path)
        found.append(({**told, "seconds": 0}, any("stay on disk" in str(each) for each in assumed)))
    assert [on_disk for _, on_disk in found] == [True, False, False]  # where it is asked for, it need not be said
    assert found[0][0] == found[1][0] == found[2][0]


def test_a_view_that_the_desk_counts_as_given_stays_though_its_process_was_killed(tmp_path: Path) -> None:
    """Killed between the last entry in the books and its own last word: the job is done, and the files are there."""
    data, desk = write_people(tmp_path), tmp_path / "desk.db"
    book = Desk.create(desk)
    book.set_requester("clinic", 1)
    book.add_purpose("care", Purpose())
    register(desk, "people", data, PEOPLE, policy=Policy.of_settings({"promises": ["k-anonymity:k=5"]}))
    given, never = tmp_path / "given", tmp_path / "never"
    for each in (given, never):
        each.mkdir()
    made = request(desk, "people", data, PEOPLE, requester="clinic", purpose="care", out=given / "release")
    (never / "rest").write_text("a", encoding="utf-8")
    for out, expected in ((given, made.number), (never, None)):
        order = Order(job="x", ask={"kind": "desk-request"}, actor="a", out=str(out), desk=str(desk), memory=1 << 40)
        assert (cleared(order) or {}).get("number") == expected
        assert out.exists() == (expected is not None)
    assert shoal.verify(given / "release").holds


def test_jobs_wait_for_cores_and_memory(new_service, tmp_path: Path) -> None:
    live = new_service(limits=Limits(running=4, memory=600 << 20, requests_per_second=1e6, burst=10**6, patience=5))
    with live.client() as client:
        first = _slow(client, tmp_path)
        _until(client, first, "running")
        second = client.submit("describe", dataset=client.job(first)["asked"]["dataset"])["id"]
        time.sleep(1)
        assert client.job(second)["state"] == "queued"  # half of what the first may take is left
        client.cancel(first)
        assert _until(client, second, "done", "failed")["state"] == "done"


def test_a_limit_of_waiting_jobs_is_kept(new_service, tmp_path: Path) -> None:
    limits = Limits(running=1, queued=3, requests_per_second=1e6, burst=10**6, patience=5)
    live = new_service(limits=limits)
    with live.client() as client:
        first = _slow(client, tmp_path)
        _until(client, first, "running")
        dataset = client.job(first)["asked"]["dataset"]
        asked = {"kind": "describe", "dataset": dataset}
        statuses = [client._http.post("/jobs", json=asked).status_code for _ in range(6)]
        assert statuses.count(202) == 3
        assert set(statuses) == {202, 429}
        client.cancel(first)
