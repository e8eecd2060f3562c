"""Look up a person: which published records fit what is known about them, and what those records reveal."""

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

from shoal.anonymizers import methods
from shoal.data import Microdata, Ratings, Records, Survey, Vocabulary
from shoal.engines import LocalEngine
from shoal.errors import SchemaError, WordingError
from shoal.io.folders.release import ReleaseFolder
from shoal.io.frames import ReadableData
from shoal.io.ratings.own_ratings import OwnRatings, read_own_ratings
from shoal.io.schemas import GivenSchema, RatingsSchema, Schema, TableSchema, given_schema
from shoal.io.tables.own_values import read_own_values
from shoal.labels import covered_values
from shoal.models import PrivacyModel, promises

from .release_and_truth import GivenRelease, given_release

__all__ = ["Fit", "LookupResult", "RatingsInSight", "SensitiveShares", "fitting_rows", "lookup", "sensitive_shares"]


class RatingsInSight:
    """The published ratings of the items of which somebody says how they rated them, or that they did not."""

    def __init__(self, published: Ratings, own: OwnRatings) -> None:
        matrix = published.observable
        place = Vocabulary(matrix.items.values.cast(pl.String)).codes(own.items)
        known, codes = place[place >= 0], own.codes[place >= 0]
        mine = np.full(len(matrix.items), _UNKNOWN, np.int64)
        mine[known] = codes
        entries = np.flatnonzero(mine[matrix.indices] != _UNKNOWN)
        rows = np.searchsorted(matrix.indptr, entries, side="right") - 1
        given = mine[matrix.indices[entries]] >= 0
        rated = entries[given]
        self.compared = len(known)
        self._scale = published.scale
        self._n_given = int(np.count_nonzero(codes >= 0))
        self._rows = rows[given]
        self._apart = np.abs(matrix.codes[rated].astype(np.int64) - mine[matrix.indices[rated]])
        self._without = np.bincount(rows[~given], minlength=len(published)) == 0

    def fitting(self, tolerance: Fraction) -> np.ndarray:
        """Return the mask of the records within the tolerance, in rating points, on every item."""
        steps = self._scale.steps_within(tolerance)
        if steps >= self._scale.null_steps:
            return np.ones(len(self._without), bool)
        agreeing = np.bincount(self._rows[self._apart <= steps], minlength=len(self._without))
        return (agreeing == self._n_given) & self._without


_UNKNOWN = -2


def fitting_rows(published: Microdata, own: Microdata, *, explained: Container[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the masks of the records that fit the one record there is of somebody, and of those that may as well.

    A record fits if its labels stand for the values. It may as well if no label says otherwise, but some cannot be
    read: a word may be one of a hierarchy, unless the labels of its column are explained.
    """
    fits, possible = np.ones((2, len(published)), bool)
    for column in own.quasi_identifiers:
        labels = published[column.name]
        found = covered_values(labels.vocabulary.values, column, column.values, explained=column.name in explained)
        fits &= found.covered[labels.codes, 0]
        possible &= found.possible[labels.codes, 0]
    return fits, possible & ~fits


@dataclass(frozen=True, repr=False)
class SensitiveShares:
    """One sensitive issue or column: how many of some records, and of all, have each value."""

    name: str
    among: Mapping[str | None, int]
    """By value, the most frequent first; None is no value."""
    overall: Mapping[str | None, int]

    @property
    def largest_share(self) -> float:
        """The share of the most frequent value among the records: how sure somebody could be; 0 without records."""
        return max(self.among.values(), default=0) / max(sum(self.among.values()), 1)

    @property
    def largest_share_overall(self) -> float:
        """The same among all records: how sure anybody is."""
        return max(self.overall.values(), default=0) / max(sum(self.overall.values()), 1)

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints; the key of no value is empty."""
        return {
            "name": self.name,
            "largest_share": self.largest_share,
            "largest_share_overall": self.largest_share_overall,
            "among": {value or "": count for value, count in self.among.items()},
            "overall": {value or "": count for value, count in self.overall.items()},
        }


def sensitive_shares(records: Records, chosen: np.ndarray) -> tuple[SensitiveShares, ...]:
    """Count the values of every sensitive issue or column among the records of a mask."""
    return tuple(
        SensitiveShares(name, _counts(values.filter(pl.Series(chosen))), _counts(values))
        for name, values in _sensitive(records)
    )


def _sensitive(records: Records) -> list[tuple[str, pl.Series]]:
    if isinstance(records, Microdata):
        return [(column.name, column.values.cast(pl.String)) for column in records.sensitive]
    assert isinstance(records, Ratings)
    matrix = records.sensitive.by_item()
    given = []
    for item, name in enumerate(records.sensitive.items.values.cast(pl.String)):
        here = slice(int(matrix.indptr[item]), int(matrix.indptr[item + 1]))
        words = pl.Series(records.scale.decode(matrix.codes[here])).cast(pl.String)
        values = pl.Series([None], dtype=pl.String).extend_constant(None, len(records) - 1)
        given.append((str(name), values.scatter(matrix.indices[here], words)))
    return given


def _counts(values: pl.Series) -> dict[str | None, int]:
    counted = values.alias("value").value_counts().sort("count", "value", descending=[True, False])
    return dict(zip(counted["value"].to_list(), counted["count"].to_list(), strict=True))


_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}|/[1-9][0-9]{0,8})?", re.ASCII)


@dataclass(frozen=True)
class Fit:
    """The records that fit, within a tolerance where there are ratings."""

    tolerance: float | None
    records: int
    people: int
    """How many people these records stand for."""
    unclear: int
    """How many other records may fit: nothing speaks against them, but not all of their labels can be read."""
    sensitive: tuple[SensitiveShares, ...]

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "tolerance": self.tolerance,
            "records": self.records,
            "people": self.people,
            "unclear": self.unclear,
            "sensitive": [each.to_json() for each in self.sensitive],
        }


@dataclass(frozen=True)
class LookupResult:
    """What a release says of somebody who asks."""

    kind: str
    records: int
    people: int | None
    """How many people the release is about; None: people may have several records, and it does not say."""
    named: int
    """How many items or columns the person named."""
    compared: int
    """How many of them the release has, and others may know of."""
    absent: int
    """How many of them the release does not have."""
    k: int | None
    """Among at least how many people everybody is promised to be; None: no such promise."""
    promises: tuple[str, ...]
    """What is promised, in words."""
    fits: tuple[Fit, ...]
    of_middles: bool = False
    """Whether means, medians and most common values of groups are published, which are nobody's own."""

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "kind": self.kind,
            "records": self.records,
            "people": self.people,
            "named": self.named,
            "compared": self.compared,
            "absent": self.absent,
            "k": self.k,
            "promises": list(self.promises),
            "fits": [fit.to_json() for fit in self.fits],
            "of_middles": self.of_middles,
        }


def lookup(
    folder: GivenRelease,
    me: ReadableData,
    *,
    tolerance: Fraction | float | str | None = None,
    schema: GivenSchema | None = None,
) -> LookupResult:
    """Look for the records of a release that fit what a file or a frame says of one person.

    For ratings the file has a line an item, with the rating, or nothing where the person gave none; records fit within
    tolerances of 0, of the ε that is promised, and of what is given. For tables it has the names of columns and a line
    of values; a record fits if its labels may stand for them. A schema of the original, where it is public, says of
    which hierarchies the labels are.
    """
    release = given_release(folder)
    models = tuple(promises.read(certified.promise) for certified in release.certificate.promises)
    if isinstance(release.records, Survey):
        raise WordingError("Nobody can be looked up in a release of a survey with demographics yet.")
    if isinstance(release.records, Ratings):
        if schema is not None:
            raise WordingError("Only a table has labels that a schema explains, and the release holds ratings.")
        return _among_ratings(release, models, me, tolerance)
    if tolerance is not None:
        raise WordingError("Only ratings are compared within a tolerance, and the release holds a table.")
    return _among_rows(release, models, me, given_schema(schema))


def _among_ratings(
    release: ReleaseFolder, models: tuple[PrivacyModel, ...], me: ReadableData, tolerance: Fraction | float | str | None
) -> LookupResult:
    published = release.records
    assert isinstance(published, Ratings)
    assert isinstance(release.schema, RatingsSchema)
    own = read_own_ratings(me, release.schema, published.scale)
    sight = RatingsInSight(published, own)
    epsilons = {model.radius for model in models if model.radius is not None}
    epsilons |= {Fraction(0)} if tolerance is None else {Fraction(0), _tolerance(tolerance)}
    fits = tuple(_fit(published, sight.fitting(each), each) for each in sorted(epsilons))
    sensitive = int(own.items.is_in(published.sensitive.items.values.cast(pl.String).implode()).sum())
    absent = len(own) - sight.compared - sensitive
    if absent and _generalizes_items(release.certificate.method):
        raise WordingError(
            f"{absent:,} of the items are not in the release under their own names, and it has general ones.",
            "Write each item as the label that the release has for it, and each label once.",
        )
    return _result(published, models, (len(own), sight.compared, absent), fits)


def _tolerance(tolerance: Fraction | float | str) -> Fraction:
    text = str(tolerance).strip()
    if not _NUMBER.fullmatch(text):
        raise WordingError("The tolerance must be a number of rating points, at least 0.", "Write --tolerance 1.")
    return Fraction(text)


def _among_rows(
    release: ReleaseFolder, models: tuple[PrivacyModel, ...], me: ReadableData, schema: Schema | None
) -> LookupResult:
    published = release.records
    assert isinstance(published, Microdata)
    assert isinstance(release.schema, TableSchema)
    if schema is not None and not isinstance(schema, TableSchema):
        raise SchemaError("The schema is not one of a table, and the release holds a table.")
    own = read_own_values(me, release.schema, schema)
    compared = len(own.quasi_identifiers)
    hidden = [name for name in published.names if not published[name].role.is_observable]
    absent = len(own.names) - compared - sum(name in hidden for name in own.names)
    of_middles = not _is_truthful(release.certificate.method)
    mask, unclear = fitting_rows(published, own, explained=() if schema is None else schema.columns)
    if of_middles and compared:  # the middle of a group is nobody's own, and rules nobody out
        mask, unclear = np.zeros((2, len(published)), bool)
        unclear[:] = True
    fit = _fit(published, mask, None, int(np.count_nonzero(unclear)))
    result = _result(published, models, (len(own.names), compared, absent), (fit,))
    return replace(result, of_middles=of_middles)


def _generalizes_items(method: str) -> bool:
    """Return whether a method, given by its wording, publishes labels in the place of items."""
    try:
        return methods.read(method).generalizes_items
    except WordingError:
        return False


def _is_truthful(method: str) -> bool:
    """Return whether the labels that a method publishes, given by its wording, cover the original values."""
    try:
        return methods.read(method).truthful
    except WordingError:  # the desk has a method of its own, and a certificate may name any
        return True


def _fit(published: Records, mask: np.ndarray, tolerance: Fraction | None, unclear: int = 0) -> Fit:
    records = int(np.count_nonzero(mask))
    people = _people(published, mask)
    within = None if tolerance is None else float(tolerance)
    return Fit(within, records, people, unclear, sensitive_shares(published, mask))


def _people(published: Records, mask: np.ndarray) -> int:
    """Return how many people some records may be of."""
    if isinstance(published, Ratings) and published.people is not None:
        return int(published.people[mask].sum())
    if published.stated is not None:
        classes = LocalEngine().group(published).labels[mask]
        firsts = np.unique(classes, return_index=True)[1]
        return int(published.stated.in_class[mask][firsts].sum())
    return int(np.count_nonzero(mask))


def _result(
    published: Records, models: tuple[PrivacyModel, ...], named: tuple[int, int, int], fits: tuple[Fit, ...]
) -> LookupResult:
    k = max((model.hidden_among for model in models if model.hidden_among is not None), default=None)
    meanings = tuple(model.meaning for model in models)
    people = published.n_people if published.stated is None else None
    return LookupResult(published.kind, len(published), people, *named, k, meanings, fits)
