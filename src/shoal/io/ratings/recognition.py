"""Recognize files with one rating a line by the names of their columns and by their shape.

What is certain is read without a schema. What is only likely is refused, together with the settings that would say so.
"""

from dataclasses import dataclass
from typing import Any

import polars as pl

from shoal.io.formats.tabular_file import TabularFile, faults_of

from .column_names import What, is_time, is_unmistakable, named_column

__all__ = ["LikelyRatings", "RatingColumns", "likely_ratings", "recognized_columns"]

_ROLES: tuple[What, ...] = ("user", "item", "rating")
_ROWS = 50_000
"""How many rows are looked at: the shape shows early, and large files are not read twice."""
_MOST_POINTS = 101  # 0 to 100
_FEWEST_ROWS = 20
"""Fewer rows have no shape."""
_DISTINCT_PAIRS = 0.9
"""The share of distinct pairs of user and item at least: some people rate twice, but not often."""


@dataclass(frozen=True)
class RatingColumns:
    """The columns of users, items and ratings of a file with one rating a line, or with one item of a set."""

    user: str
    item: str
    rating: str | None = None
    """None where every line says no more than that somebody has an item."""
    unmistakable: bool = True
    """Whether the names alone decide; if not, names and shape do together, and the owner is told."""

    @property
    def names(self) -> list[str]:
        """The columns that are read."""
        return [name for name in (self.user, self.item, self.rating) if name is not None]

    @property
    def settings(self) -> dict[str, Any]:
        """What a schema would say of them."""
        if self.rating is None:
            return {"kind": "sets", "layout": "long", "user": self.user, "item": self.item}
        return {"kind": "ratings", "layout": "long", "user": self.user, "item": self.item, "rating": self.rating}


@dataclass(frozen=True)
class LikelyRatings:
    """A file that may have one rating a line, which its owner has to say."""

    reason: str
    """Why it is not certain, in a sentence."""
    advice: str
    """What to look at before the settings are written down, in a sentence."""
    settings: dict[str, Any]
    """What a schema would say if it is so."""


def recognized_columns(file: TabularFile) -> RatingColumns | None:
    """Return the columns of users, items and ratings if there is no doubt which they are.

    Names such as ``user``, ``item`` and ``rating`` decide. Names such as ``account_id``, ``title_id`` and ``stars``
    decide if the columns also have the shape of ratings and there is no other column but times. Users and items alone
    are sets.
    """
    user, item, rating = (named_column(file.names, what) for what in _ROLES)
    if user is not None and item is not None and rating is None and len(file.names) == 2:
        is_sets = is_unmistakable(user, "user") and is_unmistakable(item, "item")
        return RatingColumns(user, item) if is_sets else None
    if user is None or item is None or rating is None or len({user, item, rating}) < len(_ROLES):
        return None
    named = dict(zip(_ROLES, (user, item, rating), strict=True))
    if all(is_unmistakable(name, what) for what, name in named.items()):
        return RatingColumns(user, item, rating)
    others = [name for name in file.names if name not in named.values() and not is_time(name)]
    fits = not others and file.rows >= _FEWEST_ROWS and _has_shape(_head(file), user, item, rating)
    return RatingColumns(user, item, rating, unmistakable=False) if fits else None


def likely_ratings(file: TabularFile) -> LikelyRatings | None:
    """Return what a schema would say if a file that is not recognized has one rating a line; None if hardly so."""
    if file.rows == 0:
        return None
    if file.as_written and (file.settings.get("header") is False or _has_no_header(file)):
        return _without_header(file)
    named: dict[What, str | None] = {what: named_column(file.names, what) for what in _ROLES}
    known: dict[What, str] = {what: name for what, name in named.items() if name is not None}
    rest = [name for name in file.names if name not in known.values() and not is_time(name)]
    if "user" in known and "item" in known and not rest and "rating" not in known:
        return _without_ratings(file, known)
    if len(set(known.values())) < max(2, len(known)):
        return None
    return _completed(file, known, rest)


def _completed(file: TabularFile, known: dict[What, str], rest: list[str]) -> LikelyRatings | None:
    """Fill in the one role that no name tells by the shape of the columns that are left."""
    head, reason = _head(file), f"The columns of {file.name} look like ratings, one a line, but that is not certain."
    missing: What | None = next((what for what in _ROLES if what not in known), None)
    if missing is None:
        return LikelyRatings(reason, "If each line is one rating, say so; other columns are not read.", _said(known))
    fitting = [name for name in rest if _has_shape(head, **{**known, missing: name})]
    if len(fitting) == 1:
        advice = f"If each line is one rating and {fitting[0]!r} holds the {missing}s, say so."
        known[missing] = fitting[0]
        return LikelyRatings(reason, advice, _said(known))
    return None


def _said(columns: dict[What, str]) -> dict[str, Any]:
    return RatingColumns(**columns).settings


def _without_ratings(file: TabularFile, known: dict[What, str]) -> LikelyRatings:
    return LikelyRatings(
        f"{file.name} has users and items, but no column of ratings.",
        "If a line says that somebody bought, watched or liked an item, say so.",
        _said(known),
    )


def _without_header(file: TabularFile) -> LikelyRatings | None:
    """Say how three or four columns of numbers may be read; no name is printed, as it is a value of a record."""
    names = ["user", "item", "rating", "time"][: len(file.names)]
    head = _head(file).rename(dict(zip(file.names, names, strict=False)))
    if len(file.names) not in (3, 4) or not _has_shape(head, *names[:3]):
        return None
    return LikelyRatings(
        f"{file.name} has no header line, and looks like ratings, one a line.",
        "If so, say what its columns are, in the order of the file: perhaps the item stands before the user.",
        {"kind": "ratings", "layout": "long", "header": False, "names": names},
    )


def _has_no_header(file: TabularFile) -> bool:
    """Tell whether the first line is likely a record: a name is a number."""
    return bool(pl.Series(file.names, dtype=pl.String).cast(pl.Float64, strict=False).is_not_null().any())


def _head(file: TabularFile) -> pl.DataFrame:
    with faults_of(file.name):
        return file.scan.head(_ROWS).collect()


def _has_shape(head: pl.DataFrame, user: str, item: str, rating: str) -> bool:
    """Tell whether users and items repeat, hardly a pair does, and ratings lie on few points."""
    repeat = all(head[name].n_unique() < head.height for name in (user, item))
    pairs = head.select(user, item).n_unique()
    return repeat and pairs >= _DISTINCT_PAIRS * head.height and _on_few_points(head[rating])


def _on_few_points(column: pl.Series) -> bool:
    marks = column.cast(pl.String).str.strip_chars().drop_nulls().unique()
    marks = marks.filter(marks != "")
    if not 1 <= len(marks) <= _MOST_POINTS:
        return False
    numbers = marks.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
    return 2 * (len(numbers) - numbers.null_count()) > len(marks) and bool((numbers.abs() < _MOST_POINTS).all())
