"""What every kind of data has in common."""

from typing import ClassVar, Protocol, Self, runtime_checkable

import numpy as np

from .class_people import ClassPeople

__all__ = ["Records"]


@runtime_checkable
class Records(Protocol):
    """Immutable records of people, each with an observable and a sensitive part."""

    kind: ClassVar[str]
    """``ratings`` or ``table``."""

    def __len__(self) -> int: ...

    @property
    def n_people(self) -> int:
        """How many people the records are of."""
        ...

    @property
    def stated(self) -> ClassPeople | None:
        """Of a published table in which people may have several records: how many people each class is of."""
        ...

    def take(self, rows: np.ndarray) -> Self:
        """Give these records in this order."""
        ...

    @property
    def has_observable(self) -> bool:
        """Whether there is anything in the records that an attacker may know."""
        ...

    @property
    def has_sensitive(self) -> bool:
        """Whether anything in the records is declared sensitive."""
        ...
