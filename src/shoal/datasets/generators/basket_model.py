"""Who buys how much, and what: the model behind generated baskets."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import polars as pl

from shoal.data import PRESENT, Hierarchy, RatingMatrix, Ratings, Survey, Vocabulary
from shoal.errors import WordingError
from shoal.io import RatingsSchema
from shoal.kernels.sampling import alias_table, sample_rows

from .demographics_model import DemographicsModel
from .rating_model import exact_counts
from .scales import refuse_outside

__all__ = ["BasketModel"]

_SPREAD = 0.8  # of the logarithm of the sizes of baskets: the longest of a million is about 50 times the median
_BLOCK = 1_000_000
_ATTITUDES = 12


@dataclass(frozen=True, eq=False, repr=False)
class BasketModel:
    """Everything drawn once, of the size people + items; the baskets themselves are made from it block by block.

    - *Sizes.* How many items somebody has is log-normal, at least 1, at most every item, and exactly ``purchases`` in
      all.
    - *Popularity.* The weight of the n-th most popular item is n to the power of −``exponent`` (Zipf's law; 1). The
      items of a basket are drawn without replacement by these weights. Items are numbered at random, so that their
      numbers do not tell how popular they are.
    - *Demographics*, where asked for, are those of :class:`DemographicsModel`. The rarest item of a basket decides the
      attitude of a person, so people who have an item in common are more alike than others. Baskets are the same with
      and without them.

    A block depends on the seed and on its people alone: any block size gives the same data.
    """

    indptr: np.ndarray
    weights: np.ndarray
    thresholds: np.ndarray
    aliases: np.ndarray
    key: np.uint64
    hierarchy: bool = False
    """Whether items have a hierarchy: ten a shelf, ten shelves an aisle, ten aisles a department."""
    demographics: DemographicsModel | None = None
    seed: int = 0

    @classmethod
    def draw(
        cls,
        people: int,
        items: int,
        purchases: int,
        seed: int,
        *,
        exponent: float = 1.0,
        hierarchy: bool = False,
        demographics: bool = False,
    ) -> Self:
        """Draw a model for exactly this many people, items and purchases."""
        refuse_outside(1, 2**31 - 2, people=people, items=items)
        refuse_outside(0, 2**63, seed=seed)
        refuse_outside(0, 5, exponent=exponent)
        if not people <= purchases <= people * items:
            raise WordingError(
                f"{people:,} people cannot make {purchases:,} purchases of {items:,} items: each buys at least one "
                "and none twice.",
                f"Ask for between {people:,} and {people * items:,} purchases.",
            )
        chance = np.random.Generator(np.random.PCG64(seed))
        counts = exact_counts(np.exp(_SPREAD * chance.standard_normal(people)), purchases, items)
        weights = chance.permutation(np.arange(1, items + 1) ** -float(exponent))
        shares, others = alias_table(weights / weights.mean())
        indptr = np.concatenate([[0], np.cumsum(counts)])
        key = chance.integers(0, 2**64, dtype=np.uint64)
        customers = DemographicsModel.draw(_ATTITUDES, seed) if demographics else None
        return cls(indptr, weights, shares, others, key, hierarchy, customers, seed)

    @property
    def people(self) -> int:
        """How many people there are."""
        return len(self.indptr) - 1

    @property
    def lines(self) -> int:
        """How many lines the file of these baskets has."""
        return int(self.indptr[-1])

    @property
    def columns(self) -> dict[str, pl.DataType]:
        """The columns of the file these baskets are written to, one purchase a line."""
        return {"user": pl.Int32(), "item": pl.Int32()}

    def schema(self, stem: str) -> RatingsSchema:
        """Say what the columns of a file with this name are; hierarchy and demographics are in files beside it."""
        tree = f"{stem}.items.csv" if self.hierarchy else None
        known: dict[str, Any] = {}
        if self.demographics is not None:
            known = {"attributes": f"{stem}.people.csv", "columns": self.demographics.schema()}
        return RatingsSchema(kind="sets", layout="long", user="user", item="item", hierarchy=tree, **known)

    def attributes(self) -> pl.DataFrame | None:
        """Return the demographics, a line for each person under the id of the baskets, if there are any."""
        if self.demographics is None:
            return None
        by_weight = np.argsort(self.weights, kind="stable")
        ranks = np.argsort(by_weight)
        rarest = [np.minimum.reduceat(ranks[items], indptr[:-1] - indptr[0]) for _, indptr, items in self._blocks()]
        attitudes = by_weight[np.concatenate(rarest)] % _ATTITUDES
        columns = self.demographics.people(attitudes, np.random.SeedSequence(self.seed, spawn_key=(0, 2)))
        return pl.DataFrame([pl.Series("user", np.arange(1, self.people + 1, dtype=np.int32)), *columns])

    def survey(self) -> Survey:
        """Return baskets and demographics in memory."""
        people = self.attributes()
        assert people is not None
        assert self.demographics is not None
        return Survey(self.demographics.table(people), self.records())

    def hierarchies(self) -> dict[str, Hierarchy]:
        """Return the hierarchy of the items, if there is one, by the name of what it is of."""
        return {"items": self._tree()} if self.hierarchy else {}

    def _tree(self) -> Hierarchy:
        items = np.arange(len(self.weights))
        above = [_named(name, items // size) for name, size in (("shelf", 10), ("aisle", 100), ("department", 1000))]
        levels = [self._item_names(), *above, pl.Series(["*"] * len(items))]
        return Hierarchy.from_columns(levels).without_idle_levels()

    def _item_names(self) -> pl.Series:
        return pl.Series(np.arange(1, len(self.weights) + 1, dtype=np.int32))

    def frames(self) -> Iterator[pl.DataFrame]:
        """Return the lines of that file, people and items counted from 1, in order of people."""
        for first, indptr, items in self._blocks():
            people = np.arange(first + 1, first + len(indptr), dtype=np.int32)
            held = {"user": np.repeat(people, np.diff(indptr)), "item": items + np.int32(1)}
            yield pl.DataFrame(held, schema=self.columns)

    def records(self) -> Ratings:
        """Return all baskets in memory."""
        items = np.concatenate([items for _, _, items in self._blocks()])
        users = Vocabulary(pl.Series(np.arange(1, self.people + 1, dtype=np.int32)))
        vocabulary = Vocabulary(self._item_names())
        observable = RatingMatrix(vocabulary, self.indptr.copy(), items, np.zeros(len(items), PRESENT.dtype))
        tree = self._tree() if self.hierarchy else None
        return Ratings(users, observable, RatingMatrix.empty(self.people, PRESENT.dtype), PRESENT, None, tree)

    def _blocks(self) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Return the first person of each block, where the baskets begin, and their items."""
        first = 0
        while first < self.people:
            after = int(np.searchsorted(self.indptr, self.indptr[first] + _BLOCK, side="right")) - 1
            after = max(after, first + 1)
            indptr = self.indptr[first : after + 1]
            nothing = np.zeros(len(indptr), np.int64), np.zeros(0, np.int32)
            drawn = (self.weights, self.thresholds, self.aliases, self.key)
            yield first, indptr, sample_rows(first, indptr, *nothing, *drawn)
            first = after


def _named(name: str, numbers: np.ndarray) -> pl.Series:
    return pl.Series([f"{name} {number + 1}" for number in numbers.tolist()], dtype=pl.String)
