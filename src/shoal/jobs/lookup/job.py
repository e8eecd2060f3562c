"""Look up a person: which published records fit what is known about them, and what those records reveal."""

import re
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

from shoal.anonymizers import methods
from shoal.data import Microdata, Ratings, Records, Survey
from shoal.engines import LocalEngine
from shoal.errors import SchemaError, WordingError
from shoal.io.folders.release import ReleaseFolder
from shoal.io.frames import ReadableData
from shoal.io.ratings.own_ratings import read_own_ratings
from shoal.io.ratings.own_survey import read_own_survey
from shoal.io.schemas import GivenSchema, RatingsSchema, Schema, TableSchema, given_schema
from shoal.io.tables.own_values import read_own_values
from shoal.jobs.release_and_truth import GivenRelease, given_release
from shoal.models import PrivacyModel, promises

from .fitting import RatingsInSight, fitting_rows
from .sensitive_shares import SensitiveShares, sensitive_shares
from .unlike_the_release import columns_unlike_any, refuse_unreadable

__all__ = ["Fit", "LookupResult", "lookup"]


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
    absent_names: tuple[str, ...] = field(default=(), repr=False)
    """The items or columns that the release does not have, as the person named them."""
    unlike_any: tuple[str, ...] = ()
    """The columns of which no record says anything that may stand for the person's value, but for ``*``."""

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
            "absent_names": list(self.absent_names),
            "unlike_any": list(self.unlike_any),
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
    of values; a record fits if its labels may stand for them. For surveys it has such a line with names of columns and
    of items, and a record fits if both parts do. A schema of the original, where it is public, says of which
    hierarchies the labels are.
    """
    release = given_release(folder)
    models = tuple(promises.read(certified.promise) for certified in release.certificate.promises)
    if isinstance(release.records, Survey):
        return _in_survey(release, models, me, tolerance, given_schema(schema))
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
    if published.is_sets:
        if tolerance is not None:
            raise WordingError("Only ratings are compared within a tolerance, and the release holds sets.")
        fits = (_fit(published, sight.fitting(Fraction(0)), None),)
    else:
        fits = tuple(_fit(published, sight.fitting(each), each) for each in _tolerances(models, tolerance))
    sensitive = set(published.sensitive.items.values.cast(pl.String))
    absent = tuple(item for item in sight.unknown if item not in sensitive)
    _refuse_items_under_other_names(len(absent), release.certificate.method)
    return _result(published, models, (len(own), sight.compared), absent, fits)


def _in_survey(
    release: ReleaseFolder,
    models: tuple[PrivacyModel, ...],
    me: ReadableData,
    tolerance: Fraction | float | str | None,
    schema: Schema | None,
) -> LookupResult:
    """Look for records that fit by their labels and by their answers."""
    published = release.records
    assert isinstance(published, Survey)
    assert isinstance(release.schema, RatingsSchema)
    if schema is not None and not isinstance(schema, RatingsSchema):
        raise SchemaError("The schema is not one of a survey, and the release holds a survey.")
    sides = (published.ratings.observable, published.ratings.sensitive)
    items = {item for side in sides for item in side.items.values.cast(pl.String).to_list()}
    values, own, absent = read_own_survey(me, release.schema, schema, published.ratings.scale, items)
    _refuse_items_under_other_names(len(absent), release.certificate.method)
    sight = RatingsInSight(published.ratings, own)
    fits, unclear = np.ones(len(published), bool), np.zeros(len(published), bool)
    explained, unlike_any = () if schema is None else schema.columns, ()
    if values is not None:
        refuse_unreadable(published.table, values)
        fits, unclear = fitting_rows(published.table, values, explained=explained)
        unlike_any = columns_unlike_any(published.table, values, explained=explained)
    found = []
    for each in _tolerances(models, tolerance):
        near = sight.fitting(each)
        found.append(_fit(published, fits & near, each, int(np.count_nonzero(unclear & near))))
    known = 0 if values is None else len(values.quasi_identifiers)
    named = len(own) + len(absent) + (0 if values is None else len(values.names))
    result = _result(published, models, (named, known + sight.compared), absent, tuple(found))
    return replace(result, unlike_any=unlike_any)


def _tolerances(models: tuple[PrivacyModel, ...], tolerance: Fraction | float | str | None) -> list[Fraction]:
    """Return the tolerances that answers are compared within: none, those promised, and the one that is given."""
    epsilons = {model.radius for model in models if model.radius is not None and model.part != "demographics"}
    epsilons |= {Fraction(0)} if tolerance is None else {Fraction(0), _tolerance(tolerance)}
    return sorted(epsilons)


def _refuse_items_under_other_names(absent: int, method: str) -> None:
    """Refuse items that a release has under the labels of a hierarchy: that they are absent would mean nothing."""
    if absent and _generalizes_items(method):
        raise WordingError(
            f"{absent:,} of the items are not in the release under their own names, and it has general ones.",
            "Write each item as the label that the release has for it, and each label once.",
        )


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
    absent = tuple(name for name in own.names if name not in published.names)
    of_middles = not _is_truthful(release.certificate.method)
    explained, unlike_any = () if schema is None else schema.columns, ()
    mask, unclear = fitting_rows(published, own, explained=explained)
    if not of_middles:
        refuse_unreadable(published, own)
        unlike_any = columns_unlike_any(published, own, explained=explained)
    elif compared:  # the middle of a group is nobody's own, and rules nobody out
        mask, unclear = np.zeros((2, len(published)), bool)
        unclear[:] = True
    fit = _fit(published, mask, None, int(np.count_nonzero(unclear)))
    result = _result(published, models, (len(own.names), compared), absent, (fit,))
    return replace(result, of_middles=of_middles, unlike_any=unlike_any)


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
    published: Records,
    models: tuple[PrivacyModel, ...],
    named: tuple[int, int],
    absent: tuple[str, ...],
    fits: tuple[Fit, ...],
) -> LookupResult:
    """Return a result; ``named`` is how many items or columns were named, and how many of them compared."""
    whole = [model for model in models if model.part is None]  # who is hidden in one part may stand out by the other
    k = max((model.hidden_among for model in whole if model.hidden_among is not None), default=None)
    meanings = tuple(model.stated_meaning for model in models)
    people = published.n_people if published.stated is None else None
    counts = (len(published), people, *named, len(absent))
    return LookupResult(published.kind, *counts, k, meanings, fits, absent_names=absent)
