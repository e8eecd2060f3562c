"""Raw data in which everybody differs: what an attack that works at all succeeds on."""

import numpy as np
import polars as pl

from shoal.attacks import Exposure
from shoal.data import Column, Hierarchy, Microdata, RatingMatrix, Ratings, Role, Scale, Survey, Vocabulary
from shoal.models import promises

__all__ = ["raw_exposure"]

_PEOPLE = 24


def raw_exposure(kind: str) -> Exposure:
    """Return raw data of a kind in which nobody is like anybody else, and the sensitive part follows from the rest."""
    data = {"ratings": _ratings, "survey": _survey, "table": _table}[kind]()
    promised = (promises.read("l-diversity:l=2" if kind == "table" else "k-epsilon:k=2,epsilon=1"),)
    also = (Exposure.of_itself(data, promises=promised),)
    return Exposure.of_itself(data, promises=promised, also=also, population=data)


def _ratings() -> Ratings:
    chance = np.random.default_rng(5)
    codes = chance.integers(-1, 5, (_PEOPLE, 16)).astype(np.int32)
    codes[:, 0] = np.arange(_PEOPLE) % 5
    codes[:, 14:] = -1
    codes[[3, 9], 14] = 0, 4
    codes[7, 15] = 4  # few rated the last two issues
    secret = codes[:, :1].copy()
    names = pl.Series([f"issue {number}" for number in range(17)])
    return Ratings(
        Vocabulary(pl.Series([f"person {number}" for number in range(_PEOPLE)])),
        RatingMatrix.from_dense(Vocabulary(names[:16]), codes),
        RatingMatrix.from_dense(Vocabulary(names[16:]), secret),
        Scale.of(1, 5),
    )


def _survey() -> Survey:
    """Return both parts; one sensitive attribute, an answer, is enough to be inferred."""
    table = _table()
    known = tuple(column for column in table.columns if column.role is not Role.SENSITIVE)
    return Survey(Microdata(known), _ratings())


def _table() -> Microdata:
    age = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(np.arange(_PEOPLE) + 20))
    town = Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series([f"{4350 + i % 7}" for i in range(_PEOPLE)]))
    name = Column.encode("name", Role.IDENTIFIER, pl.Series([f"person {i}" for i in range(_PEOPLE)]))
    illnesses = pl.Series([["flu", "cold", "gout"][i % 3] for i in range(_PEOPLE)])
    illness = Column.encode("illness", Role.SENSITIVE, illnesses, (("flu", "cold"), ("gout",)))
    weight = Column.encode("weight", Role.WEIGHT, pl.Series(np.arange(_PEOPLE) % 4 + 1.5))
    return Microdata((age.with_hierarchy(Hierarchy.suggest(age.vocabulary)), town, name, illness, weight))
