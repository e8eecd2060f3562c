"""One thing that is wrong with a hierarchy."""

from dataclasses import dataclass

__all__ = ["HierarchyFault"]


@dataclass(frozen=True)
class HierarchyFault:
    """One thing that is wrong, told by counts and lines, never by values."""

    sentence: str
    cure: str
    lines: tuple[int, ...] = ()
    """The lines of the file on which it shows."""
