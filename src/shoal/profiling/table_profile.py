"""Everything about a table at first sight: its columns, the roles they may have, and how they tell people apart."""

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.data import Role
from shoal.evidence import equal_codes
from shoal.progress import stage

from .column_dependencies import ColumnDependency, column_dependencies
from .column_profile import ColumnProfile, column_profile
from .column_values import ColumnValues
from .minimal_keys import MinimalKeys, minimal_keys
from .row_sample import RowSample
from .screening import Screened, screened
from .separation import Separation, riskiest_sets
from .suggested_roles import SuggestedRole, suggested_roles

__all__ = ["TableProfile", "table_profile"]


@dataclass(frozen=True)
class TableProfile:
    """What a first look at a table shows. The repr shows no value."""

    columns: tuple[ColumnProfile, ...]
    screened: tuple[Screened, ...]
    """What names people, or helps to find them."""
    roles: Mapping[str, tuple[SuggestedRole, ...]]
    """For each column, the roles that it may have, the surest first."""
    dependencies: tuple[ColumnDependency, ...]
    duplicates: int
    """How many records equal an earlier one in all columns."""
    separations: tuple[Separation, ...]
    """The sets of columns that tell most records apart."""
    keys: MinimalKeys

    @property
    def rows(self) -> int:
        """How many records there are."""
        return self.columns[0].rows

    @property
    def identifying(self) -> frozenset[str]:
        """The columns that may name people, be it in the midst of text, whose values and ranges are not shown."""
        return frozenset(each.column for each in self.screened if each.role is Role.IDENTIFIER)

    def __repr__(self) -> str:
        return f"TableProfile({self.rows:,} records of {len(self.columns)} columns)"

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints beside the columns."""
        return {
            "screened": [each.to_json() for each in self.screened],
            "functional_dependencies": [each.to_json() for each in self.dependencies],
            "duplicate_records": self.duplicates,
            "separation": [each.to_json() for each in self.separations],
            "minimal_keys": [list(key) for key in self.keys.keys],
            "minimal_keys_complete": self.keys.complete,
        }


def table_profile(
    columns: Sequence[ColumnValues],
    known: Collection[str] | None = None,
    persons: np.ndarray | None = None,
) -> TableProfile:
    """Look at a table.

    ``known`` are the columns that others may know, if that has been decided; ``persons`` has the person of each record.
    """
    with ThreadPoolExecutor(_THREADS) as threads:
        with stage("looking at columns"):
            profiles = tuple(threads.map(column_profile, columns))
            found = screened(columns, profiles)
        roles = {
            each.name: suggested_roles(each, [one for one in found if one.column == each.name]) for each in profiles
        }
        with stage("comparing columns"):
            candidates, sample = _candidates(columns, roles, known), RowSample(columns)
            dependencies = threads.submit(column_dependencies, columns, persons, sample)
            duplicates = threads.submit(_duplicates, columns)
            shown = riskiest_sets(candidates, persons, sample)
            keys = minimal_keys(candidates, sample, shown)
            return TableProfile(profiles, found, roles, dependencies.result(), duplicates.result(), shown, keys)


_THREADS = 2
"""Polars and the kernels let others work beside them; what is computed does not depend on it."""


def _candidates(
    columns: Sequence[ColumnValues], roles: Mapping[str, Sequence[SuggestedRole]], known: Collection[str] | None
) -> list[ColumnValues]:
    """Return the columns that others may know; where none is known or suggested, all that do not identify."""
    if known is not None:
        return [column for column in columns if column.name in known]
    suggested = {name: {each.role for each in of_column} for name, of_column in roles.items()}
    likely = [column for column in columns if Role.QUASI_IDENTIFIER in suggested[column.name]]
    if len(likely) > 1:
        return likely
    return [column for column in columns if Role.IDENTIFIER not in suggested[column.name]]


def _duplicates(columns: Sequence[ColumnValues]) -> int:
    """Count records that equal an earlier one; columns with most values come first, because few of them mostly do."""
    rows = len(columns[0])
    labels, found = np.zeros(rows, np.int64), min(rows, 1)
    for column in sorted(columns, key=lambda column: -len(column.counted)):
        if found == rows or (column.counted.is_unique and not column.counted.missing):
            return 0
        labels, found = equal_codes([(labels, found), column.codes], rows)
    return rows - found
