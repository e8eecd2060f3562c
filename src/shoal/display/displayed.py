"""What a result needs to show itself: a summary, and pictures where there are any."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from .summary import Picture, Summary

__all__ = ["Displayed"]


class Displayed(ABC):
    """Shows itself as its summary, on a terminal and in a notebook; a dataclass says ``repr=False`` for it."""

    @abstractmethod
    def _summary(self) -> Summary:
        """Return what is shown; it contains no value of a record."""

    def _pictures(self) -> Iterable[Picture]:
        """Return what is drawn below it in a notebook."""
        return ()

    def shown(self) -> tuple[Summary, tuple[Picture, ...]]:
        """Return what a notebook or a page shows: all of it, with what a terminal has no room for."""
        return self._summary(), tuple(self._pictures())

    def __repr__(self) -> str:
        from .as_text import as_text

        return as_text(self._summary())

    def _repr_html_(self) -> str:
        from .as_html import as_html

        return as_html(*self.shown())
