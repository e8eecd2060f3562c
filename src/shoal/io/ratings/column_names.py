"""Which columns hold users, items, ratings and times, by how people name such columns."""

import re
from collections.abc import Sequence
from typing import Literal

__all__ = ["What", "count_column", "is_time", "is_unmistakable", "named_column"]

What = Literal["user", "item", "rating"]


def _several(words: str) -> frozenset[str]:
    return frozenset(words.split())


_UNMISTAKABLE: dict[What, frozenset[str]] = {
    "user": _several("user uid customer reviewer"),
    "item": _several("item iid movie film book product"),
    "rating": _several("rating score stars"),
}
"""Names that decide by themselves, whatever else is in the file."""

_NAMES: dict[What, frozenset[str]] = {
    "user": _UNMISTAKABLE["user"]
    | _several(
        "account buyer client consumer critic juror listener member panelist participant patron person player "
        "profile rater reader respondent shopper student subscriber tester username viewer visitor voter"
    ),
    "item": _UNMISTAKABLE["item"]
    | _several(
        "album anime app article artist asin beer brand business content course dish episode game hotel isbn joke "
        "listing manga offer paper place podcast program question recipe restaurant series show sku song title track "
        "venue video wine"
    ),
    "rating": _UNMISTAKABLE["rating"]
    | _several(
        "answer evaluation feedback grade mark overall point preference response star starrating reviewscore "
        "reviewrating userrating userscore value vote"
    ),
}
_COUNTS = _several("count quantity qty click view play purchase visit")
_FILLERS = _several("code guid hash id idx index key no nr num number uuid")
_KEYS = _several("guid hash id idx index key uuid")
_TIMES = _several("at created date datetime day month time timestamp tstamp ts unixtime updated when year")


def named_column(names: Sequence[str], what: What) -> str | None:
    """Return the column whose name says that it holds users, items or ratings; None where none or several do.

    Of ``movie_id`` and ``title`` it is the one that is called an id. Ratings are not: ``rating_id`` numbers them.
    """
    matching = [name for name in names if _stem(name) in _NAMES[what]]
    if what == "rating":
        matching = [name for name in matching if not _is_id(name) and _KEYS.isdisjoint(_words(name))]
        return matching[0] if len(matching) == 1 else None
    ids = [name for name in matching if _words(name) != [_stem(name)] or _is_id(name)]
    return (matching if len(matching) == 1 else ids if len(ids) == 1 else [None])[0]


def count_column(names: Sequence[str]) -> str | None:
    """Return the column whose name says that it holds counts or ratings; None where none or several do."""
    counts = [name for name in names if "".join(_words(name)).removesuffix("s") in _COUNTS]
    matching = [*counts, *(name for name in names if is_unmistakable(name, "rating"))]
    return matching[0] if len(matching) == 1 else None


def is_unmistakable(name: str, what: What) -> bool:
    """Tell whether a column of this name can be nothing else."""
    return _stem(name) in _UNMISTAKABLE[what]


def is_time(name: str) -> bool:
    """Tell whether a column is named as times are."""
    return any(word in _TIMES or word.endswith(("time", "date", "timestamp")) for word in _words(name))


def _words(name: str) -> list[str]:
    """Return the words of a name such as ``user_id``, ``userId`` or ``UserID``, in small letters."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]


def _is_id(name: str) -> bool:
    return "".join(_words(name)).endswith("id")


def _stem(name: str) -> str:
    """Return what is left of a name without words such as id, in the singular."""
    words = [word for word in _words(name) if word not in _FILLERS]
    joined = "".join(words)
    known = frozenset().union(*_NAMES.values())
    forms = (joined, joined.removesuffix("s"), joined.removesuffix("id"), joined.removesuffix("ids"))
    return next((form for form in forms if form in known), joined)
