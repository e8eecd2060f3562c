"""Every attack keeps the laws of attackers."""

import numpy as np
import polars as pl
import pytest

from shoal.attacks import Attack, Exposure, attacks
from shoal.data import Column, Hierarchy, Microdata, RatingMatrix, Ratings, Role, Scale, Vocabulary
from shoal.models import promises
from shoal.testing import check_attack

N = 24


@pytest.mark.parametrize("family", list(attacks), ids=lambda family: family.name)
def test_an_attack_keeps_every_law(family: type[Attack]) -> None:
    for attack in dict.fromkeys((family(), *(one for kind in family.kinds for one in family.usual(raw(kind))))):
        check_attack(attack, raw=raw, examples=20)


def raw(kind: str) -> Exposure:
    """Return raw data in which nobody is like anybody else, and what is sensitive follows from what is not."""
    data = ratings() if kind == "ratings" else table()
    promised = (promises.read("k-epsilon:k=2,epsilon=1" if kind == "ratings" else "l-diversity:l=2"),)
    also = (Exposure.of_itself(data, promises=promised),)
    return Exposure.of_itself(data, promises=promised, also=also, population=data)


def ratings() -> Ratings:
    chance = np.random.default_rng(5)
    codes = chance.integers(-1, 5, (N, 16)).astype(np.int32)
    codes[:, 0] = np.arange(N) % 5
    codes[:, 14:] = -1
    codes[[3, 9], 14] = 0, 4
    codes[7, 15] = 4  # few rated the last two issues
    secret = codes[:, :1].copy()
    names = pl.Series([f"issue {number}" for number in range(17)])
    return Ratings(
        Vocabulary(pl.Series([f"person {number}" for number in range(N)])),
        RatingMatrix.from_dense(Vocabulary(names[:16]), codes),
        RatingMatrix.from_dense(Vocabulary(names[16:]), secret),
        Scale.of(1, 5),
    )


def table() -> Microdata:
    age = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(np.arange(N) + 20))
    town = Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series([f"{4350 + i % 7}" for i in range(N)]))
    name = Column.encode("name", Role.IDENTIFIER, pl.Series([f"person {i}" for i in range(N)]))
    illnesses = pl.Series([["flu", "cold", "gout"][i % 3] for i in range(N)])
    illness = Column.encode("illness", Role.SENSITIVE, illnesses, (("flu", "cold"), ("gout",)))
    columns = (age.with_hierarchy(Hierarchy.suggest(age.vocabulary)), town, name, illness)
    return Microdata(columns)
