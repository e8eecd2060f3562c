"""The service itself: its books, its files and its jobs, whatever interface speaks to it."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from shoal.desk.keeping.keys import read_key
from shoal.errors import FileError, WordingError
from shoal.jobs.schema_text import schema_text

from .access.identify import Forbidden
from .access.proofs import Proven
from .access.rates import Rates
from .held_versions import held_versions
from .problems import NotFound, problem
from .settings import ServiceSettings
from .store import Books, DatasetRow, Datasets, DeskSources, Identity, JobRow, Jobs, ReleaseRow, Releases, Role, Users
from .uploads import NotStored, Stored, remove_abandoned, write_text
from .watch import Watch
from .work.asks import Ask, DescribeAsk, DryRunAsk, RequestAsk
from .work.folder import HeldVersion, Order, Place
from .work.supervisor import Supervisor
from .work.unkept import Unkept

__all__ = ["Service", "TooManyWaiting"]

_BEFORE = ".schema-before.toml"
"""The schema that the present one took the place of; no file that is sent can have this name."""
_LEAST_MEMORY = 512 << 20
_MEMORY_PER_BYTE = 12
"""How many bytes of memory a job takes for each byte of its data, at most, as far as was seen."""
SINGLE_USER = "owner"
"""The name of the one user of a service on loopback to which no users were added."""


class TooManyWaiting(WordingError):  # noqa: N818
    """Somebody has more jobs waiting than is allowed."""

    http_status = 429


class Service:
    """Everything behind the interface of a service."""

    def __init__(self, settings: ServiceSettings) -> None:
        self.settings = settings
        self._make_private(settings.folder)
        if settings.has_desk_key:
            read_key(settings.key_file, settings.key_command)  # who has given a wrong one is told now
        self.books = Books(settings.store)
        self.users, self.datasets = Users(self.books), Datasets(self.books)
        self.jobs, self.releases, self.desk_sources = Jobs(self.books), Releases(self.books), DeskSources(self.books)
        limits = settings.limits
        self.failures = Rates(limits.failures_per_minute / 60, max(1, int(limits.failures_per_minute)))
        self.proven = Proven()
        self.watch = Watch(self.books)
        self._storing = threading.Lock()
        self.supervisor = Supervisor(self.jobs, settings.folder / "jobs", limits, self._job_ended)
        self.unkept = Unkept(limits.running, limits.memory)

    def start(self) -> None:
        """Begin to do jobs, and remove what a service that was killed has left of uploads."""
        remove_abandoned(self.settings.folder / "datasets")
        self.supervisor.start()

    def stop(self) -> None:
        """Let jobs that run come to an end, and leave."""
        self.supervisor.stop()

    def enter(self) -> str | None:
        """Return a token for the one user of this machine; None where users were added, who have their own."""
        known = [each.name for each in self.users.all()]
        if self.settings.is_reached_from_elsewhere or known not in ([], [SINGLE_USER]):
            return None
        if not known:
            self.users.add(SINGLE_USER, Role.OWNER)
        _, text = self.users.add_token(SINGLE_USER, days=1)
        return text

    # -- files

    def dataset_folder(self, id_: str) -> Path:
        """Return the folder of a data set: its content, if it was uploaded, its schema and what that names."""
        return self.settings.folder / "datasets" / id_

    def release_folder(self, id_: str) -> Path:
        """Return the folder that holds a release and its ledger."""
        return self.settings.folder / "releases" / id_

    def place_of(self, row: DatasetRow) -> Place:
        """Return where a data set is, or raise if its content has not come yet."""
        if row.state != "ready":
            raise FileError("The data set has no content yet.", f"PUT it to /api/v1/datasets/{row.id}/content.")
        folder = self.dataset_folder(row.id)
        schema = folder / "schema.toml"
        # what a path leads to may have changed since, and so may the folders that are allowed
        path = str(folder / "content" / row.name) if row.path is None else str(self.path_allowed(row.path))
        return Place(path=path, schema_file=str(schema) if schema.is_file() else None)

    def path_allowed(self, path: str) -> Path:
        """Return a path of the server from which data may be registered, or raise."""
        real = Path(os.path.realpath(path.replace("\0", "")))
        if "\0" in path or not self._is_allowed(real) or not real.exists():
            raise NotFound("There is no such file below a folder that may be used.", "Start the service with --root.")
        if not all(self._is_allowed(Path(os.path.realpath(each))) for each in _links_below(real)):
            raise NotFound("A link in this folder leads out of the folders that may be used.", "Remove the link.")
        return real

    def _is_allowed(self, real: Path) -> bool:
        return any(real.is_relative_to(os.path.realpath(root)) for root in self.settings.roots)

    # -- data sets

    def add_dataset(self, who: Identity, *, name: str | None = None, path: str | None = None) -> DatasetRow:
        """Make a data set: of a name, whose content is to come, or of a path below a folder that may be used."""
        if (name is None) == (path is None):
            raise WordingError("A data set has a name, or a path on the server.", "Give one of them.")
        with who.acting():
            if path is not None:
                real = self.path_allowed(path)
                row = self.datasets.add(who.name, real.name, path=str(real), size=_bytes_of(real))
            else:
                assert name is not None
                row = self.datasets.add(who.name, name)
        self._make_dataset_folder(row)
        if row.state == "ready":
            self.describe_anew(row, who)
        return row

    def _make_dataset_folder(self, row: DatasetRow) -> Path:
        folder = self.dataset_folder(row.id)
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise NotStored(row.name, error) from None
        return folder

    def set_content(
        self, row: DatasetRow, kept: Stored, who: Identity, give_name: Callable[[], None] = lambda: None
    ) -> None:
        """Say that the content of a data set is there, and have it described; ``give_name`` puts it there."""
        with self._storing, who.acting():  # of two that come at once, the one that is kept is the one that is told
            self.refuse_what_the_desk_needs(self.dataset(row.id, who))
            give_name()
            self.datasets.change(row.id, "content", bytes=kept.bytes, sha256=kept.sha256, state="ready")
        self.describe_anew(row, who)

    def set_file(self, row: DatasetRow, who: Identity, give_name: Callable[[], None]) -> None:
        """Say that a file that the schema may name is there; ``give_name`` puts it there."""
        self.refuse_what_the_desk_needs(self.dataset(row.id, who))
        with who.acting():
            give_name()
            self.datasets.change(row.id, "file", overview_job=None)  # which may have been described with another one

    def set_schema(self, row: DatasetRow, settings: dict[str, Any], who: Identity) -> None:
        """Set the schema of a data set, or raise; files that it names must be there."""
        self.refuse_what_the_desk_needs(row)
        folder = self._make_dataset_folder(row)
        text = schema_text(settings, {each.name for each in folder.iterdir() if each.is_file()})
        earlier = self.schema_text(row)
        with who.acting():
            write_text(folder / "schema.toml", text)
            if earlier not in (None, text):
                write_text(folder / _BEFORE, str(earlier))
            self.datasets.change(row.id, "schema", overview_job=None)
        if row.state == "ready":
            self.describe_anew(row, who)

    def schema_text(self, row: DatasetRow, *, before: bool = False) -> str | None:
        """Return the schema of a data set as its file has it, or the one ``before`` it; None where there is none."""
        file = self.dataset_folder(row.id) / (_BEFORE if before else "schema.toml")
        return file.read_text(encoding="utf-8") if file.is_file() else None

    def describe_anew(self, row: DatasetRow, who: Identity) -> None:
        """Have a data set described, because its content or its schema is new.

        Where too many jobs wait already, it is described when somebody asks for it: what is new is stored all the same.
        """
        with suppress(TooManyWaiting):
            self.describe(row, who)

    def describe(self, row: DatasetRow, who: Identity) -> JobRow:
        """Have a data set described."""
        job = self.submit(DescribeAsk(kind="describe", dataset=row.id), who)
        self.datasets.change(row.id, overview_job=job.id)
        return job

    def remove_dataset(self, row: DatasetRow, who: Identity) -> None:
        """Remove a data set and everything that was uploaded with it; a file that is registered by its path stays."""
        self.refuse_what_the_desk_needs(row)
        with who.acting():
            self.datasets.remove(row.id)
        shutil.rmtree(self.dataset_folder(row.id), ignore_errors=True)

    def refuse_what_the_desk_needs(self, row: DatasetRow) -> None:
        """Refuse to change or remove data of which the desk gives views: it would give none any more."""
        if self.desk_sources.uses(row.id):
            raise WordingError(
                "The desk gives views of this data set, and needs it as it is.", "Register a new version of it."
            )

    def refuse_what_another_registered(self, name: str, who: Identity) -> None:
        """Refuse to decide on data of the desk that another owner has registered: a weak policy would show them."""
        rows = [self.datasets.get(each) for each in self.desk_sources.of(name)]
        if any(row is not None and row.user != who.name for row in rows):
            raise Forbidden("Another owner has registered this data set, and decides on it.")

    # -- things that belong to somebody

    def dataset(self, id_: str, who: Identity) -> DatasetRow:
        """Return a data set of somebody, or raise."""
        row = self.datasets.get(id_)
        if row is None or row.user != who.name:
            raise NotFound("There is no such data set.")
        return row

    def job(self, id_: str, who: Identity) -> JobRow:
        """Return a job of somebody, or raise."""
        row = self.jobs.get(id_)
        if row is None or row.user != who.name:
            raise NotFound("There is no such job.")
        return row

    def release(self, id_: str, who: Identity) -> ReleaseRow:
        """Return a release of somebody, or raise."""
        row = self.releases.get(id_)
        if row is None or row.user != who.name:
            raise NotFound("There is no such release.")
        return row

    # -- jobs

    def submit(self, ask: Ask, who: Identity) -> JobRow:
        """Let a job wait for its turn, or raise: what it names must belong to who asks."""
        datasets = {each: self.dataset(each, who) for each in ask.datasets}
        releases = {each: self.release(each, who) for each in ask.releases}
        places = {each: self.place_of(row) for each, row in datasets.items()}
        made = {each: self._place_of_release(each) for each in releases}
        sizes = [row.bytes for row in datasets.values()] + [_bytes_of(self.release_folder(each)) for each in releases]
        return self._submit(ask, who, places, made, sizes)

    def submit_for_desk(self, ask: RequestAsk | DryRunAsk, who: Identity) -> JobRow:
        """Let a request to the desk wait for its turn; its data belong to their owners, and are read for who asks."""
        held, size = held_versions(self, ask.name)
        return self._submit(ask, who, {}, {}, [size], held)

    def _submit(
        self,
        ask: Ask,
        who: Identity,
        datasets: dict[str, Place],
        releases: dict[str, Place],
        sizes: Sequence[int],
        held: Sequence[HeldVersion] = (),
    ) -> JobRow:
        if self.jobs.waiting(who.name) >= self.settings.limits.queued:
            raise TooManyWaiting("Too many jobs wait already.", "Wait until some are done, or cancel them.")
        memory = self._share(sizes)
        asked: dict[str, Any] = ask.model_dump(mode="json")
        with who.acting():
            row = self.jobs.add(who.name, asked["kind"], asked, memory)
        order = Order(
            job=row.id,
            ask=asked,
            actor=who.actor,
            datasets=datasets,
            releases=releases,
            held=tuple(held),
            out=str(self.release_folder(row.id)),
            desk=self.books.where,
            key_file=None if self.settings.key_file is None else os.path.abspath(self.settings.key_file),
            key_command=self.settings.key_command,
            memory=memory,
        )
        try:
            self.supervisor.submit(row, order)
        except OSError as error:
            self.jobs.end(row.id, "failed", problem=problem(507, "There was no room for the files of the job."))
            raise NotStored("The job", error) from None
        return row

    def _share(self, sizes: Sequence[int]) -> int:
        """Return how much memory a job may take: its part of all there is, or more where its data need it.

        What all jobs that run may take is never more than all there is, so none of them is started that does not fit.
        """
        limits = self.settings.limits
        estimate = _LEAST_MEMORY + _MEMORY_PER_BYTE * sum(sizes)
        return min(limits.memory, max(estimate, limits.memory // limits.running))

    def cancel(self, row: JobRow, who: Identity) -> None:
        """Ask a job to stop, unless it is over."""
        if not row.is_over:
            with who.acting():
                self.jobs.note_cancelling(row.id)
                self.supervisor.cancel(row.id)

    def _place_of_release(self, id_: str) -> Place:
        folder = self.release_folder(id_)
        if not (folder / "release").is_dir():
            raise NotFound("The files of the release are not with the service any more.")
        return Place(path=str(folder / "release"), ledger=str(folder / "ledger"))

    def _job_ended(self, job: JobRow) -> None:
        """Write down what a job has made, before its state says that it is done."""
        outcome = self.supervisor.folder_of(job.id).outcome() or {}
        if job.kind == "publish":
            certificate = self.release_folder(job.id) / "release" / "certificate.json"
            self.releases.add(job.id, job.user, job.id, job.asked["dataset"], _json(certificate))
        elif job.kind == "desk-register":
            self.desk_sources.add(outcome["result"]["dataset"], outcome["result"]["version"], job.asked["dataset"])

    def remove_job(self, row: JobRow, who: Identity) -> None:
        """Remove a job that is over, and its files; a release that it made stays."""
        with who.acting():
            if not self.jobs.remove(row.id):
                raise WordingError("The job is not over.", "Cancel it first.")
        shutil.rmtree(self.supervisor.folder_of(row.id).path, ignore_errors=True)

    @staticmethod
    def _make_private(folder: Path) -> None:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if folder.stat().st_mode & 0o077:
                raise FileError(f"Others than its owner can open {folder}.", f"Make it private: chmod 700 {folder}")
            for each in ("datasets", "jobs", "releases"):
                (folder / each).mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise FileError(f"{folder} cannot be used: {os.strerror(error.errno or 0)}.") from None


def _links_below(path: Path) -> Iterator[str]:
    """Yield every link in a folder and below it."""
    for folder, folders, files in os.walk(path):
        yield from (each for name in (*folders, *files) if os.path.islink(each := os.path.join(folder, name)))


def _json(path: Path) -> dict[str, Any]:
    import json

    return json.loads(path.read_bytes())


def _bytes_of(path: Path) -> int:
    if path.is_file():
        return path.stat().st_size
    return sum(each.stat().st_size for each in path.rglob("*") if each.is_file())
