"""The sensitive values of groups in tables that are no wider than a group has values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

__all__ = ["GroupValues"]


@dataclass(frozen=True, eq=False)
class GroupValues:
    """Which values each of some groups has: a column of a table of counts stands for another value in each group."""

    columns: np.ndarray
    """By row and attribute, the column of its value."""
    names: tuple[np.ndarray, ...]
    """By attribute: the value of each column, in each group."""

    @classmethod
    def of(cls, codes: Sequence[np.ndarray], groups: np.ndarray, n_groups: int) -> Self:
        """Number the values that occur in each group, ascending; attributes stand beside each other."""
        columns, names, width = np.empty((len(groups), len(codes)), np.int64), [], 0
        for i, values in enumerate(codes):
            n = int(values.max(initial=0)) + 1
            keys, place = np.unique(groups * n + values, return_inverse=True)
            owners = keys // n
            begins = np.searchsorted(owners, np.arange(n_groups + 1))
            numbers = np.arange(len(keys)) - begins[owners]
            named = np.zeros((n_groups, int(np.diff(begins).max(initial=0))), np.int64)
            named[owners, numbers] = keys % n
            columns[:, i] = width + numbers[place]
            names.append(named)
            width += named.shape[1]
        return cls(columns, tuple(names))

    @property
    def width(self) -> int:
        """How many columns there are."""
        return sum(named.shape[1] for named in self.names)

    def counted(self, chosen: np.ndarray, labels: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Give how many of the chosen rows have each label, and the table of how often each has each value."""
        table = np.zeros((n, self.width), np.int64)
        self.move(table, labels[chosen], np.flatnonzero(chosen), 1)
        return np.bincount(labels[chosen], minlength=n), table

    def move(self, table: np.ndarray, owners: np.ndarray, rows: np.ndarray, sign: int) -> None:
        """Add rows to the lines of a table that own them, or take them away."""
        for columns in self.columns[rows].T:
            np.add.at(table, (owners, columns), sign)

    def entries(self, table: np.ndarray, groups: np.ndarray) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Give for each attribute the lines of a table and the values that occur in each, and how often.

        ``groups`` has the group of each line.
        """
        told, begin = [], 0
        for named in self.names:
            part = table[:, begin : begin + named.shape[1]]
            lines, columns = np.nonzero(part)
            told.append((lines, named[groups[lines], columns], part[lines, columns]))
            begin += named.shape[1]
        return told
