"""Ratings of items by users, or of issues by respondents."""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

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

    def __post_init__(self) -> None:
        assert len(self.users) == len(self.observable) == len(self.sensitive)
        assert self.observable.codes.dtype == self.sensitive.codes.dtype == self.scale.dtype

    def __len__(self) -> int:
        return len(self.users)

    def __repr__(self) -> str:
        return f"Ratings({self.observable!r}, sensitive {self.sensitive!r}, scale {self.scale})"

    @property
    def n_ratings(self) -> int:
        """How many ratings are given, observable and sensitive."""
        return self.observable.n_ratings + self.sensitive.n_ratings

    @property
    def has_observable(self) -> bool:
        """Whether any item is not sensitive."""
        return len(self.observable.items) > 0

    @property
    def has_sensitive(self) -> bool:
        """Whether any item is sensitive."""
        return len(self.sensitive.items) > 0

    def take(self, rows: np.ndarray) -> Self:
        """Give these users in this order."""
        return replace(
            self,
            users=self.users.select(rows),
            observable=self.observable.take(rows),
            sensitive=self.sensitive.take(rows),
        )

    def renamed(self, users: Vocabulary) -> Self:
        """Give the same ratings under other user ids."""
        return replace(self, users=users)
