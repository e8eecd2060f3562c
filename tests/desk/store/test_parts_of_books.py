"""A part of a book is what filters and numbers choose of the whole, however it is read from the store."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desk_oracle import SQUARE, table_of
from shoal.desk import Desk, Policy, Purpose, Request
from shoal.desk.actor import acting_as
from shoal.desk.books import part as parts
from shoal.desk.clock import clock_set_to
from shoal.errors import ApprovalAwaited, RequestRefused

NAMES = ("ann", "Zoë", 'say "x"', "100%", "a_b", "back\\slash")
BEGINNING = datetime(2030, 1, 1, tzinfo=UTC)
DATED = {"log": "at", "refusals": "at", "policies": "at", "releases": "decided", "approvals": "asked"}
NUMBERED = {"log": "number", "refusals": None, "policies": None, "releases": "number", "approvals": "number"}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def desk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Return a desk at which many have asked, in the course of days."""
    folder = tmp_path_factory.mktemp("parts")
    where = str(folder / "desk.sqlite")
    if request.param == "postgresql":
        where = request.getfixturevalue("postgres_of_module")
    desk = Desk.create(where)
    table, day = table_of(SQUARE), 0
    desk.add_purpose("first", Purpose("one:1;two:0"))
    desk.add_purpose("100%", Purpose("one:0;two:1"))
    desk.add_dataset("crowd", table, Policy(("k-anonymity:k=2",), release_days=3))
    for number, name in enumerate(NAMES):
        desk.set_requester(name, 0 if number == 2 else 1)
    for turn in range(3):
        for number, name in enumerate(NAMES):
            day += number % 2
            with clock_set_to(BEGINNING + timedelta(days=day)), acting_as(f"user {NAMES[-number]}"):
                if turn == 2:
                    desk.change_policy("crowd", approval=number % 2 == 0)
                _ask(desk, Request("crowd", name, ("first", "100%")[turn % 2], table, "nowhere"))
    return desk


@pytest.fixture(scope="module")
def postgres_of_module(postgres_address: str) -> Any:
    import secrets

    import sqlalchemy

    address = sqlalchemy.make_url(postgres_address).set(drivername="postgresql+psycopg")
    engine = sqlalchemy.create_engine(address, isolation_level="AUTOCOMMIT", poolclass=sqlalchemy.NullPool)
    name = f"parts_{secrets.token_hex(6)}"
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE SCHEMA {name}")
    own = address.set(drivername="postgresql").update_query_dict({"options": f"-csearch_path={name}"})
    yield own.render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.exec_driver_sql(f"DROP SCHEMA {name} CASCADE")


def _ask(desk: Desk, request: Request) -> None:
    try:
        with desk.held() as token:
            reservation = desk.reserve(token, request)
    except (RequestRefused, ApprovalAwaited):
        return
    desk.settle(reservation, "done", state="done", sha256="0" * 64)


FILTERS = st.fixed_dictionaries(
    {},
    optional={
        "requester": st.sampled_from(NAMES),
        "purpose": st.sampled_from(["first", "100%"]),
        "by": st.sampled_from([f"user {name}" for name in NAMES]),
        "since": st.integers(0, 12).map(lambda day: (BEGINNING + timedelta(days=day)).isoformat()),
        "before": st.integers(0, 12).map(lambda day: (BEGINNING + timedelta(days=day)).isoformat()),
        "event": st.sampled_from(["done", "refused", "decided", "requester"]),
        "state": st.sampled_from(["done", "expired", "waiting"]),
    },
)
NAMED = {"log": "event", "releases": "state", "approvals": "state"}


@settings(max_examples=60, deadline=None)
@given(
    book=st.sampled_from(sorted(DATED)),
    filters=FILTERS,
    most=st.none() | st.integers(1, 9),
    upto=st.none() | st.integers(1, 60),
    newest=st.booleans(),
    chunk=st.integers(1, 7),
)
def test_a_part_is_what_filters_and_numbers_choose_of_the_whole(desk, book, filters, most, upto, newest, chunk) -> None:
    allowed = {"requester", "purpose", "by", "since", "before", NAMED.get(book, "")}
    allowed -= {"by"} if book == "approvals" else {"requester", "purpose"} if book == "policies" else set()
    filters = {name: value for name, value in filters.items() if name in allowed}
    key = NUMBERED[book] or "entry"
    day = BEGINNING + timedelta(days=4)
    with pytest.MonkeyPatch.context() as patched, clock_set_to(day):
        patched.setattr(parts, "_CHUNK", chunk)
        whole = desk.book(book)
        expected = [row for row in whole if upto is None or row[key] <= upto]
        for name, value in filters.items():
            if name == "since":
                expected = [row for row in expected if row[DATED[book]] >= value]
            elif name == "before":
                expected = [row for row in expected if row[DATED[book]] < value]
            else:
                expected = [row for row in expected if row[name] == value]
        expected = expected[::-1] if newest else expected
        assert desk.book(book, most=most, upto=upto, newest_first=newest, **filters) == expected[:most]


def test_a_release_is_found_by_its_number(desk) -> None:
    for row in desk.book("releases"):
        assert desk.release(row["number"]) == row
        assert row["by"].startswith("user ")
    assert desk.release(10_000) is None
    assert desk.count_log() == len(desk.book("log"))


def test_who_asked_is_found_though_the_clock_was_set_back(tmp_path) -> None:
    desk = Desk.create(tmp_path / "desk.sqlite")
    desk.add_purpose("first", Purpose("one:1;two:0"))
    desk.set_requester("ann", 1)
    desk.add_dataset("crowd", table_of(SQUARE), Policy(("k-anonymity:k=2",)))
    with acting_as("user ann"), pytest.MonkeyPatch.context() as patched:
        patched.setattr("shoal.desk.reserve.now", lambda: "2099-01-01T00:00:00+00:00")
        _ask(desk, Request("crowd", "ann", "first", table_of(SQUARE), "nowhere"))
    (row,) = desk.book("releases")
    assert (row["by"], row["decided"]) == ("user ann", "2099-01-01T00:00:00+00:00")
