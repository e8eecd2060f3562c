"""Codes of users, items and ratings, gathered in any order and turned into records."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import get_num_threads

from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.errors import DataError, SchemaError
from shoal.kernels.compressed_rows import (
    append_in_order,
    count_columns,
    count_repeats,
    merge_repeats,
    place_by_column,
    rows_of_columns,
)
from shoal.progress import stage

__all__ = ["CodedBatch", "Duplicates", "compressed_ratings", "item_order", "ratings_of_columns"]

Duplicates = Literal["refuse", "last", "mean"]


@dataclass(frozen=True)
class CodedBatch:
    """Some ratings as numbers of first sight."""

    users: np.ndarray
    items: np.ndarray
    marks: np.ndarray


@dataclass(frozen=True)
class CodeMaps:
    """What the numbers of first sight mean in the end; a negative rating is null."""

    users: np.ndarray
    items: np.ndarray
    marks: np.ndarray


def compressed_ratings(
    batches: list[CodedBatch],
    users: tuple[Vocabulary, np.ndarray],
    items: tuple[Vocabulary, np.ndarray],
    scale: tuple[Scale, np.ndarray],
    sensitive: tuple[str, ...],
    duplicates: Duplicates,
) -> Ratings:
    """Sort batches into records; the batches are used up on the way, so that memory is never held twice."""
    order, n_observable = item_order(items[0], sensitive)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    maps = CodeMaps(users[1], place[items[1]], scale[1])
    if n_observable == len(order) and (sorted_already := _in_order(batches, maps, scale[0], len(users[0]))):
        matrix = RatingMatrix(items[0], *sorted_already)
        return Ratings(users[0], matrix, RatingMatrix.empty(len(users[0]), scale[0].dtype), scale[0])
    with stage("sorting ratings", len(batches)) as progress:
        starts = _column_starts(batches, maps, len(order))
        shares = np.linspace(0, starts[-1], get_num_threads() + 1)[1:-1]
        borders = np.concatenate([[0], np.searchsorted(starts[1:-1], shares), [len(order)]])
        rows = np.empty(starts[-1], np.int32)
        codes = np.empty(starts[-1], scale[0].dtype)
        cursor = starts[:-1].copy()
        for i, batch in enumerate(batches):
            place_by_column(
                batch.users, batch.items, batch.marks, maps.users, maps.items, maps.marks, borders, cursor, rows, codes
            )
            batches[i] = _NOTHING
            progress.advance()
        return ratings_of_columns(
            users[0], items[0], (order, n_observable), scale[0], (starts, rows, codes), duplicates
        )


def _in_order(
    batches: list[CodedBatch], maps: CodeMaps, scale: Scale, n_users: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Give compressed rows of ratings that come by user and item; nothing where they come in another order.

    What comes before a batch and where it goes are known beforehand, so batches are worked on side by side.
    """
    kept = maps.marks >= 0
    places = np.cumsum([0, *(int(np.bincount(batch.marks, minlength=len(kept)) @ kept) for batch in batches)])
    begins = np.full(n_users + 1, -1, np.int64)
    indices, codes = np.empty(places[-1], np.int32), np.empty(places[-1], scale.dtype)

    def sorted_through(number: int) -> bool:
        batch = batches[number]
        parts = (batch.users, batch.items, batch.marks, maps.users, maps.items, maps.marks)
        before = _last_kept(batches[:number], maps)
        return append_in_order(*parts, *before, begins, indices, codes, int(places[number]))

    if batches and not sorted_through(0):  # most files that are out of order are so from the first lines on
        return None
    with ThreadPoolExecutor(get_num_threads()) as threads:
        if not all(threads.map(sorted_through, range(1, len(batches)))):
            return None
    begins[-1] = places[-1]
    missing = begins < 0  # whoever gave no rating begins where the next one does
    begins[missing] = np.iinfo(np.int64).max
    return np.minimum.accumulate(begins[::-1])[::-1].copy(), indices, codes


def _last_kept(batches: list[CodedBatch], maps: CodeMaps) -> tuple[int, int]:
    """Give the user and item of the last rating that is not null."""
    for batch in reversed(batches):
        end = len(batch.marks)
        while end > 0 and maps.marks[batch.marks[end - 1]] < 0:
            end -= 1
        if end:
            return int(maps.users[batch.users[end - 1]]), int(maps.items[batch.items[end - 1]])
    return -1, -1


def item_order(items: Vocabulary, sensitive: tuple[str, ...]) -> tuple[np.ndarray, int]:
    """Give the items with the sensitive ones last, and how many are observable."""
    names = items.values.cast(str)
    unknown = [name for name in sensitive if not (names == name).any()]
    if unknown:
        raise SchemaError(
            f"{len(unknown)} of the {len(sensitive)} sensitive items of the schema are not in the data: "
            f"{', '.join(map(repr, unknown[:5]))}.",
            "Write sensitive items as they are written in the data.",
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
    if repeats and duplicates == "refuse":
        raise DataError(
            f"{repeats:,} ratings are given by a user to an item that the same user has rated before.",
            "Correct the data, or accept them with duplicates last or mean.",
        )
    return Ratings(users, parts[0], parts[1], scale)


def _column_starts(batches: list[CodedBatch], maps: CodeMaps, n_items: int) -> np.ndarray:
    counts = np.zeros(n_items + 1, np.int64)
    for batch in batches:
        count_columns(batch.items, batch.marks, maps.items, maps.marks, counts[1:])
    return np.cumsum(counts)


_NOTHING = CodedBatch(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.uint8))
