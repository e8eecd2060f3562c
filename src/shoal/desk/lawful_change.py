"""What may become of something that is kept.

The log tells how everything stands after each change. Were it enough that the last of it is so, whoever changes a row
behind the desk's back would have the desk itself write it into the log with its next change.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any, Final

from .tables import DATASETS, MARKS, OVERLAPS, PURPOSES, RELEASES, REQUESTERS, VERSIONS

__all__ = ["is_lawful_change"]

_Row = Mapping[str, Any]

_CHANGEABLE: Final = {
    DATASETS.name: {"policy"},
    VERSIONS.name: {"values_print"},  # a version of an old desk gets one of the fields as written when it is marked
    MARKS.name: set[str](),
    OVERLAPS.name: set[str](),
    PURPOSES.name: set[str](),
    REQUESTERS.name: {"trust"},
    RELEASES.name: {"state", "sha256"},
}
_NEXT: Final = {
    "pending": {"pending", "done", "refused", "abandoned"},
    "done": {"done", "revoked"},
    "abandoned": {"done"},  # its hash was written down, and its folder got its name after all
}


def is_lawful_change(table: str, before: _Row | None, after: _Row, said: Collection[str]) -> bool:
    """Tell whether a row may follow on one of the same key, None if there was none.

    ``said`` are the parts of a policy that were said to be changed.
    """
    if before is None:
        return table != RELEASES.name or (after["state"], after["sha256"]) == ("pending", None)
    if {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)} - _CHANGEABLE[table]:
        return False
    if table == RELEASES.name:
        return _is_lawful_settling(before, after)
    return table != DATASETS.name or _other_parts(before["policy"], after["policy"]) <= set(said)


def _is_lawful_settling(before: _Row, after: _Row) -> bool:
    if before["sha256"] not in (None, after["sha256"]):
        return False
    if before["state"] == "abandoned" and before["sha256"] is None:
        return False
    return after["state"] in _NEXT.get(before["state"], set())


def _other_parts(before: str, after: str) -> set[str]:
    one, other = json.loads(before), json.loads(after)
    return {part for part in one.keys() | other.keys() if one.get(part) != other.get(part)}
