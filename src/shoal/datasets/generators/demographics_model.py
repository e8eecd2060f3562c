"""Who answers: the model behind the demographics of generated surveys."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import polars as pl

from shoal.data import Column, Microdata, Role
from shoal.io import ColumnSchema
from shoal.io.hierarchies.file import built_hierarchy
from shoal.io.schemas.hierarchy_schema import IntervalHierarchy, TreeHierarchy

__all__ = ["DemographicsModel"]

_AGES = (18, 90)
_AGE_SPREAD = 11
_REGIONS = {"north": ["Aspen", "Birch", "Cedar"], "south": ["Elm", "Fir"], "east": ["Hazel", "Juniper", "Larch"]}
_EDUCATION = {"school": ["primary", "secondary"], "beyond": ["vocational", "bachelor", "master"]}
_INCOMES = ("low", "middle", "high")
_TOWNS = [town for towns in _REGIONS.values() for town in towns]
_DEGREES = [degree for degrees in _EDUCATION.values() for degree in degrees]


@dataclass(frozen=True, eq=False, repr=False)
class DemographicsModel:
    """Age, sex, town and education, and a sensitive class of income, all of which depend on the attitude of a person.

    Each attitude has a mean age, a share of women, and shares of towns, degrees and incomes of its own. So answers
    depend on demographics, and groups of people with equal demographics answer more alike than others.
    """

    ages: np.ndarray
    women: np.ndarray
    towns: np.ndarray
    degrees: np.ndarray
    incomes: np.ndarray

    @classmethod
    def draw(cls, attitudes: int, seed: int) -> Self:
        """Draw what each attitude is like."""
        chance = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(0, 1))))
        shares = (chance.dirichlet(np.full(len(kinds), 1.5), attitudes) for kinds in (_TOWNS, _DEGREES, _INCOMES))
        return cls(chance.uniform(24, 70, attitudes), chance.uniform(0.25, 0.75, attitudes), *shares)

    @property
    def columns(self) -> dict[str, pl.DataType]:
        """The columns, in the order of the file."""
        words = dict.fromkeys(("sex", "town", "education", "income"), pl.String())
        return {"age": pl.Int32(), **words}

    def schema(self) -> dict[str, ColumnSchema]:
        """Say what the columns are."""
        known = Role.QUASI_IDENTIFIER
        return {
            "age": ColumnSchema(role=known, hierarchy=IntervalHierarchy(kind="interval", widths=(5, 10, 20, 40))),
            "sex": ColumnSchema(role=known),
            "town": ColumnSchema(role=known, hierarchy=TreeHierarchy(kind="tree", tree=_REGIONS)),
            "education": ColumnSchema(role=known, hierarchy=TreeHierarchy(kind="tree", tree=_EDUCATION)),
            "income": ColumnSchema(role=Role.SENSITIVE, categories=tuple((income,) for income in _INCOMES)),
        }

    def table(self, frame: pl.DataFrame) -> Microdata:
        """Return people in memory, with the hierarchies that the schema describes."""
        columns = []
        for name, described in self.schema().items():
            column = Column.encode(name, described.role, frame[name], described.categories)
            wanted = described.hierarchy
            columns.append(column if wanted is None else column.with_hierarchy(built_hierarchy(wanted, column, ())))
        return Microdata(tuple(columns))

    def people(self, attitudes: np.ndarray, seeds: np.random.SeedSequence) -> list[pl.Series]:
        """Return the columns of people with these attitudes."""
        chance = np.random.Generator(np.random.PCG64(seeds))
        ages = self.ages[attitudes] + _AGE_SPREAD * chance.standard_normal(len(attitudes))
        sexes = np.where(chance.random(len(attitudes)) < self.women[attitudes], "female", "male")
        shares = ((_TOWNS, self.towns), (_DEGREES, self.degrees), (_INCOMES, self.incomes))
        drawn = [np.array(kinds)[_drawn(each[attitudes], chance)] for kinds, each in shares]
        values = [np.clip(np.rint(ages), *_AGES).astype(np.int32), sexes, *drawn]
        return [pl.Series(name, each) for name, each in zip(self.columns, values, strict=True)]


def _drawn(shares: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """Draw one of several kinds for each person, by the shares in the row of each."""
    return (np.cumsum(shares, axis=1)[:, :-1] < chance.random((len(shares), 1))).sum(axis=1)
