"""A table about people: one record a row, one role a column."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal, Self

import numpy as np
import polars as pl

from shoal.errors import InputError

from .column import Column, Role
from .records import ClassPeople

__all__ = ["Microdata"]


@dataclass(frozen=True, eq=False, repr=False)
class Microdata:
    """Dictionary-coded columns of equal length, each with a role, and whose records they are.

    The unit of protection is the person. Where nothing else is known every record is of another person.
    """

    kind: ClassVar[str] = "table"

    columns: tuple[Column, ...]
    persons: np.ndarray | None = None
    """The person each record is of, numbered from 0 on with few gaps: int64. None: each record is of another person."""
    stated: ClassPeople | None = None
    """Of published records: how many people each equivalence class is of. Persons themselves never leave."""
    unit: Literal["person", "record"] = "person"
    """What promises count. ``record``: the owner protects records, and a person may have several."""

    def __post_init__(self) -> None:
        assert self.columns, "a table has columns"
        assert self.persons is None or len(self.persons) == len(self)
        assert self.persons is None or self.stated is None, "what is published does not say whose it is"
        assert self.unit == "person" or (self.persons is None and self.stated is None)
        assert len({len(column) for column in self.columns}) == 1
        assert len({column.name for column in self.columns}) == len(self.columns)

    def __len__(self) -> int:
        return len(self.columns[0])

    def __repr__(self) -> str:
        return f"Microdata({len(self):,} records, {', '.join(f'{c.name}: {c.role}' for c in self.columns)})"

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise InputError(f"There is no column {name!r}.", f"The columns are: {', '.join(self.names)}.")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns in order."""
        return tuple(column.name for column in self.columns)

    @property
    def n_people(self) -> int:
        """How many different people the records are of; of published ones, of how many at least."""
        return self._n_people

    @cached_property
    def _n_people(self) -> int:
        if self.stated is not None:
            return self.stated.at_least
        return len(self) if self.persons is None else len(np.unique(self.persons))

    @property
    def has_repeated_people(self) -> bool:
        """Whether a person may have several records."""
        return self.persons is not None or self.stated is not None

    @property
    def quasi_identifiers(self) -> tuple[Column, ...]:
        """The part that methods generalize."""
        return self.with_role(Role.QUASI_IDENTIFIER)

    @property
    def observable(self) -> tuple[Column, ...]:
        """The observable part: quasi-identifiers and strata, in which the records of an equivalence class are equal."""
        return tuple(column for column in self.columns if column.role.is_observable)

    @property
    def weights(self) -> np.ndarray | None:
        """The sampling weight of each record: float64; None where there are no weights."""
        columns = self.with_role(Role.WEIGHT)
        return columns[0].values.cast(pl.Float64).to_numpy() if columns else None

    @property
    def households(self) -> np.ndarray | None:
        """The household of each record, numbered from 0 on with few gaps; None where households are not known."""
        columns = self.with_role(Role.HOUSEHOLD)
        return columns[0].codes if columns else None

    @property
    def sensitive(self) -> tuple[Column, ...]:
        """The sensitive part."""
        return self.with_role(Role.SENSITIVE)

    @property
    def has_observable(self) -> bool:
        """Whether any column is a quasi-identifier or a stratum."""
        return bool(self.observable)

    @property
    def has_sensitive(self) -> bool:
        """Whether any column is sensitive."""
        return bool(self.sensitive)

    def with_role(self, role: Role) -> tuple[Column, ...]:
        """Return the columns that play this role."""
        return tuple(column for column in self.columns if column.role is role)

    def take(self, rows: np.ndarray) -> Self:
        """Return these records in this order."""
        return replace(
            self,
            columns=tuple(column.take(rows) for column in self.columns),
            persons=None if self.persons is None else self.persons[rows],
            stated=None if self.stated is None else self.stated.take(rows),
        )

    def replaced(self, columns: tuple[Column, ...]) -> Self:
        """Return the same table with these columns in place of those of the same names."""
        new = {column.name: column for column in columns}
        assert new.keys() <= set(self.names)
        return replace(self, columns=tuple(new.get(column.name, column) for column in self.columns))

    def frame(self) -> pl.DataFrame:
        """Return the outside values as a data frame."""
        return pl.DataFrame([column.values for column in self.columns])
