"""Stages are heard by whoever listens, begun and ended in order, whatever happens inside."""

import threading

import pytest

from shoal.progress import Phase, listening, stage, whole


class Diary:
    """Writes down what it hears."""

    def __init__(self) -> None:
        self.lines: list[tuple[object, ...]] = []

    def begin(self, name: str, total: int | None, parent: object | None = None) -> object:
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


def test_a_stage_knows_what_it_is_a_part_of():
    heard: list[tuple[str, object]] = []

    class Family(Diary):
        def begin(self, name: str, total: int | None, parent: object | None = None) -> object:
            heard.append((name, parent))
            return super().begin(name, total, parent)

    with listening(Family()), stage("outer"), stage("inner"), stage("innermost"):
        pass
    assert heard == [("outer", None), ("inner", "outer"), ("innermost", "inner")]


def _done(diary: Diary, name: str) -> list[int]:
    """Return how far a stage was, after each time that it moved on."""
    amounts = [line[2] for line in diary.lines if line[:2] == ("advance", name)]
    assert all(isinstance(amount, int) and amount > 0 for amount in amounts)
    return [sum(amounts[: place + 1]) for place in range(len(amounts))]  # type: ignore[arg-type]


def test_a_whole_moves_on_as_its_phases_do_and_never_goes_back():
    diary = Diary()
    with listening(diary), whole("job", Phase(1, ("reading",)), Phase(3, ("working", "thinking"))):
        with stage("reading a file", 2) as reading:
            reading.advance()
            with stage("deep inside", 10) as inside:
                inside.advance(10)
            reading.advance()
        with stage("something else", 4) as other:
            other.advance(4)
        with stage("working", 2) as working:
            working.advance()
        with stage("thinking", 2) as thinking:
            thinking.advance()
        with stage("reading again", 2) as again:
            again.advance(2)
    assert diary.lines[0] == ("begin", "job", 1000)
    assert _done(diary, "job") == [125, 250, 625, 1000]


def test_a_whole_within_another_is_one_of_its_stages():
    diary = Diary()
    with listening(diary), whole("outer", Phase(1, ("first",)), Phase(1, ("inner",))):
        with stage("first"):
            pass
        with whole("inner", Phase(1, ("working",))), stage("working", 2) as working:
            working.advance()
    assert _done(diary, "outer") == [500, 1000]
    assert ("begin", "inner", None) in diary.lines


def test_a_whole_that_fails_is_not_said_to_be_complete():
    diary = Diary()
    with pytest.raises(ZeroDivisionError), listening(diary), whole("doomed", Phase(1, ("working",))):
        raise ZeroDivisionError
    assert _done(diary, "doomed") == []
    assert diary.lines[-1] == ("end", "doomed")


def test_a_whole_is_a_decorator_that_keeps_the_function():
    @whole("adding", Phase(1, ("working",)))
    def add(one: int, other: int) -> int:
        """Add."""
        return one + other

    diary = Diary()
    with listening(diary):
        assert [add(1, 2), add(2, 2)] == [3, 4]
    assert diary.lines.count(("begin", "adding", 1000)) == 2
    assert add.__doc__ == "Add."
