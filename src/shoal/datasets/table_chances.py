"""How likely what is in a generated table: weights by situation, in the order of the leaves of the trees.

The numbers are ours: round, plausible, and dependent on each other as such things are.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

__all__ = ["COUNTRY", "EDUCATION", "FOREIGN", "MARITAL", "OCCUPATION", "RACE", "WORKCLASS", "earning_chance"]

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
    """Give each person's chance to be in the upper class of salary, largest at about fifty years of age."""
    worth = -2.0 - ((people["age"] - 50.0) / 18.0) ** 2 / 2 + 0.35 * people["sex"]
    worth += _SCHOOLING_WORTH[people["education"]] + _TRADE_WORTH[people["occupation"]]
    worth += _CLASS_WORTH[people["workclass"]] + _MARITAL_WORTH[people["marital-status"]]
    return 1 / (1 + np.exp(-worth))
