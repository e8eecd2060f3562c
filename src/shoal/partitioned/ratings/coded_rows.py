"""Ratings as rows of numbers: the user, and the place of the item and the code of the rating in one number.

A first look finds which items and marks there are and how often; they are brought here and understood as those of a
file in memory are. Users are too many for that: a user is a whole number, or a hash beside the name itself. Where a
file has most ratings of a user side by side, they become one row.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Backend, Columns, Partitions, Shared
from shoal.data import Scale, Vocabulary
from shoal.errors import DataError
from shoal.io.ratings.compressed import item_order
from shoal.io.ratings.dated_items import sensitive_pairs
from shoal.io.ratings.id_codes import CANONICAL_INTEGER, IdCodes, refuse_missing_ids
from shoal.io.ratings.long import LongLayout
from shoal.io.ratings.rating_marks import RatingMarks
from shoal.kernels.packed_rows import pack_by_tables
from shoal.partitioned.coded_columns import Coding, coded

from .profiles import NAME, PROFILE, RATED, USER, ProfileLayout
from .value_counts import counted_values, merged_values

__all__ = ["RatingCodes", "coded_rows", "rating_codes"]

_ITEM, _MARK = "item", "mark"
_SHORT_RUN = 4
"""Ratings of a user that are side by side become one row if there are more of them than this on the average."""
_SMALL_SPAN = 1 << 24


@dataclass(frozen=True)
class RatingCodes:
    """What items and marks become."""

    items: Vocabulary
    """All items, the sensitive ones last."""
    layout: ProfileLayout
    codings: tuple["_Codes", "_Codes"]
    """Of items and of marks; the code of a null is the number of points of the scale."""
    n_runs: int
    """How many rows there are if ratings of a user that are side by side become one."""
    in_runs: bool
    """Whether they do."""
    notes: tuple[str, ...]

    @property
    def columns(self) -> Columns:
        """The columns of coded rows."""
        packed = self.layout.packed
        return {**self.layout.who, **({PROFILE: pl.List(packed)} if self.in_runs else {RATED: packed})}


def rating_codes(backend: Backend, rows: Partitions, layout: LongLayout) -> RatingCodes:
    """Look at all ratings once, and return what items and marks become; what cannot be understood is refused."""
    seen = rows.map_batches(_Look(layout), _SEEN).collect("looking at items and ratings")
    found = [merged_values(seen[name]) for name in (_ITEM, _MARK)]
    scale, marks, notes = _understood_marks(found[1], layout)
    items, n_observable, places = _understood_items(found[0], layout, backend)
    refuse_missing_ids("user", int(seen["missing"].sum()))
    profiles = ProfileLayout(n_observable, len(items), scale, names=not seen["numbers"].all())
    n_rows, n_runs = (int(seen[name].sum()) for name in ("rows", "runs"))
    return RatingCodes(items, profiles, (places, marks), n_runs, n_runs * _SHORT_RUN < n_rows, notes)


def _understood_items(found: pl.DataFrame, layout: LongLayout, backend: Backend) -> tuple[Vocabulary, int, "_Codes"]:
    """Return all items, the sensitive ones last, how many are observable, and the place of each."""
    ids = found["value"]
    refuse_missing_ids("item", int(found.filter(_is_missing(ids))["records"].sum()))
    if len(ids) > backend.most_groups:
        raise DataError(
            f"There are {len(ids):,} different items, and {backend.most_groups:,} may be in memory.",
            "Allow more with --memory; if users were mistaken for items, say in a schema which column is which.",
        )
    numbering = IdCodes("item")
    numbers = numbering.add(ids)
    items, codes = numbering.finish()
    sensitive = layout.schema.sensitive
    if layout.schema.dates is not None:
        sensitive = sensitive_pairs(items.values.cast(pl.String), sensitive)
    order, n_observable = item_order(items, sensitive)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return items.select(order), n_observable, _Codes.of(_ITEM, ids, place[codes[numbers]])


def _understood_marks(found: pl.DataFrame, layout: LongLayout) -> tuple[Scale, "_Codes", tuple[str, ...]]:
    marks = RatingMarks(layout.schema)
    numbers = marks.add_counted(found["value"], found["records"].to_numpy())
    scale, codes, notes = marks.finish()
    own = codes[numbers]
    return scale, _Codes.of(_MARK, found["value"], np.where(own < 0, scale.points, own)), notes


@dataclass(frozen=True)
class _Codes:
    """The code of each value of a column; of whole numbers that are not far apart, in a table."""

    coding: Coding
    lowest: int
    table: np.ndarray | None

    @classmethod
    def of(cls, name: str, values: pl.Series, codes: np.ndarray) -> "_Codes":
        coding = coded(name, name, values, codes, int(codes.max(initial=0)) + 1)
        lowest, highest = _ends(values)
        if highest - lowest >= _SMALL_SPAN or not len(values):
            return cls(coding, 0, None)
        table = np.zeros(highest - lowest + 1, np.uint32)
        table[values.to_numpy().astype(np.int64) - lowest] = codes
        return cls(coding, lowest, table)

    def __call__(self, values: pl.Series) -> np.ndarray:
        """Return the codes of a batch: uint32."""
        return self.coding(values.to_frame(self.coding.name)).to_numpy().astype(np.uint32)


def _ends(values: pl.Series) -> tuple[int, int]:
    """Return the least and the greatest of whole numbers, or numbers that are too far apart."""
    if not values.dtype.is_integer() or values.dtype == pl.UInt64 or values.null_count() or not len(values):
        return 0, _SMALL_SPAN
    return int(values.min()), int(values.max())  # type: ignore[arg-type]


_SEEN: Columns = {
    _ITEM: pl.Binary(),
    _MARK: pl.Binary(),
    "rows": pl.Int64(),
    "runs": pl.Int64(),
    "missing": pl.Int64(),
    "numbers": pl.Boolean(),
}


@dataclass(frozen=True)
class _Look:
    """Counts the items and marks of a batch, and says what its users are."""

    layout: LongLayout

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        users, items, marks = _standard(self.layout, batch)
        given = users.filter(~_is_missing(users)) if users.dtype == pl.String else users.drop_nulls()
        numbers = users.dtype.is_integer() or bool(given.str.contains(CANONICAL_INTEGER).all())
        said = batch.height, int(_begins(users).sum()), len(users) - len(given), numbers
        row = [counted_values(items), counted_values(marks), *said]
        return pl.DataFrame([row], schema=dict(_SEEN), orient="row")


def _standard(layout: LongLayout, batch: pl.DataFrame) -> tuple[pl.Series, pl.Series, pl.Series]:
    """Return users, items and marks in which equal ones are written alike."""
    users, items, marks = layout.series(batch)
    return _as_ids(users), _as_ids(items), marks.fill_null("") if marks.dtype == pl.String else marks


def _as_ids(ids: pl.Series) -> pl.Series:
    if ids.dtype.is_integer():
        return ids
    return (ids.fill_nan(None) if ids.dtype.is_float() else ids).cast(pl.String)


def _is_missing(ids: pl.Series) -> pl.Series:
    return ids.is_null() if ids.dtype.is_integer() else ids.fill_null("") == ""


def _begins(users: pl.Series) -> pl.Series:
    """Return the mask of the rows whose user is not that of the row before."""
    return users.ne_missing(users.shift()) | (pl.int_range(len(users), eager=True) == 0)


def coded_rows(backend: Backend, rows: Partitions, layout: LongLayout, codes: RatingCodes) -> Partitions:
    """Return the ratings as numbers; nulls stay, as an item behind the last: they say that a user exists."""
    return rows.map_batches(_Encode(layout, backend.shared(codes)), codes.columns)


@dataclass(frozen=True)
class _Encode:
    layout: LongLayout
    codes: Shared[RatingCodes]

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        codes = self.codes.value
        users, items, marks = _standard(self.layout, batch)
        rated = _packed(codes, items, marks)
        who = _users(users, names=codes.layout.names)
        if not codes.in_runs:
            return pl.DataFrame([*who, rated.rename(RATED)])
        begins = _begins(users)
        runs = pl.DataFrame([begins.cum_sum().set_sorted().rename("run"), rated.rename(PROFILE)])
        # the runs are sorted, so that no table of them is needed
        gathered = runs.group_by("run", maintain_order=True).agg(PROFILE)
        return pl.DataFrame([*(each.filter(begins) for each in who), gathered[PROFILE]])


def _packed(codes: RatingCodes, items: pl.Series, marks: pl.Series) -> pl.Series:
    """Return ratings as numbers; mostly by tables, in one loop."""
    places, given = codes.codings
    layout = codes.layout
    if places.table is None or given.table is None or layout.packed != pl.UInt32:
        return layout.pack(places(items), given(marks))
    tables = items.to_numpy(), places.lowest, places.table, marks.to_numpy(), given.lowest, given.table
    return pl.Series(pack_by_tables(*tables, layout.scale.points, layout.none))


def _users(ids: pl.Series, *, names: bool) -> Sequence[pl.Series]:
    """Return the number of each user; where users have names, a hash in its place, and the name."""
    if names:
        return [ids.cast(pl.String).hash().alias(USER), ids.cast(pl.String).alias(NAME)]
    numbers = ids.cast(pl.Int64) if ids.dtype == pl.String else ids
    return [pl.Series(USER, numbers.to_numpy().astype(np.uint64))]
