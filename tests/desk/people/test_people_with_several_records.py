"""The desk counts people, however many records each of them has."""

import tempfile
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from desk_oracle import published, table_of
from shoal.data import Column, Microdata, Role
from shoal.desk import Desk, Policy, Purpose, Request
from shoal.errors import DataError, RequestRefused, WordingError

PROMISES = ("k-anonymity:k=2", "l-diversity:l=2,kind=distinct")
TRUSTED = {"ann": Fraction(1), "bob": Fraction(1, 2), "cid": Fraction(1, 100)}
SHORT_LIVED = "/dev/shm" if Path("/dev/shm").is_dir() else None

Visits = list[tuple[str, int, int, str]]
"""The person, both numbers and the letter of each record."""


def table(visits: Visits) -> Microdata:
    records = table_of({f"v{at}": visit[1:] for at, visit in enumerate(visits)})
    names = pl.Series([visit[0] for visit in visits])
    people = Column.encode("person", Role.IDENTIFIER, names)
    known = (*records.quasi_identifiers, *records.sensitive)
    return Microdata((people, *known), persons=people.codes.astype(np.int64))


@st.composite
def crowds(draw: st.DrawFn) -> Visits:
    record = st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 3), st.integers(0, 3), st.sampled_from("xy"))
    return [*draw(st.lists(record, min_size=8, max_size=18)), ("a", 0, 0, "x"), ("b", 0, 0, "y")]


def opened(folder: str, visits: Visits, **policy: object) -> Desk:
    desk = Desk.create(Path(folder) / "desk.sqlite")
    for name, trust in TRUSTED.items():
        desk.set_requester(name, trust)
    desk.add_purpose("first", Purpose("one:1;two:0"))
    desk.add_purpose("second", Purpose("one:0;two:1"))
    allowed = {"promises": PROMISES, "identifier": "person", "recoding": "levels", **policy}
    desk.add_dataset("crowd", table(visits), Policy(**allowed))  # type: ignore[arg-type]
    return desk


def ask(desk: Desk, visits: Visits, requester: str, purpose: str, earlier: tuple[Visits, ...] = ()):
    request = Request("crowd", requester, purpose, table(visits), "nowhere", tuple(map(table, earlier)))
    with desk.held() as token:
        reservation = desk.reserve(token, request)
    desk.settle(reservation, "done", state="done", sha256="0" * 64)
    node = reservation.node
    assert node is not None  # these views are of levels
    return node


def is_safe(visits: Visits, node: tuple[int, ...]) -> bool:
    """Whether every class of a view is of two people and has two letters."""
    people, letters = defaultdict(set), defaultdict(set)
    for person, one, two, letter in visits:
        where = published(one, node[0]), published(two, node[1])
        people[where].add(person)
        letters[where].add(letter)
    return all(len(people[where]) >= 2 and len(letters[where]) >= 2 for where in people)


@settings(max_examples=25)
@given(crowds(), st.lists(st.tuples(st.sampled_from(list(TRUSTED)), st.sampled_from(["first", "second"])), max_size=4))
def test_what_everybody_has_together_is_of_enough_people(visits, asked):
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        try:
            desk = opened(folder, visits, views="checked")
        except (RequestRefused, WordingError):
            return
        given_nodes = []
        for requester, purpose in asked:
            try:
                given_nodes.append(ask(desk, visits, requester, purpose))
            except RequestRefused:
                continue
            together = tuple(min(levels) for levels in zip(*given_nodes, strict=True))
            assert is_safe(visits, together)


@settings(max_examples=15)
@given(crowds(), st.data())
def test_versions_together_leave_nobody_among_fewer_people(before, data):
    """Two people are alike if they have as many records in the same classes of both versions."""
    gone = data.draw(st.sets(st.sampled_from("abcdefgh"), max_size=2))
    new = data.draw(st.lists(st.sampled_from(before), max_size=1))
    after = [visit for visit in before if visit[0] not in gone] + new
    assume(after != before)
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        try:
            desk = opened(folder, before, views="checked")
            first = ask(desk, before, "ann", "first")
            desk.add_version("crowd", table(after))
            second = ask(desk, after, "ann", "first", (before,))
        except (RequestRefused, WordingError, DataError):  # a refusal, or too few people are left
            return
        assert is_safe(before, first)
        assert is_safe(after, second)
        where = defaultdict(Counter)
        for version, (visits, node) in enumerate([(before, first), (after, second)]):
            for person, one, two, _ in visits:
                where[person][version, published(one, node[0]), published(two, node[1])] += 1
        alike = [sum(1 for other in where.values() if other == mine) for mine in where.values()]
        assert min(alike) >= 2


def test_a_new_record_of_a_known_person_is_not_given_away(tmp_path):
    """Views of both versions would differ by that record alone."""
    before = [(person, 0, 0, letter) for person, letter in zip("abcdefgh", "xyxyxyxy", strict=True)]
    desk = opened(str(tmp_path), before, views="checked")
    ask(desk, before, "ann", "first")
    after = [*before, ("a", 0, 0, "x")]
    desk.add_version("crowd", table(after))
    with pytest.raises(RequestRefused):
        ask(desk, after, "ann", "first", (before,))


def test_a_promise_that_joining_classes_may_break_is_refused(tmp_path):
    visits = [(person, 0, 0, letter) for person in "abcd" for letter in "xy"]
    with pytest.raises(RequestRefused, match="several records"):
        opened(str(tmp_path), visits, promises=("t-closeness:t=0.5",))


def test_an_identifier_must_name_the_person(tmp_path):
    visits = [(person, number, 0, letter) for person in "abcd" for number in (0, 1) for letter in "xy"]
    desk = opened(str(tmp_path), visits, views="checked")
    ask(desk, visits, "ann", "first")
    other = [*visits, ("e", 0, 0, "x"), ("f", 0, 0, "y"), ("e", 1, 0, "x"), ("f", 1, 0, "y")]
    shuffled = replace(table(other), persons=np.arange(len(other)))  # every record of another person
    desk.add_version("crowd", shuffled)
    request = Request("crowd", "ann", "first", shuffled, "nowhere", (table(visits),))
    with desk.held() as token, pytest.raises(RequestRefused, match="missing or the same"):
        desk.reserve(token, request)
