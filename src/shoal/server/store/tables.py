"""What the service keeps in the store of the desk: users, tokens, sessions, data sets, jobs and releases."""

from typing import Final

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, Table, Text

__all__ = ["DATASETS", "DESK_SOURCES", "JOBS", "RELEASES", "SERVICE_METADATA", "SESSIONS", "TOKENS", "USERS"]

SERVICE_METADATA: Final = MetaData()

USERS: Final = Table(
    "service_users",
    SERVICE_METADATA,
    Column("name", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("requester", Text),  # in whose name a requester asks
    Column("made", Text, nullable=False),
    Column("closed", Text),
)
TOKENS: Final = Table(
    "service_tokens",
    SERVICE_METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),  # the order in which they came
    Column("id", Text, nullable=False, unique=True),
    Column("user", Text, nullable=False),
    Column(
        "sha256", Text, nullable=False, unique=True
    ),  # of 256 random bits: nothing to guess, so nothing to slow down
    Column("made", Text, nullable=False),
    Column("expires", Text, nullable=False),
    Column("revoked", Text),
)
SESSIONS: Final = Table(
    "service_sessions",
    SERVICE_METADATA,
    Column("sha256", Text, primary_key=True),
    Column("user", Text, nullable=False),
    Column("token", Text, nullable=False),  # a session ends with the token that it was opened by
    Column("expires", Text, nullable=False),
)
DATASETS: Final = Table(
    "service_datasets",
    SERVICE_METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),  # the order in which they came
    Column("id", Text, nullable=False, unique=True),
    Column("user", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("path", Text),  # of data that were registered where they are
    Column("sha256", Text),
    Column("bytes", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("made", Text, nullable=False),
    Column("overview_job", Text),
)
JOBS: Final = Table(
    "service_jobs",
    SERVICE_METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),  # the order in which they came
    Column("id", Text, nullable=False, unique=True),
    Column("user", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("asked", Text, nullable=False),  # the settings, JSON
    Column("state", Text, nullable=False),
    Column("memory", BigInteger, nullable=False),
    Column("pid", Integer),
    Column("started", Text),  # when the system says that the process began: a number may be given out again
    Column("made", Text, nullable=False),
    Column("began", Text),
    Column("ended", Text),
    Column("result", Text),
    Column("problem", Text),
    Index("service_jobs_state", "state"),
    Index("service_jobs_user", "user", "number"),
)
RELEASES: Final = Table(
    "service_releases",
    SERVICE_METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),  # the order in which they came
    Column("id", Text, nullable=False, unique=True),
    Column("user", Text, nullable=False),
    Column("job", Text, nullable=False),
    Column("dataset", Text),
    Column("made", Text, nullable=False),
    Column("certificate", Text, nullable=False),
    Index("service_releases_user", "user", "number"),
)
DESK_SOURCES: Final = Table(
    "service_desk_sources",
    SERVICE_METADATA,
    Column("name", Text, primary_key=True),  # of the data set at the desk
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("dataset", Text, nullable=False),  # where its data are
)
