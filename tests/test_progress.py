"""Stages are heard by whoever listens, begun and ended in order, whatever happens inside."""

import threading

import pytest

from shoal.progress import listening, stage


class Diary:
    """Writes down what it hears."""

    def __init__(self) -> None:
        self.lines: list[tuple[object, ...]] = []

    def begin(self, name: str, total: int | None) -> object:
        self.lines.append(("begin", name, total))
        return name

    def advance(self, token: object, amount: int) -> None:
        self.lines.append(("advance", token, amount))

    def end(self, token: object) -> None:
        self.lines.append(("end", token))


def test_a_stage_is_told_from_beginning_to_end():
    diary = Diary()
    with listening(diary), stage("outer", 3) as outer:
        outer.advance()
        with stage("inner") as inner:
            inner.advance(2)
        outer.advance(2)
    assert diary.lines == [
        ("begin", "outer", 3),
        ("advance", "outer", 1),
        ("begin", "inner", None),
        ("advance", "inner", 2),
        ("end", "inner"),
        ("advance", "outer", 2),
        ("end", "outer"),
    ]


def test_a_stage_that_fails_is_ended_all_the_same():
    diary = Diary()
    with pytest.raises(ZeroDivisionError), listening(diary), stage("doomed"):
        raise ZeroDivisionError
    assert diary.lines[-1] == ("end", "doomed")
    with stage("after"):
        pass
    assert ("begin", "after", None) not in diary.lines


def test_without_a_listener_nothing_is_told_and_nothing_breaks():
    with stage("alone", 2) as alone:
        alone.advance(2)


def test_a_listener_hears_only_what_happens_inside_its_block():
    one, other = Diary(), Diary()
    with listening(one):
        with listening(other), stage("second"):
            pass
        with stage("first"):
            pass
    assert [line[1] for line in one.lines] == ["first", "first"]
    assert [line[1] for line in other.lines] == ["second", "second"]


def test_a_listener_does_not_hear_another_thread():
    diary = Diary()

    def work() -> None:
        with stage("elsewhere"):
            pass

    with listening(diary):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert diary.lines == []
