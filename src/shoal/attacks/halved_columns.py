"""Two disjoint sets of columns that tell about as much each."""

from shoal.data import Column, Microdata, Role
from shoal.evidence.entropy import entropy

__all__ = ["halved_columns", "knowable_columns"]

_KNOWABLE = (Role.QUASI_IDENTIFIER, Role.INSENSITIVE)


def knowable_columns(truth: Microdata, seen: Microdata) -> tuple[Column, ...]:
    """Return the original columns that are published and that somebody may hold elsewhere: all but identifiers."""
    kept = {column.name for column in seen.columns if column.role in (*_KNOWABLE, Role.SENSITIVE)}
    return tuple(column for column in truth.columns if column.name in kept)


def halved_columns(columns: tuple[Column, ...]) -> tuple[tuple[Column, ...], tuple[Column, ...]]:
    """Return the columns in two sets, the left of them without a sensitive one; a set is empty if there are too few.

    All sensitive columns are on the right. The others are taken in turn, the one with the largest entropy first, and
    each goes to the side that tells less so far: whose columns together have less entropy, or are fewer, or the left.
    """
    others = [column for column in columns if column.role in _KNOWABLE]
    left: list[Column] = []
    right = [column for column in columns if column.role not in _KNOWABLE]
    for column in sorted(others, key=lambda column: -entropy(column.codes)):
        smaller = min((left, right), key=lambda side: (_told(side), len(side)))
        smaller.append(column)
    return _in_order(left, columns), _in_order(right, columns)


def _told(side: list[Column]) -> float:
    return entropy(*(column.codes for column in side)) if side else 0.0


def _in_order(side: list[Column], columns: tuple[Column, ...]) -> tuple[Column, ...]:
    names = {column.name for column in side}
    return tuple(column for column in columns if column.name in names)
