"""Ratings of items by users, or of issues by respondents."""

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np
import polars as pl

from shoal.data.hierarchies.hierarchy import Hierarchy
from shoal.errors import InputError

from .rating_matrix import RatingMatrix
from .scale import Scale
from .vocabulary import Vocabulary

__all__ = ["Ratings"]


@dataclass(frozen=True, eq=False, repr=False)
class Ratings:
    """Users × items: the observable ratings an attacker may know of, and the sensitive ones apart."""

    kind: ClassVar[str] = "ratings"

    users: Vocabulary
    observable: RatingMatrix
    sensitive: RatingMatrix
    scale: Scale
    people: np.ndarray | None = None
    """How many people each record stands for, int64: a homogenized profile stands for several. None: one each."""
    hierarchy: Hierarchy | None = field(default=None, metadata={"optional": True})
    """Of sets, the hierarchy along which the items that are not sensitive may be generalized; None: none is known."""

    def __post_init__(self) -> None:
        assert len(self.users) == len(self.observable) == len(self.sensitive)
        assert self.people is None or (len(self.people) == len(self.users) and self.people.min(initial=1) >= 1)
        assert self.people is None or not self.has_sensitive, "a record of several has no sensitive rating of its own"
        assert self.hierarchy is None or (self.is_sets and self.hierarchy.n_values == len(self.observable.items))
        assert self.observable.codes.dtype == self.sensitive.codes.dtype == self.scale.dtype

    def __len__(self) -> int:
        return len(self.users)

    def __repr__(self) -> str:
        return f"Ratings({self.observable!r}, sensitive {self.sensitive!r}, scale {self.scale})"

    @property
    def stated(self) -> None:
        """Of ratings, everybody has one record, or a record stands for several people: see ``people``."""
        return

    @property
    def n_people(self) -> int:
        """How many people the records stand for."""
        return len(self) if self.people is None else int(self.people.sum())

    @property
    def n_ratings(self) -> int:
        """How many ratings are given, observable and sensitive."""
        return self.observable.n_ratings + self.sensitive.n_ratings

    @property
    def is_sets(self) -> bool:
        """Whether these are sets of items: on a scale of one point there is nothing to tell but who has what."""
        return self.scale.points == 1

    @property
    def has_observable(self) -> bool:
        """Whether any item is not sensitive."""
        return len(self.observable.items) > 0

    @property
    def has_sensitive(self) -> bool:
        """Whether any item is sensitive."""
        return len(self.sensitive.items) > 0

    @property
    def rate_the_same(self) -> bool:
        """Whether everybody rated the same observable items."""
        matrix = self.observable
        width = int(matrix.indptr[1]) if len(matrix) else 0
        if matrix.n_ratings != width * len(matrix) or (np.diff(matrix.indptr) != width).any():
            return False
        return bool((matrix.indices.reshape(len(matrix), width) == matrix.indices[:width]).all())

    def place_of(self, item: str) -> tuple[bool, int]:
        """Return whether an item is sensitive, and its place among the sensitive or the observable ones."""
        for sensitive, matrix in ((False, self.observable), (True, self.sensitive)):
            place = int(matrix.items.codes(pl.Series([item], dtype=pl.String))[0])
            if place >= 0:
                return sensitive, place
        raise InputError(f"There is no item {item!r}.", "Write it as the data do.")

    def take(self, rows: np.ndarray) -> Self:
        """Return these users in this order."""
        return replace(
            self,
            users=self.users.select(rows),
            observable=self.observable.take(rows),
            sensitive=self.sensitive.take(rows),
            people=None if self.people is None else self.people[rows],
        )

    def of_each(self, rows: np.ndarray) -> Self:
        """Return one record for each person, numbered: the one in the row that stands for them."""
        return replace(
            self,
            users=Vocabulary.numbered(len(rows)),
            observable=self.observable.take(rows),
            sensitive=self.sensitive.take(rows),
            people=None,
        )

    def on(self, scale: Scale) -> Self:
        """Return the same ratings on a finer scale."""
        assert scale.refines(self.scale)
        parts = int(self.scale.step / scale.step)
        sides = (
            RatingMatrix(side.items, side.indptr, side.indices, side.codes.astype(scale.dtype) * scale.dtype(parts))
            for side in (self.observable, self.sensitive)
        )
        observable, sensitive = sides
        return replace(self, observable=observable, sensitive=sensitive, scale=scale)

    def renamed(self, users: Vocabulary) -> Self:
        """Return the same ratings under other user ids."""
        return replace(self, users=users)

    def rebuilt(self) -> Self:
        """Return the same ratings; their items are in memory of their own, without what is left of others there."""
        sides = (
            replace(side, items=side.items.select(np.arange(len(side.items))))
            for side in (self.observable, self.sensitive)
        )
        observable, sensitive = sides
        return replace(self, observable=observable, sensitive=sensitive)
