"""What somebody says of themselves that is unlike anything in the release: mistyped, most likely.

A release answers such words too: they fit every record that says ``*``, and no other. So they are refused where they
cannot be read, and told where no record has them, before anything is claimed.
"""

import numpy as np

from shoal.data import Column, Microdata
from shoal.data.same_values import exact_number
from shoal.data.time_span import time_span
from shoal.data.written_label import ROOT, written_values
from shoal.errors import DataError
from shoal.io.tables.own_values import no_time
from shoal.labels import covered_values
from shoal.labels.known_values import KnownValues
from shoal.labels.parsed_label import ParsedLabel, possible_readings

from .fitting import Explained

__all__ = ["columns_unlike_any", "refuse_unreadable"]


def refuse_unreadable(published: Microdata, own: Microdata) -> None:
    """Refuse a value that is no number, or no time, where all that the release says of its column is one."""
    for column in own.quasi_identifiers:
        labels = [text for text in written_values(published[column.name].vocabulary.values) if text not in (None, ROOT)]
        known = KnownValues(column.values)
        if not labels or known.missing.all() or set(known.words) <= set(labels):
            continue
        numbers, times = (all(_is_of(text, kind) for text in labels) for kind in ("number", "time"))
        readable = (numbers and known.is_number.all()) or (times and known.is_time.all())
        if (numbers or times) and not readable:
            raise _no_number(column.name) if numbers else no_time(column.name)


def _no_number(column: str) -> DataError:
    return DataError(
        f"The value of the column {column!r} is not a number, and the release has numbers there.",
        "Write it in digits, such as 36.",
    )


def _is_of(text: str | None, kind: str) -> bool:
    """Decide whether a label speaks of nothing but numbers, or of nothing but times."""
    return any(_reads_as(reading, kind) for reading in possible_readings(text or ""))


def _reads_as(reading: ParsedLabel, kind: str) -> bool:
    if reading.form not in ("interval", "half-open interval", "set", "word"):
        return False
    understood = exact_number if kind == "number" else time_span
    return all(understood(part) is not None for part in reading.parts)


def columns_unlike_any(published: Microdata, own: Microdata, *, explained: Explained) -> tuple[str, ...]:
    """Return the columns of which no record says anything that may stand for the value, but for ``*``."""
    return tuple(column.name for column in own.quasi_identifiers if _is_unlike_any(published, column, explained))


def _is_unlike_any(published: Microdata, column: Column, explained: Explained) -> bool:
    labels = published[column.name].vocabulary.values
    says = np.array([text != ROOT for text in written_values(labels)], bool)
    found = covered_values(labels, column, column.values, explained=column.name in explained)
    return bool(says.any()) and not found.possible[says].any()
