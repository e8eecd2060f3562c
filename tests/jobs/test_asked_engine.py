"""Where a job is done: what is asked for, and what is refused before a session of Spark is begun."""

from typing import Any

import pytest

from shoal.errors import WordingError
from shoal.jobs import asked_engine as module
from shoal.jobs.asked_engine import OpenCluster, asked_engine


class _Session:
    """A session that knows whether it was stopped."""

    __module__ = "pyspark.sql.session"

    def __init__(self) -> None:
        self.stopped = False

    def newSession(self) -> "_Session":
        return self

    def stop(self) -> None:
        self.stopped = True


_Session.__name__ = "SparkSession"


class _Frame:
    """A DataFrame of a session."""

    __module__ = "pyspark.sql.classic.dataframe"

    def __init__(self) -> None:
        self.sparkSession = _Session()


_Frame.__name__ = "DataFrame"


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str | None, _Session]]:
    """The sessions that are begun, with their masters; there is none before."""
    sessions: list[tuple[str | None, _Session]] = []

    def new_session(master: str | None, _: object) -> _Session:
        sessions.append((master, _Session()))
        return sessions[-1][1]

    monkeypatch.setattr(module, "new_session", new_session)
    monkeypatch.setattr(module, "active_session", lambda: None)
    for name in ("SPARK_MASTER", "PYSPARK_GATEWAY_PORT"):
        monkeypatch.delenv(name, raising=False)
    return sessions


@pytest.mark.parametrize("name", ["auto", "local", "stream"])
def test_other_places_need_no_session(begun: list, name) -> None:
    with asked_engine(name) as where:
        assert where == name
    assert not begun


def test_a_session_that_is_begun_ends_with_the_job(begun: list, monkeypatch: pytest.MonkeyPatch) -> None:
    with asked_engine("spark", master="local[2]", staging="/shared") as where:
        assert where == OpenCluster(begun[0][1], "/shared")
        assert not begun[0][1].stopped
    assert begun[0][0] == "local[2]"
    assert begun[0][1].stopped
    monkeypatch.setenv("SPARK_MASTER", "spark://there:7077")
    with pytest.raises(ValueError, match="of the job"), asked_engine("spark"):
        raise ValueError("of the job")
    assert begun[1][0] == "spark://there:7077"
    assert begun[1][1].stopped


def test_the_master_may_be_that_of_spark_submit(begun: list, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1234")
    with asked_engine("spark"):
        assert begun[0][0] is None


def test_a_session_that_is_there_is_used_and_goes_on(begun: list, monkeypatch: pytest.MonkeyPatch) -> None:
    own, frame = _Session(), _Frame()
    asked: list[tuple[Any, object, _Session]] = [
        (own, None, own),
        (own, frame, own),
        ("auto", frame, frame.sparkSession),
        ("spark", frame, frame.sparkSession),
    ]
    for engine, data, expected in asked:
        with asked_engine(engine, data) as where:
            assert isinstance(where, OpenCluster)
            assert where.session is expected
        assert not expected.stopped
    monkeypatch.setattr(module, "active_session", lambda: own)
    with asked_engine("spark") as where:
        assert where == OpenCluster(own)
    assert not own.stopped
    assert not begun


def test_what_is_said_in_vain_is_refused(begun: list) -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"engine": "spark"}, "not said which cluster"),
        ({"engine": "stream", "master": "local[2]"}, "Add --engine spark"),
        ({"engine": "auto", "staging": "/shared"}, "Add --engine spark"),
        ({"engine": _Session(), "master": "local[2]"}, "Leave out the master"),
        ({"engine": "local", "data": _Frame()}, "A DataFrame of Spark"),
    ]
    for settings, words in refused:
        with pytest.raises(WordingError, match=words), asked_engine(**settings):
            pass
    assert not begun
