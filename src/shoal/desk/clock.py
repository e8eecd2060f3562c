"""The time at the desk, from one place: whatever expires is judged by it, and tests can set it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta

from shoal.errors import WordingError

__all__ = ["clock_set_to", "days_from_now", "is_over", "now", "read_since", "read_until"]


def _system_time() -> datetime:
    return datetime.now(UTC)


_clock: Callable[[], datetime] = _system_time


def now() -> str:
    """Return the present time in UTC, to the second; such texts are in the order of the times."""
    return _written(_clock())


def is_over(until: str | None) -> bool:
    """Tell whether a time has come; None never comes."""
    return until is not None and until <= now()


def days_from_now(days: int) -> str | None:
    """Return the time so many days from now; 0 stands for never."""
    return _written(_clock() + timedelta(days=days)) if days else None


def read_until(wording: str) -> str | None:
    """Return the time that ``2027-01-31`` (the end of that day in UTC), a time with its zone, or ``never`` names."""
    if wording == "never":
        return None
    return _read(wording, timedelta(days=1), " or never")


def read_since(wording: str) -> str:
    """Return the time that ``2027-01-31`` (the beginning of that day in UTC) or a time with its zone names."""
    return _read(wording, timedelta(0), "")


def _read(wording: str, into_the_day: timedelta, also: str) -> str:
    try:
        if len(wording) == len("2027-01-31"):
            day = date.fromisoformat(wording) + into_the_day
            return _written(datetime(day.year, day.month, day.day, tzinfo=UTC))
        moment = datetime.fromisoformat(wording)
        if moment.tzinfo is not None:
            return _written(moment.astimezone(UTC))
    except (ValueError, OverflowError):
        pass
    raise WordingError("This is not a day or a time.", f"Write 2027-01-31, 2027-01-31T12:00:00+00:00{also}.")


@contextmanager
def clock_set_to(time: datetime) -> Iterator[None]:
    """Let it be a certain time while the block runs, in all threads."""
    global _clock
    before = _clock
    _clock = lambda: time  # noqa: E731
    try:
        yield
    finally:
        _clock = before


def _written(time: datetime) -> str:
    return time.isoformat(timespec="seconds")
