"""Whenever the process dies, at any statement and any commit of any change, the books are those before or those after.

A change is tried again and again, and the process dies one moment later each time. What is left is compared with what
an undisturbed process had made hold by then. Then the desk is opened, which settles what was left, its books are
audited, and the change is made once more.
"""

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from desk_changes import CHANGES, Change, Place
from desk_crashes import Books, lived, put_back, read_books
from local_oracle import keeps
from shoal.desk.clock import clock_set_to
from shoal.errors import ShoalError

SHORT_LIVED = "/dev/shm" if Path("/dev/shm").is_dir() else None
START = datetime(2030, 1, 1, tzinfo=UTC)
NEVER = 10**9
DRAWN = {"token", "values_print", "secret", "people", "records", "block", "marks"}
"""Columns that are other ones in every desk: they are drawn at random, or depend on its secret."""
NUMBERED = {"number", "used_for"}


def without(row: dict[str, Any], left_out: set[str]) -> str:
    return repr(sorted((key, value) for key, value in row.items() if key not in left_out))


def known_again(books: Books) -> dict[str, list[str]]:
    """Return what must be the same in every desk to which the same was done, and what its log tells."""
    found = {
        name: sorted(without(row, DRAWN | ({"sha256"} if name in ("kept", "mark_lists") else set())) for row in rows)
        for name, rows in books.items()
        if name not in ("log", "head")
    }
    told = sorted(books.get("log", []), key=lambda row: row["number"])
    return found | {"log": [entry["event"] for entry in told]}


def essence(books: Books) -> dict[str, set[str]]:
    """Return what counts, however often it was asked for: a view that was given up and never left does not."""
    counts = {
        name: [row for row in rows if row.get("state") != "abandoned"]
        for name, rows in books.items()
        if name not in ("log", "head", "mark_lists")
    }
    return {
        name: {without(row, DRAWN | NUMBERED | ({"sha256"} if name == "kept" else set())) for row in rows}
        for name, rows in counts.items()
    }


def undisturbed(place: Place, change: Change) -> list[Books]:
    """Make a change; return the books before, and as they were after each commit."""
    found = [prepared(place, change)]
    with at(change), lived(NEVER, lambda: found.append(read_books(place.where))):
        change.change(place)
    return found


def prepared(place: Place, change: Change) -> Books:
    """Furnish a desk anew, and return its books."""
    with clock_set_to(START):
        change.furnish(place)
        for step in change.before:
            step(place)
    return read_books(place.where)


def as_before(place: Place, change: Change, books: Books) -> Books:
    """Let the desk be as it was before a change; an old one, and one with an anchor, is made anew."""
    if change.opens or place.anchor.exists():
        return prepared(place, change)
    put_back(place.where, books)
    return books


@pytest.fixture
def place(where: str) -> Iterator[Place]:
    """Return where a desk may be made; a file is kept in memory, where there is room for it."""
    with tempfile.TemporaryDirectory(dir=SHORT_LIVED) as folder:
        yield Place(where if "://" in where else f"{folder}/desk.sqlite", Path(folder))


def at(change: Change):
    """Let it be when a change is made."""
    return clock_set_to(START + timedelta(days=change.days))


def made_once_more(place: Place, change: Change) -> None:
    """Open the desk after a crash; make the change again, unless the desk says that it is made."""
    with at(change):
        assert place.open().audit().holds
        with suppress(ShoalError):  # it says that this is made already: what the books hold is compared
            (change.again or change.change)(place)
        assert place.open().audit().holds
    assert keeps(place.left)


@pytest.mark.parametrize("what", CHANGES)
def test_whenever_the_process_dies_all_of_a_change_is_kept_or_nothing(place: Place, what: str) -> None:
    change = CHANGES[what]
    stages = undisturbed(place, change)
    whole, expected = essence(stages[-1]), [known_again(stage) for stage in stages]
    assert known_again(stages[0]) != known_again(stages[-1])
    before, left = prepared(place, change), list(place.left)
    for moment in count(1):
        with at(change), lived(moment) as life:
            change.change(place)
        books = read_books(place.where)
        assert known_again(books) == expected[life.commits], "what has held by now, and nothing else"
        if not life.is_over:
            assert moment > 1
            break
        if books != before:
            made_once_more(place, change)
            assert essence(read_books(place.where)) == whole
            before = as_before(place, change, before)
            place.left[:] = left
        elif not change.opens:
            assert place.desk.audit().holds
    made_once_more(place, change)
    assert essence(read_books(place.where)) == whole
