"""The desk: purposes, requesters, data sets with their policies, what was released, the log and its audit."""

from typing import Annotated, Any, Literal

from anyio import to_thread
from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathParameter
from pydantic import BaseModel, ConfigDict, Field

from shoal.desk import Policy, Purpose
from shoal.desk.names import known_name
from shoal.errors import WordingError
from shoal.server.access import Who, rule, service_of
from shoal.server.problems import NotFound
from shoal.server.service import Service
from shoal.server.store import Identity, JobRow, Role
from shoal.server.work.asks import KeepAsk, RegisterAsk

from .jobs import Wait, awaited, submitted
from .models import JobInfo

__all__ = ["Name", "router"]

router = APIRouter(prefix="/desk", tags=["desk"])

Name = Annotated[str, Field(min_length=1, max_length=200)]
NameInPath = Annotated[str, PathParameter(min_length=1, max_length=200)]
_READERS = (Role.OWNER, Role.OFFICER, Role.AUDITOR)
_RUNNERS = (Role.OWNER, Role.OFFICER)


class PurposeInfo(BaseModel):
    """What data are requested for, and how useful each column is for it."""

    name: str
    settings: dict[str, Any]


class NewPurpose(BaseModel):
    """A purpose to be known."""

    model_config = ConfigDict(extra="forbid")
    name: Name
    priorities: Annotated[str, Field(max_length=2000)] | None = None
    most: Annotated[str, Field(max_length=200)] | None = None
    least: Annotated[str, Field(max_length=200)] | None = None
    target: Annotated[str, Field(max_length=200)] | None = None
    bins: Annotated[int, Field(ge=1, le=10_000, strict=True)] = 10


class NewRequester(BaseModel):
    """Who may ask, and how far it is trusted: 1 fully; 0 not at all, and it gets nothing. The rest stays as it was."""

    model_config = ConfigDict(extra="forbid")
    name: Name
    trust: Annotated[float, Field(ge=0, le=1, strict=True)]
    until: Annotated[str, Field(max_length=50, description="2027-01-31, a time with its zone, or never.")] | None = None
    purposes: Annotated[list[Name], Field(max_length=1000)] | None = Field(
        None, description="Those it may ask for; 'any' alone: all of them."
    )
    reopen: bool = Field(False, description="Open a requester again that was closed.")


class RequesterInfo(BaseModel):
    """Who may ask, how far it is trusted, until when and for what."""

    name: str
    trust: float
    state: str
    expires: str | None
    purposes: list[str] | None
    closed: str | None
    at: str | None = Field(description="When it was changed last, and by whom.")
    by: str | None

    @classmethod
    def of(cls, listed: dict[str, Any]) -> "RequesterInfo":
        """Return a requester as listed."""
        return cls(name=listed["requester"], **listed)


class PolicySettings(BaseModel):
    """What an owner allows; what is left out is as usual, or as it was."""

    model_config = ConfigDict(extra="forbid")
    promises: Annotated[list[Annotated[str, Field(max_length=500)]], Field(min_length=1, max_length=20)] | None = None
    projection: Annotated[str, Field(max_length=500)] | None = None
    views: Literal["nested", "checked"] | None = None
    recoding: Literal["local", "levels"] | None = Field(None, description="How nested views generalize.")
    beta: Annotated[str, Field(max_length=50)] | None = None
    withhold: Annotated[str, Field(max_length=50)] | None = None
    purpose: Name | None = None
    coalitions: Annotated[list[Annotated[list[Name], Field(max_length=100)]], Field(max_length=100)] | None = None
    identifier: Annotated[str, Field(max_length=200)] | None = None
    population: Annotated[str, Field(max_length=200)] | None = Field(
        None, description="What the data are an extract of: all its data sets are judged together; '' for none."
    )
    accept: Annotated[list[Name], Field(max_length=100)] | None = None
    apart_from: Annotated[list[Name], Field(max_length=100)] | None = None
    approval: bool | None = Field(None, description="Each request waits until an officer has approved it.")
    approval_days: Annotated[int, Field(ge=0, le=36_500, strict=True)] | None = None
    release_days: Annotated[int, Field(ge=0, le=36_500, strict=True)] | None = None
    two_person: bool | None = Field(None, description="A change of the policy needs a second person.")

    def given(self) -> dict[str, Any]:
        """Return the parts that are said, as a policy has them; coalitions (all) and identifier (none) may be null."""
        said = self.model_dump(exclude_unset=True)
        return {
            part: value for part, value in said.items() if value is not None or part in ("coalitions", "identifier")
        }


class NewDeskDataset(BaseModel):
    """A data set to be registered at the desk, or a new version of one."""

    model_config = ConfigDict(extra="forbid")
    name: Name
    dataset: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$", description="The id of your data set.")]
    policy: PolicySettings | None = Field(None, description="None: it is a new version of a data set that is known.")


class DeskDatasetInfo(BaseModel):
    """A data set of the desk."""

    name: str
    policy: dict[str, Any]
    views: int | None = Field(
        description="How many nested views there are; null where it depends on the data, as with local recoding."
    )
    versions: list[dict[str, Any]]


class LogEntry(BaseModel):
    """An entry of the log."""

    number: int
    at: str
    event: str
    by: str | None
    told: dict[str, Any]
    previous: str
    hash: str


class AuditInfo(BaseModel):
    """What the audit found."""

    holds: bool
    entries: int
    releases: int
    head: str
    faults: list[str]
    anchor: Literal["none", "file", "command"] = Field(
        description="Where the head of the log is written outside at each change."
    )
    is_compared: bool = Field(description="Whether the log was compared with what is anchored.")


@router.get("/purposes", **rule(*Role))
def purposes(request: Request) -> list[PurposeInfo]:
    """Return every purpose."""
    return [_purpose(each) for each in service_of(request).books.desk().book("purposes")]


def _purpose(listed: dict[str, Any]) -> PurposeInfo:
    return PurposeInfo(name=listed["purpose"], settings=listed["settings"])


@router.post("/purposes", status_code=201, **rule(*_RUNNERS))
def add_purpose(request: Request, who: Who, new: NewPurpose) -> PurposeInfo:
    """Add a purpose; it stays what it is, because views are decided on by it."""
    desk = service_of(request).books.desk()
    settings = new.model_dump(exclude={"name"}, exclude_none=True)
    with who.acting():
        name = desk.add_purpose(new.name, Purpose(**settings))
    (listed,) = desk.book("purposes", purpose=name)
    return _purpose(listed)


@router.get("/requesters", **rule(*_READERS))
def requesters(request: Request) -> list[RequesterInfo]:
    """Return every requester: how far it is trusted, until when and for what."""
    return [RequesterInfo.of(each) for each in service_of(request).books.desk().book("requesters")]


@router.post("/requesters", **rule(*_RUNNERS))
def set_requester(request: Request, who: Who, new: NewRequester) -> RequesterInfo:
    """Add a requester, or change how far one is trusted."""
    terms: dict[str, Any] = {} if new.until is None else {"until": new.until}
    if new.purposes is not None:
        terms["purposes"] = None if new.purposes == ["any"] else new.purposes
    desk = service_of(request).books.desk()
    with who.acting():
        name = desk.set_requester(new.name, new.trust, **terms, reopen=new.reopen)
    (listed,) = desk.book("requesters", requester=name)
    return RequesterInfo.of(listed)


@router.get("/datasets", **rule(*_READERS))
def desk_datasets(request: Request) -> list[DeskDatasetInfo]:
    """Return every data set of the desk, with its policy and versions."""
    return [DeskDatasetInfo(name=each["dataset"], **each) for each in service_of(request).books.desk().book("datasets")]


@router.post("/datasets", status_code=202, responses={200: {"model": JobInfo}}, **rule(Role.OWNER))
async def register(request: Request, response: Response, who: Who, new: NewDeskDataset, wait: Wait = 0) -> JobInfo:
    """Register one of your data sets at the desk with a policy or, without one, as a new version."""
    service = service_of(request)
    policy = None if new.policy is None else new.policy.given()
    if policy is not None:
        Policy.of_settings(policy)  # a policy that cannot be is refused at once
    await to_thread.run_sync(service.refuse_what_another_registered, new.name, who)
    ask = RegisterAsk(kind="desk-register", name=new.name, dataset=new.dataset, policy=policy)
    return await submitted(service, response, who, ask, wait)


class KeptVersion(BaseModel):
    """Which version the desk is to keep."""

    model_config = ConfigDict(extra="forbid")
    version: Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)] | None = Field(None, description="The newest.")


@router.post("/datasets/{name}/keep", status_code=202, responses={200: {"model": JobInfo}}, **rule(Role.OWNER))
async def keep(
    request: Request, response: Response, who: Who, name: NameInPath, which: KeptVersion, wait: Wait = 0
) -> JobInfo:
    """Let the desk keep one of your data sets, encrypted with the key of the service. It is a job."""
    service = service_of(request)
    row = await to_thread.run_sync(_keep, service, who, known_name(name), which.version)
    row = await awaited(service, row, wait)
    response.status_code = 200 if row.is_over else 202
    response.headers["location"] = f"/api/v1/jobs/{row.id}"
    return JobInfo.of(row)


def _keep(service: Service, who: Identity, name: str, version: int | None) -> JobRow:
    service.refuse_what_another_registered(name, who)
    held = {number: id_ for (_, number), id_ in service.desk_sources.of_all([name]).items()}
    number = max(held, default=0) if version is None else version
    if number not in held:
        raise NotFound("The desk has no such data set, or version of it, whose data are with the service.")
    if not service.settings.has_desk_key:
        raise WordingError("The service has no key to seal data with.", "Start it with --key-file or --key-command.")
    return service.submit(KeepAsk(kind="desk-keep", name=name, version=number, dataset=held[number]), who)


@router.patch("/datasets/{name}/policy", **rule(Role.OWNER))
def change_policy(request: Request, who: Who, name: NameInPath, changes: PolicySettings) -> dict[str, Any]:
    """Change the policy of a data set. What was released before still counts.

    Where the policy asks for two people, the change is proposed: 409, and its number.
    """
    given = {key: _tuples(value) for key, value in changes.given().items()}
    service = service_of(request)
    service.refuse_what_another_registered(name, who)
    with who.acting():
        return service.books.desk().change_policy(name, **given).to_json()


@router.get("/log", **rule(Role.OWNER, Role.AUDITOR))
def log(
    request: Request,
    after: Annotated[int, Query(ge=0, le=2**31 - 1, description="Only entries after this number.")] = 0,
    most: Annotated[int, Query(ge=1, le=10_000)] = 1000,
) -> list[LogEntry]:
    """Return the log: who did what. Each entry holds the hash of the one before it."""
    return [LogEntry(**each) for each in service_of(request).books.desk().log(after, most)]


@router.get("/audit", **rule(*_READERS))
def audit(
    request: Request,
    folders: Annotated[bool, Query(description="Also check that release folders are as written.")] = False,  # noqa: FBT002
    noted: Annotated[str | None, Query(pattern=r"^[0-9a-f]{64}$", description="A hash noted earlier.")] = None,
) -> AuditInfo:
    """Check that the log is complete and that the books agree with it."""
    return AuditInfo(**service_of(request).books.desk().audit(folders=folders, noted=noted).to_json())


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
