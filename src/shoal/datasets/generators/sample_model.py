"""A sample of a generated population: households, strata, and the weights by which it is drawn.

The population is a generated table. Its people live, in their order, in households of one to five people, and each
household in a region; regions are of unequal size. In each region households are drawn without replacement, and all of
their people with them. Small regions are drawn more densely: the number drawn is proportional to the square root of the
number there is. The weight of everybody in a region is the number of its households over the number drawn.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import numpy as np
import polars as pl

from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.io.schemas import ColumnSchema, TableSchema

from .scales import refuse_outside
from .table_model import TableModel, with_hierarchy

__all__ = ["SampleModel"]

_HOUSEHOLD_SIZES: Final = np.array([35.0, 33, 14, 12, 6])
"""How common households of one, two, three, four and five people are."""


@dataclass(frozen=True)
class SampleModel:
    """People of a population, by household and region, of whom some are drawn."""

    population: TableModel
    sample: int
    strata: int

    @classmethod
    def draw(cls, rows: int, sample: int, strata: int, seed: int) -> Self:
        """Return the model of a sample of about so many people of a population of ``rows``, in so many strata."""
        refuse_outside(1, rows, sample=sample)
        refuse_outside(1, min(1000, sample), strata=strata)
        return cls(TableModel.draw(rows, seed), sample, strata)

    @property
    def lines(self) -> int:
        """How many lines the file of the sample has."""
        return len(self.drawn)

    @property
    def columns(self) -> dict[str, pl.DataType]:
        """The columns of the file the sample is written to."""
        return {**self.population.columns, "household": pl.Int64(), "region": pl.String(), "weight": pl.Float64()}

    def schema(self, stem: str) -> TableSchema:
        """Say what the columns of that file are."""
        roles = {"household": Role.HOUSEHOLD, "region": Role.STRATUM, "weight": Role.WEIGHT}
        columns = self.population.schema(stem).columns
        return TableSchema(columns={**columns, **{name: ColumnSchema(role=role) for name, role in roles.items()}})

    def hierarchies(self) -> dict[str, Hierarchy]:
        """Return the hierarchies that stand in files."""
        return dict(self.population.hierarchies())

    @cached_property
    def household_of(self) -> np.ndarray:
        """The household of each person of the population."""
        chance = self._chance(1)
        sizes = 1 + chance.choice(5, self.population.rows, p=_HOUSEHOLD_SIZES / _HOUSEHOLD_SIZES.sum())
        return np.repeat(np.arange(len(sizes)), sizes)[: self.population.rows]

    @cached_property
    def region_of(self) -> np.ndarray:
        """The region of each household."""
        sizes = 1 / np.arange(1, self.strata + 1)
        return self._chance(2).choice(self.strata, int(self.household_of[-1]) + 1, p=sizes / sizes.sum())

    @cached_property
    def _households_drawn(self) -> tuple[np.ndarray, np.ndarray]:
        """The mask of the households drawn, and the weight of each household."""
        there = np.bincount(self.region_of, minlength=self.strata)
        wanted = self.sample * len(self.region_of) / self.population.rows
        by_root = wanted * np.sqrt(there) / np.sqrt(there).sum()
        drawn = np.clip(np.rint(by_root).astype(np.int64), np.minimum(there, 1), there)
        # in a random order, the first ones of each region are drawn
        order = np.lexsort((self._chance(3).random(len(self.region_of)), self.region_of))
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order)) - np.repeat(np.cumsum(there) - there, there)
        return place < drawn[self.region_of], (there / np.maximum(drawn, 1))[self.region_of]

    @cached_property
    def drawn(self) -> np.ndarray:
        """The people drawn, by their numbers in the population."""
        return np.flatnonzero(self._households_drawn[0][self.household_of])

    def _chance(self, purpose: int) -> np.random.Generator:
        # apart from the chunks of the table, which have one number
        return np.random.default_rng(np.random.SeedSequence(self.population.seed, spawn_key=(0, purpose)))

    def frames(self) -> Iterator[pl.DataFrame]:
        """Return the rows of that file, in the order of the population."""
        first = 0
        for frame in self.population.frames():
            begin, end = np.searchsorted(self.drawn, [first, first + len(frame)])
            yield self._with_design(frame[self.drawn[begin:end] - first], self.drawn[begin:end])
            first += len(frame)

    def everybody(self) -> pl.DataFrame:
        """Return the whole population, with the same columns."""
        frame = pl.concat(list(self.population.frames()))
        return self._with_design(frame, np.arange(self.population.rows))

    def _with_design(self, frame: pl.DataFrame, people: np.ndarray) -> pl.DataFrame:
        households = self.household_of[people]
        regions = pl.Series("region", [f"region {number + 1}" for number in range(self.strata)])
        return frame.with_columns(
            pl.Series("household", households),
            regions.gather(self.region_of[households]),
            pl.Series("weight", self._households_drawn[1][households]),
        )

    def records(self) -> Microdata:
        """Return the sample in memory."""
        frame = pl.concat(list(self.frames()))
        roles = {name: column.role for name, column in self.schema("").columns.items()}
        columns = [Column.encode(name, role, frame[name]) for name, role in roles.items()]
        return Microdata(tuple(with_hierarchy(column) for column in columns))
