"""Who people are and what they earn: the model behind generated tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
import polars as pl

from shoal.data import Column, Hierarchy, Microdata, Role, Vocabulary
from shoal.io.hierarchy_schema import IntervalHierarchy
from shoal.io.schema import ColumnSchema, TableSchema

from .sizes import refuse_outside
from .table_chances import COUNTRY, EDUCATION, FOREIGN, MARITAL, OCCUPATION, RACE, WORKCLASS, earning_chance
from .table_domains import AGE_WIDTHS, AGES, FAMILY_NAMES, GIVEN_NAMES, SALARY_CLASSES, TREES, leaves

__all__ = ["TableModel"]

_CHUNK = 65_536  # rows drawn together; part of the definition, so that the data never depend on memory

QUASI_IDENTIFIERS = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")


@dataclass(frozen=True)
class TableModel:
    """People with a name, eight quasi-identifiers and a sensitive class of salary, in the manner of census extracts.

    The columns depend on each other: marital status on age and sex, education on age, country on race, workclass on
    education, occupation on education and sex, and salary on age, education, occupation, sex, marriage and workclass.
    All chances are ours; no row comes from real data.
    """

    rows: int
    seed: int

    @classmethod
    def draw(cls, rows: int, seed: int) -> Self:
        """Give the model of a table with this many rows."""
        refuse_outside(1, 2**31 - 2, rows=rows)
        refuse_outside(0, 2**63, seed=seed)
        return cls(rows, seed)

    @property
    def lines(self) -> int:
        """How many lines the file of the table has."""
        return self.rows

    @property
    def columns(self) -> dict[str, pl.DataType]:
        """The columns of the file the table is written to."""
        types = {name: pl.Int16() if name == "age" else pl.String() for name in QUASI_IDENTIFIERS}
        return {"name": pl.String(), **types, "salary-class": pl.String()}

    def schema(self, stem: str) -> TableSchema:
        """Say what the columns of that file are; hierarchies made of trees stand in files ``STEM.COLUMN.csv``."""
        columns = {"name": ColumnSchema(role=Role.IDENTIFIER)}
        for name in QUASI_IDENTIFIERS:
            hierarchy = IntervalHierarchy(kind="interval", widths=AGE_WIDTHS) if name == "age" else f"{stem}.{name}.csv"
            columns[name] = ColumnSchema(role=Role.QUASI_IDENTIFIER, hierarchy=hierarchy)
        columns["salary-class"] = ColumnSchema(role=Role.SENSITIVE)
        return TableSchema(columns=columns)

    def hierarchies(self) -> Mapping[str, Hierarchy]:
        """Give the hierarchies that stand in files, each over every value its column may hold."""
        whole = {name: Vocabulary(pl.Series(leaves(tree))) for name, tree in TREES.items()}
        return {name: _hierarchy(name, vocabulary) for name, vocabulary in whole.items()}

    def frames(self) -> Iterator[pl.DataFrame]:
        """Give the rows of that file."""
        for number in range(-(-self.rows // _CHUNK)):
            size = min(_CHUNK, self.rows - number * _CHUNK)
            codes = _chunk(np.random.SeedSequence(self.seed, spawn_key=(number,)))
            yield _frame({name: column[:size] for name, column in codes.items()}, number * _CHUNK).select(
                list(self.columns)
            )

    def records(self) -> Microdata:
        """Give the whole table in memory."""
        frame = pl.concat(list(self.frames()))
        roles = {name: column.role for name, column in self.schema("").columns.items()}
        columns = [Column.encode(name, role, frame[name]) for name, role in roles.items()]
        return Microdata(tuple(_with_hierarchy(column) for column in columns))


def _chunk(seeds: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Draw a whole chunk as codes, of which the last may be used in part."""
    chance = np.random.Generator(np.random.PCG64(seeds))
    low, high = AGES
    age = np.floor(low + (high - low + 1) * chance.beta(1.8, 3.2, _CHUNK)).astype(np.int16)
    people = {"age": age, "sex": (chance.random(_CHUNK) < 0.53).astype(np.int64)}
    band = np.searchsorted([25, 40, 60], age, side="right")
    people["race"] = _choose(chance, RACE, np.zeros(_CHUNK, np.int64))
    people["marital-status"] = _choose(chance, MARITAL, 2 * band + people["sex"])
    people["education"] = _choose(chance, EDUCATION, np.searchsorted([19, 23, 30, 60], age, side="right"))
    abroad = chance.random(_CHUNK) < FOREIGN[people["race"]]
    people["native-country"] = np.where(abroad, _choose(chance, COUNTRY, people["race"]), 0)
    schooling = np.searchsorted([4, 8], people["education"], side="right")  # no diploma, a diploma, a degree
    people["workclass"] = _choose(chance, WORKCLASS, schooling)
    people["occupation"] = _choose(chance, OCCUPATION, 2 * schooling + people["sex"])
    people["salary-class"] = (chance.random(_CHUNK) < earning_chance(people)).astype(np.int64)
    people["given name"] = chance.integers(0, len(GIVEN_NAMES), _CHUNK)
    people["family name"] = chance.integers(0, len(FAMILY_NAMES), _CHUNK)
    return people


def _choose(chance: np.random.Generator, weights: np.ndarray, situations: np.ndarray) -> np.ndarray:
    """Draw for each person a choice by the weights of the person's situation."""
    steps = np.cumsum(weights, axis=1) / weights.sum(axis=1, keepdims=True)
    return (chance.random(len(situations))[:, None] >= steps[situations, :-1]).sum(axis=1)


def _frame(codes: Mapping[str, np.ndarray], first: int) -> pl.DataFrame:
    """Give the outside values; a running number makes the names distinct."""
    words = {**{name: leaves(tree) for name, tree in TREES.items()}, "salary-class": SALARY_CLASSES}
    words |= {"given name": GIVEN_NAMES, "family name": FAMILY_NAMES}
    columns = {name: pl.Series(name, values).gather(codes[name]) for name, values in words.items()}
    number = np.arange(first + 1, first + 1 + len(codes["age"]))
    name = pl.concat_str("given name", "family name", "number", separator=" ").alias("name")
    return pl.DataFrame({**columns, "age": codes["age"], "number": number}).with_columns(name)


def _with_hierarchy(column: Column) -> Column:
    if column.role is not Role.QUASI_IDENTIFIER:
        return column
    return column.with_hierarchy(_hierarchy(column.name, column.vocabulary))


def _hierarchy(name: str, vocabulary: Vocabulary) -> Hierarchy:
    if name == "age":
        return Hierarchy.from_intervals(vocabulary, AGE_WIDTHS)
    tree = TREES[name]
    if not isinstance(tree, Mapping):  # nothing between the values and the root
        return Hierarchy.from_columns([vocabulary.values, pl.Series(["*"] * len(vocabulary))])
    return Hierarchy.from_tree(vocabulary, tree)
