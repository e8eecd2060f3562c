"""What the service answers with, as the client returns it: dictionaries whose keys and types are known to checkers.

A test compares them with the OpenAPI document. What a job made is as ``to_json()`` of the function of its name.
"""

from typing import Any, Literal, TypedDict

__all__ = ["Dataset", "Job", "LogEntry", "ProblemTold", "Release", "Session", "ShownToken", "Token", "User"]

Role = Literal["owner", "officer", "requester", "auditor"]


class ProblemTold(TypedDict, total=False):
    """What went wrong, and the cure (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str | None


class Dataset(TypedDict):
    """A data set."""

    id: str
    name: str
    state: Literal["empty", "ready"]
    bytes: int
    sha256: str | None
    made: str
    registered: bool
    has_schema: bool


class Job(TypedDict):
    """A job, and its result or problem once it is over."""

    id: str
    number: int
    kind: str
    asked: dict[str, Any]
    state: Literal["queued", "running", "done", "refused", "failed", "cancelled", "lost"]
    made: str
    began: str | None
    ended: str | None
    result: Any
    problem: ProblemTold | None


class Release(TypedDict):
    """A release that was made here."""

    id: str
    dataset: str | None
    made: str
    certificate: dict[str, Any]
    files: list[str]


class Session(TypedDict):
    """Whose token it is."""

    user: str
    role: Role
    requester: str | None
    form_token: str | None


class User(TypedDict):
    """A user."""

    name: str
    role: Role
    requester: str | None
    made: str
    closed: str | None


class Token(TypedDict):
    """A token, without its text."""

    id: str
    user: str
    made: str
    expires: str
    revoked: str | None


class ShownToken(Token):
    """A new token: its text is shown this once."""

    token: str


class LogEntry(TypedDict):
    """An entry of the log of the desk."""

    number: int
    at: str
    event: str
    by: str | None
    told: dict[str, Any]
    previous: str
    hash: str
