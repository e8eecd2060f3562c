"""The comparison that measures work on: original and published records, matched person by person."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Self, TypeVar

import numpy as np
import polars as pl

from shoal.data import Column, ItemTree, Microdata, Part, RatingMatrix, Ratings, Records, Scale, Survey, Vocabulary
from shoal.kernels.row_comparison import row_differences

from .prediction_settings import Prediction
from .query_settings import Queries

__all__ = ["Comparison", "RatingDifferences", "nearest_original_codes"]

Found = TypeVar("Found")


@dataclass(frozen=True)
class RatingDifferences:
    """The changes of the non-sensitive ratings, counted in cells and in steps of the published scale."""

    changed: int
    moved_steps: int
    invented: int
    invented_steps: int
    """Each invented rating counted with its place on the scale, the lowest being one step of the original scale."""
    dropped: int
    dropped_steps: int
    parts: int = 1
    """How many steps of the published scale make one of the original."""
    penalty: float = 0.0
    """The normalized certainty penalties of all items that are published generalized, added up."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """All original records, the published ones, and which published record is whose."""

    whole: Records
    """Every original record, the withheld ones included; of sets, under the items that are published."""
    origins: np.ndarray
    """For each person published, the row of the original."""
    released: Records
    """The published records; they may stand for several people each."""
    sizes: np.ndarray
    """The sizes of the published equivalence classes."""
    epsilon: Fraction | None = None
    """How near records must be to be neighbors; None where no promise has an ε."""
    seed: int = 0
    """The seed of random queries, samples and splits."""
    places: np.ndarray | None = None
    """For each person published, the row of the published record; None: in the same order."""
    k: int | None = None
    """The promised k; None where no promise has one."""
    priorities: Mapping[str, Fraction] | None = None
    """The priorities of quasi-identifiers, 0 for those not named; None: all equal."""
    replaced: bool = False
    """Whether predictions or averages are published in the place of the ratings that people gave."""
    queries: Queries = field(default_factory=Queries)
    """The random COUNT queries that are asked."""
    prediction: Prediction = field(default_factory=Prediction)
    """What classifiers are to predict, and on how many records they are tried."""
    tested_on: "Comparison | None" = None
    """Another release, of other people, that classifiers are tested on; None: on held-out records of this one."""
    exact: Ratings | None = None
    """The original sets under their own items, where items are published generalized; None: they are in ``whole``."""
    _found: dict[Callable[..., Any], Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        assert len(self.origins) == len(self.released if self.places is None else self.places)

    @property
    def withheld(self) -> int:
        """How many original records are not published."""
        return len(self.whole) - len(self.origins)

    @cached_property
    def weights(self) -> np.ndarray | None:
        """The sampling weight of every original record, the withheld ones included; None where there are none."""
        table = self.whole.table if isinstance(self.whole, Survey) else self.whole
        return table.weights if isinstance(table, Microdata) else None

    @cached_property
    def original(self) -> Records:
        """The original of each person published, on the scale of the release."""
        all_there = np.array_equal(self.origins, np.arange(len(self.whole)))
        original = self.whole if all_there else self.whole.take(self.origins)
        if isinstance(original, Ratings) and isinstance(self.released, Ratings):
            return original if original.scale == self.released.scale else original.on(self.released.scale)
        return original

    def part(self, name: Part) -> "Comparison":
        """Return the comparison of one part of a survey; the equivalence classes stay those of whole records."""
        assert isinstance(self.whole, Survey)
        assert isinstance(self.released, Survey)
        tested_on = None if self.tested_on is None else self.tested_on.part(name)
        whole, released = self.whole.part(name), self.released.part(name)
        replaced = self.replaced and isinstance(whole, Ratings)
        exact = self.exact if isinstance(whole, Ratings) else None
        return replace(self, whole=whole, released=released, tested_on=tested_on, replaced=replaced, exact=exact)

    @cached_property
    def published(self) -> Records:
        """The published record of each person: where records stand for several people, this may take much memory."""
        if self.places is None:
            return self.released
        assert isinstance(self.released, Ratings)
        return self.released.of_each(self.places)

    @cached_property
    def ratings(self) -> RatingDifferences | None:
        """The differences between the ratings; None for tables."""
        if not (isinstance(self.original, Ratings) and isinstance(self.released, Ratings)):
            return None
        mine, theirs = self.original.observable, self.released.observable
        assert len(mine.items) == len(theirs.items)
        places = np.arange(len(mine)) if self.places is None else self.places
        one, other = ((matrix.indptr, matrix.indices, matrix.codes) for matrix in (mine, theirs))
        sums = row_differences(*one, *other, places).sum(axis=0)
        assert isinstance(self.whole, Ratings)
        parts = int(self.whole.scale.step / self.released.scale.step)
        sums[[3, 5]] += sums[[2, 4]] * (parts - 1)
        found = RatingDifferences(*(int(total) for total in sums), parts=parts)
        return found if self.exact is None else self._by_own_items(self.exact, found)

    def _by_own_items(self, exact: Ratings, found: RatingDifferences) -> RatingDifferences:
        """Count what became of the items that people had, of which several may be published as one."""
        assert isinstance(self.released, Ratings)
        assert exact.hierarchy is not None
        tree, own = ItemTree.of(exact.hierarchy), exact.observable.take(self.origins)
        nodes = tree.named(self.released.observable.items.values)
        there = nodes[own.indices] >= 0
        if found.dropped:
            there &= self._is_published(own, tree.labels.take(np.maximum(nodes, 0)))
        n_dropped = int(np.count_nonzero(~there))
        held = nodes[own.indices[there]]
        changed = int(np.count_nonzero(held >= tree.n_items))
        loss = float(tree.penalties[held].sum())
        return replace(found, changed=changed, dropped=n_dropped, dropped_steps=n_dropped, penalty=loss)

    def _is_published(self, own: RatingMatrix, labels: pl.Series) -> np.ndarray:
        """Return the mask of the items of which the published record of the person has the label."""
        assert isinstance(self.published, Ratings)
        theirs = self.published.observable
        places = Vocabulary(theirs.items.values.cast(pl.String)).codes(labels)
        rows, others = (np.repeat(np.arange(len(side)), np.diff(side.indptr)) for side in (own, theirs))
        width = len(theirs.items) + 1
        return np.isin(rows * width + places[own.indices], others * width + theirs.indices)

    @cached_property
    def n_given(self) -> tuple[int, int]:
        """How many non-sensitive ratings were given in all, and by the people who are published."""
        if self.exact is not None:
            lengths = np.diff(self.exact.observable.indptr)
            return int(lengths.sum()), int(lengths[self.origins].sum())
        assert isinstance(self.whole, Ratings)
        assert isinstance(self.original, Ratings)
        return self.whole.observable.n_ratings, self.original.observable.n_ratings

    @property
    def columns(self) -> list[tuple[Column, Column]]:
        """The quasi-identifiers before and after; empty for ratings."""
        if not (isinstance(self.original, Microdata) and isinstance(self.released, Microdata)):
            return []
        return [(self.original[column.name], column) for column in self.released.quasi_identifiers]

    def once(self, compute: Callable[[Self], Found]) -> Found:
        """Return the result of a function of this comparison, computed once."""
        if compute not in self._found:
            self._found[compute] = compute(self)
        return self._found[compute]

    def known(self, compute: Callable[[Self], Found], found: Found) -> None:
        """Say what a function of this comparison finds, where the records it looks at are not in memory."""
        self._found[compute] = found

    def generator(self, purpose: str) -> np.random.Generator:
        """Return the random generator for a named purpose, the same for the same seed."""
        return np.random.default_rng([self.seed, *purpose.encode()])


def nearest_original_codes(original: Scale, published: Scale) -> np.ndarray:
    """Return for each code of the published scale that of the nearest original rating, the higher of two."""
    parts = int(original.step / published.step)
    return (np.arange(published.points) + parts // 2) // parts
