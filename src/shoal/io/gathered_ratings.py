"""Ratings as they come from a file, held once."""

import numpy as np

from shoal.data import GrowingArray

__all__ = ["GatheredRatings"]


class GatheredRatings:
    """Users, items and marks as numbers of first sight, in the order of the file.

    Items and marks lie in one piece each, so that ratings that come by user and item become records where they are.
    A user who gave many ratings one after another is held once for all of them.
    """

    def __init__(self) -> None:
        self._items, self._marks = GrowingArray(np.int32), GrowingArray(np.uint8)
        self._users: list[tuple[np.ndarray, np.ndarray | None]] = []
        self._ends = [0]

    def __len__(self) -> int:
        """How many batches there are."""
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
        """Give where the ratings of a batch are."""
        return slice(self._ends[batch], self._ends[batch + 1])

    def users(self, batch: int) -> np.ndarray:
        """Give the user of each rating of a batch."""
        users, lengths = self._users[batch]
        return users if lengths is None else np.repeat(users, lengths)

    def drop_last(self) -> None:
        """Let go of the last batch and of the memory it took."""
        self._users.pop()
        self._ends.pop()
        self.cut(self._ends[-1])

    def cut(self, length: int) -> tuple[np.ndarray, np.ndarray]:
        """Give items and marks with nothing behind a length."""
        return self._items.cut(length), self._marks.cut(length)


def _runs(users: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Give users and how often each comes one after another; or all as they are, if that is shorter."""
    starts = np.flatnonzero(np.diff(users, prepend=users[:1] - 1))
    if 4 * len(starts) > len(users):
        return users, None
    return users[starts], np.diff(starts, append=len(users))
