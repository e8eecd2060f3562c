"""Who people are and what they earn: the model behind generated tables.

Also the values that the columns of a generated table may hold, and their hierarchies. The trees are nested categories
whose leaves are the values; their order is the order of the chances in the model.

How likely what is in a generated table: weights by situation, in the order of the leaves of the trees.

The numbers are ours: round, plausible, and dependent on each other as such things are.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import polars as pl

from shoal.data import Column, Hierarchy, Microdata, Role, Vocabulary
from shoal.io.schemas import ColumnSchema, TableSchema
from shoal.io.schemas.hierarchy_schema import IntervalHierarchy

from .scales import refuse_outside

__all__ = [
    "AGES",
    "AGE_WIDTHS",
    "COUNTRY",
    "EDUCATION",
    "FAMILY_NAMES",
    "FOREIGN",
    "GIVEN_NAMES",
    "MARITAL",
    "OCCUPATION",
    "RACE",
    "SALARY_CLASSES",
    "TREES",
    "WORKCLASS",
    "TableModel",
    "earning_chance",
    "leaves",
    "with_hierarchy",
]


Tree = Mapping[str, "Tree | Sequence[str]"]

AGES: Final = (17, 90)
AGE_WIDTHS: Final = (5, 10, 20)
SALARY_CLASSES: Final = ("<=50K", ">50K")

TREES: Final[Mapping[str, Tree | Sequence[str]]] = {
    "sex": ("Female", "Male"),
    "race": {
        "Majority": ("White",),
        "Minority": ("Black", "Asian or Pacific Islander", "American Indian", "Other"),
    },
    "marital-status": {
        "Alone": {"Never married": ("Never married",), "Once married": ("Separated", "Divorced", "Widowed")},
        "With a spouse": {"In marriage": ("Married", "Married, spouse away")},
    },
    "education": {
        "Without a diploma": {
            "Primary": ("Unschooled", "Grades 1 to 6"),
            "Secondary begun": ("Grades 7 to 9", "Grades 10 to 12"),
        },
        "With a diploma": {
            "Secondary": ("High school", "Vocational school"),
            "College begun": ("Some college", "Associate degree"),
        },
        "With a degree": {"Undergraduate": ("Bachelor",), "Graduate": ("Master", "Professional school", "Doctorate")},
    },
    "native-country": {
        "America": {
            "North America": ("United States", "Canada", "Mexico"),
            "Central America": ("Cuba", "Dominican Republic", "El Salvador", "Guatemala", "Haiti", "Jamaica"),
            "South America": ("Brazil", "Colombia", "Ecuador", "Peru"),
        },
        "Asia": {
            "East Asia": ("China", "Japan", "South Korea", "Taiwan"),
            "South and South-East Asia": ("India", "Iran", "Philippines", "Thailand", "Vietnam"),
        },
        "Europe": {
            "Western Europe": ("England", "France", "Germany", "Ireland", "Italy", "Portugal"),
            "Eastern Europe": ("Greece", "Hungary", "Poland"),
        },
        "Africa": {"West Africa": ("Ghana", "Nigeria"), "East Africa": ("Ethiopia", "Kenya")},
    },
    "workclass": {
        "Employed": {
            "Private": ("Private",),
            "Government": ("Federal government", "State government", "Local government"),
        },
        "Own account": {"For oneself": ("Self-employed", "Self-employed, incorporated"), "Unpaid": ("Unpaid",)},
    },
    "occupation": {
        "Office": {
            "Leading": ("Executive", "Professional specialty"),
            "Supporting": ("Administration", "Sales", "Technical support"),
        },
        "Hands": {
            "Skilled": ("Craft and repair", "Machine operation", "Transport"),
            "Unskilled": ("Cleaning", "Farming and fishing"),
        },
        "Service": {"Public service": ("Protective service", "Other service"), "Home": ("Household service",)},
    },
}

GIVEN_NAMES: Final = (
    *("Ada", "Bela", "Chidi", "Dora", "Emil", "Farah", "Goran", "Hana", "Ivo", "Jun", "Kaya", "Lior", "Mara"),
    *("Nils", "Olga", "Pia", "Quentin", "Rosa", "Sami", "Tove", "Uma", "Vera", "Wim", "Yara", "Zeno"),
)
FAMILY_NAMES: Final = (
    *("Abbott", "Bauer", "Costa", "Diaz", "Eriksen", "Farkas", "Gupta", "Haddad", "Ito", "Jansen", "Kowalski"),
    *("Lopez", "Mensah", "Nguyen", "Okafor", "Petit", "Quinn", "Rossi", "Silva", "Tanaka", "Usman", "Varga", "Weber"),
)


def leaves(tree: Tree | Sequence[str]) -> tuple[str, ...]:
    """Return the values of a tree in order."""
    if not isinstance(tree, Mapping):
        return tuple(tree)
    return tuple(leaf for branch in tree.values() for leaf in leaves(branch))


RACE: Final = np.array([[78.0, 12, 6, 1.5, 2.5]])

MARITAL: Final = np.array(  # a row for women and one for men, from young to old
    [
        [80.0, 3, 2, 0.1, 14, 0.9],
        [88.0, 1, 1, 0.1, 9, 0.9],
        [30.0, 5, 13, 0.5, 49, 2.5],
        [37.0, 3, 9, 0.2, 49, 1.8],
        [10.0, 4, 22, 5, 57, 2],
        [11.0, 3, 17, 1.5, 66, 1.5],
        [5.0, 2, 14, 34, 44, 1],
        [6.0, 1, 11, 9, 72, 1],
    ]
)

EDUCATION: Final = np.array(  # under 19, under 23, under 30, under 60, older
    [
        [0.2, 1, 12, 68, 15, 2.0, 1.8, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.2, 1, 3, 11, 33, 4.0, 40.0, 5.0, 2.8, 0.0, 0.0, 0.0],
        [0.2, 1, 3, 6, 32, 5.0, 21.0, 8.0, 19.0, 4.0, 0.6, 0.2],
        [0.4, 2, 4, 7, 32, 5.0, 18.0, 8.0, 15.0, 6.0, 1.6, 1.0],
        [1.0, 6, 13, 10, 34, 4.0, 14.0, 4.0, 8.0, 4.0, 1.2, 0.8],
    ]
)

FOREIGN: Final = np.array([0.08, 0.1, 0.7, 0.01, 0.55])
"""The share of each race that was born abroad."""

_REGIONS: Final = np.array(  # North, Central and South America, East and South Asia, West and East Europe, Africa
    [
        [45.0, 12, 8, 0.5, 3, 22, 9, 0.5],
        [3.0, 50, 6, 0.1, 0.9, 3, 0, 37],
        [1.0, 0.5, 0.5, 42, 55, 1, 0, 0],
        [85.0, 9, 6, 0, 0, 0, 0, 0],
        [45.0, 35, 14, 1, 3, 1, 0.5, 0.5],
    ]
)
_WITHIN: Final = (  # the United States are not abroad
    (0.0, 1, 6),
    (9.0, 6, 9, 6, 4, 7),
    (3.0, 6, 3, 3),
    (7.0, 5, 7, 4),
    (9.0, 4, 18, 2, 6),
    (8.0, 3, 12, 2, 7, 4),
    (3.0, 1, 6),
    (3.0, 4, 2, 1),
)
COUNTRY: Final = np.hstack([_REGIONS[:, [at]] * np.array([shares]) / sum(shares) for at, shares in enumerate(_WITHIN)])

WORKCLASS: Final = np.array(  # without a diploma, with one, with a degree
    [
        [80.0, 1.0, 2.0, 4.0, 10, 2.5, 0.5],
        [76.0, 3.5, 3.5, 6.0, 8, 2.9, 0.1],
        [65.0, 4.5, 7.0, 9.5, 8, 6.0, 0.0],
    ]
)

OCCUPATION: Final = np.array(  # likewise, a row for women and one for men
    [
        [4.0, 2, 15, 13, 1, 3, 16, 1, 8, 2, 1, 29, 5],
        [4.0, 1, 4, 6, 0.5, 27, 14, 13, 14, 9, 2, 5.4, 0.1],
        [10.0, 7, 35, 13, 4, 2, 6, 1, 3, 1, 1, 15.5, 1.5],
        [11.0, 5, 7, 12, 3, 27, 9, 9, 6, 4, 4, 3, 0],
        [18.0, 46, 15, 9, 4, 0.7, 1, 0.3, 0.5, 0.5, 0.5, 4.3, 0.2],
        [30.0, 34, 6, 13, 5, 4, 1, 1, 0.7, 1.3, 2.5, 1.5, 0],
    ]
)

_SCHOOLING_WORTH: Final = np.array([-2.5, -2.3, -1.9, -1.6, -0.6, -0.3, -0.1, 0.1, 0.9, 1.3, 2.1, 2.2])
_TRADE_WORTH: Final = np.array([0.9, 0.6, 0.0, 0.3, 0.6, 0.1, -0.3, 0.0, -0.9, -1.0, 0.6, -0.9, -2.5])
_CLASS_WORTH: Final = np.array([0.0, 0.5, -0.2, -0.1, -0.3, 0.7, -4.0])
_MARITAL_WORTH: Final = np.array([-0.9, -0.7, -0.4, -0.5, 1.1, -0.4])


def earning_chance(people: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return each person's chance to be in the upper class of salary, largest at about fifty years of age."""
    worth = -2.0 - ((people["age"] - 50.0) / 18.0) ** 2 / 2 + 0.35 * people["sex"]
    worth += _SCHOOLING_WORTH[people["education"]] + _TRADE_WORTH[people["occupation"]]
    worth += _CLASS_WORTH[people["workclass"]] + _MARITAL_WORTH[people["marital-status"]]
    return 1 / (1 + np.exp(-worth))


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
        """Return the model of a table with this many rows."""
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
        """Return the hierarchies that stand in files, each over every value its column may hold."""
        whole = {name: Vocabulary(pl.Series(leaves(tree))) for name, tree in TREES.items()}
        return {name: _hierarchy(name, vocabulary) for name, vocabulary in whole.items()}

    def frames(self) -> Iterator[pl.DataFrame]:
        """Return the rows of that file."""
        for number in range(-(-self.rows // _CHUNK)):
            size = min(_CHUNK, self.rows - number * _CHUNK)
            codes = _chunk(np.random.SeedSequence(self.seed, spawn_key=(number,)))
            yield _frame({name: column[:size] for name, column in codes.items()}, number * _CHUNK).select(
                list(self.columns)
            )

    def records(self) -> Microdata:
        """Return the whole table in memory."""
        frame = pl.concat(list(self.frames()))
        roles = {name: column.role for name, column in self.schema("").columns.items()}
        columns = [Column.encode(name, role, frame[name]) for name, role in roles.items()]
        return Microdata(tuple(with_hierarchy(column) for column in columns))


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
    """Return the outside values; a running number makes the names distinct."""
    words = {**{name: leaves(tree) for name, tree in TREES.items()}, "salary-class": SALARY_CLASSES}
    words |= {"given name": GIVEN_NAMES, "family name": FAMILY_NAMES}
    columns = {name: pl.Series(name, values).gather(codes[name]) for name, values in words.items()}
    number = np.arange(first + 1, first + 1 + len(codes["age"]))
    name = pl.concat_str("given name", "family name", "number", separator=" ").alias("name")
    return pl.DataFrame({**columns, "age": codes["age"], "number": number}).with_columns(name)


def with_hierarchy(column: Column) -> Column:
    """Return a column of a generated table with its hierarchy, where it has one."""
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
