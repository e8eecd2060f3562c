"""Codes of users, items and ratings, collected in file order and compressed into records."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.data import GrowingArray, RatingMatrix, Ratings, Scale, Vocabulary
from shoal.errors import DataError, SchemaError
from shoal.kernels.compiled import get_num_threads
from shoal.kernels.compressed_rows import (
    are_in_order,
    count_columns,
    count_repeats,
    merge_repeats,
    place_by_column,
    rows_of_columns,
    settle_in_order,
)
from shoal.kernels.numbering import run_starts
from shoal.progress import Stage, stage

__all__ = ["Duplicates", "GatheredRatings", "compressed_ratings", "item_order", "ratings_of_columns", "refuse_repeats"]


class GatheredRatings:
    """Users, items and marks as numbers in order of first occurrence, in the order of the file.

    Items and marks are one array each, so that ratings that are sorted by user and item become records in place. A
    user with many consecutive ratings is stored once for all of them.
    """

    def __init__(self) -> None:
        self._items, self._marks = GrowingArray(np.int32), GrowingArray(np.uint8)
        self._users: list[tuple[np.ndarray, np.ndarray | None]] = []
        self._ends = [0]

    def __len__(self) -> int:
        """Return the number of batches."""
        return len(self._users)

    @property
    def items(self) -> np.ndarray:
        """The items of all ratings."""
        return self._items.filled

    @property
    def marks(self) -> np.ndarray:
        """The marks of all ratings, in the smallest type that holds them."""
        return self._marks.filled

    def add(self, users: np.ndarray, items: np.ndarray, marks: np.ndarray) -> None:
        """Add a batch."""
        self._marks.widen(marks.dtype)
        self._items.add(items)
        self._marks.add(marks)
        self._users.append(_runs(users))
        self._ends.append(len(self._items))

    def span(self, batch: int) -> slice:
        """Return where the ratings of a batch are."""
        return slice(self._ends[batch], self._ends[batch + 1])

    def users(self, batch: int) -> np.ndarray:
        """Return the user of each rating of a batch."""
        users, lengths = self._users[batch]
        return users if lengths is None else np.repeat(users, lengths)

    def drop_last(self) -> None:
        """Drop the last batch and free its memory."""
        self._users.pop()
        self._ends.pop()
        self.cut(self._ends[-1])

    def cut(self, length: int) -> tuple[np.ndarray, np.ndarray]:
        """Return items and marks, truncated to ``length``."""
        return self._items.cut(length), self._marks.cut(length)


def _runs(users: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Return users and the lengths of their runs; or the users unchanged, and None, if that is shorter."""
    starts = run_starts(users, len(users) // 4)
    if not len(starts):
        return users, None
    return users[starts], np.diff(starts, append=len(users))


Duplicates = Literal["refuse", "last", "mean"]


@dataclass(frozen=True)
class CodeMaps:
    """The final code of each number; a negative rating is null."""

    users: np.ndarray
    items: np.ndarray
    marks: np.ndarray


def compressed_ratings(
    gathered: GatheredRatings,
    users: tuple[Vocabulary, np.ndarray],
    items: tuple[Vocabulary, np.ndarray],
    scale: tuple[Scale, np.ndarray],
    sensitive: tuple[str, ...],
    duplicates: Duplicates,
) -> Ratings:
    """Sort ratings into records; ``gathered`` is consumed on the way, so that nothing is in memory twice."""
    order, n_observable = item_order(items[0], sensitive)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    maps = CodeMaps(users[1], place[items[1]], scale[1])
    with stage("sorting ratings", len(gathered)) as progress:
        if n_observable == len(order) and _is_sorted(gathered, maps):
            matrix = RatingMatrix(items[0], *_rows_in_place(gathered, maps, scale[0], len(users[0]), progress))
            return Ratings(users[0], matrix, RatingMatrix.empty(len(users[0]), scale[0].dtype), scale[0])
        starts = _column_starts(gathered, maps, len(order))
        shares = np.linspace(0, starts[-1], get_num_threads() + 1)[1:-1]
        borders = np.concatenate([[0], np.searchsorted(starts[1:-1], shares), [len(order)]])
        rows = np.empty(starts[-1], np.int32)
        codes = np.empty(starts[-1], scale[0].dtype)
        cursor = starts[1:].copy()
        while len(gathered):
            last = _batch(gathered, len(gathered) - 1)
            place_by_column(*last, maps.users, maps.items, maps.marks, borders, cursor, rows, codes)
            gathered.drop_last()
            progress.advance()
        return ratings_of_columns(
            users[0], items[0], (order, n_observable), scale[0], (starts, rows, codes), duplicates
        )


def _batch(gathered: GatheredRatings, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    here = gathered.span(number)
    return gathered.users(number), gathered.items[here], gathered.marks[here]


def _is_sorted(gathered: GatheredRatings, maps: CodeMaps) -> bool:
    """Tell whether ratings are sorted by user and item; batches are checked in parallel."""

    def ascends(number: int) -> bool:
        before = _last_kept(gathered, number, maps)
        return are_in_order(*_batch(gathered, number), maps.users, maps.items, maps.marks, *before)

    if len(gathered) and not ascends(0):  # most files that are not sorted show it in the first lines
        return False
    with ThreadPoolExecutor(get_num_threads()) as threads:
        return all(threads.map(ascends, range(1, len(gathered))))


def _last_kept(gathered: GatheredRatings, number: int, maps: CodeMaps) -> tuple[int, int]:
    """Return the user and item of the last rating before a batch that is not null."""
    for before in range(number - 1, -1, -1):
        here = gathered.span(before)
        last = here.stop - 1
        while last >= here.start and maps.marks[gathered.marks[last]] < 0:
            last -= 1
        if last >= here.start:
            user = gathered.users(before)[last - here.start]
            return int(maps.users[user]), int(maps.items[gathered.items[last]])
    return -1, -1


def _rows_in_place(
    gathered: GatheredRatings, maps: CodeMaps, scale: Scale, n_users: int, progress: Stage
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return compressed rows of ratings that are sorted by user and item, built in place."""
    begins, at = np.zeros(n_users + 1, np.int64), 0
    marks = gathered.marks
    codes = marks if marks.dtype == scale.dtype else np.empty(len(marks), scale.dtype)
    for number in range(len(gathered)):
        how = (maps.users, maps.items, maps.marks, gathered.span(number).start, begins, at)
        at = settle_in_order(gathered.users(number), gathered.items, marks, *how, gathered.items, codes)
        progress.advance()
    made_in_place = codes is marks
    del marks
    indices, kept = gathered.cut(at)
    return np.cumsum(begins), indices, kept if made_in_place else codes[:at]


def item_order(items: Vocabulary, sensitive: tuple[str, ...]) -> tuple[np.ndarray, int]:
    """Return the items with the sensitive ones last, and how many are observable."""
    names = items.values.cast(str)
    unknown = [name for name in sensitive if not (names == name).any()]
    if unknown:
        raise SchemaError(
            f"{len(unknown)} of the {len(sensitive)} sensitive items of the schema are not in the data: "
            f"{', '.join(map(repr, unknown[:5]))}.",
            "Spell sensitive items as in the data.",
        )
    is_sensitive = names.is_in(list(sensitive)).to_numpy()
    return np.argsort(is_sensitive, kind="stable"), int(np.count_nonzero(~is_sensitive))


def ratings_of_columns(
    users: Vocabulary,
    items: Vocabulary,
    order: tuple[np.ndarray, int],
    scale: Scale,
    columns: tuple[np.ndarray, np.ndarray, np.ndarray],
    duplicates: Duplicates,
) -> Ratings:
    """Turn compressed columns, observable items first, into records."""
    of_item, n_observable = order
    parts = []
    repeats = 0
    for first, last in ((0, n_observable), (n_observable, len(of_item))):
        part = rows_of_columns(*columns, first, last, len(users), get_num_threads())
        found = count_repeats(part[0], part[1])
        repeats += found
        if found and duplicates != "refuse":
            part = merge_repeats(*part, found, duplicates == "mean")
        parts.append(RatingMatrix(items.select(of_item[first:last]), *part))
    if duplicates == "refuse":
        refuse_repeats(repeats)
    return Ratings(users, parts[0], parts[1], scale)


def refuse_repeats(repeats: int) -> None:
    """Refuse ratings so many of which repeat an item."""
    if repeats:
        raise DataError(
            f"{repeats:,} ratings repeat an item that the same user has already rated.",
            "Correct the data, or merge repeated ratings with --duplicates last or mean.",
        )


def _column_starts(gathered: GatheredRatings, maps: CodeMaps, n_items: int) -> np.ndarray:
    counts = np.zeros(n_items + 1, np.int64)
    count_columns(gathered.items, gathered.marks, maps.items, maps.marks, counts[1:])
    return np.cumsum(counts)
