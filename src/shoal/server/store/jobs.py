"""The table of jobs: what was asked, by whom, and what became of it."""

import json
import secrets
from dataclasses import dataclass
from typing import Any, Final, Literal

from sqlalchemy import delete, func, insert, select, update

from shoal.desk.actor import acting_as
from shoal.desk.clock import now
from shoal.desk.store.rows import rows

from .books import Books
from .tables import JOBS

__all__ = ["FINISHED", "JobRow", "JobState", "Jobs"]

JobState = Literal["queued", "running", "done", "refused", "failed", "cancelled", "lost"]

FINISHED: Final = ("done", "refused", "failed", "cancelled", "lost")
"""The states that no job leaves."""


@dataclass(frozen=True)
class JobRow:
    """A job as kept."""

    number: int
    id: str
    user: str
    kind: str
    asked: dict[str, Any]
    state: JobState
    memory: int
    pid: int | None
    started: str | None
    made: str
    began: str | None
    ended: str | None
    result: dict[str, Any] | None
    problem: dict[str, Any] | None

    @property
    def is_over(self) -> bool:
        """Whether nothing happens to the job any more."""
        return self.state in FINISHED


class Jobs:
    """The jobs in the books."""

    def __init__(self, books: Books) -> None:
        self._books = books

    def add(self, user: str, kind: str, asked: dict[str, Any], memory: int) -> JobRow:
        """Write down a job that waits for its turn."""
        row = {"id": secrets.token_hex(12), "user": user, "kind": kind, "asked": json.dumps(asked)}
        row |= {"state": "queued", "made": now()}
        with self._books.transaction() as connection:
            connection.execute(insert(JOBS).values(**row, memory=memory))
            self._books.note(connection, "job", job=row["id"], kind=kind)
        found = self.get(row["id"])
        assert found is not None
        return found

    def get(self, id_: str) -> JobRow | None:
        """Return a job."""
        with self._books.reading() as connection:
            found = rows(connection, select(JOBS).where(JOBS.c.id == id_))
        return _row(found[0]) if found else None

    def latest(self, user: str, asked: dict[str, Any], *, after: int = 0) -> JobRow | None:
        """Return the newest job in which a user asked for just this, if it came after a number."""
        same = (JOBS.c.user == user, JOBS.c.kind == asked["kind"], JOBS.c.asked == json.dumps(asked))
        found = select(JOBS).where(*same, JOBS.c.number > after).order_by(JOBS.c.number.desc()).limit(1)
        with self._books.reading() as connection:
            return next((_row(row) for row in rows(connection, found)), None)

    def of_user(
        self, user: str, *, before: int | None = None, most: int = 100, kind: str | None = None
    ) -> list[JobRow]:
        """Return jobs of a user, the newest first: those that came before a number, of a kind, at most so many."""
        asked = select(JOBS).where(JOBS.c.user == user).order_by(JOBS.c.number.desc()).limit(most)
        if kind is not None:
            asked = asked.where(JOBS.c.kind == kind)
        if before is not None:
            asked = asked.where(JOBS.c.number < before)
        with self._books.reading() as connection:
            return [_row(each) for each in rows(connection, asked)]

    def in_state(self, *states: JobState) -> list[JobRow]:
        """Return the jobs in some states, the oldest first."""
        asked = select(JOBS).where(JOBS.c.state.in_(states)).order_by(JOBS.c.number)
        with self._books.reading() as connection:
            return [_row(each) for each in rows(connection, asked)]

    def waiting(self, user: str) -> int:
        """Return how many jobs of a user wait."""
        asked = select(func.count()).select_from(JOBS).where(JOBS.c.user == user, JOBS.c.state == "queued")
        with self._books.reading() as connection:
            return connection.execute(asked).scalar_one()

    def begin(self, id_: str, pid: int, started: str) -> bool:
        """Write down that a job runs; False if it was cancelled while it waited."""
        new = {"state": "running", "pid": pid, "started": started, "began": now()}
        changing = update(JOBS).where(JOBS.c.id == id_, JOBS.c.state == "queued").values(**new)
        with self._books.transaction() as connection:
            return connection.execute(changing).rowcount > 0

    def end(self, id_: str, state: JobState, *, result: Any = None, problem: Any = None) -> bool:
        """Write down how a job ended, in the log in the name of who asked for it; False if it had ended before."""
        new: dict[str, Any] = {"state": state, "ended": now()}
        new |= {"result": None if result is None else json.dumps(result)}
        new |= {"problem": None if problem is None else json.dumps(problem)}
        with self._books.transaction() as connection:
            asked = select(JOBS.c.user, JOBS.c.kind).where(JOBS.c.id == id_, JOBS.c.state.not_in(FINISHED))
            for row in rows(connection, asked):
                connection.execute(update(JOBS).where(JOBS.c.id == id_).values(**new))
                with acting_as(f"user {row['user']}"):
                    self._books.note(connection, "job ended", job=id_, kind=row["kind"], state=state)
                return True
        return False

    def remove(self, id_: str) -> bool:
        """Forget a job that is over; the log keeps that it was."""
        removing = delete(JOBS).where(JOBS.c.id == id_, JOBS.c.state.in_(FINISHED))
        with self._books.transaction() as connection:
            gone = connection.execute(removing).rowcount > 0
            if gone:
                self._books.note(connection, "job removed", job=id_)
        return gone

    def note_cancelling(self, id_: str) -> None:
        """Write into the log that somebody asked a job to stop."""
        with self._books.transaction() as connection:
            self._books.note(connection, "job cancelled", job=id_)


def _row(kept: dict[str, Any]) -> JobRow:
    read = {name: None if kept[name] is None else json.loads(kept[name]) for name in ("asked", "result", "problem")}
    return JobRow(**{**kept, **read})
