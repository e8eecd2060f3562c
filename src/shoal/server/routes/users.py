"""Users and their tokens: who may use the service, and as what."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field

from shoal.errors import WordingError
from shoal.server.access import Who, rule, service_of
from shoal.server.store import Role

__all__ = ["router"]

router = APIRouter(tags=["users"])

UserName = Annotated[str, Field(min_length=1, max_length=200)]
UserInPath = Annotated[str, Path(min_length=1, max_length=200)]
TokenId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$", description="The id of a token.")]


class UserInfo(BaseModel):
    """A user."""

    name: str
    role: Role
    requester: str | None
    made: str
    closed: str | None


class NewUser(BaseModel):
    """A user to let in."""

    model_config = ConfigDict(extra="forbid")
    name: UserName
    role: Role
    requester: Annotated[str, Field(max_length=200)] | None = None


class TokenInfo(BaseModel):
    """A token, without its text."""

    id: str
    user: str
    made: str
    expires: str
    revoked: str | None


class NewToken(BaseModel):
    """For whom, and how long."""

    model_config = ConfigDict(extra="forbid")
    user: UserName
    days: Annotated[int, Field(ge=1, le=3650, strict=True)] = 90


class ShownToken(TokenInfo):
    """A new token: its text is shown this once, and not kept."""

    token: str


@router.get("/users", **rule(Role.OWNER))
def users(request: Request) -> list[UserInfo]:
    """Return every user."""
    return [UserInfo(**asdict(each)) for each in service_of(request).users.all()]


@router.post("/users", status_code=201, **rule(Role.OWNER))
def add_user(request: Request, who: Who, new: NewUser) -> UserInfo:
    """Let a user in, in a role. A requester asks in a name that the desk knows."""
    with who.acting():
        return UserInfo(**asdict(service_of(request).users.add(new.name, new.role, new.requester)))


@router.delete("/users/{name}", status_code=204, **rule(Role.OWNER))
def close_user(request: Request, who: Who, name: UserInPath) -> None:
    """Let a user in no more. What was done in that name stays in the log."""
    if name == who.name:
        raise WordingError("You would shut yourself out.", "Let another owner do it.")
    with who.acting():
        service_of(request).users.close(name)


@router.get("/tokens", **rule(Role.OWNER))
def tokens(request: Request) -> list[TokenInfo]:
    """Return every token, without its text."""
    return [TokenInfo(**asdict(each)) for each in service_of(request).users.tokens()]


@router.post("/tokens", status_code=201, **rule(Role.OWNER))
def add_token(request: Request, who: Who, new: NewToken) -> ShownToken:
    """Make a token for a user. Its text is shown this once."""
    with who.acting():
        row, text = service_of(request).users.add_token(new.user, days=new.days)
    return ShownToken(**asdict(row), token=text)


@router.post("/tokens/{token}/rotate", status_code=201, **rule(Role.OWNER))
def rotate_token(request: Request, who: Who, token: TokenId) -> ShownToken:
    """Revoke a token, and make a new one for the same user."""
    with who.acting():
        row, text = service_of(request).users.rotate(token)
    return ShownToken(**asdict(row), token=text)


@router.delete("/tokens/{token}", status_code=204, **rule(Role.OWNER))
def revoke_token(request: Request, who: Who, token: TokenId) -> None:
    """Make a token good for nothing, and end the sessions that it opened."""
    with who.acting():
        service_of(request).users.revoke(token)
