"""A thin client of the service: one method an operation, and files that are streamed.

>>> client = shoal.Client("http://127.0.0.1:8431", token)                       # doctest: +SKIP
>>> people = client.upload("people.csv", {"age": "quasi-identifier"})            # doctest: +SKIP
>>> job = client.run("publish", dataset=people["id"], models=["k-anonymity:k=5"])  # doctest: +SKIP
>>> client.download(job["result"]["release"], "release")                         # doctest: +SKIP
"""

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, Literal, Self
from urllib.parse import parse_qs, quote, urlsplit

from .client_types import Dataset, Job, LogEntry, Release, Session, ShownToken, Token, User
from .errors import FileError, GuaranteeError, MissingExtraError, ShoalError

__all__ = ["Client", "ServiceProblem"]

Kind = Literal[
    "describe",
    "check",
    "limits",
    "publish",
    "verify",
    "attack",
    "measure",
    "compare-columns",
    "report",
    "sweep",
    "lattice",
    "suggest-hierarchy",
    "check-hierarchy",
    "draw-hierarchy",
]
Json = dict[str, Any]

_PATIENCE = 20.0  # seconds that one request waits for a job
_CHUNK = 1 << 20


class ServiceProblem(ShoalError):  # noqa: N818
    """What the service could not or would not do."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        super().__init__(str(told.get("title", "The service has a problem.")), str(told.get("detail") or ""))
        self.status = int(told.get("status", 500))
        self.type = str(told.get("type", "about:blank"))
        self.declare = dict(told.get("declare", {}))


class RefusedByService(ServiceProblem, GuaranteeError):  # noqa: N818
    """The promises cannot be kept, or the desk may not give what was asked for."""


class Client:
    """Speaks to a service, at its address; the token may be in the address that ``shoal serve`` prints."""

    def __init__(self, address: str, token: str | None = None, *, timeout: float = 60.0) -> None:
        try:
            import httpx
        except ModuleNotFoundError:
            raise MissingExtraError(
                "The client needs a package that is not installed.", "Install it: pip install 'shoal[serve]'."
            ) from None
        parts = urlsplit(address)
        token = token or parse_qs(parts.query).get("token", [None])[0]
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        base = f"{parts.scheme}://{parts.netloc}/api/v1"
        self._http = httpx.Client(base_url=base, headers=headers, timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    # -- data sets

    def datasets(self) -> list[Dataset]:
        """Return your data sets, the newest first."""
        return self._asked("GET", "/datasets")

    def upload(self, path: str | Path, schema: Mapping[str, Any] | None = None) -> Dataset:
        """Upload a file, streamed, and set its schema."""
        made = self._asked("POST", "/datasets", json={"name": Path(path).name})
        self._asked("PUT", f"/datasets/{made['id']}/content", content=_blocks(Path(path)))
        if schema is not None:
            self.set_schema(made["id"], schema)
        return self.dataset(made["id"])

    def register_path(self, path: str) -> Dataset:
        """Register data that stay where they are, on the server."""
        return self._asked("POST", "/datasets", json={"path": path})

    def add_file(self, dataset: str, path: str | Path) -> Json:
        """Upload a file that the schema of a data set names."""
        return self._asked("PUT", f"/datasets/{dataset}/files/{quote(Path(path).name)}", content=_blocks(Path(path)))

    def dataset(self, dataset: str) -> Dataset:
        """Return a data set."""
        return self._asked("GET", f"/datasets/{dataset}")

    def remove_dataset(self, dataset: str) -> None:
        """Remove a data set."""
        self._asked("DELETE", f"/datasets/{dataset}")

    def schema(self, dataset: str) -> Json:
        """Return the schema of a data set."""
        return self._asked("GET", f"/datasets/{dataset}/schema")

    def set_schema(self, dataset: str, schema: Mapping[str, Any]) -> Json:
        """Set the schema of a data set: the settings of a schema file."""
        return self._asked("PUT", f"/datasets/{dataset}/schema", json=dict(schema))

    def overview(self, dataset: str) -> Json:
        """Return what is in a data set, as ``shoal describe`` says it."""
        return self._result(self.wait(self._asked("GET", f"/datasets/{dataset}/overview")["id"]))

    def hierarchy(self, dataset: str, what: Literal["suggest", "check", "draw"], column: str, **asked: Any) -> Json:
        """Suggest, check or draw a hierarchy of a column, and return what came of it."""
        job = self._asked("POST", f"/datasets/{dataset}/hierarchies/{what}", json={"column": column, **asked})
        return self._result(self.wait(job["id"]))

    # -- jobs

    def submit(self, kind: Kind, **asked: Any) -> Job:
        """Ask for a job, and return it at once."""
        return self._asked("POST", "/jobs", json={"kind": kind, **asked})

    def wait(self, job: str) -> Job:
        """Return a job when it is over."""
        while True:
            found = self._asked("GET", f"/jobs/{job}", params={"wait": _PATIENCE})
            if found["ended"] is not None:
                return found

    def run(self, kind: Kind, **asked: Any) -> Job:
        """Ask for a job and return it when it is done, or raise what it met."""
        job = self.wait(self.submit(kind, **asked)["id"])
        self._result(job)
        return job

    def jobs(self, before: int | None = None, most: int = 100) -> list[Job]:
        """Return your jobs, the newest first: those before a number, at most so many."""
        return self._asked("GET", "/jobs", params=_said(before=before, most=most))

    def job(self, job: str) -> Job:
        """Return a job."""
        return self._asked("GET", f"/jobs/{job}")

    def cancel(self, job: str) -> Job:
        """Ask a job to stop."""
        return self._asked("POST", f"/jobs/{job}/cancel")

    def remove_job(self, job: str) -> None:
        """Remove a job that is over."""
        self._asked("DELETE", f"/jobs/{job}")

    def events(self, job: str, after: int = 0) -> Iterator[Json]:
        """Yield the events of a job as they come, to the one that says that it is over."""
        return self._events(f"/jobs/{job}/events", after)

    def _events(self, path: str, after: int) -> Iterator[Json]:
        headers = {"last-event-id": str(after)}
        with self._http.stream("GET", path, headers=headers, timeout=None) as answer:
            if answer.is_error:
                answer.read()
                raise _problem(answer)
            event = ""
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    event = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    yield {"event": event, **json.loads(line.removeprefix("data: "))}

    # -- releases

    def releases(self, before: str | None = None, most: int = 100) -> list[Release]:
        """Return your releases, the newest first: those before one of them, at most so many."""
        return self._asked("GET", "/releases", params=_said(before=before, most=most))

    def release(self, release: str) -> Release:
        """Return a release: its certificate, and the names of its files."""
        return self._asked("GET", f"/releases/{release}")

    def download(self, release: str, folder: str | Path) -> Path:
        """Write the files of a release into a new folder."""
        return self._downloaded(f"/releases/{release}", folder)

    def remove_release(self, release: str) -> None:
        """Remove a release from the server."""
        self._asked("DELETE", f"/releases/{release}")

    def verify_release(self, release: str) -> Json:
        """Check a release on the server as anybody could who has its files, and return what was found."""
        return self._result(self.wait(self._asked("POST", f"/releases/{release}/verify")["id"]))

    def report_release(self, release: str) -> Job:
        """Have the owner's page about a release written, and return the job; :meth:`report_page` gives the page."""
        job = self.wait(self._asked("POST", f"/releases/{release}/report")["id"])
        self._result(job)
        return job

    def report_page(self, job: str) -> str:
        """Return the page that a job of the kind ``report`` has written, HTML."""
        answer = self._http.get(f"/jobs/{job}/report")
        if answer.is_error:
            raise _problem(answer)
        return answer.text

    def look_up(self, release: str, **known: Any) -> Json:
        """Return which records of a release fit what somebody knows of herself: ``values``, or ``items``."""
        return self._asked("POST", f"/releases/{release}/lookup", json=known)

    # -- who may use the service

    def users(self) -> list[User]:
        """Return every user."""
        return self._asked("GET", "/users")

    def add_user(
        self, name: str, role: Literal["owner", "officer", "requester", "auditor"], requester: str | None = None
    ) -> User:
        """Let a user in; a requester asks in the name of one that the desk knows."""
        return self._asked("POST", "/users", json={"name": name, "role": role, "requester": requester})

    def close_user(self, name: str) -> None:
        """Let a user in no more."""
        self._asked("DELETE", f"/users/{quote(name, safe='')}")

    def tokens(self) -> list[Token]:
        """Return every token, without its text."""
        return self._asked("GET", "/tokens")

    def add_token(self, user: str, days: int = 90) -> ShownToken:
        """Make a token for a user; its text is shown this once."""
        return self._asked("POST", "/tokens", json={"user": user, "days": days})

    def rotate_token(self, token: str) -> ShownToken:
        """Revoke a token, and make a new one for the same user."""
        return self._asked("POST", f"/tokens/{token}/rotate")

    def revoke_token(self, token: str) -> None:
        """Make a token good for nothing."""
        self._asked("DELETE", f"/tokens/{token}")

    # -- what there is

    def health(self) -> Json:
        """Return that the service is there."""
        return self._asked("GET", "/health")

    def whoami(self) -> Session:
        """Return whose token this is, and in which role."""
        return self._asked("GET", "/session")

    def catalog(self, family: Literal["promises", "methods", "attacks", "measures"]) -> list[Json]:
        """Return every promise, method, attack or measure with the schema of its settings."""
        return self._asked("GET", f"/{family}")

    def validate_plan(self, **asked: Any) -> Json:
        """Check the settings of a release without its data."""
        return self._asked("POST", "/plans/validate", json={"kind": "publish", **asked})

    def version(self) -> Json:
        """Return the version of the service."""
        return self._asked("GET", "/version")

    # -- the desk

    def desk(
        self, what: Literal["purposes", "requesters", "datasets", "releases", "requests", "approvals", "proposals"]
    ) -> list[Json]:
        """Return one of the lists of the desk."""
        return self._asked("GET", f"/desk/{what}")

    def offers(self) -> Json:
        """Return the data sets and the purposes that you may ask the desk for."""
        return self._asked("GET", "/desk/offers")

    def add_purpose(self, name: str, **settings: Any) -> Json:
        """Add a purpose."""
        return self._asked("POST", "/desk/purposes", json={"name": name, **settings})

    def set_requester(self, name: str, trust: float, **terms: Any) -> Json:
        """Add a requester, or change the trust in one; terms are ``until``, ``purposes`` and ``reopen``."""
        return self._asked("POST", "/desk/requesters", json={"name": name, "trust": trust, **terms})

    def close_requester(self, name: str, why: str = "") -> None:
        """Give a requester nothing more."""
        self._asked("POST", f"/desk/requesters/{quote(name, safe='')}/close", json={"why": why})

    def change_policy(self, name: str, **changes: Any) -> Json:
        """Change the policy of a data set of the desk, or propose it where two people are needed."""
        return self._asked("PATCH", f"/desk/datasets/{quote(name, safe='')}/policy", json=changes)

    def confirm(self, number: int) -> Json:
        """Let a change of a policy hold that somebody else has proposed."""
        return self._asked("POST", f"/desk/proposals/{number}/confirm")

    def reject(self, number: int, why: str = "") -> None:
        """Let a change of a policy that was proposed never hold."""
        self._asked("POST", f"/desk/proposals/{number}/reject", json={"why": why})

    def approve(self, number: int, why: str = "") -> Json:
        """Approve a request that waits."""
        return self._asked("POST", f"/desk/approvals/{number}/approve", json={"why": why})

    def refuse(self, number: int, why: str) -> Json:
        """Refuse a request that waits for approval."""
        return self._asked("POST", f"/desk/approvals/{number}/refuse", json={"why": why})

    def book(self, name: str, **filters: str) -> list[Json]:
        """Return one of the books of the desk, or what filters choose of it."""
        answer = self._http.get(f"/desk/books/{quote(name)}", params={"format": "ndjson", **filters})
        if answer.is_error:
            raise _problem(answer)
        return [json.loads(line) for line in answer.text.split("\n") if line]

    def populations(self, dataset: str | None = None) -> list[Json]:
        """Return which data sets are judged together, and whom they have in common; of one data set, or of all."""
        return self._asked("GET", "/desk/populations", params={} if dataset is None else {"dataset": dataset})

    def register(self, name: str, dataset: str, policy: Mapping[str, Any] | None = None) -> Json:
        """Register a data set at the desk, or a new version of one, and return what is known of it."""
        job = self._asked("POST", "/desk/datasets", json={"name": name, "dataset": dataset, "policy": policy})
        return self._result(self.wait(job["id"]))

    def keep(self, name: str, version: int | None = None) -> Json:
        """Let the desk keep a version of one of your data sets, encrypted; the newest unless one is named."""
        path = f"/desk/datasets/{quote(name, safe='')}/keep"
        return self._result(self.wait(self._asked("POST", path, json={"version": version})["id"]))

    def request(self, dataset: str, purpose: str, **asked: Any) -> Json:
        """Ask the desk for a view, and return what was released; a refusal is raised."""
        job = self.submit_request(dataset, purpose, **asked)
        while job["ended"] is None:
            job = self._asked("GET", f"/desk/requests/{job['id']}", params={"wait": _PATIENCE})
        return self._result(job)

    def submit_request(self, dataset: str, purpose: str, **asked: Any) -> Job:
        """Ask the desk for a view, and return the request at once."""
        return self._asked("POST", "/desk/requests", json={"dataset": dataset, "purpose": purpose, **asked})

    def cancel_request(self, job: str) -> Job:
        """Ask a request of yours to stop, unless it is decided."""
        return self._asked("POST", f"/desk/requests/{job}/cancel")

    def request_events(self, job: str, after: int = 0) -> Iterator[Json]:
        """Yield the events of a request of yours; a requester hears of its end alone."""
        return self._events(f"/desk/requests/{job}/events", after)

    def dry_run(self, dataset: str, purpose: str, requester: str) -> Json:
        """Return what a request to the desk would get, and what each coalition would then know."""
        asked = {"dataset": dataset, "purpose": purpose, "requester": requester}
        job = self._asked("POST", "/desk/dry-runs", json=asked)
        while job["ended"] is None:
            job = self._asked("GET", f"/desk/dry-runs/{job['id']}", params={"wait": _PATIENCE})
        return self._result(job)

    def download_view(self, number: int, folder: str | Path) -> Path:
        """Write the files of a release of the desk into a new folder."""
        return self._downloaded(f"/desk/releases/{number}", folder)

    def look_up_in_view(self, number: int, **known: Any) -> Json:
        """Return the same of a release of the desk."""
        return self._asked("POST", f"/desk/releases/{number}/lookup", json=known)

    def revoke(self, number: int, why: str = "") -> Json:
        """Mark a release of the desk as no longer to be used."""
        return self._asked("POST", f"/desk/releases/{number}/revoke", json={"why": why})

    def log(self, after: int = 0, most: int = 1000) -> list[LogEntry]:
        """Return the log of the desk after a number, at most so many entries."""
        return self._asked("GET", "/desk/log", params={"after": after, "most": most})

    def audit(self) -> Json:
        """Check the log of the desk, and the books against it."""
        return self._asked("GET", "/desk/audit")

    # -- how

    def _asked(self, method: str, path: str, **settings: Any) -> Any:
        answer = self._http.request(method, path, **settings)
        if answer.is_error:
            raise _problem(answer)
        return answer.json() if answer.content else None

    def _downloaded(self, path: str, folder: str | Path) -> Path:
        """Write files into a new folder, which gets its name when all of them are there."""
        target = Path(folder)
        if target.exists():
            raise FileError(f"{target} exists already.", "Choose another name.")
        files = self._asked("GET", path)["files"]
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as coming:
            new = Path(coming) / "new"
            new.mkdir()
            for name in files:
                self._download(f"{path}/files/{quote(name)}", _inside(new, name))
            new.rename(target)
        return target

    def _download(self, path: str, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        with self._http.stream("GET", path) as answer, target.open("wb") as file:
            if answer.is_error:
                answer.read()
                raise _problem(answer)
            for block in answer.iter_bytes(_CHUNK):
                file.write(block)

    @staticmethod
    def _result(job: Job) -> Json:
        if job["state"] == "done":
            return job["result"]
        raise (RefusedByService if job["state"] == "refused" else ServiceProblem)(job["problem"] or {})


def _said(**parameters: object) -> dict[str, Any]:
    """Return the parameters that are said."""
    return {name: value for name, value in parameters.items() if value is not None}


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_CHUNK):
            yield block


def _inside(folder: Path, name: str) -> Path:
    """Return where a file of a folder is to be written; a name that leads elsewhere is not followed."""
    parts = PurePosixPath(name).parts
    if not parts or PurePosixPath(name).is_absolute() or ".." in parts or "\\" in name:
        raise ServiceProblem({"title": "The service names a file outside the folder that it is to be written to."})
    return folder.joinpath(*parts)


def _problem(answer: Any) -> ServiceProblem:
    try:
        told = answer.json()
    except ValueError:
        told = {"title": "The service gave an answer that is none of its own.", "status": answer.status_code}
    told = told if isinstance(told, dict) else {"status": answer.status_code}
    return (RefusedByService if answer.status_code == GuaranteeError.http_status else ServiceProblem)(told)
