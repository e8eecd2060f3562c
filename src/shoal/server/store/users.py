"""Who may use the service: users with a role, their tokens, and the sessions of their browsers.

A token is 256 random bits and is shown once. Only its SHA-256 is kept: whoever reads the database learns no token.
"""

import hashlib
import secrets
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from shoal.desk.actor import acting_as
from shoal.desk.clock import now
from shoal.desk.names import known_name, refuse_odd_name
from shoal.desk.store.rows import requester_row, rows
from shoal.errors import WordingError

from .books import Books
from .tables import SESSIONS, TOKENS, USERS

__all__ = ["Identity", "Role", "TokenRow", "UserRow", "Users"]

_TOKEN_DAYS = 90
_SESSION_HOURS = 12


class Role(StrEnum):
    """What a user is to the data."""

    OWNER = "owner"
    """Holds data, publishes them, and decides who may use the service."""
    OFFICER = "officer"
    """Runs the desk."""
    REQUESTER = "requester"
    """Asks the desk for views, in one name."""
    AUDITOR = "auditor"
    """Reads the books, and changes nothing."""


@dataclass(frozen=True)
class Identity:
    """Who sent a request, and how that was proved."""

    name: str
    role: Role
    requester: str | None = None
    session: str | None = None
    """The session of a browser; None where a token came with the request."""
    token: str = ""

    @property
    def actor(self) -> str:
        """The name under which the log keeps what is done."""
        return f"user {self.name}"

    def acting(self) -> AbstractContextManager[None]:
        """Let what is done in a block be done in this name."""
        return acting_as(self.actor)


@dataclass(frozen=True)
class UserRow:
    """A user as kept."""

    name: str
    role: str
    requester: str | None
    made: str
    closed: str | None


@dataclass(frozen=True)
class TokenRow:
    """A token as it may be shown: not the token itself."""

    id: str
    user: str
    made: str
    expires: str
    revoked: str | None


class Users:
    """The users in the books."""

    def __init__(self, books: Books) -> None:
        self._books = books

    def add(self, name: str, role: Role, requester: str | None = None) -> UserRow:
        """Add a user, or raise; a requester asks in the name of one that the desk knows."""
        if (role is Role.REQUESTER) != (requester is not None):
            raise WordingError("A requester asks in a name that the desk knows, and nobody else does.")
        name = known_name(name)
        refuse_odd_name(name)
        with self._books.transaction() as connection:
            if rows(connection, select(USERS.c.name).where(USERS.c.name == name)):
                raise WordingError(f"There is a user {name!r} already.", "Choose another name.")
            if requester is not None:
                requester = requester_row(connection, known_name(requester))["name"]
            row = {"name": name, "role": str(role), "requester": requester, "made": now(), "closed": None}
            connection.execute(insert(USERS).values(**row))
            self._books.note(connection, "user", user=name, role=str(role), requester=requester)
        return UserRow(**row)

    def close(self, name: str) -> None:
        """Let a user in no more; what was done in that name stays in the log."""
        with self._books.transaction() as connection:
            self._open_row(connection, name)
            connection.execute(update(USERS).where(USERS.c.name == name).values(closed=now()))
            connection.execute(
                update(TOKENS).where(TOKENS.c.user == name, TOKENS.c.revoked.is_(None)).values(revoked=now())
            )
            connection.execute(delete(SESSIONS).where(SESSIONS.c.user == name))
            self._books.note(connection, "user closed", user=name)

    def all(self) -> list[UserRow]:
        """Return every user, by name."""
        with self._books.reading() as connection:
            return [UserRow(**row) for row in rows(connection, select(USERS).order_by(USERS.c.name))]

    @property
    def has_owner(self) -> bool:
        """Whether there is somebody who may decide."""
        return any(each.role == Role.OWNER and each.closed is None for each in self.all())

    def add_token(self, user: str, *, days: int = _TOKEN_DAYS) -> tuple[TokenRow, str]:
        """Return a new token of a user, and its text, which is not kept."""
        if not 1 <= days <= 3650:
            raise WordingError("A token is good for 1 to 3650 days.")
        expires = _later(timedelta(days=days))
        with self._books.transaction() as connection:
            return self._add_token(connection, user, expires)

    def _add_token(self, connection: Connection, user: str, expires: str) -> tuple[TokenRow, str]:
        text = secrets.token_urlsafe(32)
        row = {"id": secrets.token_hex(8), "user": user, "made": now(), "expires": expires, "revoked": None}
        self._open_row(connection, user)
        connection.execute(insert(TOKENS).values(**row, sha256=_hash(text)))
        self._books.note(connection, "token", token=row["id"], user=user)
        return TokenRow(**row), text

    def tokens(self) -> list[TokenRow]:
        """Return every token without its text, the oldest first."""
        shown = select(TOKENS.c.id, TOKENS.c.user, TOKENS.c.made, TOKENS.c.expires, TOKENS.c.revoked)
        with self._books.reading() as connection:
            return [TokenRow(**row) for row in rows(connection, shown.order_by(TOKENS.c.number))]

    def revoke(self, token: str) -> TokenRow:
        """Make a token good for nothing, and end the sessions that it opened."""
        with self._books.transaction() as connection:
            return self._revoke(connection, token)

    def _revoke(self, connection: Connection, token: str) -> TokenRow:
        found = rows(connection, select(TOKENS).where(TOKENS.c.id == token, TOKENS.c.revoked.is_(None)))
        if not found:
            raise WordingError("There is no such token that could be revoked.", "List the tokens.")
        connection.execute(update(TOKENS).where(TOKENS.c.id == token).values(revoked=now()))
        connection.execute(delete(SESSIONS).where(SESSIONS.c.token == token))
        self._books.note(connection, "token revoked", token=token, user=found[0]["user"])
        return TokenRow(**{**{key: found[0][key] for key in TokenRow.__dataclass_fields__}, "revoked": now()})

    def rotate(self, token: str) -> tuple[TokenRow, str]:
        """Revoke a token, and return a new one of the same user that is good for as long as the old one was meant to.

        Both are done, or neither: nobody is left without a token halfway.
        """
        with self._books.transaction() as connection:
            old = self._revoke(connection, token)
            lifetime = datetime.fromisoformat(old.expires) - datetime.fromisoformat(old.made)
            return self._add_token(connection, old.user, _later(lifetime))

    def known_by_token(self, text: str) -> Identity | None:
        """Return whose token this is; None if it is nobody's, or no longer good."""
        asked = select(TOKENS.c.id, USERS.c.name, USERS.c.role, USERS.c.requester).join_from(
            TOKENS, USERS, TOKENS.c.user == USERS.c.name
        )
        good = (TOKENS.c.sha256 == _hash(text), TOKENS.c.revoked.is_(None), TOKENS.c.expires > now())
        with self._books.reading() as connection:
            found = rows(connection, asked.where(*good, USERS.c.closed.is_(None)))
        return _identity(found[0], token=found[0]["id"]) if found else None

    def open_session(self, who: Identity) -> str:
        """Return the text of a cookie by which a browser is known from now on."""
        text = secrets.token_urlsafe(32)
        expires = _later(timedelta(hours=_SESSION_HOURS))
        with self._books.transaction() as connection:
            connection.execute(delete(SESSIONS).where(SESSIONS.c.expires <= now()))
            connection.execute(
                insert(SESSIONS).values(sha256=_hash(text), user=who.name, token=who.token, expires=expires)
            )
            self._books.note(connection, "session", user=who.name, token=who.token)
        return text

    def known_by_session(self, text: str) -> Identity | None:
        """Return whose session this is; None if it is nobody's, or over, or its token is no longer good."""
        asked = (
            select(SESSIONS.c.sha256, SESSIONS.c.token, USERS.c.name, USERS.c.role, USERS.c.requester)
            .join_from(SESSIONS, USERS, SESSIONS.c.user == USERS.c.name)
            .join(TOKENS, SESSIONS.c.token == TOKENS.c.id)
        )
        of_token = (TOKENS.c.revoked.is_(None), TOKENS.c.expires > now())
        good = (SESSIONS.c.sha256 == _hash(text), SESSIONS.c.expires > now(), USERS.c.closed.is_(None), *of_token)
        with self._books.reading() as connection:
            found = rows(connection, asked.where(*good))
        return _identity(found[0], token=found[0]["token"], session=text) if found else None

    def end_session(self, who: Identity) -> None:
        """Forget the session of somebody."""
        with self._books.transaction() as connection:
            connection.execute(delete(SESSIONS).where(SESSIONS.c.sha256 == _hash(who.session or "")))
            self._books.note(connection, "session ended", user=who.name)

    def is_still_known(self, who: Identity) -> bool:
        """Tell whether what somebody was recognized by is still good: an answer may last for hours."""
        good = (TOKENS.c.id == who.token, TOKENS.c.revoked.is_(None), TOKENS.c.expires > now())
        with self._books.reading() as connection:
            if not rows(connection, select(TOKENS.c.id).where(*good)):
                return False
        return who.session is None or self.known_by_session(who.session) is not None

    @staticmethod
    def _open_row(connection: Connection, name: str) -> dict[str, Any]:
        found = rows(connection, select(USERS).where(USERS.c.name == name, USERS.c.closed.is_(None)))
        if not found:
            raise WordingError(f"There is no user {name!r}.", "List the users.")
        return found[0]


def _identity(row: dict[str, Any], *, token: str, session: str | None = None) -> Identity:
    return Identity(row["name"], Role(row["role"]), row["requester"], session, token)


def _later(span: timedelta) -> str:
    return (datetime.now(UTC) + span).isoformat(timespec="seconds")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
