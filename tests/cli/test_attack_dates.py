"""Attackers may know when ratings were given, if the owner says where that stands."""

import json

import pytest

import shoal
from shoal.errors import WordingError

ALIKE = "user,item,rating,when\n" + "".join(
    f"{user},{item},{item},20{user + 10}-01-01\n" for user in range(5) for item in (1, 2)
)


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(ALIKE)
    return path


def test_dates_tell_apart_whom_ratings_do_not(run, data):
    rates = {}
    for dates in ((), ("--dates", "when")):
        done = run("attack", data, "-a", "scoreboard:items=2", *dates, "--json")
        assert done.status == 0
        rates[dates] = json.loads(done.out)["attacks"][0]["main"]
    assert list(rates.values()) == [0.2, 1]


def test_a_column_that_is_not_there_is_told(run, data):
    done = run("attack", data, "-a", "scoreboard:items=2", "--dates", "day")
    assert done.status == 2
    assert "no column 'day'" in done.err


def test_a_release_has_no_dates(run, data, tmp_path):
    assert run("publish", data, "-m", "k-anonymity:k=2", "--out", tmp_path / "release").status == 0
    done = run("attack", tmp_path / "release", "-a", "scoreboard:items=2", "--dates", "when")
    assert done.status == 2
    assert "a release has none" in done.err


def test_what_was_read_before_has_no_dates_left(data):
    with pytest.raises(WordingError, match="read from a file"):
        shoal.attack(shoal.read(data), wordings=["scoreboard:items=2"], dates="when")
